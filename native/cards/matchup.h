// SPDX-License-Identifier: MIT
// Who holds what before the board is complete: the question that an equity answers.
#pragma once
#include <vector>

#include "cards/strength.h"

namespace regretless {

inline constexpr int kMaxMatched = 9;  // players of a matchup

// The hands that one player may hold. A deal is as likely as the product of its hands' weights; deals with a card
// in two places do not happen.
struct WeightedHands {
  std::vector<CardSet> hands;   // [hands]
  std::vector<double> weights;  // [hands]
};

// A checked question. Hands of weight zero and hands with a board or dead card are gone; each hand stands once, in
// ascending order; a player's largest weight is 1. The board will be completed to five cards.
struct Matchup {
  Showdown rule;
  Deck deck;
  int num_hole;
  std::vector<WeightedHands> players;  // [players], 2 to 9
  CardSet board;
  CardSet available;             // neither on the board nor dead
  std::vector<bool> is_random;   // [players]: every available hand, all of one weight

  // Throws std::invalid_argument, with one line for the user, where the question makes no sense or no deal is possible.
  Matchup(Showdown rule, const Deck& deck, int num_hole, std::vector<WeightedHands> players, std::span<const Card> board,
          std::span<const Card> dead);

  int num_players() const { return static_cast<int>(players.size()); }
  int num_missing() const { return kMaxBoardCards - std::popcount(board); }
};

}  // namespace regretless
