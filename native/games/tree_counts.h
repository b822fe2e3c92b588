// SPDX-License-Identifier: MIT
// The size of a game, counted over public states without enumerating deals.
#pragma once
#include <bit>

#include "games/game.h"
#include "threads/lookout.h"

namespace regretless {

struct TreeCounts {
  double histories = 0;     // nodes of the game tree, private deals card by card or die by die
  double terminals = 0;
  double infosets = 0;
  double public_nodes = 0;  // after the private deal
};

namespace detail {

template <Game G>
void count_public(const G& game, const typename G::State& state, TreeCounts& counts) {
  Lookout::look_up();
  const double deals = game.num_deals(state);
  counts.histories += deals;
  ++counts.public_nodes;
  const Player actor = game.actor(state);
  if (actor == kTerminal) {
    counts.terminals += deals;
  } else if (actor == kChance) {
    // Among the deals that fit the state, a public card leaves those that do not hold it: each outcome counts its own.
    for (std::uint32_t outcome = 0; outcome < game.num_outcomes(state); ++outcome) {
      auto child = state;
      game.reveal(child, outcome);
      count_public(game, child, counts);
    }
  } else {
    for (std::int64_t hand = 0; hand < game.num_hands(); ++hand)
      counts.infosets += game.hand_possible(state, static_cast<Hand>(hand));
    for (ActionMask rest = game.legal(state); rest != 0; rest &= rest - 1) {
      auto child = state;
      game.act(child, std::countr_zero(rest));
      count_public(game, child, counts);
    }
  }
}

}  // namespace detail

template <Game G>
TreeCounts count_tree(const G& game) {
  TreeCounts counts;
  counts.histories = game.num_partial_deals();
  detail::count_public(game, game.root(), counts);
  return counts;
}

}  // namespace regretless
