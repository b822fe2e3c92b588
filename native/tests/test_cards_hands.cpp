// SPDX-License-Identifier: MIT
#include "cards/hands.h"
#include "test.h"

using namespace regretless;

TEST(hands_are_in_colex_order) {
  for (const int num_hole : {1, 2, 3, 4}) {
    const HandTable hands(kDeck52, num_hole);
    CHECK_EQUAL(hands.num_hands(), choose(52, num_hole));
    for (std::uint32_t hand = 0; hand < hands.num_hands(); ++hand) {
      CHECK_EQUAL(subset_index(hands.set(hand)), hand);
      CHECK_EQUAL(card_set(hands.cards(hand)), hands.set(hand));
    }
  }
}

TEST(hands_are_blocked_by_their_cards) {
  const HandTable hands(kDeck52, 2);
  const Card dead[] = {0, 17, 51};
  std::uint32_t possible = 0;
  for (std::uint32_t hand = 0; hand < hands.num_hands(); ++hand) possible += hands.possible(hand, card_set(dead)) ? 1 : 0;
  CHECK_EQUAL(possible, choose(49, 2));
}
