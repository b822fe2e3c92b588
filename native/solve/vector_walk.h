// SPDX-License-Identifier: MIT
// The one walk over a VectorTree: the opponent's reach down, the player's values up. What happens at decisions is up to a rule:
//
//   kTracksOwn                                 whether the player's own reach is passed down, too
//   spread(node, reach, out)                   the opponent's reach at each child: out [actions, his hands]
//   spread_own(node, own, out, workspace)      the same for the player, if tracked
//   back_up(node, child, values, workspace)    the player's values at his node; child(action) are those of a child
//   kNumValues                                 rows of values, one after the other, if more than 1: then child(action, row)
//   value_leaf(node, player, reach, values)    the player's values at a leaf of a cut tree, at this reach of the opponent
//   kOnlyReaches                               whether values are of no interest: then nothing is looked at that has no leaves
//
// If all endings on a board can be valued at once (hold'em), lines of play that have led to the same public cards are walked
// together: down to the end of the betting of each line, then card by card to the next street of all lines, then up. Else the
// walk goes node by node. Public cards are shared out over threads; sums are made in a fixed order, so their number changes
// nothing.
#pragma once
#include <deque>

#include "solve/regret_matching.h"
#include "solve/vector_tree.h"
#include "threads/thread_pool.h"

namespace regretless {

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

// Likewise, if the node says so.
template <class Tree>
void even_out(const Tree& tree, const VectorNode& node, Player player, typename Tree::Real* values) {
  if (node.orbits >= 0) take_means(tree.orbits[player][node.orbits], values);
}

// The endings among the children of a node, as lanes: reach(child) and row(child) say where the opponent's reach and the values
// are.
template <class Tree, class Reach, class Row>
void add_lanes(const Tree& tree, const VectorNode& node, Player player, Reach reach, Row row, Lanes<typename Tree::Real>& lanes) {
  using One = Lane<typename Tree::Real>;
  const auto terminal = [&](int c) -> const TerminalNode* {
    const VectorNode& child = tree.nodes[node.first_child + c];
    return child.actor == kTerminal ? &tree.terminals[child.offset] : nullptr;
  };
  One both;  // where the player may fold or call
  for (int c = 0; c < node.num_children; ++c) {
    const TerminalNode* end = terminal(c);
    if (!end) continue;
    const bool is_shared = node.actor == player && !(end->is_showdown ? both.showdown : both.fold);
    One alone;
    One& lane = is_shared ? both : alone;
    lane.reach = reach(c);
    (end->is_showdown ? lane.showdown : lane.fold) = end;
    (end->is_showdown ? lane.showdown_values : lane.fold_values) = row(c);
    if (!is_shared) (end->is_showdown ? lanes.showdowns : lanes.folds).push_back(lane);
  }
  if (both.reach) (both.showdown ? both.fold ? lanes.both : lanes.showdowns : lanes.folds).push_back(both);
}

template <class Tree>
class VectorWalk {
 public:
  using Real = typename Tree::Real;
  static constexpr int kWidth = Tree::kWidth;

  VectorWalk(const Tree& tree, int threads) : tree_(tree), pool_(threads), benches_(static_cast<std::size_t>(threads)) {
    for (Player p = 0; p < 2; ++p) root_reaches_[p] = tree.root_reach(p);
  }

  // The reach [hands] with which a player comes to the root.
  Real* root_reach(Player player) { return root_reaches_[player].data(); }

  // values [own hands] of a player at the root: counterfactual, weighted by nothing of his own.
  template <class Rule>
  void run(Rule& rule, Player player, Real* values) {
    Walker<Rule> walker{*this, tree_, rule, player, benches_[0], pool_.size() > 1};
    const Line root{0, root_reaches_[player].data(), root_reaches_[1 - player].data(), values};
    if constexpr (Tree::Terminals::kHasLanes)
      walker.walk_street({&root, 1}, 0);
    else
      walker.walk_node(root.node, root.own, root.other, root.values);
  }

 private:
  using Space = Workspace<Real>;
  using Frame = typename Space::Frame;

  struct Line {
    std::int32_t node;
    const Real *own, *other;
    Real* values;
  };
  // The ends of lines when the betting of a street is over.
  struct StreetEnds {
    std::vector<Line> ends;     // terminals and public chance, in the order of a walk
    std::vector<Line> chances;  // of them public chance
    std::vector<Line> next;     // the lines after a card
    Lanes<Real> lanes;

    void clear() {
      ends.clear();
      chances.clear();
      lanes.clear();
    }
  };
  // The memory of a thread.
  struct Bench {
    Space space;
    std::deque<StreetEnds> streets;

    StreetEnds& street(std::size_t depth) {
      while (streets.size() <= depth) streets.emplace_back();
      return streets[depth];
    }
  };

  // One walk of one player, on one thread.
  template <class Rule>
  struct Walker {
    VectorWalk& shared;
    const Tree& tree;
    Rule& rule;
    Player player;
    Bench& bench;
    bool may_fork;

    static constexpr int kNumValues = [] {
      if constexpr (requires { Rule::kNumValues; }) return Rule::kNumValues;
      return 1;
    }();

    static constexpr bool kOnlyReaches = requires { Rule::kOnlyReaches; };

    int width() const { return tree.width(player); }
    int values_width() const { return kNumValues * width(); }
    bool is_terminal(std::int32_t n) const { return tree.nodes[n].actor == kTerminal; }
    int other_width() const { return tree.width(1 - player); }

    void walk_street(std::span<const Line> lines, std::size_t depth) {
      StreetEnds& street = bench.street(depth);
      street.clear();
      Frame frame(bench.space);
      for (const Line& line : lines) {
        const int actor = tree.nodes[line.node].actor;
        if (actor >= 0) {
          descend(line.node, line.own, line.other, street, frame);
        } else {
          add_end(line, street);
          if (actor == kTerminal) add_run_out(line, street);
        }
      }
      if constexpr (!kOnlyReaches) tree.showdown->lane_values(street.lanes, player);
      if (!street.chances.empty()) may_fork ? fork_cards(street, depth) : deal_cards(street, depth);
      for (const Line& end : street.ends) {
        for (int row = 0; row < (is_terminal(end.node) ? 1 : kNumValues); ++row)
          even_out(tree, tree.nodes[end.node], player, end.values + row * width());
        if (tree.nodes[end.node].actor == kChance) keep(tree.nodes[end.node], end.values);
      }
      const Line* end = street.ends.data();
      for (const Line& line : lines) {
        if (tree.nodes[line.node].actor >= 0)
          ascend(line.node, end, line.values);
        else if (is_terminal((end++)->node))
          repeat(line.values);
      }
    }

    // An ending has the same value in every row.
    void repeat(Real* values) const {
      for (int row = 1; row < kNumValues; ++row) std::copy_n(values, width(), values + row * width());
    }

    void clear(Real* values) const {
      for (int row = 0; row < kNumValues; ++row) fill<kWidth>(values + row * width(), Real{0}, width());
    }

    void add_outcomes(const VectorNode& node, int c, const Real* child_values, Real* values) const {
      for (int row = 0; row < kNumValues; ++row)
        add_outcome(tree, node, c, player, child_values + row * width(), values + row * width());
    }

    // The values of a node's children.
    struct Children {
      std::array<const Real*, kMaxActions> values;
      std::array<int, kNumValues == 1 ? 1 : kMaxActions> steps;  // to the next row; 0 for an ending
      const Real* operator()(int a) const { return values[a]; }
      const Real* operator()(int a, int row) const { return values[a] + (kNumValues == 1 ? 0 : row * steps[a]); }
      void set(int a, const Real* first, int step) {
        values[a] = first;
        if constexpr (kNumValues > 1) steps[a] = step;
      }
    };

    void add_end(const Line& line, StreetEnds& street) {
      const VectorNode& node = tree.nodes[line.node];
      street.ends.push_back(line);
      if (node.actor == kLeaf) value_leaf(line);
      if (node.actor != kChance) return;
      if (kOnlyReaches && tree.nodes[node.first_child].actor < 0 && tree.nodes[node.first_child].actor != kLeaf) return;
      street.chances.push_back(line);
      arrive(node, line.other);
    }

    // A showdown that comes right after a card, without betting.
    void add_run_out(const Line& line, StreetEnds& street) {
      Lane<Real> lane;
      lane.reach = line.other;
      lane.showdown = &tree.terminals[tree.nodes[line.node].offset];
      lane.showdown_values = line.values;
      street.lanes.showdowns.push_back(lane);
    }

    // Memory taken from the frame stays until the street is done.
    void descend(std::int32_t n, const Real* own, const Real* other, StreetEnds& street, Frame& frame) {
      const VectorNode& node = tree.nodes[n];
      prefetch_after(&tree.nodes[node.first_child],
                     2 * node.num_children * static_cast<int>(sizeof(VectorNode)));  // that of the next card
      arrive(node, other);
      const Below below = spread(node, own, other, frame);
      const std::size_t first_end = street.ends.size();
      for (int a = 0; a < node.num_children; ++a)
        if (tree.nodes[node.first_child + a].actor < 0)
          add_end({node.first_child + a, below.own(a), below.other(a),
                   frame.take(is_terminal(node.first_child + a) ? width() : values_width())},
                  street);
      const Line* end = street.ends.data() + first_end;
      add_lanes(
          tree, node, player, [&](int a) { return below.other(a); },
          [&](int a) {
            while (end->node != node.first_child + a) ++end;
            return end->values;
          },
          street.lanes);
      for (int a = 0; a < node.num_children; ++a)
        if (tree.nodes[node.first_child + a].actor >= 0) descend(node.first_child + a, below.own(a), below.other(a), street, frame);
    }

    void ascend(std::int32_t n, const Line*& end, Real* values) {
      const VectorNode& node = tree.nodes[n];
      Frame frame(bench.space);
      Children children;
      for (int a = 0; a < node.num_children; ++a)
        if (tree.nodes[node.first_child + a].actor < 0)
          children.set(a, (end++)->values, is_terminal(node.first_child + a) ? 0 : width());
      for (int a = 0; a < node.num_children; ++a) {
        if (tree.nodes[node.first_child + a].actor < 0) continue;
        Real* child = frame.take(values_width());
        ascend(node.first_child + a, end, child);
        children.set(a, child, width());
      }
      back_up(node, children, values);
    }

    // To the c-th card: all lines come from the same public cards, so they have the same cards before them.
    void deal_card(const StreetEnds& street, int c, std::size_t depth, std::span<Real* const> child_values,
                   std::vector<Line>& next) {
      Frame frame(bench.space);
      next.clear();
      for (std::size_t i = 0; i < street.chances.size(); ++i)
        next.push_back(after_card(street.chances[i], c, child_values[i], frame));
      walk_street(next, depth + 1);
    }

    int num_cards(const StreetEnds& street) const { return tree.nodes[street.chances[0].node].num_children; }

    void add_card(const StreetEnds& street, int c, std::span<Real* const> child_values) const {
      for (std::size_t i = 0; i < street.chances.size(); ++i)
        add_outcomes(tree.nodes[street.chances[i].node], c, child_values[i], street.chances[i].values);
    }

    void deal_cards(StreetEnds& street, std::size_t depth) {
      Frame frame(bench.space);
      std::vector<Real*> child_values;
      for (const Line& line : street.chances) {
        clear(line.values);
        child_values.push_back(frame.take(values_width()));
      }
      for (int c = 0; c < num_cards(street); ++c) {
        deal_card(street, c, depth, child_values, street.next);
        add_card(street, c, child_values);
      }
    }

    void fork_cards(StreetEnds& street, std::size_t depth) {
      const auto lines = street.chances.size();
      Frame frame(bench.space);
      std::vector<Real*> child_values;  // [cards, lines]
      for (std::size_t i = 0; i < lines * static_cast<std::size_t>(num_cards(street)); ++i)
        child_values.push_back(frame.take(values_width()));
      for (const Line& line : street.chances) clear(line.values);
      const auto of_card = [&](int c) {
        return std::span<Real* const>(child_values.data() + static_cast<std::size_t>(c) * lines, lines);
      };
      std::atomic<int> next_card = 0;
      shared.pool_.run([&](int thread) {
        Walker below{shared, tree, rule, player, shared.benches_[static_cast<std::size_t>(thread)], false};
        std::vector<Line> next;
        for (int c = next_card++; c < num_cards(street); c = next_card++) below.deal_card(street, c, depth, of_card(c), next);
      });
      for (int c = 0; c < num_cards(street); ++c) add_card(street, c, of_card(c));
    }

    void walk_node(std::int32_t n, const Real* own, const Real* other, Real* values) {
      const VectorNode& node = tree.nodes[n];
      if (node.actor == kTerminal) {
        tree.showdown->values(tree.terminals[node.offset], player, other, values);
        even_out(tree, node, player, values);
        return repeat(values);
      }
      if (node.actor == kLeaf) return value_leaf({n, own, other, values});
      arrive(node, other);
      if (node.actor == kChance) return walk_chance({n, own, other, values});
      Frame frame(bench.space);
      const Below below = spread(node, own, other, frame);
      Real* children = frame.take(node.num_children * values_width());
      for (int a = 0; a < node.num_children; ++a)
        walk_node(node.first_child + a, below.own(a), below.other(a), children + a * values_width());
      back_up(node, [&](int a, int row = 0) { return children + a * values_width() + row * width(); }, values);
    }

    void walk_chance(const Line& line) {
      const VectorNode& node = tree.nodes[line.node];
      Frame frame(bench.space);
      Real* children = frame.take((may_fork ? node.num_children : 1) * values_width());
      clear(line.values);
      if (may_fork) {
        std::atomic<int> next = 0;
        shared.pool_.run([&](int thread) {
          Walker below{shared, tree, rule, player, shared.benches_[static_cast<std::size_t>(thread)], false};
          for (int c = next++; c < node.num_children; c = next++) below.walk_outcome(line, c, children + c * values_width());
        });
        for (int c = 0; c < node.num_children; ++c) add_outcomes(node, c, children + c * values_width(), line.values);
      } else {
        for (int c = 0; c < node.num_children; ++c) {
          walk_outcome(line, c, children);
          add_outcomes(node, c, children, line.values);
        }
      }
      for (int row = 0; row < kNumValues; ++row) even_out(tree, node, player, line.values + row * width());
      keep(node, line.values);
    }

    void walk_outcome(const Line& line, int c, Real* values) {
      Frame frame(bench.space);
      const Line next = after_card(line, c, values, frame);
      walk_node(next.node, next.own, next.other, next.values);
    }

    Line after_card(const Line& line, int c, Real* values, Frame& frame) const {
      const VectorNode& node = tree.nodes[line.node];
      const ChanceEdge& edge = tree.edges[node.offset + c];
      prefetch_after(&edge, 2 * sizeof(ChanceEdge));
      Real *own = Rule::kTracksOwn ? frame.take(width()) : nullptr, *other = frame.take(other_width());
      if constexpr (Rule::kTracksOwn) multiply<kWidth>(own, line.own, tree.masks[player].data() + edge.masks[player], width());
      multiply<kWidth>(other, line.other, tree.masks[1 - player].data() + edge.masks[1 - player], other_width());
      return {node.first_child + c, own, other, values};
    }

    // Reaches after each action: one player's are spread, the other's stay.
    struct Below {
      const Real *own_reach, *other_reach;
      int own_step, other_step;
      const Real* own(int a) const { return own_reach + a * own_step; }
      const Real* other(int a) const { return other_reach + a * other_step; }
    };

    Below spread(const VectorNode& node, const Real* own, const Real* other, Frame& frame) {
      if (node.actor != player) {
        Real* out = frame.take(node.num_children * other_width());
        rule.spread(node, other, out);
        return {own, out, 0, other_width()};
      }
      if constexpr (Rule::kTracksOwn) {
        Real* out = frame.take(node.num_children * width());
        rule.spread_own(node, own, out, bench.space);
        return {out, other, width(), 0};
      }
      return {own, other, 0, 0};
    }

    // Gives the rule with which reach of the other a decision or chance node is come to, and then what it is worth, where it wants
    // to know.
    void arrive(const VectorNode& node, const Real* other) const {
      if constexpr (requires { rule.arrive(node, other); }) rule.arrive(node, other);
    }
    void keep(const VectorNode& node, const Real* values) const {
      if constexpr (requires { rule.keep(node, values); }) rule.keep(node, values);
    }

    void value_leaf(const Line& line) const {
      const VectorNode& leaf = tree.nodes[line.node];
      arrive(leaf, line.other);
      if constexpr (requires { rule.value_leaf(leaf, player, line.other, line.values); })
        rule.value_leaf(leaf, player, line.other, line.values);
      keep(leaf, line.values);
    }

    template <class Child>
    void back_up(const VectorNode& node, const Child& child, Real* values) {
      if (node.actor == player)
        rule.back_up(node, child, values, bench.space);
      else
        add_up(node, child, values);
      keep(node, values);
    }

    template <class Child>
    void add_up(const VectorNode& node, const Child& child, Real* values) {
      using Hands = Register<Real>;
      const int size = kWidth > 0 ? kWidth : width();
      with_actions(node.num_children, [&](auto count) {
        for (int h = 0; h < size; h += Hands::kSize) {
          for (int row = 0; row < kNumValues; ++row) {
            typename Hands::Lanes sum = Hands::load(child(0, row) + h).lanes;
            for (int a = 1; a < count; ++a) sum = sum + Hands::load(child(a, row) + h).lanes;
            Hands{sum}.store(values + row * width() + h);
          }
        }
      });
    }
  };

  const Tree& tree_;
  ThreadPool pool_;
  std::vector<Bench> benches_;  // [threads]
  std::array<HandVector<Real>, 2> root_reaches_;
};

}  // namespace regretless
