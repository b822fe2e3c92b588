// SPDX-License-Identifier: MIT
// A pool of threads for short pieces of work. run(work) calls work(0) ... work(size - 1) in parallel, work(0) on the caller's
// thread, and returns when all calls have returned. A process made by fork has none of the threads: the pool starts them again.
#pragma once
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace regretless {

class ThreadPool {
 public:
  explicit ThreadPool(int size);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }
  void run(const std::function<void(int)>& work);  // work must not throw, unless the pool has one thread only

 private:
  void start(int size);
  void loop(int index);
  void stop();
  void forget_threads();

  unsigned num_forks_;  // of this process and its parents when the threads were started
  std::vector<std::thread> threads_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_ = 0;
  std::atomic<int> busy_ = 0;
  std::atomic<bool> is_stopping_ = false;
};

}  // namespace regretless
