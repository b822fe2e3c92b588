// SPDX-License-Identifier: MIT
// Binomial coefficients and the colexicographic index of k-subsets: {c1 < c2 < ...} has index C(c1,1) + C(c2,2) + ...
#pragma once
#include <array>
#include <span>

#include "cards/deck.h"

namespace regretless {

inline constexpr int kMaxChoose = 7;

inline constexpr auto kBinomials = [] {
  std::array<std::array<std::uint32_t, kMaxChoose + 1>, kMaxCards + 1> table{};
  for (int n = 0; n <= kMaxCards; ++n) {
    table[n][0] = 1;
    for (int k = 1; k <= kMaxChoose && k <= n; ++k) table[n][k] = table[n - 1][k - 1] + (k <= n - 1 ? table[n - 1][k] : 0);
  }
  return table;
}();

constexpr std::uint32_t choose(int n, int k) { return n < k ? 0 : kBinomials[n][k]; }

// The colex index of a set of cards, and back.
constexpr std::uint32_t subset_index(CardSet cards) {
  std::uint32_t index = 0;
  for (int k = 1; cards != 0; ++k, cards &= cards - 1) index += choose(std::countr_zero(cards), k);
  return index;
}

constexpr CardSet subset_at(std::uint32_t index, int k) {
  CardSet cards = 0;
  for (int c = kMaxCards - 1; k > 0; --k) {
    while (choose(c, k) > index) --c;
    index -= choose(c, k);
    cards |= CardSet{1} << c;
  }
  return cards;
}

}  // namespace regretless
