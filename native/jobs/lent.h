// SPDX-License-Identifier: MIT
// An object that a job writes and lends to readers. A reader may keep it: the job then writes the next one to other memory.
#pragma once
#include <memory>
#include <utility>

namespace regretless {

template <class T>
class Lent {
 public:
  T& operator*() { return *now_; }
  const T& operator*() const { return *now_; }
  T* operator->() { return now_.get(); }
  const T* operator->() const { return now_.get(); }

  // For whoever wants to keep it.
  std::shared_ptr<const T> share() const { return now_; }

  // To be written anew, in the same memory or, if somebody keeps that, in other memory with other contents. Two pieces take turns
  // as long as each is dropped before its turn comes again.
  T& renew() {
    if (is_kept(now_)) {
      std::swap(now_, before_);
      if (!now_ || is_kept(now_)) now_ = std::make_shared<T>();
    }
    return *now_;
  }

 private:
  static bool is_kept(const std::shared_ptr<T>& value) {
    if (value.use_count() > 1) return true;
    const std::shared_ptr<T> counted = value;  // copying synchronises with the readers that released theirs
    return false;
  }

  std::shared_ptr<T> now_ = std::make_shared<T>(), before_;
};

}  // namespace regretless
