// SPDX-License-Identifier: MIT
// Who beats whom over some boards.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace regretless {

// Adds 1 where the hand of a column beats that of a row on a board, -1 where it loses: signs [hands, hands]. Places in the order
// of strength are negative for hands that the board blocks.
inline void add_win_signs(std::span<const std::int16_t> places, std::int8_t* signs) {
  const std::size_t hands = places.size();
  for (std::size_t row = 0; row < hands; ++row, signs += hands) {
    const std::int16_t mine = places[row];
    if (mine < 0) continue;
    for (std::size_t h = 0; h < hands; ++h)
      signs[h] = static_cast<std::int8_t>(signs[h] + (places[h] > mine ? 1 : 0) - (places[h] < mine && places[h] >= 0 ? 1 : 0));
  }
}

}  // namespace regretless
