// SPDX-License-Identifier: MIT
#include "cards/class_wins.h"

#include "cards/canonical.h"
#include "cards/hands.h"
#include "cards/strength.h"
#include "cards/suits.h"
#include "test.h"

using namespace regretless;

namespace {

// Pair by pair, on every board that a renaming of suits makes of this one.
std::vector<std::uint32_t> slow_wins(std::span<const Card> board) {
  const HandTable hands(kDeck52, 2);
  std::vector<std::uint32_t> wins(kNumClasses * kNumClasses);
  std::vector<CardSet> seen;
  for (const SuitPermutation& permutation : kSuitPermutations) {
    std::array<Card, 5> image;
    for (std::size_t i = 0; i < 5; ++i)
      image[i] = kDeck52.card(kDeck52.rank(board[i]), permutation[static_cast<std::size_t>(kDeck52.suit(board[i]))]);
    if (std::ranges::find(seen, card_set(image)) != seen.end()) continue;
    seen.push_back(card_set(image));
    std::vector<Strength> strengths(hands.num_hands());
    board_strengths(Showdown::kHoldem, kDeck52, image, 2, strengths.data());
    for (std::uint32_t a = 0; a < hands.num_hands(); ++a)
      for (std::uint32_t b = 0; b < hands.num_hands(); ++b)
        if (strengths[b] != 0 && strengths[a] > strengths[b] && !share_card(hands.set(a), hands.set(b)))
          ++wins[static_cast<std::size_t>(class_of(hands.cards(a)[0], hands.cards(a)[1]) * kNumClasses +
                                          class_of(hands.cards(b)[0], hands.cards(b)[1]))];
  }
  return wins;
}

}  // namespace

TEST(classes_are_places_in_a_chart) {
  CHECK_EQUAL(class_of(51, 50), 0);              // AA
  CHECK_EQUAL(class_of(47, 51), 1);              // KsAs
  CHECK_EQUAL(class_of(51, 46), 13);             // AsKh
  CHECK_EQUAL(class_of(0, 3), kNumClasses - 1);  // 22
}

TEST(class_wins_match_counted_pairs) {
  const CanonicalIndex boards({5});
  CHECK_EQUAL(num_canonical_boards(), 134'459u);
  std::vector<std::uint32_t> sum(kNumClasses * kNumClasses);
  for (const std::uint64_t index : {0, 1'286, 99'999}) {
    std::array<Card, 5> board;
    boards.cards(0, index, board.data());
    CHECK(class_wins(index, 1) == slow_wins(board));
  }
  CHECK(class_wins(134'459, 0) == sum);
  CHECK_THROWS(class_wins(134'459, 1));
  CHECK_THROWS(class_wins(1, 134'459));
}
