// SPDX-License-Identifier: MIT
// The public state that a problem begins at: the root of the game, or what follows it once the given board cards are out.
#pragma once
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/game.h"
#include "games/poker.h"

namespace regretless {

template <class G>
typename G::State make_root(const G& game, const std::vector<int>& board) {
  if (!board.empty()) throw std::invalid_argument("board: this game has none");
  return game.root();
}

inline PokerState make_root(const Poker& game, const std::vector<int>& board) {
  PokerState root = game.root();
  if (board.empty()) return root;
  if (root.actor != kChance || static_cast<int>(board.size()) != game.betting().num_cards_due(root))
    throw std::invalid_argument("board: " + std::to_string(board.size()) + " cards, but " +
                                std::to_string(root.actor == kChance ? game.betting().num_cards_due(root) : 0) + " are due");
  std::array<Card, kMaxBoardCards> cards{};
  CardSet seen = 0;
  for (std::size_t i = 0; i < board.size(); ++i) {
    if (board[i] < 0 || board[i] >= game.rules().deck.num_cards() || (seen >> board[i] & 1) != 0)
      throw std::invalid_argument("board: card " + std::to_string(board[i]) + " is not in the deck or there twice");
    cards[i] = static_cast<Card>(board[i]);
    seen |= bit(cards[i]);
  }
  game.betting().reveal(root, cards.data());
  return root;
}

}  // namespace regretless
