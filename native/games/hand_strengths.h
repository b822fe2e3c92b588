// SPDX-License-Identifier: MIT
// The strength of a player's hand by what he sees, from 0 to 1, cheap enough for every decision.
#pragma once
#include "cards/strength_shares.h"
#include "games/liars_dice.h"
#include "games/poker.h"

namespace regretless {

// 0 where a game has no strength of its own.
template <Game G>
class HandStrengths {
 public:
  explicit HandStrengths(const G&) {}
  float operator()(const typename G::State&, const typename G::Deal&, Player) const { return 0; }
};

// Hole and board cards together: the share of all hands of as many cards that they beat. Before there are five cards:
// the share of starting hands with less all-in equity against a random hand; of more than two hole cards the mean over
// their pairs. One hole card: the share of the other cards that it beats on this board. An equal hand counts half.
template <>
class HandStrengths<Poker> {
 public:
  explicit HandStrengths(const Poker& game);
  float operator()(const PokerState& state, const PokerDeal& deal, Player player) const;

  bool judges(int num_board) const { return shares_[num_board] != nullptr; }  // there are five cards
  float share(int num_board, Strength strength) const { return shares_[num_board]->share(strength); }  // where it judges
  float before_board(std::span<const Card> hole) const;  // of two hole cards or more

 private:
  float among_cards(const PokerState& state, Card hole) const;

  const PokerRules& rules_;
  std::vector<float> pairs_;  // [hands of two cards]: before the board
  std::array<std::shared_ptr<const StrengthShares>, kMaxBoardCards + 1> shares_{};  // [board cards], null: as before it
};

// The share of hands whose best face has fewer dice, the wild face counted; an equal hand counts half.
template <>
class HandStrengths<LiarsDice> {
 public:
  explicit HandStrengths(const LiarsDice& game);
  float operator()(const LiarsDiceState&, const LiarsDiceDeal& deal, Player player) const {
    return shares_[static_cast<std::size_t>(game_.hand(deal, player))];
  }

 private:
  const LiarsDice& game_;
  std::vector<float> shares_;  // [hands]
};

}  // namespace regretless
