// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cards.h"
#include "cards/canonical.h"
#include "test.h"

using namespace regretless;

namespace {

void check_inverse(const CanonicalIndex& canonical, int street, std::uint64_t step) {
  std::vector<Card> cards(canonical.num_cards(street));
  for (std::uint64_t index = 0; index < canonical.size(street); index += step) {
    canonical.cards(street, index, cards.data());
    CHECK_EQUAL(canonical.index(cards), index);
  }
}

// Every set of k cards has an index below the size, and every index is met.
void check_onto(const CanonicalIndex& canonical, const Deck& deck, int k) {
  std::vector<bool> met(canonical.size(0));
  std::vector<Card> cards(k);
  for (std::uint32_t i = 0; i < choose(deck.num_cards(), k); ++i) {
    write_cards(subset_at(i, k), cards.data());
    met.at(canonical.index(cards)) = true;
  }
  CHECK(std::ranges::all_of(met, [](bool m) { return m; }));
}

}  // namespace

TEST(canonical_sizes_are_known) {
  const CanonicalIndex holdem = CanonicalIndex({2, 3, 1, 1});
  CHECK_EQUAL(holdem.size(0), 169u);
  CHECK_EQUAL(holdem.size(1), 1286792u);
  CHECK_EQUAL(holdem.size(2), 55190538u);
  CHECK_EQUAL(holdem.size(3), 2428287420u);
  CHECK_EQUAL(CanonicalIndex({2, 4}).size(1), 13960050u);
  CHECK_EQUAL(CanonicalIndex({2, 5}).size(1), 123156254u);
  CHECK_EQUAL(CanonicalIndex({3}).size(0), 1755u);
  CHECK_EQUAL(CanonicalIndex({4}).size(0), 16432u);
  CHECK_EQUAL(CanonicalIndex({5}).size(0), 134459u);
  CHECK_EQUAL(CanonicalIndex({2}, kDeck36).size(0), 81u);
  CHECK_EQUAL(CanonicalIndex({1, 1}, Deck{3, 2, 0}).size(1), 15u);
}

TEST(canonical_index_inverts) {
  const CanonicalIndex holdem = CanonicalIndex({2, 3, 1, 1});
  for (const int street : {0, 1, 2, 3}) check_inverse(holdem, street, holdem.size(street) / 5000 + 1);
  check_inverse(CanonicalIndex({5, 3, 1, 1}), 3, 654321987654);
  check_inverse(CanonicalIndex({2, 3, 1, 1}, kDeck36), 3, 76543);
  check_inverse(CanonicalIndex({4}), 0, 1);
}

TEST(canonical_index_is_onto) {
  check_onto(CanonicalIndex({2}), kDeck52, 2);
  check_onto(CanonicalIndex({3}), kDeck52, 3);
  check_onto(CanonicalIndex({4}), kDeck52, 4);
  check_onto(CanonicalIndex({5}, kDeck36), kDeck36, 5);
  check_onto(CanonicalIndex({3}, Deck{5, 3, 0}), Deck{5, 3, 0}, 3);
}

TEST(canonical_index_ignores_suits_and_order) {
  const CanonicalIndex holdem = CanonicalIndex({2, 3, 1, 1});
  Random random({3});
  for (int trial = 0; trial < 300; ++trial) {
    const std::vector<Card> cards = test::draw_cards(kDeck52, 7, random);
    std::array<int, 4> suits = {0, 1, 2, 3};
    do {
      std::vector<Card> renamed;
      for (const Card card : cards) renamed.push_back(kDeck52.card(kDeck52.rank(card), suits[kDeck52.suit(card)]));
      std::swap(renamed[0], renamed[1]);
      std::rotate(renamed.begin() + 2, renamed.begin() + 3, renamed.begin() + 5);
      CHECK_EQUAL(holdem.index(renamed), holdem.index(cards));
    } while (std::ranges::next_permutation(suits).found);
  }
}

TEST(canonical_index_refuses_what_it_cannot_number) {
  CHECK_THROWS(CanonicalIndex({}));
  CHECK_THROWS(CanonicalIndex({2, 0}));
  CHECK_THROWS(CanonicalIndex({8}));
  CHECK_THROWS(CanonicalIndex({5, 6}));
  CHECK_THROWS(CanonicalIndex({1, 1, 1, 1, 1, 1}));
  CHECK_THROWS(CanonicalIndex({2}, Deck{4, 5, 0}));
}
