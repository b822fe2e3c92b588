// SPDX-License-Identifier: MIT
// Chips as a share of the pot in one byte: in steps of 1/32 up to two pots, from there on 32 steps for each doubling. 255 is 126
// pots and more. Divided by 32 it is the share itself up to two pots, and one more with each doubling.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

namespace regretless {

inline constexpr float kPotShareScale = 1.f / 32;

constexpr std::uint8_t pot_share(std::int64_t chips, std::int64_t pot) {
  if (chips <= 0) return 0;
  const std::uint64_t whole = static_cast<std::uint64_t>(std::max<std::int64_t>(pot, 1));
  const std::uint64_t share = (static_cast<std::uint64_t>(chips) * 32 + whole / 2) / whole;  // in 1/32 pots, rounded
  const int doublings = std::max(0, static_cast<int>(std::bit_width(share)) - 6);
  return static_cast<std::uint8_t>(std::min<std::uint64_t>(255, 32 * static_cast<std::uint64_t>(doublings) + (share >> doublings)));
}

}  // namespace regretless
