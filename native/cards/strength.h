// SPDX-License-Identifier: MIT
// The strength of a hand at showdown. A strength is an integer; the larger wins, equal ones split,
// and 0 is no hand.
#pragma once
#include <span>

#include "cards/deck.h"

namespace regretless {

using Strength = std::uint32_t;

enum class Showdown : std::uint8_t {
  kHoldem,     // the best five of hole and board cards (5, 6 or 7 in all)
  kShortDeck,  // the same with 36 cards: a flush beats a full house, A6789 is a straight
  kOmaha,      // exactly two hole cards (of 4 or 5) and exactly three board cards
  kPair,       // one hole card: a pair with a board card, else the rank (Kuhn, Leduc)
};

enum class Category : std::uint8_t {
  kHighCard,
  kPair,
  kTwoPair,
  kTrips,
  kStraight,
  kFlush,
  kFullHouse,
  kQuads,
  kStraightFlush,
};
inline constexpr int kNumCategories = 9;

// Throws std::invalid_argument unless the rule can judge that many cards of that deck. The
// functions below assume it.
void check_showdown(Showdown rule, const Deck& deck, int num_hole, int num_board);

// The strength of one hand on one board.
Strength strength(Showdown rule, const Deck& deck, std::span<const Card> hole, std::span<const Card> board);

// Strengths of many hands: cards is [count, num_hole + num_board], out is [count].
void strengths(Showdown rule, const Deck& deck, const Card* cards, std::size_t count, int num_hole, int num_board, Strength* out);

// Strengths of every hand on one board: out is [hands] in the order of hands.h, 0 where the board
// holds a card of it.
void board_strengths(Showdown rule, const Deck& deck, std::span<const Card> board, int num_hole, Strength* out);

// The name of a strength under every rule but kPair, whose strength is the rank counted from 1,
// plus the number of ranks when the hole card pairs the board.
Category category(Showdown rule, Strength strength);

}  // namespace regretless
