// SPDX-License-Identifier: MIT
// Matches between bots, to which nobody need ask a question: deals with all their copies, from the cards to payoffs and styles.
#pragma once
#include "games/any_game.h"
#include "jobs/bot_rule.h"

namespace regretless {

struct BotMatchOptions {
  std::vector<BotRule> rules;  // [players]: on seat s of episode e sits number (s + e) mod players
  std::int64_t first_deal = 0, deals = 0;
  std::uint64_t seed = 0;
  int threads = 1;
};

struct BotMatch {
  std::size_t num_players = 0;
  std::vector<std::int32_t> payoffs;  // [episodes, players], chips: deal d is played in episodes players * d and those after it
  std::vector<std::int64_t> styles;   // [kStyleCounts, players] of poker, else empty
};

// The same episodes as those of a SelfPlay with as many copies whose questions are answered by the rules.
BotMatch play_bots(const AnyGame& game, const BotMatchOptions& options);

}  // namespace regretless
