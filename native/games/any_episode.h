// SPDX-License-Identifier: MIT
// An episode of any native game.
#pragma once
#include <variant>

#include "games/explicit_game.h"
#include "games/liars_dice.h"
#include "games/poker_episode.h"

namespace regretless {

using AnyEpisode = std::variant<PokerEpisode, LiarsDiceEpisode, ExplicitEpisode>;

}  // namespace regretless
