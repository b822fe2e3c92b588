// SPDX-License-Identifier: MIT
// The cards that a player sees, with suits renamed in one order that his cards decide and cards dealt together sorted: cards that
// differ only in the names of suits are written alike.
#pragma once
#include "games/poker.h"
#include "observe/row_writer.h"

namespace regretless {

class CanonicalCards {
 public:
  using Suits = std::array<std::uint8_t, 4>;  // new suit by old suit

  explicit CanonicalCards(const PokerRules& rules);

  void add_cards(RowLayout& layout) const;
  void add_cards_and_ranks(RowLayout& layout) const;  // ranks by place, too: of the lowest card, the next, ...

  // Suits in falling order of what they hold of the hole cards, then of the board, street by street.
  Suits suits(const PokerState& state, std::span<const Card> hole) const;
  void write(RowWriter& out, const PokerState& state, std::span<const Card> hole, const Suits& suits) const;

  int rank(Card card) const { return ranks_[card]; }
  int suit(Card card) const { return suits_[card]; }

 private:
  const PokerRules& rules_;
  int num_board_cards_;
  std::array<std::uint8_t, kMaxCards> ranks_{}, suits_{};    // by card, to save divisions
  std::array<std::uint8_t, kMaxBoardCards> board_streets_{};  // by place on the board
};

}  // namespace regretless
