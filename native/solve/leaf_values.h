// SPDX-License-Identifier: MIT
// The leaves of a cut tree, whose values come from outside: both players' reaches there, and their values.
#pragma once
#include <algorithm>
#include <array>

#include "solve/vector_tree.h"

namespace regretless {

// Numbers of every leaf in the order of nodes, by place in hands(player): [player][leaves, hands].
using LeafRows = std::array<std::vector<float>, 2>;
using LeafView = std::array<const float*, 2>;

// Writes the row of a leaf to a vector over hands.
template <class Tree>
void copy_leaf(const Tree& tree, const VectorNode& leaf, Player player, const LeafView& rows, typename Tree::Real* to) {
  const std::size_t hands = tree.ranges[player].hands.size();
  if (!rows[player]) throw std::logic_error("a leaf has no value");
  std::copy_n(rows[player] + static_cast<std::size_t>(leaf.offset) * hands, hands, to);
  std::fill(to + hands, to + tree.width(player), typename Tree::Real{0});
}

// A rule of walks that finds nothing but the other's reaches at leaves; spread_out(node, reach, out) is his strategy.
template <class Tree, class SpreadOut>
struct LeafReachRule {
  using Real = typename Tree::Real;
  static constexpr bool kTracksOwn = false;
  static constexpr bool kOnlyReaches = true;

  const Tree& tree;
  SpreadOut spread_out;
  LeafRows& reaches;

  void spread(const VectorNode& node, const Real* reach, Real* out) const { spread_out(node, reach, out); }
  template <class Child>
  void back_up(const VectorNode&, const Child&, Real*, Workspace<Real>&) const {}
  void value_leaf(const VectorNode& leaf, Player player, const Real* other, Real*) const {
    const std::size_t hands = tree.ranges[1 - player].hands.size();
    std::transform(other, other + hands, reaches[1 - player].data() + static_cast<std::size_t>(leaf.offset) * hands,
                   [](Real reach) { return static_cast<float>(reach); });
  }
};

}  // namespace regretless
