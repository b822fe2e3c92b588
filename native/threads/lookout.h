// SPDX-License-Identifier: MIT
// Long work calls Lookout::look_up now and then. It calls the callback of the thread about ten times a second; an exception from
// the callback ends the work. Threads of a pool have no callback, and none is called while a pool works, so that work shared by
// threads is never left half done.
#pragma once
#include <cstdint>

namespace regretless {

class Lookout {
 public:
  using Look = void (*)();

  // Sets the callback of the calling thread (nullptr: none) and returns the one before.
  static Look set(Look look);

  // Cheap enough for every node of a tree: reads the clock in every 64th call.
  static void look_up() {
    if ((++calls_ & 63) == 0) look_now();
  }
  // For steps that take long: reads the clock in every call.
  static void look_now();

  // While a Pause lives, the callback is not called.
  class Pause {
   public:
    Pause() { ++pauses_; }
    ~Pause() { --pauses_; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
  };

 private:
  static constinit thread_local std::uint32_t calls_;
  static constinit thread_local int pauses_;
};

}  // namespace regretless
