// SPDX-License-Identifier: MIT
// Episodes of uniformly random legal actions, from deal to payoff: the engine's own speed, and a soak test of its rules.
#pragma once
#include "games/any_game.h"

namespace regretless {

struct RandomPlay {
  std::int64_t episodes = 0;
  std::int64_t decisions = 0;
  std::vector<std::int64_t> payoffs;  // [players], chips over all episodes
};

// Poker: fold (if there is a bet), call, or a raise to any legal amount, each kind as likely; the menu is not used.
RandomPlay play_random(const AnyGame& game, std::int64_t episodes, std::uint64_t seed, int threads);

}  // namespace regretless
