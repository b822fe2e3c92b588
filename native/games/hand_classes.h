// SPDX-License-Identifier: MIT
// Classes of starting hands: hands that differ only in the names of suits are one, such as the 169 of hold'em. Where suits are not
// alike, because a game begins with a board or with weights, and in games without cards, every hand is a class of its own.
#pragma once
#include <numeric>

#include "games/poker.h"

namespace regretless {

struct HandClasses {
  std::vector<std::int32_t> of_hand;  // [hands], from 0
  std::int32_t count = 0;
};

template <Game G>
HandClasses hand_classes(const G& game) {
  HandClasses classes;
  classes.count = static_cast<std::int32_t>(game.num_hands());
  classes.of_hand.resize(static_cast<std::size_t>(game.num_hands()));
  std::iota(classes.of_hand.begin(), classes.of_hand.end(), 0);
  return classes;
}
HandClasses hand_classes(const Poker& game);

// [classes]: the probability that a player is dealt a hand of each class.
template <Game G>
std::vector<double> class_probabilities(const G&, const HandClasses& classes, Player) {
  return std::vector<double>(static_cast<std::size_t>(classes.count), 1. / classes.count);
}
std::vector<double> class_probabilities(const Poker& game, const HandClasses& classes, Player player);

}  // namespace regretless
