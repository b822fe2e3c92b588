// SPDX-License-Identifier: MIT
#include "solve/infoset_walk.h"

#include "games/any_game.h"
#include "threads/lookout.h"

namespace regretless {
namespace {

// The outcome is given in the suits of the kept state.
void reveal(const Poker& game, const PokerState& kept, std::uint32_t outcome, const SuitPermutation& suits, PokerState& state) {
  PokerState after = kept;
  game.reveal(after, outcome);
  SuitPermutation back{};
  for (std::uint8_t suit = 0; suit < 4; ++suit) back[suits[suit]] = suit;
  std::array<Card, kMaxBoardCards> cards{};
  write_cards(rename_suits(game.rules().deck, game.board_set(after) & ~game.board_set(kept), back), cards.data());
  game.betting().reveal(state, cards.data());
}

template <class G>
void reveal(const G& game, const typename G::State&, std::uint32_t outcome, const SuitPermutation&, typename G::State& state) {
  game.reveal(state, outcome);
}

template <class G>
struct InfosetWalk {
  using State = typename G::State;

  const G& game;
  const PublicTree<G>& tree;
  const HandRenamings& renamings;
  const SymmetryGroup& group;
  bool has_texts;
  const InfosetVisit<G>& visit;

  // `suits` is the renaming that turns the public cards into those of the kept node.
  void walk(std::int32_t n, const State& state, const HandPlaces& places, const SuitPermutation& suits,
            const std::string& text) const {
    const PublicNode& node = tree.nodes[n];
    Lookout::look_up();
    if (node.actor >= 0) visit(n, state, places, text);
    for (std::int32_t child = node.first_child; child < node.first_child + node.num_children; ++child) {
      if (node.actor == kChance) {
        walk_outcomes(n, child, state, places, suits, text);
      } else {
        State next = state;
        game.act(next, tree.nodes[child].event);
        walk(child, next, places, suits, has_texts ? text + game.action_text(tree.nodes[child].event) : text);
      }
    }
  }

  void walk_outcomes(std::int32_t n, std::int32_t child, const State& state, const HandPlaces& places, const SuitPermutation& suits,
                     const std::string& text) const {
    const OutcomeClass& all = tree.board(child).stands_for;
    for (std::size_t i = 0; i < all.outcomes.size(); ++i) {
      const auto renaming = static_cast<std::size_t>(all.symmetries[i]);
      State next = state;
      reveal(game, tree.state(n), all.outcomes[i], suits, next);
      HandPlaces below = places;
      for (Player p = 0; p < 2; ++p)
        for (std::int32_t& place : below[p]) place = renamings[p][renaming][place];
      SuitPermutation further{};
      for (int suit = 0; suit < 4; ++suit) further[suit] = group.renamings[renaming][suits[suit]];
      walk(child, next, below, further, has_texts ? text + game.outcome_text(state, next) : text);
    }
  }
};

}  // namespace

template <class G>
void walk_infosets(const G& game, const PublicTree<G>& tree, const std::array<RootRange, 2>& ranges, const HandRenamings& renamings,
                   const SymmetryGroup& group, bool has_texts, const InfosetVisit<G>& visit) {
  HandPlaces places;
  for (Player p = 0; p < 2; ++p)
    for (std::size_t h = 0; h < ranges[p].hands.size(); ++h) places[p].push_back(static_cast<std::int32_t>(h));
  InfosetWalk<G>{game, tree, renamings, group, has_texts, visit}.walk(0, tree.plan.boards()[0].state, places, {0, 1, 2, 3}, {});
}

#define REGRETLESS_WALK(G)                                                                                           \
  template void walk_infosets(const G&, const PublicTree<G>&, const std::array<RootRange, 2>&, const HandRenamings&, \
                              const SymmetryGroup&, bool, const InfosetVisit<G>&);
REGRETLESS_PUBLIC_GAMES(REGRETLESS_WALK)

}  // namespace regretless
