// SPDX-License-Identifier: MIT
// One episode of a game without public cards, stepped by slots; chance has always been drawn.
#pragma once
#include <memory>
#include <stdexcept>
#include <vector>

#include "games/game.h"

namespace regretless {

template <class G>
class SlotEpisode {
 public:
  // Takes the draws of chance of episode `index` of a job with this seed.
  SlotEpisode(std::shared_ptr<const G> game, std::uint64_t seed, std::uint64_t index)
      : game_(std::move(game)), state_(game_->root()), known_(~0u) {
    Random random{seed, index};
    deal_ = game_->deal(random);
    play_on();
  }
  // Given hands by seat, as the game reads them; an empty list, or none: unknown.
  SlotEpisode(std::shared_ptr<const G> game, const std::vector<std::vector<int>>& hands, const std::vector<int>& board = {})
      : game_(std::move(game)), state_(game_->root()), known_(game_->read_hands(hands, deal_)) {
    deal_board(board);
  }

  const G& game() const { return *game_; }
  const typename G::State& state() const { return state_; }
  const typename G::Deal& deal() const { return deal_; }
  const std::vector<Step>& history() const { return history_; }
  const std::vector<Step>& steps() const { return history_; }  // all of them are on the menu
  Player actor() const { return game_->actor(state_); }
  std::vector<int> board() const { return {}; }
  int street() const { return 0; }
  std::vector<bool> live() const { return std::vector<bool>(static_cast<std::size_t>(game_->num_players()), true); }
  bool is_known(Player player) const { return (known_ >> player & 1) != 0; }

  // Throws std::invalid_argument, and leaves the episode as it was, if the slot is not legal.
  void choose(int slot) {
    if (actor() == kTerminal) throw std::invalid_argument("the episode is over");
    if (slot < 0 || slot >= game_->num_actions() || (game_->legal(state_) >> slot & 1) == 0)
      throw std::invalid_argument("slot " + std::to_string(slot) + " is not legal here");
    history_.push_back(game_->take(state_, slot));
    play_on();
  }

  void deal_board(const std::vector<int>& cards) {
    if (!cards.empty()) throw std::invalid_argument("there are no public cards");
  }

  std::vector<std::int32_t> payoffs() const {
    if (actor() != kTerminal) throw std::invalid_argument("the episode is not over");
    for (Player p = 0; p < game_->num_players(); ++p)
      if (!is_known(p)) throw std::invalid_argument("the dice of seat " + std::to_string(p) + " are unknown");
    std::vector<std::int32_t> payoffs(static_cast<std::size_t>(game_->num_players()));
    game_->payoffs(state_, deal_, payoffs);
    return payoffs;
  }

  // For the actor, whose hand must be known.
  std::string infoset_text() const { return game_->infoset_text(state_, deal_, history_); }

 private:
  void play_on() {
    while (actor() == kChance) game_->reveal(state_, deal_);
  }

  std::shared_ptr<const G> game_;
  typename G::State state_;
  typename G::Deal deal_;
  unsigned known_;  // bit p: the hand of player p is known
  std::vector<Step> history_;
};

}  // namespace regretless
