// SPDX-License-Identifier: MIT
// Classes of starting hands: hands that differ only in the names of suits are one, such as the 169 of hold'em. Where suits are not
// alike, because a game begins with a board or with weights, and in Liar's Dice, every hand is a class of its own.
#pragma once
#include <vector>

#include "games/liars_dice.h"
#include "games/poker.h"

namespace regretless {

struct HandClasses {
  std::vector<std::int32_t> of_hand;  // [hands], from 0
  std::int32_t count = 0;
};

HandClasses hand_classes(const Poker& game);
HandClasses hand_classes(const LiarsDice& game);

// [classes]: how likely it is that a player is dealt a hand of each.
std::vector<double> class_probabilities(const Poker& game, const HandClasses& classes, Player player);
std::vector<double> class_probabilities(const LiarsDice& game, const HandClasses& classes, Player player);

}  // namespace regretless
