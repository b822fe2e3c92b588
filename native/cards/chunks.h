// SPDX-License-Identifier: MIT
// Numbered pieces of work on threads. What a piece does depends on its number alone, so that the result does not
// depend on the number of threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "threads/lookout.h"

namespace regretless {

// As many threads as the machine has where `threads` is 0 or less.
inline int thread_count(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Throws std::invalid_argument for chunks or threads that cannot be asked for.
inline void check_chunks(std::int64_t chunks, int threads) {
  if (chunks < 0) throw std::invalid_argument("chunks: must not be negative");
  if (threads > 1024) throw std::invalid_argument("threads: must be at most 1,024");
}

// Calls work(number) for every number in [0, count). The first exception stops the rest and is thrown here.
template <class Work>
void for_each_chunk(std::int64_t count, int threads, const Work& work) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto loop = [&] {
    try {
      for (std::int64_t number; (number = next.fetch_add(1)) < count;) work(number);
    } catch (...) {
      next = count;
      const std::lock_guard lock(error_mutex);
      if (!error) error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    const std::int64_t useful = std::min<std::int64_t>(thread_count(threads), count);
    for (std::int64_t i = 1; i < useful; ++i) others.emplace_back(loop);
    loop();
  }
  if (error) std::rethrow_exception(error);
}

// Adds run(number), a vector as long as sum, to sum for the next count numbers from done on, in order. What `done` counts is in the
// sum, also where the callback of the thread ends the work.
template <class Run>
void sum_chunks(std::int64_t& done, std::int64_t count, int threads, const Run& run, std::vector<double>& sum) {
  constexpr std::int64_t kMostKept = 128;
  std::vector<std::vector<double>> parts;  // [chunks, sums]
  for (const std::int64_t end = done + count; done < end; done += static_cast<std::int64_t>(parts.size())) {
    Lookout::look_now();
    parts.resize(static_cast<std::size_t>(std::min(kMostKept, end - done)));
    for_each_chunk(static_cast<std::int64_t>(parts.size()), threads,
                   [&](std::int64_t number) { parts[number] = run(done + number); });
    for (const std::vector<double>& part : parts) std::transform(sum.begin(), sum.end(), part.begin(), sum.begin(), std::plus<>{});
  }
}

}  // namespace regretless
