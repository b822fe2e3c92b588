// SPDX-License-Identifier: MIT
#include "jobs/local_best_response.h"

#include <limits>

namespace regretless {
namespace {

constexpr double kTie = 1e-9;  // chips: values closer than this are equal, whatever the rounding

using Payoffs = std::array<double, 3>;  // lose, tie, win

// The end of an episode in which everybody checks and calls from here on. The board cards do not matter to the chips.
Payoffs check_down(const Poker& game, PokerState state, Player player) {
  constexpr std::array<Card, kMaxBoardCards> kAnyCards{};
  while (state.actor != kTerminal) {
    if (state.actor == kChance)
      game.betting().reveal(state, kAnyCards.data());
    else
      game.betting().act(state, kCall);
  }
  return game.ending(state).payoffs[player];
}

double value_against(const Payoffs& payoffs, const Chances& chances) {
  const auto [lose, tie, win] = payoffs;
  return lose + chances.tie * (tie - lose) + chances.win * (win - lose);
}

}  // namespace

std::vector<ResponseBet> response_bets(const Poker& game, const PokerState& state, ResponseMenu menu) {
  std::vector<ResponseBet> bets;
  const auto range = game.betting().raise_range(state);
  if (menu == ResponseMenu::kFoldCall || !range) return bets;
  const Offer offer = game.offer(state);
  for (int slot = kFirstRaiseSlot; slot < game.num_actions(); ++slot) {
    if ((offer.legal >> slot & 1) == 0) continue;
    if (menu == ResponseMenu::kAllIn && offer.actions[slot] != range->max) continue;
    bets.push_back({slot, state});
    game.betting().act(bets.back().after, offer.actions[slot]);
  }
  return bets;
}

double fold_value(const Poker& game, PokerState state, Player responder) {
  game.betting().act(state, kFold);
  return game.ending(state).payoffs[responder][0];
}

double call_value(const Poker& game, const PokerState& state, const ResponseBelief& belief) {
  const Payoffs payoffs = check_down(game, state, belief.responder);
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < belief.hands.size(); ++i) {
    sum += belief.weights[i] * value_against(payoffs, belief.chances[belief.hands[i]]);
    total += belief.weights[i];
  }
  return sum / total;
}

double bet_value(const Poker& game, const ResponseBet& bet, const ResponseBelief& belief,
                 std::span<const double> fold_probabilities) {
  const double won = fold_value(game, bet.after, belief.responder);
  const Payoffs payoffs = check_down(game, bet.after, belief.responder);
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < belief.hands.size(); ++i) {
    const double fold = fold_probabilities[i];
    sum += belief.weights[i] * (fold * won + (1 - fold) * value_against(payoffs, belief.chances[belief.hands[i]]));
    total += belief.weights[i];
  }
  return sum / total;
}

int choose_response(const Poker& game, const PokerState& state, const ResponseBelief& belief, std::span<const ResponseBet> bets,
                    std::span<const double> fold_probabilities) {
  int best = kChooseCall;
  const bool may_call = (game.legal(state) >> kCallSlot & 1) != 0;
  double best_value = may_call ? call_value(game, state, belief) : -std::numeric_limits<double>::infinity();
  if (game.betting().can_fold(state)) {
    const double value = fold_value(game, state, belief.responder);
    if (value >= best_value - kTie) {
      best = kChooseFold;
      best_value = value;
    }
  }
  for (std::size_t b = 0; b < bets.size(); ++b) {
    const double value = bet_value(game, bets[b], belief, fold_probabilities.subspan(b * belief.hands.size(), belief.hands.size()));
    if (value <= best_value + kTie) continue;
    best = static_cast<int>(b);
    best_value = value;
  }
  return best;
}

}  // namespace regretless
