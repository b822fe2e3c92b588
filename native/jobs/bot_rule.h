// SPDX-License-Identifier: MIT
// A bot whose rule is one sentence, as data: it raises hands from some strength on, calls with hands from another, and folds the
// rest.
#pragma once
#include "jobs/answers.h"
#include "jobs/questions.h"

namespace regretless {

struct BotRule {
  static constexpr double kNever = 2;  // no hand is as strong

  bool at_random = false;       // every legal slot alike; then nothing else counts
  double bets_from = kNever;    // raises hands of this strength where there is nothing to call ...
  double raises_from = kNever;  // ... and where there is
  double calls_from = 0;        // calls with hands of this strength, or else ...
  bool calls_by_odds = false;   // ... of a strength that is at least the share of the pot that a call pays
  double raise_size = 1;        // which of the raises on the menu, from 0, the first one, to 1, the last
  bool bids = false;            // in Liar's Dice: a raise is the next higher bid, the other two moves call the bid a lie

  // Whether it reads the strength of the hand, and chips.
  bool looks() const {
    const auto reads = [](double from) { return from > 0 && from < kNever; };
    return !at_random && (calls_by_odds || reads(bets_from) || reads(raises_from) || reads(calls_from));
  }

  bool raises(float strength, Chips to_call) const { return strength >= (to_call > 0 ? raises_from : bets_from); }

  int slot(ActionMask legal, int num_actions, float strength, Chips to_call, Chips pot) const {
    const bool wants_more = raises(strength, to_call);
    if (bids) return !wants_more && (legal >> (num_actions - 1) & 1) != 0 ? num_actions - 1 : std::countr_zero(legal);
    const ActionMask larger = legal >> kFirstRaiseSlot << kFirstRaiseSlot;
    if (wants_more && larger != 0) return sized(larger);
    const double price = calls_by_odds ? static_cast<double>(to_call) / std::max(pot + to_call, 1) : calls_from;
    if (!wants_more && strength < price && (legal >> kFoldSlot & 1) != 0) return kFoldSlot;
    return (legal >> kCallSlot & 1) != 0 ? kCallSlot : kFoldSlot;
  }

 private:
  int sized(ActionMask raises) const {
    for (auto skip = std::lrint(raise_size * (std::popcount(raises) - 1)); skip > 0; --skip) raises &= raises - 1;
    return std::countr_zero(raises);
  }
};

// The slots of a bot for a batch, each chosen for sure: [batch, actions]. Throws std::logic_error if the rule reads what was not
// asked for.
std::vector<float> bot_answers(const BotRule& rule, const Questions& questions);

}  // namespace regretless
