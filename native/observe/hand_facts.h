// SPDX-License-Identifier: MIT
// A hand of hold'em and the board as 52 numbers that do not change where suits are renamed or hole cards change places: what the
// hand beats, what it is called, ranks, what may come, and what the board is like.
#pragma once
#include "games/hand_strengths.h"
#include "observe/draws.h"
#include "observe/row_writer.h"

namespace regretless {

class HandFacts {
 public:
  explicit HandFacts(const Poker& game);
  void add_fields(RowLayout& layout) const;
  void write(RowWriter& out, const PokerState& state, const PokerDeal& deal, Player actor) const;

 private:
  struct Worth {
    Strength hand = 0, board = 0;  // of five cards at least
    int made = 0, shown = 0;       // categories of both; of fewer board cards by those that are alike
  };
  Worth worth(std::span<const Card> hole, std::span<const Card> board, const Ranks& shown) const;
  void write_numbers(RowWriter& out, const SeenRanks& seen) const;
  std::uint64_t bits(const SeenRanks& seen, const Worth& worth) const;

  const Poker& game_;
  HandStrengths<Poker> strengths_;
  Draws draws_;
};

}  // namespace regretless
