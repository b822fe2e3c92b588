// SPDX-License-Identifier: MIT
// The share of the pot of two players who are all-in, over the board cards to come, in place of those that were dealt: the same on
// average, with less noise.
#pragma once
#include <algorithm>
#include <numeric>

#include "games/poker.h"

namespace regretless {

// The frequencies with which the first seat loses, ties and wins.
using Shares = std::array<float, 3>;

// Over `boards` that are drawn, or over all where one card is to come and they are no more.
inline Shares all_in_shares(const Poker& game, const PokerDeal& deal, int num_board, int boards, Random random) {
  const PokerRules& rules = game.rules();
  std::array<Card, 64> left;
  const CardSet taken = card_set(game.hole(deal, 0)) | card_set(game.hole(deal, 1)) |
                        card_set({deal.board.data(), static_cast<std::size_t>(num_board)});
  const int num_left = static_cast<int>(write_cards(rules.deck.all() & ~taken, left.data()) - left.data());
  const int due = rules.num_board_cards() - num_board;
  const bool goes_through = due == 1 && num_left <= boards;
  const int count = goes_through ? num_left : boards;
  std::array<Card, kMaxBoardCards> board = deal.board;
  const std::span<const Card> whole{board.data(), static_cast<std::size_t>(rules.num_board_cards())};
  std::array<int, 3> results{};
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < due; ++k) {
      const int at = goes_through ? i : k + static_cast<int>(random.below(static_cast<std::uint32_t>(num_left - k)));
      board[num_board + k] = left[at];
      if (!goes_through) std::swap(left[at], left[k]);
    }
    const Strength first = strength(rules.showdown, rules.deck, game.hole(deal, 0), whole);
    const Strength second = strength(rules.showdown, rules.deck, game.hole(deal, 1), whole);
    ++results[first < second ? 0 : first == second ? 1 : 2];
  }
  Shares shares;
  for (std::size_t i = 0; i < 3; ++i) shares[i] = static_cast<float>(results[i]) / static_cast<float>(count);
  return shares;
}

}  // namespace regretless
