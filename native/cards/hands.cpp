// SPDX-License-Identifier: MIT
#include "cards/hands.h"

namespace regretless {

HandTable::HandTable(const Deck& deck, int num_hole) : num_hole_(num_hole) {
  CardSet bits[kMaxCards];
  for (int card = 0; card < deck.num_cards(); ++card) bits[card] = bit(static_cast<Card>(card));
  sets_.reserve(regretless::num_hands(deck, num_hole));
  cards_.resize(sets_.capacity() * static_cast<std::size_t>(num_hole));
  Card* next = cards_.data();
  auto add = [&](CardSet chosen, int count) {
    for (int card = 0; card < count; ++card) {
      sets_.push_back(chosen | bits[card]);
      next = write_cards(sets_.back(), next);
    }
  };
  for_each_run(bits, deck.num_cards(), num_hole, 0, add);
}

}  // namespace regretless
