// SPDX-License-Identifier: MIT
// The value of a strategy profile, and of the best answer to it, exactly, in one walk of the public tree for each player.
#pragma once
#include <limits>

#include "solve/vector_walk.h"

namespace regretless {

// A behaviour strategy of both players: [player][entries], laid out as the tree says.
template <class Real>
using Profile = std::array<HandVector<Real>, 2>;

template <class Tree>
class Evaluation {
 public:
  using Real = typename Tree::Real;
  static constexpr int kWidth = Tree::kWidth;

  explicit Evaluation(const Tree& tree) : tree_(tree), workspace_(workspace_size(tree)) {}

  // Chips per hand [hands], weighted by nothing of the player's own: counterfactual values at the root.
  HandVector<Real> values(const Profile<Real>& profile, Player player) { return run(profile, player, false); }
  HandVector<Real> best_values(const Profile<Real>& profile, Player player) { return run(profile, player, true); }

  // Expected chips.
  double value(const Profile<Real>& profile, Player player) { return expectation(player, values(profile, player)); }
  double best_value(const Profile<Real>& profile, Player player) { return expectation(player, best_values(profile, player)); }

  double expectation(Player player, const HandVector<Real>& values) const {
    double sum = 0;
    for (std::size_t h = 0; h < tree_.ranges[player].weights.size(); ++h) sum += tree_.ranges[player].weights[h] * values[h];
    return sum / tree_.total_weight;
  }

 private:
  HandVector<Real> run(const Profile<Real>& profile, Player player, bool is_best) {
    profile_ = &profile;
    player_ = player;
    is_best_ = is_best;
    HandVector<Real> values(static_cast<std::size_t>(tree_.strides[player]));
    const HandVector<Real> other = tree_.root_reach(1 - player);
    walk(0, other.data(), values.data(), workspace_);
    return values;
  }

  void walk(std::int32_t n, const Real* other, Real* values, Workspace<Real>& workspace) {
    const VectorNode& node = tree_.nodes[n];
    if (node.actor == kTerminal) return tree_.showdown->values(tree_.terminals[node.offset], player_, other, values);
    if (node.actor == kChance) {
      return walk_chance(tree_, node, player_, static_cast<const Real*>(nullptr), other, values, workspace,
                         [this](std::int32_t child, const Real*, const Real* reach, Real* out, Workspace<Real>& space) {
                           walk(child, reach, out, space);
                         });
    }
    const int width = tree_.width(player_), other_width = tree_.width(1 - player_);
    typename Workspace<Real>::Frame frame(workspace);
    Real* child_values = frame.take(width);
    const Real* strategy = (*profile_)[node.actor].data() + node.offset;
    if (node.actor != player_) {
      Real* reach = frame.take(other_width);
      fill<kWidth>(values, Real{0}, width);
      for (int a = 0; a < node.num_children; ++a, strategy += other_width) {
        multiply<kWidth>(reach, other, strategy, other_width);
        walk(node.first_child + a, reach, child_values, workspace);
        add<kWidth>(values, child_values, width);
      }
      return;
    }
    fill<kWidth>(values, is_best_ ? std::numeric_limits<Real>::lowest() : Real{0}, width);
    for (int a = 0; a < node.num_children; ++a, strategy += width) {
      walk(node.first_child + a, other, child_values, workspace);
      if (is_best_)
        take_max<kWidth>(values, child_values, width);
      else
        add_product<kWidth>(values, strategy, child_values, width);
    }
  }

  const Tree& tree_;
  Workspace<Real> workspace_;
  const Profile<Real>* profile_ = nullptr;
  Player player_ = 0;
  bool is_best_ = false;
};

}  // namespace regretless
