// SPDX-License-Identifier: MIT
// Hold'em tables of 2 to 9 players as features whose number and meaning do not depend on how many play: cards as they are,
// what a table and a hand are like in numbers (table_state.h, hand_facts.h), and the last 30 steps as records of who acted,
// counted from the actor, the slot that he chose and its share of the pot. There is no seat: the first hole card is always there.
#pragma once
#include "observe/encoder.h"
#include "observe/hand_facts.h"
#include "observe/table_state.h"

namespace regretless {

class Table30 final : public EncoderOf<Poker> {
 public:
  static constexpr std::string_view kName = "table30";
  // Throws std::invalid_argument unless the game is hold'em with two hole cards, a board of 3, 1 and 1 and at most 9 players.
  explicit Table30(std::shared_ptr<const Poker> game);
  std::string_view name() const override { return kName; }
  int version() const override { return 1; }
  void write(const PokerState& state, const PokerDeal& deal, Player actor, std::span<const Step> history,
             std::uint8_t* row) const override;

 private:
  void write_history(RowWriter& out, Player actor, std::span<const Step> history) const;

  TableState table_;
  HandFacts hand_;
};

}  // namespace regretless
