// SPDX-License-Identifier: MIT
#include "games/hand_classes.h"

#include "cards/canonical.h"

namespace regretless {
namespace {

// chance(hand) is how likely it is, next to the other hands.
template <class Chance>
std::vector<double> add_up(const HandClasses& classes, Chance chance) {
  std::vector<double> sums(static_cast<std::size_t>(classes.count));
  double total = 0;
  for (std::size_t hand = 0; hand < classes.of_hand.size(); ++hand) {
    const double more = chance(static_cast<Hand>(hand));
    sums[static_cast<std::size_t>(classes.of_hand[hand])] += more;
    total += more;
  }
  for (double& sum : sums) sum /= total;
  return sums;
}

}  // namespace

HandClasses hand_classes(const Poker& game) {
  if (game.start() != PokerStart{}) return hand_classes<Poker>(game);
  const CanonicalIndex index({game.hand_size()}, game.rules().deck);
  HandClasses classes;
  classes.count = static_cast<std::int32_t>(index.size(0));
  for (Hand hand = 0; hand < game.num_hands(); ++hand) {
    std::array<Card, kMaxHoleCards> cards;
    const Card* end = write_cards(game.hand_cards(hand), cards.data());
    classes.of_hand.push_back(static_cast<std::int32_t>(index.index({cards.data(), end})));
  }
  return classes;
}

std::vector<double> class_probabilities(const Poker& game, const HandClasses& classes, Player player) {
  const PokerState root = game.root();
  if (game.start().weights.empty()) return add_up(classes, [&](Hand hand) { return game.hand_possible(root, hand) ? 1. : 0.; });
  return add_up(classes, [&](Hand hand) {  // of two players: with all that the other may hold beside it
    double met = 0;
    for (Hand other = 0; game.hand_possible(root, hand) && other < game.num_hands(); ++other)
      if (game.hand_possible(root, other) && game.hands_compatible(hand, other)) met += game.weight(1 - player, other);
    return met * game.weight(player, hand);
  });
}

}  // namespace regretless
