// SPDX-License-Identifier: MIT
// The betting of one poker episode: who may do what, and what it does to the chips. Amounts are integers and a raise
// names the total that the actor will have bet on this street ("raise to").
#pragma once
#include <algorithm>
#include <bit>
#include <optional>

#include "games/poker_rules.h"

namespace regretless {

using Seats = std::uint16_t;  // bit p is seat p

// An action of a player: kFold, kCall (check or call), or a positive amount to bet or raise to.
using Action = Chips;
inline constexpr Action kFold = -1;
inline constexpr Action kCall = 0;

inline constexpr std::int8_t kNoAggressor = -1;  // nobody bet or raised

struct PokerState {
  std::array<Chips, kMaxPlayers> stacks{};  // chips behind
  std::array<Chips, kMaxPlayers> bets{};    // put in on this street, antes excluded
  std::array<Chips, kMaxPlayers> paid{};    // put in over the whole episode
  Chips high_bet = 0;                       // largest of bets
  Chips last_raise = 0;                     // size of the last full bet or raise, at least the least bet
  std::int32_t num_raises = 0;              // bets and raises on this street
  Seats live = 0;                           // have not folded
  Seats to_act = 0;                         // still have to speak on this street
  Seats acted = 0;                          // have spoken since the last full bet or raise
  std::int8_t actor = kChance;              // a seat, kChance (board cards are due) or kTerminal
  std::int8_t aggressor = kNoAggressor;     // bet or raised last on this street or, before a bet, on the one before
  std::uint8_t street = 0;
  std::uint8_t num_board = 0;
  std::array<Card, kMaxBoardCards> board{};
  std::uint64_t key = 0;                    // names the public history
};

struct RaiseRange {
  Chips min;  // raise to at least this (less only as the whole stack) ...
  Chips max;  // ... and at most this
};

class Betting {
 public:
  explicit Betting(const PokerRules& rules);  // validates them
  const PokerRules& rules() const { return rules_; }

  // Antes and blinds are in; board cards are due if the first street has any.
  const PokerState& root() const { return root_; }

  // At a decision.
  Chips to_call(const PokerState& state) const;
  bool can_fold(const PokerState& state) const { return to_call_full(state) > 0; }
  std::optional<RaiseRange> raise_range(const PokerState& state) const;
  bool is_legal(const PokerState& state, Action action) const;
  void act(PokerState& state, Action action) const;  // a legal one

  // For states at which board cards are due.
  int num_cards_due(const PokerState& state) const { return rules_.board_cards[state.street]; }
  void reveal(PokerState& state, const Card* cards) const;

  // At the end: chips won less chips paid, by seat. Strengths are read for live seats only, and only if two or more are live.
  void settle(const PokerState& state, const Strength* strengths, Chips* payoffs) const;

  Chips pot(const PokerState& state) const;

 private:
  Chips to_call_full(const PokerState& state) const { return state.high_bet - state.bets[state.actor]; }
  void post(PokerState& state) const;
  void begin_street(PokerState& state) const;
  void end_street(PokerState& state) const;
  void pass_on(PokerState& state) const;
  Seats seats_to_speak(const PokerState& state) const;

  PokerRules rules_;
  std::array<Chips, kMaxPlayers> dead_antes_{};  // paid; unequal antes (a big blind's) are not matched but belong to the main pot
  PokerState root_;
};

inline Chips Betting::to_call(const PokerState& state) const { return std::min(state.stacks[state.actor], to_call_full(state)); }

// Where it is called: handed back through memory, in parts, it would be waited for at every decision.
__attribute__((always_inline)) inline std::optional<RaiseRange> Betting::raise_range(const PokerState& state) const {
  const Player me = state.actor;
  const Chips owed = to_call_full(state), mine = state.stacks[me] + state.bets[me];
  if (state.stacks[me] <= owed || state.num_raises >= rules_.max_raises[state.street]) return {};
  // A raise that was not full does not reopen the betting for those who have spoken.
  if ((state.acted & (1u << me)) != 0 && owed < state.last_raise) return {};
  unsigned others = state.live & ~(1u << me);
  while (others != 0 && state.stacks[std::countr_zero(others)] + state.bets[std::countr_zero(others)] <= state.high_bet)
    others &= others - 1;
  if (others == 0) return {};  // nobody can answer
  const Chips least = std::min(mine, state.high_bet + state.last_raise);
  switch (rules_.limit) {
    case Limit::kFixed:
      return RaiseRange{least, least};
    case Limit::kPot:
      return RaiseRange{least, std::min(mine, std::max(least, state.high_bet + owed + pot(state)))};
    default:
      return RaiseRange{least, mine};
  }
}

}  // namespace regretless
