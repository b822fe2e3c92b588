// SPDX-License-Identifier: MIT
// The catalogue of public states of one game.
#pragma once
#include <map>

#include "jobs/public_states.h"
#include "tree/public_tree.h"

namespace regretless {

template <PublicGame G>
class PublicStatesOf final : public PublicStates {
 public:
  using State = typename G::State;

  PublicStatesOf(std::shared_ptr<const G> game, const std::vector<int>& board)
      : PublicStates(static_cast<std::int64_t>(game->num_hands()), game->num_public_features(), game->num_actions()),
        game_(std::move(game)),
        any_(game_),
        root_(make_root(*game_, board)),
        group_(find_symmetries(*game_, root_)) {
    for (const SuitPermutation& renaming : group_.renamings) {
      std::vector<Hand>& names = names_.emplace_back();
      for (Hand hand = 0; hand < game_->num_hands(); ++hand) names.push_back(rename_hand(*game_, renaming, hand));
    }
    number(root_);
    for (Player p = 0; p < 2; ++p)
      for (Hand hand = 0; hand < game_->num_hands(); ++hand)
        root_ranges_.push_back(game_->hand_possible(root_, hand) ? game_->weight(p, hand) : 0);
  }

  const AnyGame& game() const override { return any_; }
  const G& rules() const { return *game_; }
  const State& operator[](std::int32_t number) const { return states_[number]; }

  std::int32_t number(const State& state) {
    const std::vector<float> key = key_of(state);
    if (const auto found = numbers_.find(key); found != numbers_.end()) return found->second;
    return add(state, key);
  }

  std::int32_t number(const AnyEpisode& episode) override {
    if constexpr (EpisodeGame<G>)
      if (const auto* own = std::get_if<typename G::Episode>(&episode); own && &own->game() == game_.get())
        return number(own->state());
    throw std::invalid_argument("the episode is of another game");
  }

  std::vector<std::int32_t> follow(std::span<const int> slots, const std::vector<int>& board) override {
    State state = root_;
    std::size_t shown = public_cards(state).size();
    if (board.size() < shown ||
        !std::equal(board.begin(), board.begin() + static_cast<std::ptrdiff_t>(shown), public_cards(state).begin()))
      throw std::invalid_argument("board: the game begins with another");
    std::vector<std::int32_t> numbers;
    reveal_due(state, board);
    for (const int slot : slots) {
      numbers.push_back(number(state));
      choose(state, slot);
      reveal_due(state, board);
    }
    numbers.push_back(number(state));
    return numbers;
  }

  std::int32_t act(std::int32_t number_before, int slot) override {
    check(number_before);
    State state = states_[number_before];
    choose(state, slot);
    return number(state);
  }

  std::int32_t deal(std::int32_t number_before, const std::vector<int>& cards) override {
    if constexpr (!std::is_same_v<G, Poker>) throw std::invalid_argument("this game has no public cards");
    check(number_before);
    State state = states_[number_before];
    std::vector<int> all = public_cards(state);
    const std::size_t before = all.size();
    all.insert(all.end(), cards.begin(), cards.end());
    reveal_due(state, all);
    if (cards.empty() || public_cards(state).size() != before + cards.size())
      throw std::invalid_argument(std::to_string(cards.size()) + " public cards are not due");
    return number(state);
  }

  std::vector<int> board(std::int32_t state) const override {
    check(state);
    return public_cards(states_[state]);
  }

  int actor(std::int32_t state) const override {
    check(state);
    return game_->actor(states_[state]);
  }

  std::vector<std::int32_t> find(std::span<const float> features) const override {
    std::vector<std::int32_t> found;
    for (std::size_t first = 0; first + num_features_ <= features.size(); first += num_features_) {
      const auto at = features.subspan(first, num_features_);
      std::vector<float> key(at.begin(), at.end());
      key.push_back(0);  // the first player: states at which nobody decides come before
      const auto entry = numbers_.lower_bound(key);
      if (entry == numbers_.end() || !std::equal(at.begin(), at.end(), entry->first.begin()))
        throw std::invalid_argument("features: no decision of this catalogue has them");
      found.push_back(entry->second);
    }
    return found;
  }

 private:
  // The features, and who is to act.
  std::vector<float> key_of(const State& state) const {
    std::vector<float> key(num_features_ + 1);
    game_->encode_public(state, std::span(key).first(num_features_));
    key.back() = static_cast<float>(game_->actor(state));
    return key;
  }

  static std::vector<int> public_cards(const State& state) {
    if constexpr (std::is_same_v<G, Poker>)
      return {state.board.begin(), state.board.begin() + state.num_board};
    else
      return {};
  }

  void choose(State& state, int slot) const {
    if (game_->actor(state) < 0) throw std::invalid_argument("nobody is to act");
    if (slot < 0 || slot >= game_->num_actions() || (game_->legal(state) >> slot & 1) == 0)
      throw std::invalid_argument("slot " + std::to_string(slot) + " is not legal");
    game_->act(state, slot);
  }

  // Public cards that are due, as far as the board has them.
  void reveal_due(State& state, const std::vector<int>& board) const {
    while (game_->actor(state) == kChance) {
      if constexpr (std::is_same_v<G, Poker>) {
        if (board.size() <= state.num_board) return;
        PokerState after = state;
        PokerDeal deal{};
        for (std::size_t i = 0; i < std::min(board.size(), deal.board.size()); ++i) {
          const int card = board[i];
          if (card < 0 || card >= game_->num_cards() || std::count(board.begin(), board.end(), card) > 1)
            throw std::invalid_argument("board: card " + std::to_string(card) + " is not in the deck, or comes twice");
          deal.board[i] = static_cast<Card>(card);
        }
        game_->reveal(after, deal);
        if (after.num_board > board.size()) throw std::invalid_argument("board: more public cards are due");
        state = after;
      } else {
        throw std::invalid_argument("board: public outcomes of this game are no cards");
      }
    }
  }

  // The twin is the renamed state with the greatest features, whatever was met before: it is numbered first.
  std::int32_t add(const State& state, const std::vector<float>& key) {
    std::vector<float> greatest = key;
    std::size_t renaming = 0;
    for (std::size_t g = 1; g < names_.size(); ++g)
      if (std::vector<float> renamed = key_of(rename_state(*game_, group_.renamings[g], state)); renamed > greatest) {
        greatest = std::move(renamed);
        renaming = g;
      }
    const std::int32_t twin = renaming == 0 ? -1 : number(rename_state(*game_, group_.renamings[renaming], state));
    const std::int32_t number = size();
    numbers_.emplace(key, number);
    twins_.push_back(renaming == 0 ? number : twin);
    renamings_.push_back(renaming);
    states_.push_back(state);
    features_.insert(features_.end(), key.begin(), key.end() - 1);
    stakes_.push_back(std::max(game_->stake(state), 1e-9));
    const ActionMask legal = game_->actor(state) >= 0 ? game_->legal(state) : 0;
    for (int slot = 0; slot < game_->num_actions(); ++slot) legal_.push_back(legal >> slot & 1);
    for (Hand hand = 0; hand < game_->num_hands(); ++hand) possible_.push_back(game_->hand_possible(state, hand) ? 1 : 0);
    return number;
  }

  std::shared_ptr<const G> game_;
  AnyGame any_;
  State root_;
  SymmetryGroup group_;                                 // the renamings that leave the root as it is
  std::map<std::vector<float>, std::int32_t> numbers_;  // by features and actor
  std::vector<State> states_;
};

}  // namespace regretless
