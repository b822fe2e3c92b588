// SPDX-License-Identifier: MIT
// Renamings of suits. A public card and its renamed twin lead to the same subgame with the hands renamed, so only one of them
// needs solving, provided that the ranges at the root do not change under the renaming.
#pragma once
#include <map>

#include "cards/suits.h"
#include "games/poker.h"

namespace regretless {

struct SymmetryGroup {
  std::vector<SuitPermutation> renamings{{0, 1, 2, 3}};  // the identity first

  bool is_trivial() const { return renamings.size() == 1; }
};

inline Hand rename_hand(const Poker& game, const SuitPermutation& renaming, Hand hand) {
  const CardSet cards = subset_at(static_cast<std::uint32_t>(hand), game.rules().num_hole_cards);
  return static_cast<Hand>(subset_index(rename_suits(game.rules().deck, cards, renaming)));
}

template <class G>
Hand rename_hand(const G&, const SuitPermutation&, Hand hand) {
  return hand;
}

inline PokerState rename_state(const Poker& game, const SuitPermutation& renaming, PokerState state) {
  const Deck& deck = game.rules().deck;
  for (Card& card : std::span(state.board).first(std::min<std::size_t>(state.num_board, kMaxBoardCards)))
    card = deck.card(deck.rank(card), renaming[deck.suit(card)]);
  return state;
}

template <class G>
typename G::State rename_state(const G&, const SuitPermutation&, const typename G::State& state) {
  return state;
}

// Whether a renaming leaves the board as it is, street by street.
inline bool keeps_board(const Poker& game, const PokerState& state, const SuitPermutation& renaming) {
  int at = 0;
  bool keeps = true;
  for (int street = 0; keeps && street <= state.street && at < state.num_board; ++street) {
    CardSet cards = 0;
    for (int i = 0; i < game.rules().board_cards[street] && at < state.num_board; ++i) cards |= bit(state.board[at++]);
    keeps = rename_suits(game.rules().deck, cards, renaming) == cards;
  }
  return keeps;
}

// The renamings that leave the board (street by street) and both players' weights [hands] as they are.
inline SymmetryGroup find_symmetries(const Poker& game, const PokerState& state, std::span<const double> first,
                                     std::span<const double> second) {
  const Deck& deck = game.rules().deck;
  SymmetryGroup group;
  group.renamings.clear();
  for (const SuitPermutation& renaming : kSuitPermutations) {
    bool is_symmetry = keeps_board(game, state, renaming);
    for (int suit = deck.num_suits; suit < 4; ++suit) is_symmetry &= renaming[suit] == suit;
    for (Hand hand = 0; is_symmetry && hand < game.num_hands(); ++hand) {
      const Hand twin = rename_hand(game, renaming, hand);
      is_symmetry = first[hand] == first[twin] && second[hand] == second[twin];
    }
    if (is_symmetry) group.renamings.push_back(renaming);
  }
  return group;
}

template <class G>
SymmetryGroup find_symmetries(const G&, const typename G::State&, std::span<const double>, std::span<const double>) {
  return {};
}

// Symmetries of a public state alone, as if all hands weighed the same.
template <class G>
SymmetryGroup find_symmetries(const G& game, const typename G::State& state) {
  const std::vector<double> same(static_cast<std::size_t>(game.num_hands()), 1);
  return find_symmetries(game, state, same, same);
}

// Indices in the group of the renamings that leave the public state as it is. The identity comes first.
template <class G>
std::vector<std::int32_t> fixing_renamings(const G&, const typename G::State&, const SymmetryGroup&) {
  return {0};
}

inline std::vector<std::int32_t> fixing_renamings(const Poker& game, const PokerState& state, const SymmetryGroup& group) {
  std::vector<std::int32_t> fixing;
  for (std::size_t g = 0; g < group.renamings.size(); ++g)
    if (keeps_board(game, state, group.renamings[g])) fixing.push_back(static_cast<std::int32_t>(g));
  return fixing;
}

struct OutcomeClass {
  std::vector<std::uint32_t> outcomes;    // the representative first
  std::vector<std::int32_t> symmetries;   // [outcomes]: index in the group of a renaming that turns it into the representative
};

template <class G>
std::vector<OutcomeClass> outcome_classes(const G& game, const typename G::State& state, const SymmetryGroup&) {
  std::vector<OutcomeClass> classes;
  for (std::uint32_t outcome = 0; outcome < game.num_outcomes(state); ++outcome) classes.push_back({{outcome}, {0}});
  return classes;
}

inline std::vector<OutcomeClass> outcome_classes(const Poker& game, const PokerState& state, const SymmetryGroup& group) {
  const Deck& deck = game.rules().deck;
  const CardSet board = game.board_set(state);
  const std::vector<std::int32_t> fixing = fixing_renamings(game, state, group);
  std::map<CardSet, std::size_t> seen;  // canonical cards -> class
  std::vector<OutcomeClass> classes;
  for (std::uint32_t outcome = 0; outcome < game.num_outcomes(state); ++outcome) {
    PokerState child = state;
    game.reveal(child, outcome);
    const CardSet cards = game.board_set(child) & ~board;
    std::size_t found = classes.size();
    std::int32_t by = 0;
    for (const std::int32_t g : fixing) {
      const auto twin = seen.find(rename_suits(deck, cards, group.renamings[g]));
      if (twin == seen.end()) continue;
      found = twin->second;
      by = g;
      break;
    }
    if (found == classes.size()) {
      seen[cards] = found;
      classes.push_back({{outcome}, {0}});
    } else {
      classes[found].outcomes.push_back(outcome);
      classes[found].symmetries.push_back(by);
    }
  }
  return classes;
}

}  // namespace regretless
