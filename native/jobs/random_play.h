// SPDX-License-Identifier: MIT
// Episodes of uniformly random legal actions, from deal to payoff: the engine's own speed, and a soak test of its rules.
#pragma once
#include <array>
#include <cstdint>

#include "games/explicit_game.h"
#include "games/liars_dice.h"
#include "games/poker.h"

namespace regretless {

struct RandomPlay {
  std::int64_t episodes = 0;
  std::int64_t decisions = 0;
  std::array<std::int64_t, kMaxPlayers> payoffs{};  // chips won by each seat over all episodes
};

// Poker: fold (if there is a bet), call, or a raise to any legal amount, each kind as likely; the menu is not used.
RandomPlay play_random(const Poker& game, std::int64_t episodes, std::uint64_t seed, int threads);
RandomPlay play_random(const LiarsDice& game, std::int64_t episodes, std::uint64_t seed, int threads);
RandomPlay play_random(const ExplicitGame& game, std::int64_t episodes, std::uint64_t seed, int threads);

}  // namespace regretless
