// SPDX-License-Identifier: MIT
// At every decision of a profile, for each hand of the actor: what he expects to win and how likely his own choices lead there.
#pragma once
#include "solve/best_response.h"
#include "solve/met_weights.h"

namespace regretless {

// An evaluation that keeps the player's values at his nodes, [nodes, hands] by row.
template <class Tree, class Weigh>
struct KeepingRule : EvaluationRule<Tree, false, Weigh> {
  using Real = typename Tree::Real;
  using Evaluated = EvaluationRule<Tree, false, Weigh>;

  const std::vector<std::int64_t>& rows;  // [nodes]
  std::vector<Real>& kept;

  template <class Child>
  void back_up(const VectorNode& node, Child child, Real* values, Workspace<Real>& workspace) const {
    Evaluated::back_up(node, child, values, workspace);
    const std::size_t hands = this->tree.ranges[node.actor].hands.size();
    std::copy(values, values + hands, kept.begin() + static_cast<std::ptrdiff_t>(rows[&node - this->tree.nodes.data()]));
  }
};

template <class G, class Tree, class Weigh>
class NodeValues {
 public:
  using Real = typename Tree::Real;

  NodeValues(const G& game, const Tree& tree, Weigh weigh) : game_(game), tree_(tree), weigh_(weigh), rows_(tree.nodes.size()) {
    std::int64_t size = 0;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      if (tree.nodes[n].actor < 0) continue;
      rows_[n] = size;
      size += static_cast<std::int64_t>(tree.ranges[tree.nodes[n].actor].hands.size());
    }
    values_.resize(static_cast<std::size_t>(size));
    reaches_.resize(static_cast<std::size_t>(size));
    VectorWalk<Tree> walk(tree, 1);
    for (Player p = 0; p < 2; ++p) {
      HandVector<Real> root(static_cast<std::size_t>(tree.strides[p]));
      KeepingRule<Tree, Weigh> rule{{tree, weigh}, rows_, values_};
      walk.run(rule, p, root.data());
    }
    std::array<Reach, 2> reaches;
    for (Player p = 0; p < 2; ++p) reaches[p] = tree.root_reach(p);
    follow(0, reaches);
  }

  double value(std::int32_t node, std::int32_t place) const { return values_[at(node, place)]; }
  double reach(std::int32_t node, std::int32_t place) const { return reaches_[at(node, place)]; }

 private:
  using Reach = HandVector<Real>;
  static constexpr double kLeastShare = kLeastMet<Real>;

  std::size_t at(std::int32_t node, std::int32_t place) const { return static_cast<std::size_t>(rows_[node] + place); }

  void follow(std::int32_t n, const std::array<Reach, 2>& reaches) {
    const VectorNode& node = tree_.nodes[n];
    if (node.actor >= 0) {
      keep(n, reaches);
      const int width = tree_.width(node.actor);
      Reach spread(static_cast<std::size_t>(node.num_children * width));
      share_out<Tree>(
          node.num_children, width, reaches[node.actor].data(), weigh_(node),
          [&](int a, int h, typename Register<Real>::Lanes share) { Register<Real>{share}.store(spread.data() + a * width + h); });
      std::array<Reach, 2> below = reaches;
      for (int a = 0; a < node.num_children; ++a) {
        std::copy(spread.begin() + a * width, spread.begin() + (a + 1) * width, below[node.actor].begin());
        follow(node.first_child + a, below);
      }
    } else if (node.actor == kChance) {
      for (int c = 0; c < node.num_children; ++c) {
        std::array<Reach, 2> below = reaches;
        for (Player p = 0; p < 2; ++p) {
          const Real* mask = tree_.masks[p].data() + tree_.edges[node.offset + c].masks[p];
          for (std::size_t h = 0; h < below[p].size(); ++h) below[p][h] *= mask[h];
        }
        follow(node.first_child + c, below);
      }
    }
  }

  void keep(std::int32_t n, const std::array<Reach, 2>& reaches) {
    const Player me = tree_.nodes[n].actor;
    const auto& range = tree_.ranges[me];
    const std::vector<double> met = met_weights(game_, tree_, me, reaches[1 - me].data());
    double all = 0;
    for (const Real each : reaches[1 - me]) all += each;
    for (std::size_t h = 0; h < range.hands.size(); ++h) {
      const std::size_t row = at(n, static_cast<std::int32_t>(h));
      reaches_[row] = static_cast<Real>(reaches[me][h] / range.weights[h]);
      values_[row] = met[h] > kLeastShare * all ? static_cast<Real>(values_[row] / met[h] / game_.unit()) : Real{0};
    }
  }

  const G& game_;
  const Tree& tree_;
  Weigh weigh_;
  std::vector<std::int64_t> rows_;  // [nodes]: of the decisions in what follows
  std::vector<Real> values_, reaches_;
};

}  // namespace regretless
