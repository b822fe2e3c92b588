// SPDX-License-Identifier: MIT
// The choices of a player at a decision, found once for the question and for the answer.
#pragma once
#include "games/poker.h"

namespace regretless {

template <Game G>
class Choices {
 public:
  void find(const G& game, const typename G::State& state) { legal_ = game.legal(state); }
  ActionMask legal() const { return legal_; }
  Step take(const G& game, typename G::State& state, int slot) const { return game.take(state, slot); }

 private:
  ActionMask legal_ = 0;
};

template <>
class Choices<Poker> {
 public:
  void find(const Poker& game, const PokerState& state) { offer_ = game.offer(state); }
  ActionMask legal() const { return offer_.legal; }
  Step take(const Poker& game, PokerState& state, int slot) const { return game.take(state, slot, offer_.actions[slot]); }

 private:
  Offer offer_;
};

}  // namespace regretless
