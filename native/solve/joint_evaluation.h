// SPDX-License-Identifier: MIT
// The value of a strategy profile, and of the best answer to it, for any number of players: a walk of the public tree with the
// reach of every joint deal of hands.
#pragma once
#include <limits>

#include "threads/lookout.h"
#include "tree/public_tree.h"

namespace regretless {

template <Game G>
class JointEvaluation {
 public:
  // `offsets` [nodes]: where a decision's [hands, children] lie in a strategy.
  JointEvaluation(const G& game, const PublicTree<G>& tree, const std::vector<std::int64_t>& offsets)
      : game_(game), tree_(tree), offsets_(offsets) {
    std::array<Hand, kMaxPlayers> hands{};
    enumerate(0, hands);
  }

  // Expected chips.
  double value(const std::vector<double>& strategy, Player player, bool is_best) {
    strategy_ = &strategy;
    player_ = player;
    is_best_ = is_best;
    const std::vector<double> reach(deals_.size(), 1.0 / static_cast<double>(deals_.size()));
    double sum = 0;
    for (const double value : walk(0, reach)) sum += value;
    return sum;
  }

 private:
  static constexpr std::size_t kMaxDeals = 200'000;
  struct Joint {
    std::array<Hand, kMaxPlayers> hands;
    typename G::Deal deal;
  };

  void enumerate(Player player, std::array<Hand, kMaxPlayers>& hands) {
    if (player == game_.num_players()) {
      Joint joint{hands, {}};
      Player p = 0;
      for (const Hand hand : std::span(hands).first(static_cast<std::size_t>(player))) game_.set_hand(joint.deal, p++, hand);
      if (deals_.size() == kMaxDeals) throw std::length_error("the game has too many deals for exact evaluation");
      deals_.push_back(joint);
      return;
    }
    for (Hand hand = 0; hand < game_.num_hands(); ++hand) {
      const auto fits = [&](Hand other) { return game_.hands_compatible(hand, other); };
      if (!std::all_of(hands.begin(), hands.begin() + player, fits)) continue;
      hands[player] = hand;
      enumerate(player + 1, hands);
    }
  }

  // [hands of the player], each the sum over its joint deals of the others' reach [deals] times chips.
  std::vector<double> walk(std::int32_t n, const std::vector<double>& reach) {
    Lookout::look_up();
    const PublicNode& node = tree_.nodes[n];
    if (node.actor == kTerminal) return ending(tree_.states[n], reach);
    const bool is_maximum = is_best_ && node.actor == player_;
    const double least = is_maximum ? std::numeric_limits<double>::lowest() : 0;
    std::vector<double> values(static_cast<std::size_t>(game_.num_hands()), least);
    for (int c = 0; c < node.num_children; ++c) {
      const std::vector<double> below = walk(node.first_child + c, is_maximum ? reach : pass_down(n, c, reach));
      for (std::size_t h = 0; h < values.size(); ++h) values[h] = is_maximum ? std::max(values[h], below[h]) : values[h] + below[h];
    }
    return values;
  }

  std::vector<double> pass_down(std::int32_t n, int c, std::vector<double> reach) const {
    const PublicNode& node = tree_.nodes[n];
    const auto& child = tree_.states[static_cast<std::size_t>(node.first_child + c)];
    for (std::size_t d = 0; d < reach.size(); ++d) {
      if (node.actor != kChance) {
        reach[d] *= (*strategy_)[static_cast<std::size_t>(offsets_[n] + deals_[d].hands[node.actor] * node.num_children + c)];
        continue;
      }
      for (Player p = 0; p < game_.num_players(); ++p)
        if (!game_.hand_possible(child, deals_[d].hands[p])) reach[d] = 0;
      reach[d] *= game_.outcome_probability(tree_.states[n]);
    }
    return reach;
  }

  std::vector<double> ending(const typename G::State& state, const std::vector<double>& reach) {
    std::vector<double> values(static_cast<std::size_t>(game_.num_hands()));
    std::array<std::int32_t, kMaxPlayers> chips{};
    for (std::size_t d = 0; d < reach.size(); ++d) {
      if (reach[d] == 0) continue;
      if constexpr (requires { state.board; }) deals_[d].deal.board = state.board;
      game_.payoffs(state, deals_[d].deal, {chips.data(), static_cast<std::size_t>(game_.num_players())});
      values[deals_[d].hands[player_]] += reach[d] * chips[player_];
    }
    return values;
  }

  const G& game_;
  const PublicTree<G>& tree_;
  const std::vector<std::int64_t>& offsets_;
  std::vector<Joint> deals_;
  const std::vector<double>* strategy_ = nullptr;
  Player player_ = 0;
  bool is_best_ = false;
};

}  // namespace regretless
