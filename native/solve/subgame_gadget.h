// SPDX-License-Identifier: MIT
// The re-solving gadget of CFR-D (Burch, Johanson and Bowling 2014): at the root of a subgame the opponent chooses, hand by hand,
// between following into the subgame and taking a given counterfactual value. A strategy of the other player is then worth
// following only where it gives the opponent more than the given value, so re-solving does not raise the value of any hand.
#pragma once
#include "solve/cfr_update.h"

namespace regretless {

template <class Real>
class SubgameGadgets {
 public:
  static std::int64_t bytes(std::size_t hands) { return static_cast<std::int64_t>(6 * hands * sizeof(Real)); }

  // Replaces the gadgets by `count` new ones. Until regret speaks for taking the value, every hand follows. A hand follows with
  // probability `least_follow` at least.
  void begin(std::size_t count, std::size_t hands, double least_follow) {
    hands_ = hands;
    least_follow_ = static_cast<Real>(least_follow);
    weights_.assign(count * hands, 0);
    reaches_.assign(count * hands, 0);
    given_.assign(count * hands, 0);
    follow_regrets_.assign(count * hands, 0);
    take_regrets_.assign(count * hands, 0);
    follow_sums_.assign(count * hands, 0);
  }

  // `reach` is that of the opponent at the root if all hands follow; `values` are those that he may take instead.
  void set_up(std::size_t gadget, const Real* reach, const double* values) {
    for (std::size_t h = 0; h < hands_; ++h) {
      weights_[gadget * hands_ + h] = reaches_[gadget * hands_ + h] = reach[h];
      given_[gadget * hands_ + h] = static_cast<Real>(values[h]);
    }
  }

  // The opponent's reach [hands] at the root.
  const Real* reach(std::size_t gadget) const { return reaches_.data() + gadget * hands_; }

  // Updates the opponent's choice by regret matching, after an iteration in which following was worth `values`.
  void update(std::size_t gadget, const Real* values, const CfrUpdate<Real>& update) {
    for (std::size_t h = 0; h < hands_; ++h) {
      const std::size_t at = gadget * hands_ + h;
      if (!(weights_[at] > 0)) continue;
      const Real follows = reaches_[at] / weights_[at];
      const Real mean = follows * values[h] + (1 - follows) * given_[at];
      follow_regrets_[at] = update.floored(update.discounted(follow_regrets_[at]) + values[h] - mean);
      take_regrets_[at] = update.floored(update.discounted(take_regrets_[at]) + given_[at] - mean);
      follow_sums_[at] = update.sum(follow_sums_[at], reaches_[at]);
      reaches_[at] = weights_[at] * share(follow_regrets_[at], take_regrets_[at]);
    }
  }

  // Sets the opponent's reach to its mean over the iterations, of this total weight.
  void average(std::size_t gadget, double weight) { copy_average(gadget, weight, reaches_.data() + gadget * hands_); }

  // Writes that mean to `reach` [hands].
  void copy_average(std::size_t gadget, double weight, Real* reach) const {
    for (std::size_t h = 0; h < hands_; ++h)
      reach[h] = static_cast<Real>(static_cast<double>(follow_sums_[gadget * hands_ + h]) / weight);
  }

 private:
  Real share(Real follow, Real take) const {
    const Real follows = std::max(follow, Real{0}), takes = std::max(take, Real{0});
    return takes > 0 ? std::max(follows / (follows + takes), least_follow_) : Real{1};
  }

  std::size_t hands_ = 0;
  Real least_follow_ = 0;
  std::vector<Real> weights_, reaches_, given_, follow_regrets_, take_regrets_, follow_sums_;  // [gadgets, hands]
};

}  // namespace regretless
