// SPDX-License-Identifier: MIT
// The equity of every hand of two cards against a range: exactly, over all boards to come.
#pragma once
#include <array>
#include <vector>

#include "cards/strength.h"

namespace regretless {

// By hand, against the other's range: the weight that it beats, that it ties with, and that it can meet. The first two are means
// over the boards that may come.
struct RangeShares {
  std::vector<double> wins, ties, meets;
};

// weights [player][hands of two cards]. Board: 3 to 5 cards. Throws std::invalid_argument.
std::array<RangeShares, 2> range_shares(Showdown rule, const Deck& deck, std::span<const Card> board,
                                        const std::array<std::span<const double>, 2>& weights);

}  // namespace regretless
