// SPDX-License-Identifier: MIT
#include "threads/thread_pool.h"

#include <pthread.h>

#include "threads/lookout.h"

namespace regretless {
namespace {

constexpr int kSpins = 4000;  // pieces of work take microseconds: the threads poll for the next one before they sleep

unsigned num_forks = 0;  // changes only where fork returns in the child, which has one thread

unsigned count_forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++num_forks; });
  static_cast<void>(registered);
  return num_forks;
}

template <class T>
void wait_while(const std::atomic<T>& value, T old) {
  for (int spin = 0; spin < kSpins; ++spin)
    if (value.load(std::memory_order_acquire) != old) return;
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(int size) : num_forks_(count_forks()) { start(size); }

void ThreadPool::start(int size) {
  try {
    for (int i = 1; i < size; ++i) threads_.emplace_back([this, i] { loop(i); });
  } catch (...) {  // the system has no more threads to give
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() { stop(); }

// After a fork: the threads exist in the parent only. Their handles are never destroyed, since nothing here could be joined.
void ThreadPool::forget_threads() {
  new std::vector(std::move(threads_));
  threads_.clear();
}

void ThreadPool::stop() {
  if (num_forks_ != num_forks) return forget_threads();
  is_stopping_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(const std::function<void(int)>& work) {
  if (threads_.empty()) return work(0);
  if (num_forks_ != num_forks) {
    const int old_size = size();
    forget_threads();
    num_forks_ = num_forks;
    round_ = 0;
    start(old_size);
  }
  const Lookout::Pause pause;
  work_ = &work;
  busy_.store(static_cast<int>(threads_.size()), std::memory_order_release);
  round_.fetch_add(1, std::memory_order_acq_rel);
  round_.notify_all();
  work(0);
  for (int busy = busy_.load(std::memory_order_acquire); busy != 0; busy = busy_.load(std::memory_order_acquire))
    wait_while(busy_, busy);
}

void ThreadPool::loop(int index) {
  for (unsigned seen = 0;; ++seen) {
    wait_while(round_, seen);
    if (is_stopping_) return;
    (*work_)(index);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
  }
}

}  // namespace regretless
