// SPDX-License-Identifier: MIT
// The tree of public states below any public state, breadth first: the children of a node are contiguous and come after it.
// A tree may be cut at decisions; what would go on below a cut is a leaf. Public chance outcomes that a renaming of suits turns
// into each other are kept once, with the renamings.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "threads/lookout.h"
#include "tree/tree_plan.h"

namespace regretless {

template <Game G>
struct PublicTree {
  static constexpr std::int64_t kNodeBytes = sizeof(PublicNode) + 2 * sizeof(std::int32_t);  // without its state

  TreePlan<G> plan;
  std::vector<PublicNode> nodes;
  std::vector<std::int32_t> places;        // [nodes]: in the shape of the plan
  std::vector<std::int32_t> boards;        // [nodes]: of the plan
  std::vector<typename G::State> states;  // [nodes], where they are wanted: they are large

  bool is_below_chance(std::size_t n) const { return n > 0 && nodes[nodes[n].parent].actor == kChance; }
  const PublicBoard<G>& board(std::size_t n) const { return plan.boards()[boards[n]]; }
  // The public state but for its key.
  typename G::State state(std::size_t n) const { return with_board(plan.shape().states[places[n]], board(n).state); }
};

template <Game G>
PublicTree<G> build_tree(TreePlan<G> plan) {
  PublicTree<G> tree{std::move(plan), {}, {}, {}, {}};
  const auto& places = tree.plan.shape().places;
  const auto& boards = tree.plan.boards();
  const auto size = static_cast<std::size_t>(tree.plan.num_nodes());
  tree.nodes.reserve(size);
  tree.places.reserve(size);
  tree.boards.reserve(size);
  const auto add = [&](std::int32_t parent, std::int32_t event, std::int32_t place, std::int32_t board) {
    tree.nodes.push_back({parent, 0, 0, event, places[place].actor});
    tree.places.push_back(place);
    tree.boards.push_back(board);
  };
  add(-1, -1, 0, 0);
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    Lookout::look_up();
    const PublicNode& place = places[tree.places[n]];
    if (place.num_children == 0) continue;
    const auto parent = static_cast<std::int32_t>(n);
    const std::int32_t board = tree.boards[n];
    tree.nodes[n].first_child = static_cast<std::int32_t>(tree.nodes.size());
    if (place.actor == kChance) {
      for (std::int32_t next = boards[board].first_child, c = 0; c < boards[board].num_children; ++c, ++next)
        add(parent, static_cast<std::int32_t>(boards[next].stands_for.outcomes[0]), place.first_child, next);
    } else {
      for (std::int32_t next = place.first_child, c = 0; c < place.num_children; ++c, ++next)
        add(parent, places[next].event, next, board);
    }
    tree.nodes[n].num_children = static_cast<std::int32_t>(tree.nodes.size()) - tree.nodes[n].first_child;
  }
  return tree;
}

// The same from the beginning, with the states.
template <Game G>
PublicTree<G> build_tree(const G& game, const typename G::State& root, const SymmetryGroup& group,
                         const TreeOptions& options = {}) {
  PublicTree<G> tree = build_tree(TreePlan<G>(game, root, group, options, [](const PublicNode&, std::int64_t) {}));
  tree.states.reserve(tree.nodes.size());
  tree.states.push_back(root);
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    Lookout::look_up();
    const PublicNode& node = tree.nodes[n];
    auto state = tree.states[node.parent];
    if (tree.is_below_chance(n))
      game.reveal(state, static_cast<std::uint32_t>(node.event));
    else
      game.act(state, node.event);
    tree.states.push_back(state);
  }
  return tree;
}

}  // namespace regretless
