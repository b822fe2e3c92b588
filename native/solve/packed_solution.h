// SPDX-License-Identifier: MIT
// A profile and what it is worth at every node, in numbers of 16 bits: what a file keeps to show any node without solving again.
#pragma once
#include <cmath>

#include "solve/node_values.h"
#include "solve/vector_problem.h"

namespace regretless {

inline constexpr float kPackedMost = std::numeric_limits<std::int16_t>::max();

// An evaluation that packs the player's values at decisions, his own and the other's, and at public chance.
template <class G, class Tree, class Weigh>
struct PackingRule : MeetingRule<G, Tree, Weigh> {
  const std::vector<std::int64_t>& rows;  // [nodes]: of values, or -1
  PackedSolution& packed;

  void keep(const VectorNode& node, const typename Tree::Real* counterfactual) const {
    const Player me = this->player;
    const std::int64_t row = rows[this->number(node)];
    const std::vector<double> values = this->divided(node, counterfactual);
    const std::size_t hands = this->tree.ranges[me].hands.size(), before = me == 0 ? 0 : this->tree.ranges[0].hands.size();
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const float middle = static_cast<float>((*least + *most) / 2);
    const float step = static_cast<float>(std::max(*most - middle, middle - *least)) / kPackedMost;
    float* scale = packed.scales.data() + 4 * row + 2 * me;
    scale[0] = middle;
    scale[1] = step;
    const std::size_t width = hands + this->tree.ranges[1 - me].hands.size();
    std::int16_t* out = packed.values.data() + static_cast<std::size_t>(row) * width + before;
    for (std::size_t h = 0; h < hands; ++h) {
      const float steps = step > 0 ? (static_cast<float>(values[h]) - middle) / step : 0.0f;
      out[h] = static_cast<std::int16_t>(std::lround(std::clamp(steps, -kPackedMost, kPackedMost)));
    }
  }
};

// strategy_at(node) gives [actions, padded hands] that sum to 1.
template <class G, class Tree, class Weigh, class StrategyAt>
PackedSolution pack_solution(const G& game, const Tree& tree, Weigh weigh, StrategyAt strategy_at) {
  PackedSolution packed;
  std::vector<std::int64_t> rows(tree.nodes.size(), -1);
  std::int64_t num_rows = 0;
  std::size_t entries = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const VectorNode& node = tree.nodes[n];
    if (node.actor >= 0 || node.actor == kChance) rows[n] = num_rows++;
    if (node.actor >= 0) entries += static_cast<std::size_t>(node.num_children - 1) * tree.ranges[node.actor].hands.size();
  }
  packed.values.resize(static_cast<std::size_t>(num_rows) * (tree.ranges[0].hands.size() + tree.ranges[1].hands.size()));
  packed.scales.resize(static_cast<std::size_t>(num_rows) * 4);
  std::vector<std::vector<double>> met(tree.nodes.size());
  VectorWalk<Tree> walk(tree, 1);
  for (Player p = 0; p < 2; ++p) {
    HandVector<typename Tree::Real> root(static_cast<std::size_t>(tree.strides[p]));
    PackingRule<G, Tree, Weigh> rule{{{tree, weigh}, game, p, met}, rows, packed};
    walk.run(rule, p, root.data());
  }
  packed.strategy.resize(entries);
  std::int16_t* out = packed.strategy.data();
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const VectorNode& node = tree.nodes[n];
    if (node.actor < 0) continue;
    const auto strategy = strategy_at(static_cast<std::int32_t>(n));
    const std::size_t hands = tree.ranges[node.actor].hands.size(), width = static_cast<std::size_t>(tree.width(node.actor));
    std::vector<float> sums(hands);
    for (int a = 0; a + 1 < node.num_children; ++a)
      for (std::size_t h = 0; h < hands; ++h) {
        sums[h] += static_cast<float>(strategy[static_cast<std::size_t>(a) * width + h]);
        *out++ = static_cast<std::int16_t>(std::lround(kPackedMost * std::clamp(sums[h], 0.0f, 1.0f)));
      }
  }
  return packed;
}

}  // namespace regretless
