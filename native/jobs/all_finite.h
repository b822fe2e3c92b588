// SPDX-License-Identifier: MIT
// Whether a large array holds nothing but finite numbers.
#pragma once
#include <algorithm>
#include <cstddef>

#include "threads/thread_pool.h"

namespace regretless {

inline bool all_finite(const float* values, const float* end) {
  float worst = 0;  // NaN and infinity times zero are NaN
  for (; values != end; ++values) worst += *values * 0.f;
  return worst == 0.f;
}

// On all threads, unless it is small.
inline bool all_finite(const float* values, std::size_t size, ThreadPool& pool) {
  constexpr std::size_t kSmall = 1 << 14;
  if (size <= kSmall) return all_finite(values, values + size);
  std::atomic<bool> all = true;
  const std::size_t share = size / static_cast<std::size_t>(pool.size()) + 1;
  pool.run([&](int thread) {
    const std::size_t first = std::min(size, static_cast<std::size_t>(thread) * share), end = std::min(size, first + share);
    if (!all_finite(values + first, values + end)) all = false;
  });
  return all;
}

}  // namespace regretless
