// SPDX-License-Identifier: MIT
// Chips as shares of the pot (games/pot_share.h), and what was done: the last 24 steps (seat, street, fold or call or raise, and
// its share of the pot), or all of them where the rules allow no more, or fix the bets and cap the raises.
#pragma once
#include "games/poker.h"
#include "observe/row_writer.h"

namespace regretless {

class BettingShares {
 public:
  explicit BettingShares(const Poker& game);
  void add_fields(RowLayout& layout) const;
  void write(RowWriter& out, const PokerState& state, Player actor, std::span<const Step> history) const;

 private:
  const Poker& game_;
  std::int64_t chips_;  // on the table
  int pot_bytes_, max_steps_;
};

}  // namespace regretless
