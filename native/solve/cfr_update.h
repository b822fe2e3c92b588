// SPDX-License-Identifier: MIT
// One update of the CFR family (discounts.h), for single numbers and for registers of hands alike: regret matching from regrets
// and predictions, discounted regrets, and the weighted sum of the average strategy. All solvers use it.
#pragma once
#include <limits>

#include "solve/discounts.h"
#include "tree/vectors.h"

namespace regretless {

template <class Number>
inline Number positive_part(Number number) {
  return greater(number, Number{});
}

// The weight of an action under predictive regret matching; `factor` is the discount that the regret has next.
template <class Number, class Real>
inline Number predicted_weight(Number regret, Real factor, Number prediction) {
  return positive_part<Number>(regret * factor + prediction);
}

// The factors of one iteration.
template <class Real>
struct CfrUpdate {
  Real positive = 1, negative = 1;  // discounts of regrets
  Real average = 0;                 // discount of the average strategy so far
  Real least = std::numeric_limits<Real>::lowest();  // of a regret; 0 for regret matching+

  // The iteration that follows `done` others.
  static CfrUpdate after(const Discounts& discounts, int done) {
    return {static_cast<Real>(discounts.positive(done)), static_cast<Real>(discounts.negative(done)),
            static_cast<Real>(discounts.average(done + 1)), discounts.clamps ? Real{0} : std::numeric_limits<Real>::lowest()};
  }

  // For regrets or sums that are stored divided by a scale.
  CfrUpdate scaled(Real scale) const { return {positive * scale, negative * scale, average * scale, least}; }

  // The new regret is floored(discounted(old) + action value - value of the strategy).
  template <class Number>
  Number discounted(Number regret) const {
    const Number zero{};
    return regret * (regret > zero ? zero + positive : zero + negative);
  }
  template <class Number>
  Number floored(Number regret) const {
    return greater<Number>(regret, Number{} + least);
  }
  template <class Number>
  Number sum(Number old, Number reach) const {
    return old * average + reach;
  }
};

// Replaces the numbers of a row [width] by what change(register of the row, registers of the others ...) returns.
template <int kWidth, class Real, class Change, class... Others>
inline void update_row(Real* row, int width, Change change, const Others*... others) {
  using Hands = Register<Real>;
  for (int h = 0; h < (kWidth > 0 ? kWidth : width); h += Hands::kSize)
    Hands{change(Hands::load(row + h).lanes, Hands::load(others + h).lanes...)}.store(row + h);
}

}  // namespace regretless
