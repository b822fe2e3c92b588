// SPDX-License-Identifier: MIT
// What a job shows to others. They may keep it: the job writes what comes next to memory that nobody looks at.
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
    const std::shared_ptr<T> counted = value;  // counting waits for no one, but comes after all that those who dropped it have read
    return false;
  }

  std::shared_ptr<T> now_ = std::make_shared<T>(), before_;
};

}  // namespace regretless
