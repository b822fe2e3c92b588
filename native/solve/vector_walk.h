// SPDX-License-Identifier: MIT
// What all walks over a VectorTree share: passing reach down through public chance and values up.
#pragma once
#include "jobs/thread_pool.h"
#include "solve/vector_tree.h"

namespace regretless {

// Visit(child, own reach, opponent's reach, values, workspace) is called once for each kept outcome; `values` gets the
// expectation over all outcomes. Own reach may be null.
template <class Tree, class Visit>
void walk_chance(const Tree& tree, const VectorNode& node, Player player, const typename Tree::Real* own,
                 const typename Tree::Real* other, typename Tree::Real* values, Workspace<typename Tree::Real>& workspace,
                 Visit visit) {
  using Real = typename Tree::Real;
  const int width = tree.width(player), other_width = tree.width(1 - player);
  typename Workspace<Real>::Frame frame(workspace);
  Real* child_own = own ? frame.take(width) : nullptr;
  Real* child_other = frame.take(other_width);
  Real* child_values = frame.take(width);
  fill<Tree::kWidth>(values, Real{0}, width);
  for (int c = 0; c < node.num_children; ++c) {
    const ChanceEdge& edge = tree.edges[node.offset + c];
    const Real* mask = tree.masks[player].data() + edge.masks[player];
    const Real* other_mask = tree.masks[1 - player].data() + edge.masks[1 - player];
    if (own) multiply<Tree::kWidth>(child_own, own, mask, width);
    multiply<Tree::kWidth>(child_other, other, other_mask, other_width);
    visit(node.first_child + c, child_own, child_other, child_values, workspace);
    add_outcome(tree, node, c, player, child_values, values);
  }
}

template <class Tree>
void add_outcome(const Tree& tree, const VectorNode& node, int c, Player player, const typename Tree::Real* child_values,
                 typename Tree::Real* values) {
  using Real = typename Tree::Real;
  const int width = tree.width(player);
  const ChanceEdge& edge = tree.edges[node.offset + c];
  const auto probability = static_cast<Real>(tree.chance_probabilities[node.offset + c]);
  const Real* mask = tree.masks[player].data() + edge.masks[player];
  for (int r = 0; r < edge.num_renamings; ++r) {
    const std::int32_t renaming = tree.edge_renamings[edge.first_renaming + r];
    if (renaming == 0) {
      add_scaled_product<Tree::kWidth>(values, probability, mask, child_values, width);
    } else {
      const std::int32_t* to = tree.renamings[player][renaming].data();
      for (int h = 0; h < width; ++h) values[h] += probability * mask[to[h]] * child_values[to[h]];
    }
  }
}

}  // namespace regretless
