// SPDX-License-Identifier: MIT
// The value of a strategy profile, and of the best answer to it, exactly, in one walk of the public tree for each player.
#pragma once
#include "solve/node_table.h"
#include "solve/vector_walk.h"

namespace regretless {

// A behaviour strategy of both players, or weights of its actions.
template <class Real>
using Profile = std::array<NodeTable<Real, Real>, 2>;

// The weights of a node's actions, by their number, action and hand, from tables of both players. They must outlive it.
template <class Tree, class Table>
struct TableWeights {
  const Tree& tree;
  const std::array<Table, 2>& tables;
  const std::vector<std::uint8_t>* locked = nullptr;  // [nodes], or empty: whether the actor may do nothing else

  bool is_locked(const VectorNode& node) const {
    return locked && !locked->empty() && (*locked)[static_cast<std::size_t>(&node - tree.nodes.data())] != 0;
  }
  auto operator()(const VectorNode& node) const { return tables[node.actor].rows(tree, node); }
};

// The rule of a walk at decisions, where weigh(node) gives a function of action and hand: the weights of the node's actions.
template <class Tree, bool kIsBest, class Weigh>
struct EvaluationRule {
  using Real = typename Tree::Real;
  using Hands = Register<Real>;
  static constexpr bool kTracksOwn = false;

  const Tree& tree;
  Weigh weigh;

  void spread(const VectorNode& node, const Real* reach, Real* out) const {
    const int width = tree.width(node.actor);
    const auto weights = weigh(node);
    share_out<Tree>(
        node.num_children, width, reach,
        [=](int actions, int a, int h) {
          if constexpr (requires { weights.prefetch(actions, h); })
            if (a == 0) weights.prefetch(actions, h);
          return weights(actions, a, h);
        },
        [=](int, int a, int h, typename Hands::Lanes share) { Hands{share}.store(out + a * width + h); });
  }

  template <class Child>
  void back_up(const VectorNode& node, const Child& child, Real* values, Workspace<Real>&) const {
    const int width = tree.width(node.actor);
    const auto weights = weigh(node);
    const bool is_best = kIsBest && !weigh.is_locked(node);
    with_actions(node.num_children, [&](auto count) {
      for (int h = 0; h < width; h += Hands::kSize) {
        auto value = Hands::load(child(0) + h).lanes;
        if (is_best) {
          for (int a = 1; a < count; ++a) value = greater(value, Hands::load(child(a) + h).lanes);
        } else {
          typename Hands::Lanes sum{}, weight[kMostActions<decltype(count)>];
          for (int a = 0; a < count; ++a) sum += weight[a] = weights(count, a, h);
          const ShareFactors<Real> factors(sum, count);
          value = typename Hands::Lanes{};
          for (int a = 0; a < count; ++a) value += (weight[a] * factors.scale + factors.rest) * Hands::load(child(a) + h).lanes;
        }
        Hands{value}.store(values + h);
      }
    });
  }
};

// Both values at once: of the best answer, then of the strategy.
template <class Tree, class Weigh>
struct BothValuesRule {
  using Real = typename Tree::Real;
  static constexpr bool kTracksOwn = false;
  static constexpr int kNumValues = 2;

  EvaluationRule<Tree, true, Weigh> best;
  EvaluationRule<Tree, false, Weigh> average;

  void spread(const VectorNode& node, const Real* reach, Real* out) const { best.spread(node, reach, out); }

  template <class Child>
  void back_up(const VectorNode& node, const Child& child, Real* values, Workspace<Real>& workspace) const {
    best.back_up(node, [&](int a) { return child(a, 0); }, values, workspace);
    average.back_up(node, [&](int a) { return child(a, 1); }, values + best.tree.width(node.actor), workspace);
  }
};

// Evaluates what weigh(node)(action, hand) says: TableWeights.
template <class Tree>
class Evaluation {
 public:
  using Real = typename Tree::Real;

  Evaluation(const Tree& tree, VectorWalk<Tree>& walk) : tree_(tree), walk_(walk) {}

  // Chips per hand [hands], weighted by nothing of the player's own: counterfactual values at the root.
  template <class Weigh>
  HandVector<Real> values(Player player, Weigh weigh) {
    return run<false>(player, weigh);
  }

  // Likewise of the best answer.
  template <class Weigh>
  HandVector<Real> best_values(Player player, Weigh weigh) {
    return run<true>(player, weigh);
  }

  // Expected chips, and those of the best answer.
  template <class Weigh>
  double value(Player player, Weigh weigh) {
    return expectation(player, run<false>(player, weigh));
  }
  template <class Weigh>
  double best_value(Player player, Weigh weigh) {
    return expectation(player, run<true>(player, weigh));
  }
  // Returns the values of the best answer and of the strategy.
  template <class Weigh>
  std::array<double, 2> both_values(Player player, Weigh weigh) {
    const auto width = static_cast<std::ptrdiff_t>(tree_.width(player));
    HandVector<Real> values(2 * static_cast<std::size_t>(width));
    BothValuesRule<Tree, Weigh> rule{{tree_, weigh}, {tree_, weigh}};
    walk_.run(rule, player, values.data());
    return {expectation(player, values), expectation(player, HandVector<Real>(values.begin() + width, values.end()))};
  }

 private:
  template <bool kIsBest, class Weigh>
  HandVector<Real> run(Player player, Weigh weigh) {
    HandVector<Real> values(static_cast<std::size_t>(tree_.strides[player]));
    EvaluationRule<Tree, kIsBest, Weigh> rule{tree_, weigh};
    walk_.run(rule, player, values.data());
    return values;
  }

  double expectation(Player player, const HandVector<Real>& values) const {
    double sum = 0;
    for (std::size_t h = 0; h < tree_.ranges[player].weights.size(); ++h) sum += tree_.ranges[player].weights[h] * values[h];
    return sum / tree_.total_weight;
  }

  const Tree& tree_;
  VectorWalk<Tree>& walk_;
};

}  // namespace regretless
