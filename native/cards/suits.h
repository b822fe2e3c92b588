// SPDX-License-Identifier: MIT
// Renaming the suits of a deck.
#pragma once
#include <algorithm>
#include <array>

#include "cards/deck.h"

namespace regretless {

using SuitPermutation = std::array<std::uint8_t, 4>;  // suit s becomes permutation[s]

// All of them, the identity first.
inline constexpr auto kSuitPermutations = [] {
  std::array<SuitPermutation, 24> all{};
  SuitPermutation next{0, 1, 2, 3};
  for (SuitPermutation& permutation : all) {
    permutation = next;
    std::next_permutation(next.begin(), next.end());
  }
  return all;
}();

constexpr CardSet rename_suits(CardSet cards, const SuitPermutation& permutation) {
  constexpr CardSet kOneSuit = 0x1111111111111;
  CardSet renamed = 0;
  for (int suit = 0; suit < 4; ++suit) renamed |= (cards >> suit & kOneSuit) << permutation[suit];
  return renamed;
}

// For a deck of fewer suits, whose permutations leave the missing ones where they are.
constexpr CardSet rename_suits(const Deck& deck, CardSet cards, const SuitPermutation& permutation) {
  CardSet renamed = 0;
  for (; cards != 0; cards &= cards - 1) {
    const auto card = static_cast<Card>(std::countr_zero(cards));
    renamed |= bit(deck.card(deck.rank(card), permutation[deck.suit(card)]));
  }
  return renamed;
}

// The number of sets of cards that renamings of suits make of one.
constexpr std::uint32_t num_renamed(const Deck& deck, CardSet cards) {
  const auto is_same = [&](const SuitPermutation& permutation) { return rename_suits(deck, cards, permutation) == cards; };
  return static_cast<std::uint32_t>(kSuitPermutations.size()) /
         static_cast<std::uint32_t>(std::ranges::count_if(kSuitPermutations, is_same));
}

}  // namespace regretless
