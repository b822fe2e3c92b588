// SPDX-License-Identifier: MIT
// Ranks of some cards as bits: of each suit, and how often each rank is there.
#pragma once
#include <array>
#include <span>

#include "cards/deck.h"

namespace regretless {

inline constexpr int kNumPatterns = 6;

struct Ranks {
  std::array<std::uint32_t, 4> by_suit{};
  std::uint32_t once = 0, twice = 0, thrice = 0, all_four = 0;  // at least so often

  // rank(card) and suit(card) say what a card is.
  template <class Rank, class Suit>
  Ranks(std::span<const Card> cards, Rank rank, Suit suit) {
    for (const Card card : cards) by_suit[suit(card)] |= std::uint32_t{1} << rank(card);
    for (const std::uint32_t ranks : by_suit) {
      all_four |= thrice & ranks;
      thrice |= twice & ranks;
      twice |= once & ranks;
      once |= ranks;
    }
  }

  int num_of(int rank) const {
    return static_cast<int>((once >> rank & 1) + (twice >> rank & 1) + (thrice >> rank & 1) + (all_four >> rank & 1));
  }

  // No two alike, a pair, two pairs, three alike, three and a pair, four alike.
  int pattern() const {
    const bool has_more = (twice & (twice - 1)) != 0;
    if (all_four != 0) return 5;
    if (thrice != 0) return has_more ? 4 : 3;
    return has_more ? 2 : twice != 0 ? 1 : 0;
  }
};

// Hole and board cards that a player sees.
struct SeenRanks {
  Ranks hole, board;
  int to_come = 0;  // board cards
};

}  // namespace regretless
