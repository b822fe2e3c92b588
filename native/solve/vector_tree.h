// SPDX-License-Identifier: MIT
// A two-player public tree made ready for vectors over hands: what the tabular solvers and best response walk.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "tree/public_tree.h"
#include "tree/showdown.h"

namespace regretless {

struct VectorNode {
  std::int32_t first_child = 0;
  std::int32_t num_children = 0;
  std::int64_t offset = 0;  // decision: of its [actions, hands] in the actor's arrays; chance: of its first edge; terminal or leaf: its row
  std::int8_t actor = kTerminal;
  std::int16_t orbits = -1;  // row of orbits: hands whose values must be equal, -1 where none must
};

// From a chance node to one kept outcome.
struct ChanceEdge {
  std::array<std::int64_t, 2> masks{};      // offset of [hands]: 1 where the hand is still possible
  double probability = 0;                   // of all outcomes that this one stands for
};

// Hands that the symmetries of a public state turn into each other.
struct Orbits {
  std::vector<std::int32_t> members;   // one orbit after the other
  std::vector<std::int32_t> ends;      // [orbits]: in members
  std::vector<std::int32_t> orbit_of;  // [hands]; what pads a vector is in a last orbit without members
};

// kWidth fixes the padded number of hands at compile time (small games); 0 leaves it open.
template <class RealType, int kFixedWidth, class TerminalsType>
struct VectorTree {
  using Real = RealType;
  using Terminals = TerminalsType;
  static constexpr int kWidth = kFixedWidth;
  static constexpr int kPadding = kWidth > 0 ? kWidth : kRegisterSize<Real>;

  std::array<RootRange, 2> ranges;
  std::array<int, 2> strides{};
  std::vector<VectorNode> nodes;
  std::vector<TerminalNode> terminals;
  std::vector<ChanceEdge> edges;
  std::array<HandVector<Real>, 2> masks;
  std::array<std::vector<std::vector<std::int32_t>>, 2> renamings;  // [player][renaming][hands]: where each hand goes
  std::array<std::vector<Orbits>, 2> orbits;           // [player][rows]
  std::array<std::int64_t, 2> num_entries{};           // sum over the player's nodes of actions x padded hands
  std::array<std::int64_t, 2> num_infosets{};
  int num_leaves = 0;
  int max_actions = 0;
  double total_weight = 0;                             // of all compatible pairs of hands
  std::unique_ptr<Terminals> showdown;

  int width(Player player) const { return kWidth > 0 ? kWidth : strides[player]; }

  template <TwoPlayerGame G>
  VectorTree(const G& game, const PublicTree<G>& tree, const SymmetryGroup& group, std::array<RootRange, 2> root_ranges)
      : ranges(std::move(root_ranges)) {
    for (Player p = 0; p < 2; ++p)
      strides[p] = (static_cast<int>(ranges[p].hands.size()) + kPadding - 1) / kPadding * kPadding;
    showdown = std::make_unique<Terminals>(game, ranges, strides);
    make_renamings(game, group);
    nodes.resize(tree.nodes.size());
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const PublicNode& node = tree.nodes[n];
      nodes[n] = {node.first_child, node.num_children, 0, node.actor, -1};
      if (node.actor == kTerminal) {
        const Ending ending = game.ending(tree.states[n]);
        nodes[n].offset = static_cast<std::int64_t>(terminals.size());
        terminals.push_back({ending.payoffs, showdown->table(game, tree.states[n], ending, ranges), ending.is_showdown});
      } else if (node.actor == kChance) {
        add_edges(game, tree, n);
      } else if (node.actor == kLeaf) {
        nodes[n].offset = num_leaves++;
      }
    }
    lay_out(game, tree);
    if (!group.is_trivial()) find_orbits(game, tree, group, find_last_streets(tree));
    total_weight = weight_of_pairs(game);
  }

  HandVector<Real> root_reach(Player player) const {
    HandVector<Real> reach(static_cast<std::size_t>(strides[player]));
    for (std::size_t h = 0; h < ranges[player].weights.size(); ++h) reach[h] = static_cast<Real>(ranges[player].weights[h]);
    return reach;
  }

 private:
  template <class G>
  double weight_of_pairs(const G& game) const {
    double total = 0;
    for (std::size_t i = 0; i < ranges[0].hands.size(); ++i)
      for (std::size_t j = 0; j < ranges[1].hands.size(); ++j)
        if (game.hands_compatible(ranges[0].hands[i], ranges[1].hands[j])) total += ranges[0].weights[i] * ranges[1].weights[j];
    return total;
  }

  // Of two hole cards, a hand cannot meet those that share a card; the one that shares both is taken off twice.
  double weight_of_pairs(const Poker& game) const {
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

  // Depth first, so that what a walk reads lies together.
  template <class G>
  void lay_out(const G& game, const PublicTree<G>& tree) {
    std::vector<std::int64_t> copies(tree.nodes.size(), 1);  // nodes of the whole tree that a kept one stands for
    for (std::size_t n = 1; n < tree.nodes.size(); ++n)
      copies[n] = copies[tree.nodes[n].parent] * std::max<std::int64_t>(1, static_cast<std::int64_t>(tree.classes[n].outcomes.size()));
    std::vector<std::int32_t> stack{0};
    while (!stack.empty()) {
      const std::int32_t n = stack.back();
      stack.pop_back();
      VectorNode& node = nodes[n];
      for (int c = node.num_children - 1; c >= 0; --c) stack.push_back(node.first_child + c);
      if (node.actor < 0) continue;
      node.offset = num_entries[node.actor];
      num_entries[node.actor] += static_cast<std::int64_t>(node.num_children) * strides[node.actor];
      max_actions = std::max(max_actions, node.num_children);
      for (const Hand hand : ranges[node.actor].hands) num_infosets[node.actor] += copies[n] * game.hand_possible(tree.states[n], hand);
    }
  }

  // [nodes]: whether no more public cards come below.
  template <class G>
  std::vector<bool> find_last_streets(const PublicTree<G>& tree) const {
    std::vector<bool> is_last(nodes.size(), true);
    for (std::size_t n = nodes.size(); n-- > 1;)
      if (nodes[n].actor == kChance || nodes[n].actor == kLeaf || !is_last[n]) is_last[tree.nodes[n].parent] = false;
    return is_last;
  }

  template <class G>
  bool begins_street(const PublicTree<G>& tree, std::size_t n) const {
    return n == 0 || nodes[tree.nodes[n].parent].actor == kChance;
  }

  // Merged public cards stand for each other only as long as hands that a symmetry exchanges are played alike, and rounding
  // must not break that. So the values that come up to the decisions before such cards, from public chance and from endings,
  // are made equal within each orbit.
  template <class G>
  void find_orbits(const G& game, const PublicTree<G>& tree, const SymmetryGroup& group, const std::vector<bool>& is_last) {
    std::map<std::vector<std::int32_t>, std::int16_t> rows;
    std::vector<std::int16_t> of_street(nodes.size(), -1);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!begins_street(tree, n)) {
        of_street[n] = of_street[tree.nodes[n].parent];
      } else if (nodes[n].actor == kChance || !is_last[n]) {
        const auto fixing = fixing_renamings(game, tree.states[n], group);
        const auto [found, is_new] = rows.try_emplace(fixing, static_cast<std::int16_t>(orbits[0].size()));
        if (is_new && !add_orbits(fixing)) found->second = -1;
        of_street[n] = found->second;
      }
      if (nodes[n].actor == kChance || nodes[n].actor == kTerminal) nodes[n].orbits = of_street[n];
    }
  }

  // False where every hand is alone.
  bool add_orbits(const std::vector<std::int32_t>& fixing) {
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

  template <class G>
  void make_renamings(const G&, const SymmetryGroup&) {
    for (Player p = 0; p < 2; ++p) renamings[p].push_back(identity(p));
  }

  void make_renamings(const Poker& game, const SymmetryGroup& group) {
    for (Player p = 0; p < 2; ++p) {
      std::map<Hand, std::int32_t> places;
      for (std::size_t i = 0; i < ranges[p].hands.size(); ++i) places[ranges[p].hands[i]] = static_cast<std::int32_t>(i);
      for (const SuitPermutation& renaming : group.renamings) {
        auto& to = renamings[p].emplace_back(identity(p));
        for (std::size_t i = 0; i < ranges[p].hands.size(); ++i) to[i] = places.at(rename_hand(game, renaming, ranges[p].hands[i]));
      }
    }
  }

  std::vector<std::int32_t> identity(Player p) const {
    std::vector<std::int32_t> to(static_cast<std::size_t>(strides[p]));
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<std::int32_t>(i);
    return to;
  }

  template <class G>
  void add_edges(const G& game, const PublicTree<G>& tree, std::size_t n) {
    nodes[n].offset = static_cast<std::int64_t>(edges.size());
    for (int c = 0; c < tree.nodes[n].num_children; ++c) {
      const std::size_t child = static_cast<std::size_t>(tree.nodes[n].first_child + c);
      ChanceEdge edge;
      for (Player p = 0; p < 2; ++p) edge.masks[p] = mask(game, tree.states[child], p);
      edge.probability = game.outcome_probability(tree.states[n]) * static_cast<double>(tree.classes[child].outcomes.size());
      edges.push_back(edge);
    }
  }

  template <class G>
  std::int64_t mask(const G& game, const typename G::State& state, Player p) {
    std::vector<Real> row(static_cast<std::size_t>(strides[p]));
    for (std::size_t h = 0; h < ranges[p].hands.size(); ++h) row[h] = game.hand_possible(state, ranges[p].hands[h]) ? 1 : 0;
    const auto [found, is_new] = mask_offsets_[p].try_emplace(row, static_cast<std::int64_t>(masks[p].size()));
    if (is_new) masks[p].insert(masks[p].end(), row.begin(), row.end());
    return found->second;
  }

  std::array<std::map<std::vector<Real>, std::int64_t>, 2> mask_offsets_;
};

template <class Real, int kWidth>
using DenseTree = VectorTree<Real, kWidth, DenseShowdown<Real, kWidth>>;
using RankedTree = VectorTree<float, 0, RankedShowdown<float>>;
inline constexpr int kDenseHands = 64;  // up to here a matrix of all pairs of hands is the quickest showdown

// Memory for the vectors of one walk: a stack that grows when it is first used.
template <class Real>
class Workspace {
 public:
  class Frame {
   public:
    explicit Frame(Workspace& workspace) : workspace_(workspace), chunk_(workspace.chunk_), used_(workspace.used_) {}
    ~Frame() {
      workspace_.chunk_ = chunk_;
      workspace_.used_ = used_;
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    Real* take(int size) { return workspace_.take(static_cast<std::size_t>(size)); }

   private:
    Workspace& workspace_;
    std::size_t chunk_, used_;
  };

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 16;

  Real* take(std::size_t size) {
    while (chunk_ == chunks_.size() || used_ + size > chunks_[chunk_].size()) {
      if (chunk_ == chunks_.size()) {
        chunks_.emplace_back(std::max(size, kChunk));
      } else {
        ++chunk_;
      }
      used_ = 0;
    }
    Real* memory = chunks_[chunk_].data() + used_;
    used_ += size;
    return memory;
  }

  std::vector<HandVector<Real>> chunks_;
  std::size_t chunk_ = 0, used_ = 0;
};

}  // namespace regretless
