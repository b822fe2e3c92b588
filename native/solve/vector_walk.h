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
  even_out(tree, node, player, values);
}

// Adds what one kept outcome brings; the mean over each orbit, which even_out takes once all are there, brings those that it
// stands for.
template <class Tree>
void add_outcome(const Tree& tree, const VectorNode& node, int c, Player player, const typename Tree::Real* child_values,
                 typename Tree::Real* values) {
  using Real = typename Tree::Real;
  const int width = tree.width(player);
  const ChanceEdge& edge = tree.edges[node.offset + c];
  const Real* mask = tree.masks[player].data() + edge.masks[player];
  add_scaled_product<Tree::kWidth>(values, static_cast<Real>(edge.probability), mask, child_values, width);
}

// Gives the hands of each orbit the mean of their values: exactly equal ones. Apart, so that walks without orbits stay small.
template <class Real>
[[gnu::noinline]] void take_means(const Orbits& orbits, Real* values) {
  thread_local HandVector<Real> means;
  const std::size_t size = orbits.ends.size();
  if (means.size() <= size) means.resize(size + 1);
  std::int32_t first = 0;
  for (std::size_t o = 0; o < size; first = orbits.ends[o++]) {
    Real sum = 0;
    for (std::int32_t m = first; m < orbits.ends[o]; ++m) sum += values[orbits.members[m]];
    means[o] = sum / static_cast<Real>(orbits.ends[o] - first);
  }
  means[size] = 0;
  for (std::size_t h = 0; h < orbits.orbit_of.size(); ++h) values[h] = means[orbits.orbit_of[h]];
}

// The same where the node says so.
template <class Tree>
void even_out(const Tree& tree, const VectorNode& node, Player player, typename Tree::Real* values) {
  if (node.orbits >= 0) take_means(tree.orbits[player][node.orbits], values);
}

}  // namespace regretless
