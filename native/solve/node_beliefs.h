// SPDX-License-Identifier: MIT
// Beliefs at some nodes of a solved tree: with which reach each player comes there, and what each of his hands is then worth.
#pragma once
#include "solve/best_response.h"
#include "solve/leaf_values.h"
#include "solve/vector_solver.h"

namespace regretless {

// An evaluation that copies what it finds at wanted nodes.
template <class Tree, class Weigh>
struct BeliefRule : EvaluationRule<Tree, false, Weigh> {
  using Real = typename Tree::Real;

  const std::vector<std::int32_t>& rows;  // [nodes]: row of a wanted node, else -1
  std::array<std::size_t, 2> hands;       // of the player, of the other
  double *values, *reaches;               // [wanted, hands]: the player's, the other's
  LeafView leaves;

  void arrive(const VectorNode& node, const Real* other) const { copy(node, other, hands[1], reaches); }
  void keep(const VectorNode& node, const Real* found) const { copy(node, found, hands[0], values); }

  void value_leaf(const VectorNode& leaf, Player player, const Real*, Real* found) const {
    copy_leaf(this->tree, leaf, player, leaves, found);
  }

  void copy(const VectorNode& node, const Real* from, std::size_t size, double* to) const {
    const std::int32_t row = rows[static_cast<std::size_t>(&node - this->tree.nodes.data())];
    if (row >= 0) std::copy_n(from, size, to + static_cast<std::size_t>(row) * size);
  }
};

template <class Tree, class Weigh>
NodeBeliefs find_beliefs(const Tree& tree, VectorWalk<Tree>& walk, Weigh weigh, const std::vector<std::int32_t>& nodes,
                         const LeafView& leaves) {
  std::vector<std::int32_t> rows(tree.nodes.size(), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] < 0 || static_cast<std::size_t>(nodes[i]) >= rows.size() || tree.nodes[nodes[i]].actor == kTerminal)
      throw std::invalid_argument("node " + std::to_string(nodes[i]) + " is an ending");
    if (rows[nodes[i]] >= 0) throw std::invalid_argument("node " + std::to_string(nodes[i]) + " is asked for twice");
    rows[nodes[i]] = static_cast<std::int32_t>(i);
  }
  NodeBeliefs found;
  for (Player p = 0; p < 2; ++p)
    for (auto* column : {&found.values, &found.reaches}) (*column)[p].resize(nodes.size() * tree.ranges[p].hands.size());
  for (Player p = 0; p < 2; ++p) {
    HandVector<typename Tree::Real> root(static_cast<std::size_t>(tree.strides[p]));
    BeliefRule<Tree, Weigh> rule{{tree, weigh},
                                 rows,
                                 {tree.ranges[p].hands.size(), tree.ranges[1 - p].hands.size()},
                                 found.values[p].data(),
                                 found.reaches[1 - p].data(),
                                 leaves};
    walk.run(rule, p, root.data());
  }
  return found;
}

}  // namespace regretless
