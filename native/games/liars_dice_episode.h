// SPDX-License-Identifier: MIT
// One episode of Liar's Dice, stepped by slots.
#pragma once
#include <memory>
#include <vector>

#include "games/liars_dice.h"

namespace regretless {

class LiarsDiceEpisode {
 public:
  // The same dice as episode `index` of a job with this seed.
  LiarsDiceEpisode(std::shared_ptr<const LiarsDice> game, std::uint64_t seed, std::uint64_t index);
  LiarsDiceEpisode(std::shared_ptr<const LiarsDice> game, const std::vector<std::vector<int>>& dice);  // faces from 1

  const LiarsDice& game() const { return *game_; }
  const LiarsDiceState& state() const { return state_; }
  const LiarsDiceDeal& deal() const { return deal_; }
  const std::vector<Step>& history() const { return history_; }
  Player actor() const { return game_->actor(state_); }

  // Throws std::invalid_argument, and leaves the episode as it was, if the slot is not legal.
  void choose(int slot);
  std::vector<std::int32_t> payoffs() const;

 private:
  std::shared_ptr<const LiarsDice> game_;
  LiarsDiceState state_;
  LiarsDiceDeal deal_;
  std::vector<Step> history_;
};

}  // namespace regretless
