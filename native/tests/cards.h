// SPDX-License-Identifier: MIT
// Cards for the tests.
#pragma once
#include <string_view>

#include "cards/hands.h"
#include "cards/random.h"

namespace regretless::test {

// "AhKs" as cards of a deck.
inline std::vector<Card> cards_of(std::string_view text, const Deck& deck = kDeck52) {
  std::vector<Card> cards;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto rank = std::string_view("23456789TJQKA").find(text[i]) - deck.lowest_rank;
    const auto suit = std::string_view("cdhs").find(text[i + 1]);
    cards.push_back(deck.card(static_cast<int>(rank), static_cast<int>(suit)));
  }
  return cards;
}

inline std::vector<Card> draw_cards(const Deck& deck, int count, Random& random) {
  std::vector<Card> cards;
  for (CardSet seen = 0; static_cast<int>(cards.size()) < count;) {
    const auto card = static_cast<Card>(random.below(static_cast<std::uint32_t>(deck.num_cards())));
    if (!share_card(seen, bit(card))) cards.push_back(card);
    seen |= bit(card);
  }
  return cards;
}

}  // namespace regretless::test
