// SPDX-License-Identifier: MIT
// The shape and the boards of a public tree. Public chance changes which hands are possible and who wins, but neither who may do
// what nor what is paid. So the tree is known by its shape, in which public chance has a single outcome, and by its boards, the
// ways in which chance may come: a node is a place of the shape on a board. There are few of both, so nodes are counted before they
// are there.
#pragma once
#include <functional>

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

struct TreeOptions {
  static constexpr int kNoLimit = 1 << 30;
  int max_decisions = kNoLimit;  // on any path; the next decision is a leaf
  bool ends_with_round = false;  // the first decision after public chance is a leaf
  bool runs_out = true;  // where nobody can bet any more, chance goes on to the end; else its first outcome is a leaf
  std::int64_t max_nodes = 200'000'000;

  bool is_cut() const { return max_decisions < kNoLimit || ends_with_round || !runs_out; }
};

// A public state with the public cards of another that has as many; its key stays as it is.
inline PokerState with_board(PokerState state, const PokerState& board) {
  state.board = board.board;
  return state;
}

template <class State>
State with_board(const State& state, const State&) {
  return state;
}

template <Game G>
struct TreeShape {
  std::vector<PublicNode> places;  // round by round, each breadth first
  std::vector<typename G::State> states;  // [places], after the first outcome each time
  std::vector<std::int32_t> rounds;  // [places]: how often public chance came

  bool is_below_chance(std::size_t place) const { return place > 0 && places[places[place].parent].actor == kChance; }
};

// The outcomes that public chance has shown.
template <Game G>
struct PublicBoard {
  typename G::State state;  // any that shows it
  OutcomeClass stands_for;  // the outcomes that may have come last; none at the root
  std::int64_t copies = 1;  // boards of the whole tree that it stands for
  std::int32_t first_child = 0;  // boards that may follow
  std::int32_t num_children = 0;
};

template <Game G>
class TreePlan {
 public:
  // `group` holds the symmetries of the two ranges at the root; the identity alone keeps every outcome. Once the actions of a
  // place are known, visit(place, number of its boards) is called; public cards are dealt only after all that comes before them.
  // Throws std::length_error beyond max_nodes.
  using Visit = std::function<void(const PublicNode&, std::int64_t)>;
  TreePlan(const G& game, const typename G::State& root, const SymmetryGroup& group, const TreeOptions& options,
           const Visit& visit);

  const TreeShape<G>& shape() const { return shape_; }
  const std::vector<PublicBoard<G>>& boards() const { return boards_; }  // round by round
  std::int64_t num_boards(std::size_t place) const { return num_boards_in(shape_.rounds[place]); }
  std::int64_t num_nodes() const { return num_nodes_; }

  std::int64_t bytes() const {
    constexpr std::size_t kPlace = sizeof(PublicNode) + sizeof(typename G::State) + sizeof(std::int32_t);
    constexpr std::size_t kBoard = sizeof(PublicBoard<G>) + 64;  // with its lists
    return static_cast<std::int64_t>(shape_.places.size() * kPlace + boards_.size() * kBoard);
  }

 private:
  std::int64_t num_boards_in(std::int32_t round) const { return ends_[round] - (round > 0 ? ends_[round - 1] : 0); }

  void add_place(const G& game, const typename G::State& state, std::int32_t parent, std::int32_t event);
  void add_actions(const G& game, std::int32_t place);
  void add_outcome(const G& game, std::int32_t place);
  // The boards that follow those of the last round dealt, where `chance` is one place at which they come.
  void deal_round(const G& game, const SymmetryGroup& group, const typename G::State& chance);
  void check_nodes(std::int64_t count) const;

  std::int64_t max_nodes_;
  TreeShape<G> shape_;
  std::vector<PublicBoard<G>> boards_;
  std::vector<std::int64_t> ends_;  // [rounds]: in boards_
  std::int64_t num_nodes_ = 0;
};

}  // namespace regretless
