// SPDX-License-Identifier: MIT
// One iteration of the CFR family on a depth-limited tree, in two halves: down to the leaves with the current strategies, and up
// again once the values of the leaves are known. The tree is shared by many subgames; each brings its own tables.
#pragma once
#include "solve/discounts.h"
#include "solve/vector_walk.h"

namespace regretless {

// The tables that a subgame keeps between iterations, [entries] of each player as the tree lays them out.
template <class Real>
struct SubgameTables {
  std::array<Real*, 2> regrets{};
  std::array<Real*, 2> sums{};         // of the average strategy; null: not kept
  std::array<Real*, 2> predictions{};  // null unless the family predicts

  static std::size_t size(const std::array<std::int64_t, 2>& entries, bool keeps_sums, bool predicts) {
    return static_cast<std::size_t>(entries[0] + entries[1]) * (1 + (keeps_sums ? 1 : 0) + (predicts ? 1 : 0));
  }
  static SubgameTables at(Real* memory, const std::array<std::int64_t, 2>& entries, bool keeps_sums, bool predicts) {
    SubgameTables tables;
    for (Player p = 0; p < 2; ++p) {
      tables.regrets[p] = memory;
      memory += entries[p];
      if (keeps_sums) {
        tables.sums[p] = memory;
        memory += entries[p];
      }
      if (predicts) {
        tables.predictions[p] = memory;
        memory += entries[p];
      }
    }
    return tables;
  }
};

// The factors of an iteration.
template <class Real>
struct IterationFactors {
  Real positive = 1, negative = 1, average = 0;

  // Those of the iteration that follows `done` others.
  static IterationFactors after(const Discounts& discounts, int done) {
    return {static_cast<Real>(discounts.positive(done)), static_cast<Real>(discounts.negative(done)),
            static_cast<Real>(discounts.average(done + 1))};
  }
};

// The workspace of one thread.
template <class Tree>
class SubgameWalk {
 public:
  using Real = typename Tree::Real;
  static constexpr int kWidth = Tree::kWidth;

  explicit SubgameWalk(const Discounts& discounts) : discounts_(discounts) {}

  // Begins with a subgame: strategies from its regrets, and the reach of every node from those of the root.
  void descend(const Tree& tree, const SubgameTables<Real>& tables, const std::array<const Real*, 2>& root,
               const std::array<Real, 2>& predicted) {
    enter(tree, tables);
    for (const VectorNode& node : tree.nodes)
      if (node.actor >= 0) match(node, predicted[node.actor]);
    spread(root);
  }

  // Walks with the average strategies.
  void descend_average(const Tree& tree, const SubgameTables<Real>& tables, const std::array<const Real*, 2>& root) {
    enter(tree, tables);
    for (const VectorNode& node : tree.nodes)
      if (node.actor >= 0)
        normalize_actions<Tree>(tables.sums[node.actor] + node.offset, node.num_children, tree.width(node.actor),
                                strategies_[node.actor].data() + node.offset);
    spread(root);
  }

  const Real* reach(std::int32_t node, Player player) const { return reaches_[node][player]; }
  const Real* strategy(const VectorNode& node, int action) const {
    return strategies_[node.actor].data() + node.offset + static_cast<std::ptrdiff_t>(action) * tree_->width(node.actor);
  }
  const HandVector<Real>& strategies(Player player) const { return strategies_[player]; }

  // Values of the root [hands] for a player, while his regrets and average are updated. fill_leaf(leaf, player, reach of the
  // opponent, values) gives counterfactual values of a leaf.
  template <class FillLeaf>
  const Real* ascend(Player player, const IterationFactors<Real>& factors, FillLeaf fill_leaf) {
    const Tree& tree = *tree_;
    const int width = tree.width(player);
    if constexpr (Tree::Terminals::kHasLanes) fill_terminals(player);
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
      const VectorNode& node = tree.nodes[n];
      Real* values = values_.data() + static_cast<std::ptrdiff_t>(n) * width;
      rows_[n] = values;
      if (node.actor == kTerminal) {
        if constexpr (!Tree::Terminals::kHasLanes)
          tree.showdown->values(tree.terminals[node.offset], player, reaches_[n][1 - player], values);
      } else if (node.actor == kLeaf) {
        fill_leaf(static_cast<int>(node.offset), player, reaches_[n][1 - player], values);
      } else if (node.actor == player) {
        ascend_own(node, player, factors, values);
      } else {
        fill<kWidth>(values, Real{0}, width);
        for (int c = 0; c < node.num_children; ++c) {
          if (node.actor == kChance)
            add_outcome(tree, node, c, player, rows_[node.first_child + c], values);
          else
            add<kWidth>(values, rows_[node.first_child + c], width);
        }
      }
    }
    return rows_[0];
  }

 private:
  void enter(const Tree& tree, const SubgameTables<Real>& tables) {
    tree_ = &tree;
    tables_ = tables;
    const std::size_t nodes = tree.nodes.size();
    const auto widest = static_cast<std::size_t>(std::max(tree.strides[0], tree.strides[1]));
    if (reaches_.size() < nodes) {
      reaches_.resize(nodes);
      rows_.resize(nodes);
    }
    if (values_.size() < nodes * widest) values_.resize(nodes * widest);
    for (Player p = 0; p < 2; ++p) {
      // An entry each; below public chance one for each node.
      const std::size_t size = static_cast<std::size_t>(tree.num_entries[p]);
      if (strategies_[p].size() < size) strategies_[p].resize(size);
      if (reach_memory_[p].size() < nodes * widest) reach_memory_[p].resize(nodes * widest);
    }
  }

  void match(const VectorNode& node, Real predicted) {
    const int width = tree_->width(node.actor), actions = node.num_children;
    const Real* regrets = tables_.regrets[node.actor] + node.offset;
    Real* strategy = strategies_[node.actor].data() + node.offset;
    for (int a = 0; a < actions; ++a) {
      if (discounts_.predicts)
        predict<kWidth>(strategy + a * width, regrets + a * width, predicted,
                        tables_.predictions[node.actor] + node.offset + a * width, width);
      else
        positive_part<kWidth>(strategy + a * width, regrets + a * width, width);
    }
    normalize_actions<Tree>(strategy, actions, width, strategy);
  }

  void spread(const std::array<const Real*, 2>& root) {
    const Tree& tree = *tree_;
    reaches_[0] = root;
    for (const VectorNode& node : tree.nodes) {
      const auto above = reaches_[&node - tree.nodes.data()];
      for (int c = 0; c < node.num_children; ++c) {
        const std::int32_t child = node.first_child + c;
        reaches_[child] = above;
        for (Player p = 0; p < 2; ++p) {
          if (node.actor != kChance && node.actor != p) continue;
          const int width = tree.width(p);
          Real* own = reach_memory_[p].data() + static_cast<std::ptrdiff_t>(child) * width;
          const Real* factor =
              node.actor == kChance ? tree.masks[p].data() + tree.edges[node.offset + c].masks[p] : strategy(node, c);
          multiply<kWidth>(own, above[p], factor, width);
          reaches_[child][p] = own;
        }
      }
    }
  }

  void ascend_own(const VectorNode& node, Player player, const IterationFactors<Real>& factors, Real* values) {
    const int width = tree_->width(player);
    fill<kWidth>(values, Real{0}, width);
    for (int a = 0; a < node.num_children; ++a) add_product<kWidth>(values, strategy(node, a), rows_[node.first_child + a], width);
    const Real least = discounts_.clamps ? Real{0} : std::numeric_limits<Real>::lowest();
    for (int a = 0; a < node.num_children; ++a) {
      const std::int64_t at = node.offset + static_cast<std::int64_t>(a) * width;
      const Real* action_values = rows_[node.first_child + a];
      add_regret<kWidth>(tables_.regrets[player] + at, factors.positive, factors.negative, action_values, values, least, width);
      if (discounts_.predicts) subtract<kWidth>(tables_.predictions[player] + at, action_values, values, width);
      if (tables_.sums[player])
        decay_and_add<kWidth>(tables_.sums[player] + at, factors.average, reaches_[node.first_child + a][player], width);
    }
  }

  // All terminals at once.
  void fill_terminals(Player player) {
    const Tree& tree = *tree_;
    lanes_.clear();
    for (const VectorNode& node : tree.nodes)
      if (node.actor >= 0 || node.actor == kChance) {
        add_lanes(
            tree, node, player, [&](int c) { return reaches_[node.first_child + c][1 - player]; },
            [&](int c) { return values_.data() + static_cast<std::ptrdiff_t>(node.first_child + c) * tree.width(player); }, lanes_);
      }
    std::stable_sort(lanes_.showdowns.begin(), lanes_.showdowns.end(),
                     [](const Lane<Real>& a, const Lane<Real>& b) { return a.showdown->table < b.showdown->table; });
    tree.showdown->lane_values(lanes_, player);
  }

  Discounts discounts_;
  const Tree* tree_ = nullptr;
  SubgameTables<Real> tables_;
  std::vector<std::array<const Real*, 2>> reaches_;  // [nodes]
  std::vector<const Real*> rows_;                    // [nodes]: values of the player who looks
  std::array<HandVector<Real>, 2> strategies_;
  std::array<HandVector<Real>, 2> reach_memory_;     // [nodes, hands]
  HandVector<Real> values_;                          // [nodes, hands]
  Lanes<Real> lanes_;
};

}  // namespace regretless
