// SPDX-License-Identifier: MIT
#include "observe/betting_shares.h"

#include <numeric>

#include "games/pot_share.h"

namespace regretless {
namespace {

using Kind = Field::Kind;
constexpr int kMaxSteps = 24, kNumDeeds = 3;  // fold, call, raise
constexpr int kMostStepsInARow = 250;

// Steps of an episode at most, if the cap on raises alone decides; every raise gives each of the others one more.
std::int64_t most_steps(const Poker& game) {
  const PokerRules& rules = game.rules();
  std::int64_t steps = 0;
  for (int street = 0; street < rules.num_streets; ++street)
    steps += rules.num_players + std::int64_t{std::min(rules.max_raises[street], game.menu().max_raises)} * (rules.num_players - 1);
  return steps;
}

int steps_kept(const Poker& game) {
  const std::int64_t most = most_steps(game);
  const bool keeps_all = game.rules().limit == Limit::kFixed && most <= kMostStepsInARow;
  return static_cast<int>(keeps_all ? most : std::min<std::int64_t>(most, kMaxSteps));
}

}  // namespace

BettingShares::BettingShares(const Poker& game) : game_(game), max_steps_(steps_kept(game)) {
  const auto& stacks = game.rules().stacks;
  chips_ = std::accumulate(stacks.begin(), stacks.begin() + game.num_players(), std::int64_t{0});
  pot_bytes_ = bytes_for(chips_);
}

void BettingShares::add_fields(RowLayout& layout) const {
  const int n = game_.num_players(), streets = game_.num_streets();
  layout.add({.name = "pot", .kind = Kind::kNumbers, .width = pot_bytes_, .scale = 1.f / static_cast<float>(chips_)});
  layout.add({.name = "to call, then stack and bet of every seat from the actor on",
              .kind = Kind::kNumbers,
              .count = 1 + 2 * n,
              .stride = 1,
              .scale = kPotShareScale});
  layout.add({.name = "has folded, from the actor on", .kind = Kind::kBits, .count = n, .stride = 1});
  const int first = layout.next_feature(), width = kNumDeeds + n + streets + 1;
  layout.add({.name = "shares of the pot, step by step",
              .kind = Kind::kNumbers,
              .count = max_steps_,
              .stride = width,
              .scale = kPotShareScale},
             first + width - 1);
  // One byte says all three of a step, and is read three times.
  layout.add({.name = "fold, call or raise", .count = max_steps_, .width = kNumDeeds, .stride = width}, first);
  layout.add_again({.name = "seat of the step", .width = n, .divisor = kNumDeeds}, first + kNumDeeds);
  layout.add_again({.name = "street of the step", .width = streets, .divisor = kNumDeeds * n}, first + kNumDeeds + n);
}

void BettingShares::write(RowWriter& out, const PokerState& state, Player actor, std::span<const Step> history) const {
  const int n = game_.num_players();
  const Chips pot = game_.betting().pot(state);
  out.number(static_cast<std::uint32_t>(pot), pot_bytes_);
  out.mark(pot_share(state.high_bet - state.bets[actor], pot));
  unsigned folded = 0;
  for (int i = 0; i < n; ++i) {
    const Player p = actor + i < n ? actor + i : actor + i - n;
    out.mark(pot_share(state.stacks[p], pot));
    out.mark(pot_share(state.bets[p], pot));
    folded |= ((state.live >> p & 1) != 0 ? 0u : 1u) << i;
  }
  out.bits(folded, n);
  if (history.size() > static_cast<std::size_t>(max_steps_)) history = history.last(static_cast<std::size_t>(max_steps_));
  std::uint8_t* shares = out.skip(max_steps_);
  std::uint8_t* deeds = out.skip(max_steps_);
  std::memset(shares, 0, static_cast<std::size_t>(max_steps_));
  std::memset(deeds, kNoMark, static_cast<std::size_t>(max_steps_));
  for (const Step& step : history) {
    *shares++ = step.share;
    *deeds++ = static_cast<std::uint8_t>((step.street * n + step.actor) * kNumDeeds + std::min<int>(step.slot, kFirstRaiseSlot));
  }
}

}  // namespace regretless
