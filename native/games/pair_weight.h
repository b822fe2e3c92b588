// SPDX-License-Identifier: MIT
// The weight of a pair of hands, relative to other pairs: as the game says, or 1 for all that can.
#pragma once
#include "games/game.h"

namespace regretless {

template <class G>
double pair_weight(const G& game, Hand first, Hand second) {
  if constexpr (requires { game.pair_weight(first, second); })
    return game.pair_weight(first, second);
  else
    return game.hands_compatible(first, second) ? 1 : 0;
}

// Whether a player is ever dealt a hand; players of one game may have unequally many.
template <class G>
bool is_held(const G& game, Player player, Hand hand) {
  if constexpr (requires { game.is_held(player, hand); })
    return game.is_held(player, hand);
  else
    return true;
}

}  // namespace regretless
