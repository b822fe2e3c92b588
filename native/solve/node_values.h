// SPDX-License-Identifier: MIT
// At every decision of a profile, for each hand of the actor: what he expects to win and how likely his own choices lead there.
#pragma once
#include "solve/best_response.h"
#include "solve/met_weights.h"

namespace regretless {

// An evaluation that divides values at nodes by the weight of the other's hands that are met there.
template <class G, class Tree, class Weigh>
struct MeetingRule : EvaluationRule<Tree, false, Weigh> {
  using Real = typename Tree::Real;

  const G& game;
  Player player;
  std::vector<std::vector<double>>& met;  // [nodes]: of those whose values are not known yet

  std::size_t number(const VectorNode& node) const { return static_cast<std::size_t>(&node - this->tree.nodes.data()); }

  void arrive(const VectorNode& node, const Real* other) const {
    auto& row = met[number(node)];
    row = met_weights(game, this->tree.ranges, player, other);
    double all = 0;
    for (std::size_t o = 0; o < this->tree.ranges[1 - player].hands.size(); ++o) all += other[o];
    for (double& each : row)
      if (each <= kLeastMet<Real> * all) each = 0;
  }

  // [hands], once; 0 where a hand meets none.
  std::vector<double> divided(const VectorNode& node, const Real* counterfactual) const {
    std::vector<double> values = std::move(met[number(node)]);
    for (std::size_t h = 0; h < values.size(); ++h) values[h] = values[h] > 0 ? counterfactual[h] / values[h] : 0;
    return values;
  }
};

template <class G, class Tree, class Weigh>
class NodeValues {
 public:
  using Real = typename Tree::Real;

  NodeValues(const G& game, const Tree& tree, Weigh weigh) : rows_(tree.nodes.size()) {
    std::int64_t size = 0;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      if (tree.nodes[n].actor < 0) continue;
      rows_[n] = size;
      size += static_cast<std::int64_t>(tree.ranges[tree.nodes[n].actor].hands.size());
    }
    values_.resize(static_cast<std::size_t>(size));
    reaches_.resize(static_cast<std::size_t>(size));
    VectorWalk<Tree> walk(tree, 1);
    std::vector<std::vector<double>> met(tree.nodes.size());
    for (Player p = 0; p < 2; ++p) {
      HandVector<Real> root(static_cast<std::size_t>(tree.strides[p]));
      Rule rule{{{tree, weigh}, game, p, met}, *this};
      walk.run(rule, p, root.data());
    }
  }

  double value(std::int32_t node, std::int32_t place) const { return values_[static_cast<std::size_t>(rows_[node] + place)]; }
  double reach(std::int32_t node, std::int32_t place) const { return reaches_[static_cast<std::size_t>(rows_[node] + place)]; }

 private:
  // Keeps the player's values and reaches at his nodes.
  struct Rule : MeetingRule<G, Tree, Weigh> {
    using Meeting = MeetingRule<G, Tree, Weigh>;
    static constexpr bool kTracksOwn = true;

    NodeValues& kept;

    void arrive(const VectorNode& node, const Real* other) const {
      if (node.actor == this->player) Meeting::arrive(node, other);
    }
    void spread_own(const VectorNode& node, const Real* own, Real* out, Workspace<Real>&) const {
      const auto& weights = this->tree.ranges[this->player].weights;
      Real* reaches = kept.reaches_.data() + kept.rows_[this->number(node)];
      for (std::size_t h = 0; h < weights.size(); ++h) reaches[h] = static_cast<Real>(own[h] / weights[h]);
      this->spread(node, own, out);
    }
    void keep(const VectorNode& node, const Real* counterfactual) const {
      if (node.actor != this->player) return;
      Real* values = kept.values_.data() + kept.rows_[this->number(node)];
      for (const double value : this->divided(node, counterfactual)) *values++ = static_cast<Real>(value / this->game.unit());
    }
  };

  std::vector<std::int64_t> rows_;  // [nodes]: of the decisions in what follows
  std::vector<Real> values_, reaches_;
};

}  // namespace regretless
