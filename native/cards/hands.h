// SPDX-License-Identifier: MIT
// A hand is the private cards of one player: a k-subset of the deck, named by its colex index in
// [0, num_hands).
#pragma once
#include <vector>

#include "cards/combinations.h"

namespace regretless {

constexpr std::uint32_t num_hands(const Deck& deck, int num_hole) { return choose(deck.num_cards(), num_hole); }

constexpr bool share_card(CardSet a, CardSet b) { return (a & b) != 0; }

constexpr CardSet card_set(std::span<const Card> cards) {
  CardSet set = 0;
  for (const Card card : cards) set |= bit(card);
  return set;
}

// Writes the cards of a set, ascending; returns the end of what was written.
constexpr Card* write_cards(CardSet set, Card* out) {
  for (; set != 0; set &= set - 1) *out++ = static_cast<Card>(std::countr_zero(set));
  return out;
}

// Visits every k-subset of the numbers below limit, k > 0, in colex order and in runs that share
// all but their lowest member: visit(chosen, count) stands for the subsets chosen + {0}, ...,
// chosen + {count - 1}, where chosen is the union of the sets of the other members.
template <class Visit>
void for_each_run(const std::uint64_t* sets, int limit, int k, std::uint64_t chosen, Visit& visit) {
  if (k == 1) return visit(chosen, limit);
  for (int top = k - 1; top < limit; ++top) for_each_run(sets, top, k - 1, chosen | sets[top], visit);
}

// Every hand of num_hole cards, with its cards in ascending order.
class HandTable {
 public:
  HandTable(const Deck& deck, int num_hole);

  int num_hole() const { return num_hole_; }
  std::uint32_t num_hands() const { return static_cast<std::uint32_t>(sets_.size()); }
  CardSet set(std::uint32_t hand) const { return sets_[hand]; }
  std::span<const CardSet> sets() const { return sets_; }  // [hands]
  std::span<const Card> cards(std::uint32_t hand) const {
    return {&cards_[hand * static_cast<std::size_t>(num_hole_)], static_cast<std::size_t>(num_hole_)};
  }
  std::span<const Card> all_cards() const { return cards_; }  // [hands, num_hole]

  bool possible(std::uint32_t hand, CardSet dead) const { return !share_card(sets_[hand], dead); }

 private:
  int num_hole_;
  std::vector<CardSet> sets_;  // [hands]
  std::vector<Card> cards_;    // [hands, num_hole]
};

}  // namespace regretless
