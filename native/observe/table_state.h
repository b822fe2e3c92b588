// SPDX-License-Identifier: MIT
// A hold'em table as 46 numbers that mean the same whatever the number of players and the level of the blinds: chips in units or as
// shares of the pot, seats counted from the actor or from the button, opponents as the largest, smallest and mean of them.
#pragma once
#include "games/poker.h"
#include "observe/row_writer.h"

namespace regretless {

class TableState {
 public:
  explicit TableState(const Poker& game) : game_(game) {}
  void add_fields(RowLayout& layout) const;
  void write(RowWriter& out, const PokerState& state, Player actor, std::span<const Step> history) const;

 private:
  void write_chips(RowWriter& out, const PokerState& state, Player actor) const;
  void write_seats(RowWriter& out, const PokerState& state, Player actor, Player aggressor) const;

  const Poker& game_;
};

}  // namespace regretless
