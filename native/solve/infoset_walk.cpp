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
  CardSet set = rename_suits(game.rules().deck, game.board_set(after) & ~game.board_set(kept), back);
  std::array<Card, kMaxBoardCards> cards{};
  for (int i = 0; set != 0; ++i, set &= set - 1) cards[i] = static_cast<Card>(std::countr_zero(set));
  game.betting().reveal(state, cards.data());
}

template <class G>
void reveal(const G& game, const typename G::State&, std::uint32_t outcome, const SuitPermutation&, typename G::State& state) {
  game.reveal(state, outcome);
}

}  // namespace

template <class G>
void InfosetWalk<G>::run() {
  Places places;
  for (Player p = 0; p < 2; ++p)
    for (std::size_t h = 0; h < ranges_[p].hands.size(); ++h) places[p].push_back(static_cast<std::int32_t>(h));
  walk(0, tree_.plan.boards()[0].state, places, {0, 1, 2, 3}, {});
}

template <class G>
void InfosetWalk<G>::walk(std::int32_t n, const State& state, const Places& places, const SuitPermutation& suits,
                          const std::string& text) {
  const PublicNode& node = tree_.nodes[n];
  Lookout::look_up();
  if (node.actor >= 0) visit_(n, state, places, text);
  for (std::int32_t child = node.first_child; child < node.first_child + node.num_children; ++child) {
    if (node.actor == kChance) {
      walk_outcomes(n, child, state, places, suits, text);
    } else {
      State next = state;
      game_.act(next, tree_.nodes[child].event);
      walk(child, next, places, suits, has_texts_ ? text + game_.action_text(tree_.nodes[child].event) : text);
    }
  }
}

template <class G>
void InfosetWalk<G>::walk_outcomes(std::int32_t n, std::int32_t child, const State& state, const Places& places,
                                   const SuitPermutation& suits, const std::string& text) {
  const OutcomeClass& all = tree_.board(child).stands_for;
  for (std::size_t i = 0; i < all.outcomes.size(); ++i) {
    const auto renaming = static_cast<std::size_t>(all.symmetries[i]);
    State next = state;
    reveal(game_, tree_.state(n), all.outcomes[i], suits, next);
    Places below = places;
    for (Player p = 0; p < 2; ++p)
      for (std::int32_t& place : below[p]) place = renamings_[p][renaming][place];
    SuitPermutation further{};
    for (int suit = 0; suit < 4; ++suit) further[suit] = group_.renamings[renaming][suits[suit]];
    walk(child, next, below, further, has_texts_ ? text + game_.outcome_text(state, next) : text);
  }
}

#define REGRETLESS_WALK(G) template class InfosetWalk<G>;
REGRETLESS_PUBLIC_GAMES(REGRETLESS_WALK)

}  // namespace regretless
