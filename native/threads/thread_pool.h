// SPDX-License-Identifier: MIT
// Threads that wait between short pieces of work. run(work) calls work(0) ... work(size - 1) at once, each on a thread of its
// own (0 on the caller's), and returns when all are done.
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
  void run(const std::function<void(int)>& work);  // work must not throw, unless the caller's is the only thread

 private:
  void loop(int index);
  void stop();

  std::vector<std::thread> threads_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_ = 0;
  std::atomic<int> busy_ = 0;
  std::atomic<bool> is_stopping_ = false;
};

}  // namespace regretless
