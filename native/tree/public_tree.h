// SPDX-License-Identifier: MIT
// The tree of public states below any public state, breadth first: the children of a node are contiguous and come after it.
// A tree may be cut at decisions; what would go on below a cut is a leaf. Public chance outcomes that a renaming of suits turns
// into each other are kept once, with the renamings.
#pragma once
#include "tree/tree_plan.h"

namespace regretless {

// The public state that a tree begins at: the root of the game, or what follows it once the given board cards are out and the
// given actions were made.
template <class G>
typename G::State make_root(const G& game, const std::vector<int>& board, const std::vector<int>& actions = {}) {
  if (!board.empty()) throw std::invalid_argument("board: this game has none");
  if (!actions.empty()) throw std::invalid_argument("actions: only poker can begin after some");
  return game.root();
}

// The state after these cards and actions, in chips; the actions need not be on the menu.
PokerState state_after(const Poker& game, const std::vector<int>& board, const std::vector<int>& actions);

inline PokerState make_root(const Poker& game, const std::vector<int>& board, const std::vector<int>& actions = {}) {
  if (!actions.empty()) return state_after(game, board, actions);
  if (board.empty() || board == game.start().board) return game.root();
  if (!game.start().board.empty()) throw std::invalid_argument("board: the game begins with another");
  return Poker(game.rules(), game.menu(), {board, game.start().weights, game.start().aggressor}).root();
}

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
PublicTree<G> build_tree(TreePlan<G> plan);

// Plans the tree and builds it, with the states.
template <Game G>
PublicTree<G> build_tree(const G& game, const typename G::State& root, const SymmetryGroup& group, const TreeOptions& options = {});

}  // namespace regretless
