// SPDX-License-Identifier: MIT
#include "games/liars_dice_episode.h"

#include <stdexcept>

namespace regretless {

LiarsDiceEpisode::LiarsDiceEpisode(std::shared_ptr<const LiarsDice> game, std::uint64_t seed, std::uint64_t index)
    : game_(std::move(game)), known_((1u << game_->num_players()) - 1) {
  Random random{seed, index};
  deal_ = game_->deal(random);
}

LiarsDiceEpisode::LiarsDiceEpisode(std::shared_ptr<const LiarsDice> game, const std::vector<std::vector<int>>& dice,
                                   const std::vector<int>& board)
    : game_(std::move(game)) {
  if (!board.empty()) throw std::invalid_argument("there are no public cards");
  if (dice.size() > static_cast<std::size_t>(game_->num_players()))
    throw std::invalid_argument("dice of more seats than there are");
  for (std::size_t p = 0; p < dice.size(); ++p) {
    if (dice[p].empty()) continue;
    known_ |= 1u << p;
    if (dice[p].size() != static_cast<std::size_t>(game_->num_dice()))
      throw std::invalid_argument("dice of player " + std::to_string(p) + ": must be " + std::to_string(game_->num_dice()));
    for (std::size_t i = 0; i < dice[p].size(); ++i) {
      if (dice[p][i] < 1 || dice[p][i] > game_->num_faces())
        throw std::invalid_argument("dice of player " + std::to_string(p) + ": no face " + std::to_string(dice[p][i]));
      deal_.dice[p][i] = static_cast<std::uint8_t>(dice[p][i] - 1);
    }
  }
}

void LiarsDiceEpisode::choose(int slot) {
  if (actor() == kTerminal) throw std::invalid_argument("the episode is over");
  if (slot < 0 || slot >= game_->num_actions() || (game_->legal(state_) >> slot & 1) == 0)
    throw std::invalid_argument("slot " + std::to_string(slot) + " is not legal here");
  history_.push_back(game_->take(state_, slot));
}

std::vector<std::int32_t> LiarsDiceEpisode::payoffs() const {
  if (actor() != kTerminal) throw std::invalid_argument("the episode is not over");
  for (Player p = 0; p < game_->num_players(); ++p)
    if (!is_known(p)) throw std::invalid_argument("the dice of seat " + std::to_string(p) + " are unknown");
  std::vector<std::int32_t> payoffs(static_cast<std::size_t>(game_->num_players()));
  game_->payoffs(state_, deal_, payoffs);
  return payoffs;
}

std::string LiarsDiceEpisode::infoset_text() const {
  std::string text = game_->hand_text(game_->hand(deal_, actor())) + ":";
  for (const Step& step : history_) text += game_->action_text(step.slot);
  return text;
}

void LiarsDiceEpisode::deal_board(const std::vector<int>& cards) {
  if (!cards.empty()) throw std::invalid_argument("there are no public cards");
}

}  // namespace regretless
