// SPDX-License-Identifier: MIT
// The number of deals in which three hold'em hands of given classes, all-in before the flop, end in each order of strength.
#pragma once
#include <vector>

#include "cards/class_wins.h"

namespace regretless {

// Counts [classes, classes, classes] over deals of three hands without a common card and a board; each hand is a player's, so
// equal classes count every assignment. Over all boards no entry exceeds 12 x 12 x 12 x 1,370,754.
struct ClassOrders {
  std::vector<std::uint32_t> strict;      // the first hand beats the second, which beats the third
  std::vector<std::uint32_t> tied_above;  // the first two are equal and beat the third
  std::vector<std::uint32_t> tied_below;  // the first two are equal and lose to the third
};

// The counts over the canonical boards first, ..., first + count - 1 and all that a renaming of suits makes of them. Throws
// std::invalid_argument where there are no such boards.
ClassOrders class_orders(std::uint64_t first, std::uint64_t count);

}  // namespace regretless
