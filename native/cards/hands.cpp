// SPDX-License-Identifier: MIT
#include "cards/hands.h"

#include <algorithm>

namespace regretless {

Card highest_card(std::span<const Card> cards) {
  Card highest = 0;
  for (const Card card : cards) highest = std::max(highest, card);
  return highest;
}

HandTable::HandTable(const Deck& deck, int num_hole) : num_hole_(num_hole) {
  CardSet bits[kMaxCards];
  for (int card = 0; card < deck.num_cards(); ++card) bits[card] = bit(static_cast<Card>(card));
  sets_.reserve(regretless::num_hands(deck, num_hole));
  cards_.reserve(sets_.capacity() * static_cast<std::size_t>(num_hole));
  auto add = [&](CardSet chosen, int count) {
    for (int card = 0; card < count; ++card) {
      sets_.push_back(chosen | bits[card]);
      for (CardSet rest = sets_.back(); rest != 0; rest &= rest - 1) cards_.push_back(static_cast<Card>(std::countr_zero(rest)));
    }
  };
  for_each_run(bits, deck.num_cards(), num_hole, 0, add);
}

std::vector<std::uint32_t> HandTable::holding(Card card) const {
  std::vector<std::uint32_t> hands;
  for (std::uint32_t hand = 0; hand < num_hands(); ++hand)
    if (!possible(hand, bit(card))) hands.push_back(hand);
  return hands;
}

}  // namespace regretless
