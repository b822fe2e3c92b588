// SPDX-License-Identifier: MIT
// Renamings of suits. A public card and its renamed twin lead to the same subgame with the hands renamed, so only one of them
// needs solving, provided that the ranges at the root do not change under the renaming.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "games/poker.h"

namespace regretless {

using SuitRenaming = std::array<std::uint8_t, 4>;

struct SymmetryGroup {
  std::vector<SuitRenaming> renamings{{0, 1, 2, 3}};  // the identity first

  bool is_trivial() const { return renamings.size() == 1; }
};

inline CardSet rename(const Deck& deck, const SuitRenaming& renaming, CardSet cards) {
  CardSet renamed = 0;
  for (; cards != 0; cards &= cards - 1) {
    const auto card = static_cast<Card>(std::countr_zero(cards));
    renamed |= bit(deck.card(deck.rank(card), renaming[deck.suit(card)]));
  }
  return renamed;
}

inline Hand rename_hand(const Poker& game, const SuitRenaming& renaming, Hand hand) {
  const CardSet cards = subset_at(static_cast<std::uint32_t>(hand), game.rules().num_hole_cards);
  return static_cast<Hand>(subset_index(rename(game.rules().deck, renaming, cards)));
}

// The renamings that leave the board (street by street) and both players' weights [hands] as they are.
inline SymmetryGroup find_symmetries(const Poker& game, const PokerState& state, std::span<const double> first,
                                     std::span<const double> second) {
  const Deck& deck = game.rules().deck;
  SymmetryGroup group;
  group.renamings.clear();
  SuitRenaming renaming{0, 1, 2, 3};
  const int suits = deck.num_suits;
  do {
    int at = 0;
    bool is_symmetry = true;
    for (int street = 0; street <= state.street && at < state.num_board; ++street) {
      CardSet cards = 0;
      for (int i = 0; i < game.rules().board_cards[street] && at < state.num_board; ++i) cards |= bit(state.board[at++]);
      is_symmetry &= rename(deck, renaming, cards) == cards;
    }
    for (Hand hand = 0; is_symmetry && hand < game.num_hands(); ++hand) {
      const Hand twin = rename_hand(game, renaming, hand);
      is_symmetry = first[hand] == first[twin] && second[hand] == second[twin];
    }
    if (is_symmetry) group.renamings.push_back(renaming);
  } while (std::next_permutation(renaming.begin(), renaming.begin() + suits));
  return group;
}

template <class G>
SymmetryGroup find_symmetries(const G&, const typename G::State&, std::span<const double>, std::span<const double>) {
  return {};
}

struct OutcomeClass {
  std::uint32_t representative;
  // For each outcome of the class, the index in the group of a renaming that turns it into the representative.
  std::vector<std::int32_t> symmetries;
};

template <class G>
std::vector<OutcomeClass> outcome_classes(const G& game, const typename G::State& state, const SymmetryGroup&) {
  std::vector<OutcomeClass> classes;
  for (std::uint32_t outcome = 0; outcome < game.num_outcomes(state); ++outcome) classes.push_back({outcome, {0}});
  return classes;
}

inline std::vector<OutcomeClass> outcome_classes(const Poker& game, const PokerState& state, const SymmetryGroup& group) {
  const Deck& deck = game.rules().deck;
  const CardSet board = game.board_set(state);
  std::vector<std::int32_t> fixing;  // renamings that keep the board so far, card sets of each street
  for (std::size_t g = 0; g < group.renamings.size(); ++g) {
    bool keeps = true;
    for (int i = 0; i < state.num_board; ++i) keeps &= (rename(deck, group.renamings[g], bit(state.board[i])) & board) != 0;
    if (keeps && rename(deck, group.renamings[g], board) == board) fixing.push_back(static_cast<std::int32_t>(g));
  }
  std::map<CardSet, std::size_t> seen;  // canonical cards -> class
  std::vector<OutcomeClass> classes;
  for (std::uint32_t outcome = 0; outcome < game.num_outcomes(state); ++outcome) {
    PokerState child = state;
    game.reveal(child, outcome);
    const CardSet cards = game.board_set(child) & ~board;
    std::size_t found = classes.size();
    std::int32_t by = 0;
    for (const std::int32_t g : fixing) {
      const auto twin = seen.find(rename(deck, group.renamings[g], cards));
      if (twin == seen.end()) continue;
      found = twin->second;
      by = g;
      break;
    }
    if (found == classes.size()) {
      seen[cards] = found;
      classes.push_back({outcome, {0}});
    } else {
      classes[found].symmetries.push_back(by);
    }
  }
  return classes;
}

}  // namespace regretless
