// SPDX-License-Identifier: MIT
// Long work looks up now and then, so that whoever waits for it can say by an exception that it should stop. Who that is belongs to
// a thread: those of a pool have nobody, and while a pool works nobody is heard, so shared work never ends half done.
#pragma once
#include <cstdint>

namespace regretless {

class Lookout {
 public:
  using Look = void (*)();

  // For the thread at hand; nullptr: nobody. Returns who was there before.
  static Look set(Look look);

  // Cheap enough for every node of a tree: the clock is read now and then, `look` called about ten times a second.
  static void look_up() {
    if ((++calls_ & 63) == 0) look_now();
  }
  // For steps that take long each.
  static void look_now();

  // While one lives, nobody is heard.
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
