// SPDX-License-Identifier: MIT
// The tree of public states below any public state, breadth first: the children of a node are contiguous and come after it.
// A tree may be cut at decisions; what would go on below a cut is a leaf. Public chance outcomes that a renaming of suits turns
// into each other are kept once, with the renamings.
#pragma once
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/game.h"
#include "tree/symmetry.h"

namespace regretless {

inline constexpr Player kLeaf = -3;

struct PublicNode {
  std::int32_t parent = -1;
  std::int32_t first_child = 0;
  std::int32_t num_children = 0;
  std::int32_t event = -1;  // the slot or public outcome that led here
  std::int8_t actor = kTerminal;
};

template <Game G>
struct PublicTree {
  std::vector<PublicNode> nodes;
  std::vector<typename G::State> states;                   // [nodes]
  std::vector<OutcomeClass> classes;      // [nodes]: below public chance, the outcomes that the node stands for
};

struct TreeOptions {
  int max_decisions = 1 << 30;   // on any path; the next one is a leaf
  bool ends_with_round = false;  // the first decision after public chance is a leaf
  std::int64_t max_nodes = 200'000'000;
};

// `group` holds the symmetries of the two ranges at the root; the identity alone keeps every outcome.
template <Game G>
PublicTree<G> build_tree(const G& game, const typename G::State& root, const SymmetryGroup& group, const TreeOptions& options = {}) {
  PublicTree<G> tree;
  std::vector<std::int32_t> depths{0};
  const auto add = [&](const typename G::State& state, std::int32_t parent, std::int32_t event, std::int32_t depth) {
    if (static_cast<std::int64_t>(tree.nodes.size()) >= options.max_nodes)
      throw std::length_error("the tree has more than " + std::to_string(options.max_nodes) + " public nodes");
    tree.nodes.push_back({parent, 0, 0, event, static_cast<std::int8_t>(game.actor(state))});
    tree.states.push_back(state);
    tree.classes.emplace_back();
    depths.push_back(depth);
  };
  add(root, -1, -1, 0);
  depths.erase(depths.begin());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const auto state = tree.states[n];
    const Player actor = tree.nodes[n].actor;
    if (actor == kTerminal) continue;
    const bool begins_round = n > 0 && tree.nodes[tree.nodes[n].parent].actor == kChance;
    if (actor >= 0 && (depths[n] >= options.max_decisions || (options.ends_with_round && begins_round))) {
      tree.nodes[n].actor = kLeaf;
      continue;
    }
    tree.nodes[n].first_child = static_cast<std::int32_t>(tree.nodes.size());
    const auto parent = static_cast<std::int32_t>(n);
    if (actor == kChance) {
      for (const OutcomeClass& outcome : outcome_classes(game, state, group)) {
        auto child = state;
        game.reveal(child, outcome.outcomes[0]);
        add(child, parent, static_cast<std::int32_t>(outcome.outcomes[0]), depths[n]);
        tree.classes.back() = outcome;
      }
    } else {
      for (ActionMask rest = game.legal(state); rest != 0; rest &= rest - 1) {
        const int slot = std::countr_zero(rest);
        auto child = state;
        game.act(child, slot);
        add(child, parent, slot, depths[n] + 1);
      }
    }
    tree.nodes[n].num_children = static_cast<std::int32_t>(tree.nodes.size()) - tree.nodes[n].first_child;
  }
  return tree;
}

}  // namespace regretless
