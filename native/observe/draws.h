// SPDX-License-Identifier: MIT
// Straights and flushes that hole and board cards make, or that the next board card may make. In Omaha exactly two hole cards
// count, elsewhere one at least. A straight is a set of five ranks; they are numbered, the lowest first.
#pragma once
#include <vector>

#include "games/poker_rules.h"
#include "observe/ranks.h"

namespace regretless {

inline constexpr int kNumNutOrders = 4;

class Draws {
 public:
  // Straights as bits, and ranks of the next board card that makes one of those that are a card away.
  struct Straights {
    std::uint32_t made = 0, away = 0, next_ranks = 0;
  };

  explicit Draws(const PokerRules& rules);
  int num_straights() const { return static_cast<int>(straights_.size()); }  // 0 where there are none, nor flushes

  // Straights of which a set of ranks has at least 1, 2, ... 5.
  std::uint32_t straights_with(std::uint32_t ranks, int least) const { return at_least((*held_)[ranks], least); }
  // Straights to which the hole cards can belong beside the board.
  std::uint32_t straights_of_hole(const SeenRanks& seen) const;
  Straights straights(const SeenRanks& seen) const;

  // One byte a suit: no mark (255), or the number of cards higher than the best hole card nobody has shown (3 and more are one) for
  // a flush that one more card can make, after those the same for one that is made.
  int flush(std::uint32_t hole, std::uint32_t board, int to_come) const;

 private:
  static constexpr std::uint32_t at_least(std::uint64_t held, int ranks) {
    return static_cast<std::uint32_t>(held >> (10 * (ranks - 1)) & 0x3ff);
  }

  std::vector<std::uint32_t> straights_;    // ranks of each
  const std::vector<std::uint64_t>* held_;  // [sets of ranks]: straights of which it has at least 1, 2, ... 5, as bits, 10 each
  bool is_omaha_;
  int num_ranks_;
};

}  // namespace regretless
