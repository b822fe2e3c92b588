// SPDX-License-Identifier: MIT
#include "solve/vector_tree.h"

#include <limits>

#include "games/any_game.h"
#include "threads/lookout.h"

namespace regretless {

template <class RealType, int kFixedWidth, class TerminalsType>
template <PublicGame G>
VectorTree<RealType, kFixedWidth, TerminalsType>::VectorTree(const G& game, const PublicTree<G>& tree, const SymmetryGroup& group,
                                                             std::array<RootRange, 2> root_ranges)
    : ranges(std::move(root_ranges)), strides(padded(ranges)) {
  showdown = std::make_unique<Terminals>(game, ranges, strides);
  make_renamings(game, group);
  nodes.resize(tree.nodes.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const PublicNode& node = tree.nodes[n];
    if (node.num_children > std::numeric_limits<std::int16_t>::max())
      throw std::length_error("more than 32,767 ways to deal public cards at once");
    nodes[n] = {0, node.first_child, static_cast<std::int16_t>(node.num_children), node.actor, -1};
    if (node.actor == kLeaf) nodes[n].offset = num_leaves++;
  }
  make_terminals(game, tree);
  lay_out(tree, make_edges(game, tree));
  if (!group.is_trivial()) find_orbits(game, tree, group, find_last_streets(tree));
  total_weight = weight_of_pairs(game);
}

template <class RealType, int kFixedWidth, class TerminalsType>
template <class G>
double VectorTree<RealType, kFixedWidth, TerminalsType>::weight_of_pairs(const G& game) const {
  double total = 0;
  for (std::size_t i = 0; i < ranges[0].hands.size(); ++i)
    for (std::size_t j = 0; j < ranges[1].hands.size(); ++j)
      total += pair_weight(game, ranges[0].hands[i], ranges[1].hands[j]) * ranges[0].weights[i] * ranges[1].weights[j];
  return total;
}

template <class RealType, int kFixedWidth, class TerminalsType>
double VectorTree<RealType, kFixedWidth, TerminalsType>::weight_of_pairs(const Poker& game) const {
  if (game.rules().num_hole_cards != 2) return weight_of_pairs<Poker>(game);
  std::map<Hand, double> same;
  std::array<double, kMaxCards> by_card{};
  double all = 0, total = 0;
  for (std::size_t j = 0; j < ranges[1].hands.size(); ++j) {
    const double weight = ranges[1].weights[j];
    same[ranges[1].hands[j]] = weight;
    all += weight;
    for (CardSet rest = game.hand_cards(ranges[1].hands[j]); rest != 0; rest &= rest - 1) by_card[std::countr_zero(rest)] += weight;
  }
  for (std::size_t i = 0; i < ranges[0].hands.size(); ++i) {
    const auto twin = same.find(ranges[0].hands[i]);
    double met = all + (twin == same.end() ? 0 : twin->second);
    for (CardSet rest = game.hand_cards(ranges[0].hands[i]); rest != 0; rest &= rest - 1) met -= by_card[std::countr_zero(rest)];
    total += ranges[0].weights[i] * met;
  }
  return total;
}

template <class RealType, int kFixedWidth, class TerminalsType>
template <class G>
void VectorTree<RealType, kFixedWidth, TerminalsType>::make_terminals(const G& game, const PublicTree<G>& tree) {
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
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    Lookout::look_up();
    if (nodes[n].actor != kTerminal) continue;
    const PlaceEnding& ending = endings[tree.places[n]];
    auto& [terminal, rows] = payments[ending.payment];
    if (terminal.is_showdown) {
      KeyedTable& last = last_tables[tree.boards[n]];
      if (last.table < 0 || last.key != ending.key) {
        const auto state = tree.state(n);
        last = {ending.key, showdown->table(game, state, game.ending(state), ranges)};
      }
      terminal.table = last.table;
    }
    if (rows.size() <= static_cast<std::size_t>(terminal.table)) rows.resize(static_cast<std::size_t>(terminal.table) + 1, -1);
    std::int32_t& row = rows[terminal.table];
    if (row < 0) {
      row = static_cast<std::int32_t>(terminals.size());
      terminals.push_back(terminal);
    }
    nodes[n].offset = row;
  }
  terminals.shrink_to_fit();
}

template <class RealType, int kFixedWidth, class TerminalsType>
template <class G>
void VectorTree<RealType, kFixedWidth, TerminalsType>::lay_out(const PublicTree<G>& tree,
                                                               const std::vector<std::array<std::int64_t, 2>>& num_possible) {
  std::vector<std::int32_t> stack{0};
  while (!stack.empty()) {
    const std::int32_t n = stack.back();
    stack.pop_back();
    VectorNode& node = nodes[n];
    for (int c = node.num_children - 1; c >= 0; --c) stack.push_back(node.first_child + c);
    if (node.actor < 0) continue;
    node.offset = num_entries[node.actor];
    num_entries[node.actor] += static_cast<std::int64_t>(node.num_children) * strides[node.actor];
    num_infosets[node.actor] += tree.board(n).copies * num_possible[tree.boards[n]][node.actor];
  }
}

template <class RealType, int kFixedWidth, class TerminalsType>
template <class G>
std::vector<bool> VectorTree<RealType, kFixedWidth, TerminalsType>::find_last_streets(const PublicTree<G>& tree) const {
  std::vector<bool> is_last(nodes.size(), true);
  for (std::size_t n = nodes.size(); n-- > 1;)
    if (nodes[n].actor == kChance || nodes[n].actor == kLeaf || !is_last[n]) is_last[tree.nodes[n].parent] = false;
  return is_last;
}

template <class RealType, int kFixedWidth, class TerminalsType>
template <class G>
bool VectorTree<RealType, kFixedWidth, TerminalsType>::begins_street(const PublicTree<G>& tree, std::size_t n) const {
  return n == 0 || nodes[tree.nodes[n].parent].actor == kChance;
}

template <class RealType, int kFixedWidth, class TerminalsType>
template <class G>
void VectorTree<RealType, kFixedWidth, TerminalsType>::find_orbits(const G& game, const PublicTree<G>& tree,
                                                                   const SymmetryGroup& group, const std::vector<bool>& is_last) {
  constexpr std::int8_t kUnknown = -2;
  std::map<std::vector<std::int32_t>, std::int8_t> rows;
  std::vector<std::int8_t> of_street(nodes.size(), -1), of_board(tree.plan.boards().size(), kUnknown);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!begins_street(tree, n)) {
      of_street[n] = of_street[tree.nodes[n].parent];
    } else if (nodes[n].actor == kChance || !is_last[n]) {
      std::int8_t& row = of_board[tree.boards[n]];
      if (row == kUnknown) {
        const auto fixing = fixing_renamings(game, tree.board(n).state, group);
        const auto [found, is_new] = rows.try_emplace(fixing, static_cast<std::int8_t>(orbits[0].size()));
        if (is_new && !add_orbits(fixing)) found->second = -1;
        row = found->second;
      }
      of_street[n] = row;
    }
    if (nodes[n].actor == kChance || nodes[n].actor == kTerminal) nodes[n].orbits = of_street[n];
  }
}

template <class RealType, int kFixedWidth, class TerminalsType>
bool VectorTree<RealType, kFixedWidth, TerminalsType>::add_orbits(const std::vector<std::int32_t>& fixing) {
  bool moves = false;
  std::array<Orbits, 2> found;
  for (Player p = 0; p < 2; ++p) {
    Orbits& all = found[p];
    all.orbit_of.assign(static_cast<std::size_t>(strides[p]), -1);
    for (std::size_t h = 0; h < ranges[p].hands.size(); ++h) {
      if (all.orbit_of[h] >= 0) continue;
      for (const std::int32_t renaming : fixing) {
        const std::int32_t twin = renamings[p][renaming][h];
        if (all.orbit_of[twin] >= 0) continue;
        all.orbit_of[twin] = static_cast<std::int32_t>(all.ends.size());
        all.members.push_back(twin);
      }
      all.ends.push_back(static_cast<std::int32_t>(all.members.size()));
    }
    moves |= all.ends.size() < ranges[p].hands.size();
    for (std::int32_t& orbit : all.orbit_of)
      if (orbit < 0) orbit = static_cast<std::int32_t>(all.ends.size());
  }
  for (Player p = 0; moves && p < 2; ++p) orbits[p].push_back(std::move(found[p]));
  return moves;
}

template <class RealType, int kFixedWidth, class TerminalsType>
template <class G>
void VectorTree<RealType, kFixedWidth, TerminalsType>::make_renamings(const G&, const SymmetryGroup&) {
  for (Player p = 0; p < 2; ++p) renamings[p].push_back(identity(p));
}

template <class RealType, int kFixedWidth, class TerminalsType>
void VectorTree<RealType, kFixedWidth, TerminalsType>::make_renamings(const Poker& game, const SymmetryGroup& group) {
  for (Player p = 0; p < 2; ++p) {
    std::map<Hand, std::int32_t> places;
    for (std::size_t i = 0; i < ranges[p].hands.size(); ++i) places[ranges[p].hands[i]] = static_cast<std::int32_t>(i);
    for (const SuitPermutation& renaming : group.renamings) {
      auto& to = renamings[p].emplace_back(identity(p));
      for (std::size_t i = 0; i < ranges[p].hands.size(); ++i) to[i] = places.at(rename_hand(game, renaming, ranges[p].hands[i]));
    }
  }
}

template <class RealType, int kFixedWidth, class TerminalsType>
std::vector<std::int32_t> VectorTree<RealType, kFixedWidth, TerminalsType>::identity(Player p) const {
  std::vector<std::int32_t> to(static_cast<std::size_t>(strides[p]));
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<std::int32_t>(i);
  return to;
}

template <class RealType, int kFixedWidth, class TerminalsType>
template <class G>
std::vector<std::array<std::int64_t, 2>> VectorTree<RealType, kFixedWidth, TerminalsType>::make_edges(const G& game,
                                                                                                      const PublicTree<G>& tree) {
  const auto& boards = tree.plan.boards();
  std::vector<std::array<std::int64_t, 2>> offsets(boards.size(), {-1, -1}), num_possible(boards.size());
  std::array<std::map<std::vector<Real>, std::int64_t>, 2> seen;  // equal rows are kept once
  const auto possible = [&](std::int32_t board, Player p) {
    std::vector<Real> row(static_cast<std::size_t>(strides[p]));
    for (std::size_t h = 0; h < ranges[p].hands.size(); ++h)
      row[h] = game.hand_possible(boards[board].state, ranges[p].hands[h]) ? 1 : 0;
    num_possible[board][p] = std::count(row.begin(), row.end(), Real{1});
    return row;
  };
  const auto add_masks = [&](std::int32_t board) {
    for (Player p = 0; p < 2; ++p) {
      const auto [found, is_new] = seen[p].try_emplace(possible(board, p), static_cast<std::int64_t>(masks[p].size()));
      if (is_new) masks[p].insert(masks[p].end(), found->first.begin(), found->first.end());
      offsets[board][p] = found->second;
    }
  };
  for (Player p = 0; p < 2; ++p) possible(0, p);
  std::size_t num_edges = 0;
  for (const VectorNode& node : nodes) num_edges += node.actor == kChance ? node.num_children : 0;
  edges.reserve(num_edges);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].actor != kChance) continue;
    nodes[n].offset = static_cast<std::int64_t>(edges.size());
    const double probability = game.outcome_probability(tree.plan.shape().states[tree.places[n]]);
    for (int c = 0; c < nodes[n].num_children; ++c) {
      const std::int32_t board = tree.boards[nodes[n].first_child + c];
      if (offsets[board][0] < 0) add_masks(board);
      edges.push_back({offsets[board], probability * static_cast<double>(boards[board].stands_for.outcomes.size())});
    }
  }
  for (Player p = 0; p < 2; ++p) masks[p].shrink_to_fit();
  return num_possible;
}

#define REGRETLESS_DENSE_TREES(G)                                                                                            \
  template DenseTree<double, 8>::VectorTree(const G&, const PublicTree<G>&, const SymmetryGroup&, std::array<RootRange, 2>); \
  template DenseTree<double, 0>::VectorTree(const G&, const PublicTree<G>&, const SymmetryGroup&, std::array<RootRange, 2>);
REGRETLESS_PUBLIC_GAMES(REGRETLESS_DENSE_TREES)
template RankedTree::VectorTree(const Poker&, const PublicTree<Poker>&, const SymmetryGroup&, std::array<RootRange, 2>);
template SubsetTree::VectorTree(const Poker&, const PublicTree<Poker>&, const SymmetryGroup&, std::array<RootRange, 2>);

}  // namespace regretless
