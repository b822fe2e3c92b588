// SPDX-License-Identifier: MIT
// The number of deals in which each of the 169 classes of hold'em hands beats each other when both are all-in before the flop.
#pragma once
#include <vector>

#include "cards/deck.h"

namespace regretless {

inline constexpr int kNumClasses = 169;

// The class of a hand of two cards of the full deck: its place in a chart of 13 x 13, row by row from AA, the higher rank
// first; suited hands stand right of the diagonal (the row is the higher rank), offsuit ones left of it.
constexpr int class_of(Card a, Card b) {
  const int first = 12 - kDeck52.rank(a), second = 12 - kDeck52.rank(b);  // 0 is the ace
  const int high = first < second ? first : second, low = first < second ? second : first;
  return kDeck52.suit(a) == kDeck52.suit(b) ? high * 13 + low : low * 13 + high;
}

// Boards up to a renaming of suits, numbered as CanonicalIndex does for one street of five cards.
std::uint64_t num_canonical_boards();

// [classes, classes]: the deals of two hands without a common card and of a board on which a hand of the first class beats
// one of the second, over the canonical boards first, ..., first + count - 1 and all that a renaming makes of them. Over
// all boards no entry exceeds 12 x 12 x 1,712,304. Throws std::invalid_argument where there are no such boards.
std::vector<std::uint32_t> class_wins(std::uint64_t first, std::uint64_t count);

}  // namespace regretless
