// SPDX-License-Identifier: MIT
// The one-step choice of local best response (Lisy and Bowling 2017, "Equilibrium Approximation Quality of Current No-Limit
// Poker Bots"): of a few actions the one that would be worth most if both players only checked and called afterwards.
//
// With P in the pot, A to call and a bet that asks the other for S more, counted from where folding leaves us (0):
//   call   wp P - (1 - wp) A                                  we add A and win what was there, or lose A
//   bet    fp P + (1 - fp) (wp' (P + S) - (1 - wp') (A + S))  he folds, or both add S beyond the call
// where fp is the chance that he folds to the bet, wp the chance to win against his range (a tie is half a win) and wp' that
// against the part of his range which does not fold. Here the amounts are read off the endings that the betting itself gives
// (so that rake, odd chips and short stacks are right), values are chips won over the whole episode (folding is worth minus
// what we paid), and the bet is summed hand by hand: sum of r(h) (f(h) won + (1 - f(h)) showdown(h)) over the sum of r(h).
#pragma once
#include "cards/runouts.h"
#include "games/poker.h"

namespace regretless {

// Which actions are compared. Bets are those that the game's menu offers.
enum class ResponseMenu : std::uint8_t {
  kFoldCall,  // fold, check or call
  kAllIn,     // and the most that the rules allow: all-in, or the bet of a fixed limit
  kBets,      // and every bet
};

struct ResponseBet {
  int slot;
  PokerState after;  // the other is to act
};

std::vector<ResponseBet> response_bets(const Poker& game, const PokerState& state, ResponseMenu menu);

// The responder's belief about the opponent's hand at a decision.
struct ResponseBelief {
  Player responder;
  std::span<const Hand> hands;       // [held]: what the other may hold
  std::span<const double> weights;   // [held]: his range, of any sum
  std::span<const Chances> chances;  // [hands]: of the responder's hand against each
};

// Expected chips of the responder over the whole episode: if the actor folds; if both only check and call from here (the end
// of an episode included); after a bet.
double fold_value(const Poker& game, PokerState state, Player responder);
double call_value(const Poker& game, const PokerState& state, const ResponseBelief& belief);
double bet_value(const Poker& game, const ResponseBet& bet, const ResponseBelief& belief,
                 std::span<const double> fold_probabilities);  // [held]

// The best of fold, call and the bets, whose fold probabilities are [bets, held]; of equals the first. The result is an index
// into the bets, kChooseFold or kChooseCall.
inline constexpr int kChooseFold = -2;
inline constexpr int kChooseCall = -1;
int choose_response(const Poker& game, const PokerState& state, const ResponseBelief& belief, std::span<const ResponseBet> bets,
                    std::span<const double> fold_probabilities);

}  // namespace regretless
