// SPDX-License-Identifier: MIT
// What a public tree is made of. Public chance changes which hands are possible and who wins, but neither who may do what nor
// what is paid. So the tree is known by its shape, in which public chance has a single outcome, and by its boards, the ways in
// which chance may come: a node is a place of the shape on a board. There are few of both, so nodes are counted before they are
// there.
#pragma once
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "games/game.h"
#include "threads/lookout.h"
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
  int max_decisions = 1 << 30;   // on any path; the next one is a leaf
  bool ends_with_round = false;  // the first decision after public chance is a leaf
  std::int64_t max_nodes = 200'000'000;
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
  std::vector<PublicNode> places;         // round by round, each breadth first
  std::vector<typename G::State> states;  // [places], after the first outcome each time
  std::vector<std::int32_t> rounds;       // [places]: how often public chance came

  bool is_below_chance(std::size_t place) const { return place > 0 && places[places[place].parent].actor == kChance; }
};

// What public chance has shown.
template <Game G>
struct PublicBoard {
  typename G::State state;       // any that shows it
  OutcomeClass stands_for;       // the outcomes that may have come last; none at the root
  std::int64_t copies = 1;       // boards of the whole tree that it stands for
  std::int32_t first_child = 0;  // boards that may follow
  std::int32_t num_children = 0;
};

template <Game G>
class TreePlan {
 public:
  // `group` holds the symmetries of the two ranges at the root; the identity alone keeps every outcome. Once the actions of a
  // place are known, visit(place, number of its boards) is called; public cards are dealt only after all that comes before them.
  // Throws std::length_error beyond max_nodes.
  template <class Visit>
  TreePlan(const G& game, const typename G::State& root, const SymmetryGroup& group, const TreeOptions& options, Visit visit)
      : max_nodes_(options.max_nodes), boards_{{root, {}}}, ends_{1} {
    add_place(game, root, -1, -1);
    std::vector<int> decisions{0};      // [places]: above
    std::vector<std::int32_t> waiting;  // for cards
    for (std::size_t n = 0; n < shape_.places.size(); ++n) {
      const auto place = static_cast<std::int32_t>(n);
      const bool is_cut = decisions[n] >= options.max_decisions || (options.ends_with_round && shape_.is_below_chance(n));
      if (shape_.places[n].actor >= 0 && is_cut) shape_.places[n].actor = kLeaf;
      if (shape_.places[n].actor >= 0) add_actions(game, place);
      if (shape_.places[n].actor == kChance) waiting.push_back(place);
      decisions.resize(shape_.places.size(), decisions[n] + 1);
      visit(shape_.places[n], num_boards(n));
      if (n + 1 < shape_.places.size() || waiting.empty()) continue;
      deal_round(game, group, shape_.states[waiting[0]]);
      for (const std::int32_t chance : waiting) {
        add_outcome(game, chance);
        decisions.push_back(decisions[chance]);
      }
      waiting.clear();
    }
  }

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

  void add_place(const G& game, const typename G::State& state, std::int32_t parent, std::int32_t event) {
    const auto round = static_cast<std::int32_t>(ends_.size()) - 1;
    Lookout::look_up();
    shape_.places.push_back({parent, 0, 0, event, static_cast<std::int8_t>(game.actor(state))});
    shape_.states.push_back(state);
    shape_.rounds.push_back(round);
    check_nodes(num_nodes_ += num_boards_in(round));
  }

  void add_actions(const G& game, std::int32_t place) {
    const auto state = shape_.states[place];
    const auto first = static_cast<std::int32_t>(shape_.places.size());
    for (ActionMask rest = game.legal(state); rest != 0; rest &= rest - 1) {
      const int slot = std::countr_zero(rest);
      auto child = state;
      game.act(child, slot);
      add_place(game, child, place, slot);
    }
    shape_.places[place].first_child = first;
    shape_.places[place].num_children = static_cast<std::int32_t>(shape_.places.size()) - first;
  }

  void add_outcome(const G& game, std::int32_t place) {
    auto child = shape_.states[place];
    game.reveal(child, std::uint32_t{0});
    shape_.places[place].first_child = static_cast<std::int32_t>(shape_.places.size());
    shape_.places[place].num_children = 1;
    add_place(game, child, place, 0);
  }

  // The boards that follow those of the last round dealt, where `chance` is one place at which they come.
  void deal_round(const G& game, const SymmetryGroup& group, const typename G::State& chance) {
    const std::int64_t end = ends_.back();
    for (std::int64_t b = end - num_boards_in(static_cast<std::int32_t>(ends_.size()) - 1); b < end; ++b) {
      Lookout::look_up();
      const auto state = with_board(chance, boards_[b].state);
      boards_[b].first_child = static_cast<std::int32_t>(boards_.size());
      for (OutcomeClass& outcomes : outcome_classes(game, state, group)) {
        auto child = state;
        game.reveal(child, outcomes.outcomes[0]);
        const std::int64_t copies = boards_[b].copies * static_cast<std::int64_t>(outcomes.outcomes.size());
        boards_.push_back({child, std::move(outcomes), copies});
      }
      boards_[b].num_children = static_cast<std::int32_t>(boards_.size()) - boards_[b].first_child;
      check_nodes(static_cast<std::int64_t>(boards_.size()));  // each of them will have one
    }
    ends_.push_back(static_cast<std::int64_t>(boards_.size()));
  }

  void check_nodes(std::int64_t count) const {
    if (count > max_nodes_) throw std::length_error("the tree has more than " + std::to_string(max_nodes_) + " public nodes");
  }

  std::int64_t max_nodes_;
  TreeShape<G> shape_;
  std::vector<PublicBoard<G>> boards_;
  std::vector<std::int64_t> ends_;  // [rounds]: in boards_
  std::int64_t num_nodes_ = 0;
};

}  // namespace regretless
