// SPDX-License-Identifier: MIT
#include "threads/lookout.h"

#include <chrono>
#include <utility>

namespace regretless {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kInterval = std::chrono::milliseconds(100);

thread_local Lookout::Look current = nullptr;
thread_local Clock::time_point next{};

}  // namespace

constinit thread_local std::uint32_t Lookout::calls_ = 0;
constinit thread_local int Lookout::pauses_ = 0;

Lookout::Look Lookout::set(Look look) { return std::exchange(current, look); }

void Lookout::look_now() {
  if (current == nullptr || pauses_ > 0) return;
  const auto now = Clock::now();
  if (now < next) return;
  next = now + kInterval;
  current();
}

}  // namespace regretless
