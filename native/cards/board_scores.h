// SPDX-License-Identifier: MIT
// Scores of hands of two cards on a full board against a hand drawn from the cards that are left: a score counts the hands that
// are beaten twice and the equal ones once, so score / most() is the equity, and it is exact.
#pragma once
#include "cards/hands.h"
#include "cards/strength.h"

namespace regretless {

class BoardScores {
 public:
  using Score = std::uint16_t;
  static constexpr int kNumBoard = 5;
  static constexpr Score kBlocked = 0xffff;  // the board holds a card of the hand

  // Throws std::invalid_argument unless the rule judges two hole cards and five board cards of the deck.
  BoardScores(Showdown rule, const Deck& deck);

  Showdown rule() const { return rule_; }
  const Deck& deck() const { return deck_; }
  const HandTable& hands() const { return hands_; }
  int most() const { return most_; }  // twice the hands that the other may hold

  // Scores of all hands: out is [hands] in the order of hands.h.
  void all(std::span<const Card> board, Score* out) const;
  // The score of one hand.
  int one(std::span<const Card> hole, std::span<const Card> board) const;

 private:
  Showdown rule_;
  Deck deck_;
  HandTable hands_;
  int most_;
};

}  // namespace regretless
