// SPDX-License-Identifier: MIT
#include "solve/vector_tree.h"

#include <limits>

#include "games/any_game.h"
#include "solve/met_weights.h"
#include "threads/lookout.h"

namespace regretless {
namespace {

template <class Tree, PublicGame G>
struct TreeBuilder {
  using Real = typename Tree::Real;

  Tree& out;
  const G& game;
  const PublicTree<G>& tree;
  const SymmetryGroup& group;

  void build() {
    make_renamings();
    out.nodes.resize(tree.nodes.size());
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const PublicNode& node = tree.nodes[n];
      if (node.num_children > std::numeric_limits<std::int16_t>::max())
        throw std::length_error("more than 32,767 ways to deal public cards at once");
      out.nodes[n] = {0, node.first_child, static_cast<std::int16_t>(node.num_children), node.actor, -1};
      if (node.actor == kLeaf) out.nodes[n].offset = out.num_leaves++;
    }
    make_terminals();
    lay_out(make_edges(), {0});
    if (!group.is_trivial()) find_orbits(find_last_streets());
    out.total_weight = weight_of_pairs();
  }

  double weight_of_pairs() const {
    const RootRange &mine = out.ranges[0], &his = out.ranges[1];
    double total = 0;
    if constexpr (std::is_same_v<G, Poker>)
      if (game.hand_size() == 2) {
        const std::vector<double> met = met_weights(game, out.ranges, 0, his.weights.data());
        for (std::size_t i = 0; i < met.size(); ++i) total += mine.weights[i] * met[i];
        return total;
      }
    for (std::size_t i = 0; i < mine.hands.size(); ++i)
      for (std::size_t j = 0; j < his.hands.size(); ++j)
        total += pair_weight(game, mine.hands[i], his.hands[j]) * mine.weights[i] * his.weights[j];
    return total;
  }

  // The payoff at a place is the same on every board, and places of one round that have the same key on one board have the
  // same on any other.
  void make_terminals() {
    struct PlaceEnding {
      std::uint64_t key = 0;
      std::size_t payment = 0;
    };
    struct Payment {
      TerminalNode terminal;
      std::vector<std::int32_t> rows;  // [tables]: of terminals, or -1
    };
    const auto& shape = tree.plan.shape();
    std::vector<PlaceEnding> endings(shape.places.size());
    std::vector<Payment> payments;
    std::map<std::pair<decltype(Ending::payoffs), bool>, std::size_t> numbers;
    std::size_t last_payment = 0;  // often the same again
    for (std::size_t place = 0; place < endings.size(); ++place) {
      if (shape.places[place].actor != kTerminal) continue;
      const Ending ending = game.ending(shape.states[place]);
      const auto is_last = [&](const TerminalNode& node) {
        return node.payoffs == ending.payoffs && node.is_showdown == ending.is_showdown;
      };
      if (payments.empty() || !is_last(payments[last_payment].terminal)) {
        last_payment = numbers.try_emplace({ending.payoffs, ending.is_showdown}, payments.size()).first->second;
        if (last_payment == payments.size()) payments.push_back({{ending.payoffs, 0, ending.is_showdown}, {}});
      }
      endings[place] = {ending.key, last_payment};
    }
    struct KeyedTable {
      std::uint64_t key = 0;
      std::int32_t table = -1;
    };
    std::vector<KeyedTable> last_tables(tree.plan.boards().size());
    for (std::size_t n = 0; n < out.nodes.size(); ++n) {
      Lookout::look_up();
      if (out.nodes[n].actor != kTerminal) continue;
      const PlaceEnding& ending = endings[tree.places[n]];
      auto& [terminal, rows] = payments[ending.payment];
      if (terminal.is_showdown) {
        KeyedTable& last = last_tables[tree.boards[n]];
        if (last.table < 0 || last.key != ending.key) {
          const auto state = tree.state(n);
          last = {ending.key, out.showdown->table(game, state, game.ending(state), out.ranges)};
        }
        terminal.table = last.table;
      }
      if (rows.size() <= static_cast<std::size_t>(terminal.table)) rows.resize(static_cast<std::size_t>(terminal.table) + 1, -1);
      std::int32_t& row = rows[terminal.table];
      if (row < 0) {
        row = static_cast<std::int32_t>(out.terminals.size());
        out.terminals.push_back(terminal);
      }
      out.nodes[n].offset = row;
    }
    out.terminals.shrink_to_fit();
  }

  // In the order of the walk, which reads forward: depth first, or, where lines of play are walked together, the lines of a street
  // and then card by card what follows.
  void lay_out(const std::vector<std::array<std::int64_t, 2>>& num_possible, const std::vector<std::int32_t>& lines) {
    std::vector<std::int32_t> chances, stack(lines.rbegin(), lines.rend());
    while (!stack.empty()) {
      const std::int32_t n = stack.back();
      stack.pop_back();
      VectorNode& node = out.nodes[n];
      if (Tree::Terminals::kHasLanes && node.actor == kChance) {
        chances.push_back(n);
        continue;
      }
      for (int c = node.num_children - 1; c >= 0; --c) stack.push_back(node.first_child + c);
      if (node.actor < 0) continue;
      node.offset = out.num_entries[node.actor];
      out.num_entries[node.actor] += static_cast<std::int64_t>(node.num_children) * out.strides[node.actor];
      out.num_infosets[node.actor] += tree.board(n).copies * num_possible[tree.boards[n]][node.actor];
    }
    for (int c = 0; !chances.empty() && c < out.nodes[chances[0]].num_children; ++c) {
      std::vector<std::int32_t> next;
      for (const std::int32_t n : chances) next.push_back(out.nodes[n].first_child + c);
      lay_out(num_possible, next);
    }
  }

  // [nodes]: whether no more public cards come below.
  std::vector<bool> find_last_streets() const {
    std::vector<bool> is_last(out.nodes.size(), true);
    for (std::size_t n = out.nodes.size(); n-- > 1;)
      if (out.nodes[n].actor == kChance || out.nodes[n].actor == kLeaf || !is_last[n]) is_last[tree.nodes[n].parent] = false;
    return is_last;
  }

  bool begins_street(std::size_t n) const { return n == 0 || out.nodes[tree.nodes[n].parent].actor == kChance; }

  // Merged public cards stand for each other only as long as hands that a symmetry exchanges are played alike, and rounding
  // must not break that. So the values that come up to the decisions before such cards, from public chance and from endings,
  // are made equal within each orbit.
  void find_orbits(const std::vector<bool>& is_last) {
    constexpr std::int8_t kUnknown = -2;
    std::map<std::vector<std::int32_t>, std::int8_t> rows;
    std::vector<std::int8_t> of_street(out.nodes.size(), -1), of_board(tree.plan.boards().size(), kUnknown);
    for (std::size_t n = 0; n < out.nodes.size(); ++n) {
      if (!begins_street(n)) {
        of_street[n] = of_street[tree.nodes[n].parent];
      } else if (out.nodes[n].actor == kChance || !is_last[n]) {
        std::int8_t& row = of_board[tree.boards[n]];
        if (row == kUnknown) {
          const auto fixing = fixing_renamings(game, tree.board(n).state, group);
          const auto [found, is_new] = rows.try_emplace(fixing, static_cast<std::int8_t>(out.orbits[0].size()));
          if (is_new && !add_orbits(fixing)) found->second = -1;
          row = found->second;
        }
        of_street[n] = row;
      }
      if (out.nodes[n].actor == kChance || out.nodes[n].actor == kTerminal) out.nodes[n].orbits = of_street[n];
    }
  }

  // False where every hand is alone.
  bool add_orbits(const std::vector<std::int32_t>& fixing) {
    bool moves = false;
    std::array<Orbits, 2> found;
    for (Player p = 0; p < 2; ++p) {
      Orbits& all = found[p];
      all.orbit_of.assign(static_cast<std::size_t>(out.strides[p]), -1);
      for (std::size_t h = 0; h < out.ranges[p].hands.size(); ++h) {
        if (all.orbit_of[h] >= 0) continue;
        for (const std::int32_t renaming : fixing) {
          const std::int32_t twin = out.renamings[p][renaming][h];
          if (all.orbit_of[twin] >= 0) continue;
          all.orbit_of[twin] = static_cast<std::int32_t>(all.ends.size());
          all.members.push_back(twin);
        }
        all.ends.push_back(static_cast<std::int32_t>(all.members.size()));
      }
      moves |= all.ends.size() < out.ranges[p].hands.size();
      for (std::int32_t& orbit : all.orbit_of)
        if (orbit < 0) orbit = static_cast<std::int32_t>(all.ends.size());
    }
    for (Player p = 0; moves && p < 2; ++p) out.orbits[p].push_back(std::move(found[p]));
    return moves;
  }

  void make_renamings() {
    for (Player p = 0; p < 2; ++p) {
      std::map<Hand, std::int32_t> places;
      for (std::size_t i = 0; i < out.ranges[p].hands.size(); ++i) places[out.ranges[p].hands[i]] = static_cast<std::int32_t>(i);
      for (const SuitPermutation& renaming : group.renamings) {
        auto& to = out.renamings[p].emplace_back(identity(p));
        for (std::size_t i = 0; i < out.ranges[p].hands.size(); ++i)
          to[i] = places.at(rename_hand(game, renaming, out.ranges[p].hands[i]));
      }
    }
  }

  std::vector<std::int32_t> identity(Player p) const {
    std::vector<std::int32_t> to(static_cast<std::size_t>(out.strides[p]));
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<std::int32_t>(i);
    return to;
  }

  // Returns [boards][player]: how many hands are possible.
  std::vector<std::array<std::int64_t, 2>> make_edges() {
    const auto& boards = tree.plan.boards();
    std::vector<std::array<std::int64_t, 2>> offsets(boards.size(), {-1, -1}), num_possible(boards.size());
    std::array<std::map<std::vector<Real>, std::int64_t>, 2> seen;  // equal rows are kept once
    const auto possible = [&](std::int32_t board, Player p) {
      std::vector<Real> row(static_cast<std::size_t>(out.strides[p]));
      for (std::size_t h = 0; h < out.ranges[p].hands.size(); ++h)
        row[h] = game.hand_possible(boards[board].state, out.ranges[p].hands[h]) ? 1 : 0;
      num_possible[board][p] = std::count(row.begin(), row.end(), Real{1});
      return row;
    };
    const auto add_masks = [&](std::int32_t board) {
      for (Player p = 0; p < 2; ++p) {
        const auto [found, is_new] = seen[p].try_emplace(possible(board, p), static_cast<std::int64_t>(out.masks[p].size()));
        if (is_new) out.masks[p].insert(out.masks[p].end(), found->first.begin(), found->first.end());
        offsets[board][p] = found->second;
      }
    };
    for (Player p = 0; p < 2; ++p) possible(0, p);
    std::size_t num_edges = 0;
    for (const VectorNode& node : out.nodes) num_edges += node.actor == kChance ? node.num_children : 0;
    out.edges.reserve(num_edges);
    for (std::size_t n = 0; n < out.nodes.size(); ++n) {
      if (out.nodes[n].actor != kChance) continue;
      out.nodes[n].offset = static_cast<std::int64_t>(out.edges.size());
      const double probability = game.outcome_probability(tree.plan.shape().states[tree.places[n]]);
      for (int c = 0; c < out.nodes[n].num_children; ++c) {
        const std::int32_t board = tree.boards[out.nodes[n].first_child + c];
        if (offsets[board][0] < 0) add_masks(board);
        out.edges.push_back({offsets[board], probability * static_cast<double>(boards[board].stands_for.outcomes.size())});
      }
    }
    for (Player p = 0; p < 2; ++p) out.masks[p].shrink_to_fit();
    return num_possible;
  }
};

}  // namespace

template <class RealType, int kFixedWidth, class TerminalsType>
template <PublicGame G>
VectorTree<RealType, kFixedWidth, TerminalsType>::VectorTree(const G& game, const PublicTree<G>& tree, const SymmetryGroup& group,
                                                             std::array<RootRange, 2> root_ranges)
    : ranges(std::move(root_ranges)), strides(padded(ranges)), showdown(std::make_unique<Terminals>(game, ranges, strides)) {
  TreeBuilder<VectorTree, G>{*this, game, tree, group}.build();
}

#define REGRETLESS_DENSE_TREES(G)                                                                                            \
  template DenseTree<double, 8>::VectorTree(const G&, const PublicTree<G>&, const SymmetryGroup&, std::array<RootRange, 2>); \
  template DenseTree<double, 0>::VectorTree(const G&, const PublicTree<G>&, const SymmetryGroup&, std::array<RootRange, 2>);
REGRETLESS_PUBLIC_GAMES(REGRETLESS_DENSE_TREES)
template RankedTree::VectorTree(const Poker&, const PublicTree<Poker>&, const SymmetryGroup&, std::array<RootRange, 2>);
template SubsetTree::VectorTree(const Poker&, const PublicTree<Poker>&, const SymmetryGroup&, std::array<RootRange, 2>);

}  // namespace regretless
