// SPDX-License-Identifier: MIT
// The public state that a problem begins at: the root of the game, or what follows it once the given board cards are out.
#pragma once
#include <stdexcept>

#include "games/poker.h"

namespace regretless {

template <class G>
typename G::State make_root(const G& game, const std::vector<int>& board) {
  if (!board.empty()) throw std::invalid_argument("board: this game has none");
  return game.root();
}

inline PokerState make_root(const Poker& game, const std::vector<int>& board) {
  if (board.empty() || board == game.start().board) return game.root();
  if (!game.start().board.empty()) throw std::invalid_argument("board: the game begins with another");
  return Poker(game.rules(), game.menu(), {board, game.start().weights, game.start().aggressor}).root();
}

}  // namespace regretless
