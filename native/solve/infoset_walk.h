// SPDX-License-Identifier: MIT
// Every infoset of a public tree under its own name, where boards that a renaming of suits makes equal are kept once: the walk goes
// to all of them and says where their hands stand in the one that is kept.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "games/infoset_names.h"
#include "solve/vector_tree.h"
#include "threads/lookout.h"

namespace regretless {

// visit(node, state, places, text): at each decision, the public state as it is and, for each player, where his hands stand in the
// kept node; text is what led there if texts are wanted.
template <class G, class Tree, class Visit>
class InfosetWalk {
 public:
  using State = typename G::State;
  using Places = std::array<std::vector<std::int32_t>, 2>;  // [player][hands]

  InfosetWalk(const G& game, const PublicTree<G>& tree, const Tree& vectors, const SymmetryGroup& group, bool has_texts,
              Visit visit)
      : game_(game), tree_(tree), vectors_(vectors), group_(group), has_texts_(has_texts), visit_(visit) {}

  void run() {
    Places places;
    for (Player p = 0; p < 2; ++p)
      for (std::size_t h = 0; h < vectors_.ranges[p].hands.size(); ++h) places[p].push_back(static_cast<std::int32_t>(h));
    walk(0, tree_.plan.boards()[0].state, places, {0, 1, 2, 3}, {});
  }

 private:
  // `suits` is the renaming that turns the public cards into those of the kept node.
  void walk(std::int32_t n, const State& state, const Places& places, const SuitPermutation& suits, const std::string& text) {
    const PublicNode& node = tree_.nodes[n];
    Lookout::look_up();
    if (node.actor >= 0) visit_(n, state, places, text);
    for (std::int32_t child = node.first_child; child < node.first_child + node.num_children; ++child) {
      if (node.actor == kChance) {
        walk_outcomes(n, child, state, places, suits, text);
      } else {
        State next = state;
        game_.act(next, tree_.nodes[child].event);
        walk(child, next, places, suits, has_texts_ ? text + action_text(game_, tree_.nodes[child].event) : text);
      }
    }
  }

  void walk_outcomes(std::int32_t n, std::int32_t child, const State& state, const Places& places, const SuitPermutation& suits,
                     const std::string& text) {
    const OutcomeClass& all = tree_.board(child).stands_for;
    for (std::size_t i = 0; i < all.outcomes.size(); ++i) {
      const auto renaming = static_cast<std::size_t>(all.symmetries[i]);
      State next = state;
      reveal(game_, tree_.state(n), all.outcomes[i], suits, next);
      Places below = places;
      for (Player p = 0; p < 2; ++p)
        for (std::int32_t& place : below[p]) place = vectors_.renamings[p][renaming][place];
      SuitPermutation further{};
      for (int suit = 0; suit < 4; ++suit) further[suit] = group_.renamings[renaming][suits[suit]];
      walk(child, next, below, further, has_texts_ ? text + outcome_text(game_, state, next) : text);
    }
  }

  // The outcome is told in the names of the kept state.
  static void reveal(const Poker& game, const PokerState& kept, std::uint32_t outcome, const SuitPermutation& suits,
                     PokerState& state) {
    PokerState after = kept;
    game.reveal(after, outcome);
    SuitPermutation back{};
    for (std::uint8_t suit = 0; suit < 4; ++suit) back[suits[suit]] = suit;
    CardSet set = rename_suits(game.rules().deck, game.board_set(after) & ~game.board_set(kept), back);
    std::array<Card, kMaxBoardCards> cards{};
    for (int i = 0; set != 0; ++i, set &= set - 1) cards[i] = static_cast<Card>(std::countr_zero(set));
    game.betting().reveal(state, cards.data());
  }
  template <class Other>
  static void reveal(const Other& game, const State&, std::uint32_t outcome, const SuitPermutation&, State& state) {
    game.reveal(state, outcome);
  }

  const G& game_;
  const PublicTree<G>& tree_;
  const Tree& vectors_;
  const SymmetryGroup& group_;
  bool has_texts_;
  Visit visit_;
};

}  // namespace regretless
