// SPDX-License-Identifier: MIT
// The number of hands of each category in a deck.
#pragma once
#include <array>

#include "cards/strength.h"

namespace regretless {

struct Census {
  std::array<std::uint64_t, kNumCategories> hands{};  // [categories]
  int num_strengths = 0;                              // distinct ones
};

// Counts the best five of every set of num_cards cards (5, 6 or 7). The rule is kHoldem or
// kShortDeck.
Census category_counts(Showdown rule, const Deck& deck, int num_cards);

}  // namespace regretless
