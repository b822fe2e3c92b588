// SPDX-License-Identifier: MIT
// The start of play, if not before the first card: public cards that are out already, and how likely each hand is.
#pragma once
#include <utility>
#include <vector>

#include "cards/deck.h"
#include "games/game.h"

namespace regretless {

struct PokerStart {
  std::vector<int> board;                    // all cards that are due before the first decision, or none
  std::vector<std::vector<double>> weights;  // [players][hands] of two players; none: every hand alike
  int aggressor = -1;                        // the seat that made the last bet or raise before; -1: nobody

  bool operator==(const PokerStart&) const = default;
};

// Draws a pair of hands that share no card, as likely as the product of their weights.
class RangeDealer {
 public:
  RangeDealer() = default;
  // hands [hands] as cards, weights as in a PokerStart; throws std::invalid_argument if no two hands can meet.
  RangeDealer(const std::vector<CardSet>& hands, CardSet board, const std::vector<std::vector<double>>& weights);

  bool is_open() const { return sums_.empty(); }  // there are no weights
  std::pair<Hand, Hand> deal(Random& random) const;

 private:
  struct Weighted {
    Hand hand = 0;
    CardSet cards = 0;
    double weight = 0;
  };
  double met_by(CardSet cards) const;  // weight of the second player's hands that leave these cards

  std::vector<Weighted> first_, second_;
  std::vector<double> sums_;  // [first_]: of what the hands up to this one weigh, with all that they can meet
};

}  // namespace regretless
