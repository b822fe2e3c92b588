// SPDX-License-Identifier: MIT
// One episode of Liar's Dice, stepped by slots.
#pragma once
#include <memory>

#include "games/liars_dice.h"

namespace regretless {

class LiarsDiceEpisode {
 public:
  // Rolls the dice of episode `index` of a job with this seed.
  LiarsDiceEpisode(std::shared_ptr<const LiarsDice> game, std::uint64_t seed, std::uint64_t index);
  // Given faces, from 1, by seat; an empty list, or none: unknown. There are no public cards.
  LiarsDiceEpisode(std::shared_ptr<const LiarsDice> game, const std::vector<std::vector<int>>& dice,
                   const std::vector<int>& board = {});

  const LiarsDice& game() const { return *game_; }
  const LiarsDiceState& state() const { return state_; }
  const LiarsDiceDeal& deal() const { return deal_; }
  const std::vector<Step>& history() const { return history_; }
  const std::vector<Step>& steps() const { return history_; }  // all of them are on the menu
  Player actor() const { return game_->actor(state_); }
  std::vector<int> board() const { return {}; }
  int street() const { return 0; }
  std::vector<bool> live() const { return std::vector<bool>(static_cast<std::size_t>(game_->num_players()), true); }
  bool is_known(Player player) const { return (known_ >> player & 1) != 0; }

  // Throws std::invalid_argument, and leaves the episode as it was, if the slot is not legal.
  void choose(int slot);
  void deal_board(const std::vector<int>& cards);  // there are none
  std::vector<std::int32_t> payoffs() const;
  std::string infoset_text() const;  // of the actor, whose dice must be known

 private:
  std::shared_ptr<const LiarsDice> game_;
  LiarsDiceState state_;
  LiarsDiceDeal deal_;
  unsigned known_ = 0;  // bit p: the dice of player p are known
  std::vector<Step> history_;
};

}  // namespace regretless
