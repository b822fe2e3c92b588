// SPDX-License-Identifier: MIT
// A lock for an object that one thread uses at a time: a second thread gets an exception, or waits for its turn.
#pragma once
#include <atomic>
#include <stdexcept>
#include <string>

namespace regretless {

class Busy {
 public:
  explicit Busy(const char* name) : name_(name) {}
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

  // Held while the object is used.
  class Use {
   public:
    // Throws std::logic_error if another thread uses the object.
    explicit Use(Busy& busy) : busy_(busy) {
      if (!busy_.take()) throw std::logic_error(std::string("this ") + busy_.name_ + " is busy in another thread");
    }
    // Waits until no other thread uses the object. The caller must hold nothing that other threads wait for.
    static Use after_others(Busy& busy) {
      while (!busy.take()) busy.is_used_.wait(true, std::memory_order_relaxed);
      return Use(busy, Taken{});
    }
    ~Use() {
      busy_.is_used_.store(false, std::memory_order_release);
      busy_.is_used_.notify_one();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    struct Taken {};
    Use(Busy& busy, Taken) : busy_(busy) {}
    Busy& busy_;
  };

 private:
  bool take() { return !is_used_.exchange(true, std::memory_order_acquire); }

  const char* name_;
  std::atomic<bool> is_used_ = false;
};

}  // namespace regretless
