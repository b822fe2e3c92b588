// SPDX-License-Identifier: MIT
// The part of a subgame that does not depend on ranges: built once for each public state that serves as a root, and kept.
#pragma once
#include "jobs/public_states_of.h"
#include "jobs/subgames.h"
#include "solve/subgame_gadget.h"
#include "solve/subgame_walk.h"

namespace regretless {

template <class G, class Tree>
struct SubgameTemplate {
  using Real = typename Tree::Real;

  PublicTree<G> public_tree;
  Tree tree;
  std::vector<std::int32_t> leaf_states;          // [leaves]
  std::vector<SubgameNode> outline;               // [nodes]
  std::vector<std::vector<std::int32_t>> levels;  // [level]: decision nodes with `level` decisions above them
  std::int64_t num_outline_entries = 0;

  // Leaves and decisions that are met for the first time get a number.
  SubgameTemplate(const G& game, PublicTree<G> nodes, PublicStatesOf<G>& states)
      : public_tree(std::move(nodes)), tree(game, public_tree, SymmetryGroup{}, all_hands(game)) {
    for (std::size_t n = 0; n < public_tree.nodes.size(); ++n) {
      const PublicNode& from = public_tree.nodes[n];
      SubgameNode node{from.first_child, from.num_children, from.actor, -1, -1, from.event};
      if (node.actor == kLeaf || node.actor >= 0) node.state = states.number(public_tree.states[n]);
      if (node.actor == kLeaf) {
        leaf_states.push_back(node.state);
      } else if (node.actor >= 0) {
        const std::size_t level = count_decisions_above(n);
        if (levels.size() <= level) levels.resize(level + 1);
        levels[level].push_back(static_cast<std::int32_t>(n));
        node.offset = num_outline_entries;
        num_outline_entries += node.num_children * static_cast<std::int64_t>(num_hands());
      }
      outline.push_back(node);
    }
  }

  bool has_leaves() const { return tree.num_leaves > 0; }
  // A single decision between two actions, and no leaves.
  bool is_one_choice() const {
    return !has_leaves() && levels.size() == 1 && levels[0].size() == 1 && tree.nodes[levels[0][0]].num_children == 2;
  }
  std::size_t num_hands() const { return tree.ranges[0].hands.size(); }
  int slot(const VectorNode& node, int action) const { return public_tree.nodes[node.first_child + action].event; }

  const std::vector<std::int32_t>& level(std::size_t number) const {
    static const std::vector<std::int32_t> none;
    return number < levels.size() ? levels[number] : none;
  }

  // The strategies of all decisions, as the outline places them.
  std::vector<double> read_strategies(const SubgameWalk<Tree>& walk) const {
    std::vector<double> all(static_cast<std::size_t>(num_outline_entries));
    const auto hands = static_cast<std::ptrdiff_t>(num_hands());
    for (std::size_t n = 0; n < outline.size(); ++n)
      for (int a = 0; outline[n].actor >= 0 && a < outline[n].num_children; ++a)
        std::copy_n(walk.strategy(tree.nodes[n], a), hands,
                    all.begin() + static_cast<std::ptrdiff_t>(outline[n].offset) + a * hands);
    return all;
  }

  // Tables of one subgame. Without leaves a workspace of the thread is enough, unless tables are read before or after.

  bool keeps_tables(const SubgameOptions& options) const { return has_leaves() || options.keeps_average || options.warm_start > 0; }
  std::size_t table_size(const SubgameOptions& options) const {
    return SubgameTables<Real>::size(tree.num_entries, keeps_sums(options), options.discounts.predicts);
  }
  SubgameTables<Real> tables_at(Real* memory, const SubgameOptions& options) const {
    return SubgameTables<Real>::at(memory, tree.num_entries, keeps_sums(options), options.discounts.predicts);
  }

  // Memory of one subgame, of one of its stops, and of a thread that walks through it.

  std::int64_t subgame_bytes(const SubgameOptions& options, bool keeps_values) const {
    const auto real = static_cast<std::int64_t>(sizeof(Real)), hands = static_cast<std::int64_t>(num_hands());
    return (keeps_values ? static_cast<std::int64_t>(values_size()) * real : 0) +
           (keeps_tables(options) ? static_cast<std::int64_t>(table_size(options)) * real : 0) +
           2 * (tree.strides[0] + tree.strides[1]) * real +
           2 * hands * (tree.num_leaves * static_cast<std::int64_t>(sizeof(float)) + 2 * static_cast<std::int64_t>(sizeof(double)));
  }
  // For each node and player the values of hands and a mass.
  std::size_t values_size() const { return tree.nodes.size() * 2 * (num_hands() + 1); }
  std::int64_t stop_bytes(bool keeps_strategies) const {
    return static_cast<std::int64_t>(sizeof(double)) *
           (2 * static_cast<std::int64_t>(num_hands()) + (keeps_strategies ? num_outline_entries : 0));
  }
  std::int64_t walk_bytes() const {
    return static_cast<std::int64_t>(sizeof(Real)) *
           (3 * static_cast<std::int64_t>(tree.nodes.size()) * std::max(tree.strides[0], tree.strides[1]) + tree.num_entries[0] +
            tree.num_entries[1]);
  }

 private:
  bool keeps_sums(const SubgameOptions& options) const { return options.keeps_average || !has_leaves(); }

  std::size_t count_decisions_above(std::size_t n) const {
    const auto& nodes = public_tree.nodes;
    std::size_t count = 0;
    for (std::int32_t above = nodes[n].parent; above >= 0; above = nodes[above].parent) count += nodes[above].actor >= 0 ? 1 : 0;
    return count;
  }
};

// The templates that were needed so far, by the state that they begin at.
template <class G, class Tree>
class SubgameTemplates {
 public:
  using Template = SubgameTemplate<G, Tree>;

  SubgameTemplates(PublicStatesOf<G>& states, const SubgameOptions& options)
      : states_(states),
        options_(options),
        kept_bytes_(options.iterations * static_cast<std::int64_t>(sizeof(CfrUpdate<typename Template::Real>))) {
    if (kept_bytes_ > options_.max_bytes) refuse();
  }

  const Template& at(std::int32_t state) {
    states_.check(state);
    if (templates_.size() <= static_cast<std::size_t>(state)) templates_.resize(static_cast<std::size_t>(states_.size()));
    if (!templates_[state]) {
      PublicTree<G> tree = build(states_[state]);
      keep_bytes(tree);
      templates_[state] = std::make_unique<Template>(states_.rules(), std::move(tree), states_);
    }
    return *templates_[state];
  }

  // Throws std::length_error where these subgames and the templates need more memory than is allowed.
  void check_memory(const SubgameBatch& batch) {
    std::int64_t bytes = 0, largest = 0;
    for (const std::int32_t state : batch.states) {
      bytes += at(state).subgame_bytes(options_, batch.keeps_values);
      largest = std::max(largest, at(state).walk_bytes());
    }
    bytes += batch.num_gadgets() * SubgameGadgets<typename Template::Real>::bytes(states_.num_hands());
    for (const SubgameStop& stop : batch.stops) bytes += at(batch.states[stop.subgame]).stop_bytes(batch.keeps_strategies);
    if (kept_bytes_ + bytes + largest * options_.threads > options_.max_bytes) refuse();
  }

 private:
  static constexpr int kNodeBytes = 1024;     // of a public node, about
  static constexpr int kBoardHandBytes = 64;  // of a hand on one board, about

  PublicTree<G> build(const typename G::State& root) const {
    TreeOptions options;
    if (options_.max_decisions > 0) options.max_decisions = options_.max_decisions;
    options.ends_with_round = options_.ends_with_round;
    options.max_nodes = (options_.max_bytes - kept_bytes_) / kNodeBytes;
    try {
      return build_tree(states_.rules(), root, SymmetryGroup{}, options);
    } catch (const std::length_error&) {
      refuse();
    }
  }

  void keep_bytes(const PublicTree<G>& tree) {
    std::int64_t boards = 1;
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) boards += tree.is_below_chance(n) ? 1 : 0;
    const std::int64_t bytes = static_cast<std::int64_t>(tree.nodes.size()) * kNodeBytes +
                               boards * static_cast<std::int64_t>(states_.num_hands()) * kBoardHandBytes;
    if (kept_bytes_ + bytes > options_.max_bytes) refuse();
    kept_bytes_ += bytes;
  }

  [[noreturn]] void refuse() const {
    throw std::length_error(
        "the subgames need more than the " + std::to_string(options_.max_bytes >> 20) +
        " MiB allowed: fewer bet sizes, less depth, fewer iterations or fewer subgames at once make them smaller");
  }

  PublicStatesOf<G>& states_;
  const SubgameOptions& options_;
  std::vector<std::unique_ptr<Template>> templates_;  // [states]: null until a state serves as a root
  std::int64_t kept_bytes_;                           // by the templates, and for each iteration
};

}  // namespace regretless
