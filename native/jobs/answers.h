// SPDX-License-Identifier: MIT
// Probabilities that a policy answered, of which only those of legal slots count and need not sum to 1.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>

#include "games/game.h"

namespace regretless {

inline constexpr const char* kNoDistribution = "the probabilities of the legal slots must be finite, not negative and not all zero";

// The sum of the legal ones; 0 if they are no distribution.
inline float legal_sum(ActionMask legal, const float* probabilities) {
  float sum = 0, least = 0;
  for (ActionMask rest = legal; rest != 0; rest &= rest - 1) {
    const float p = probabilities[std::countr_zero(rest)];
    sum += p;
    least = std::min(least, p);
  }
  return least >= 0 && std::isfinite(sum) ? sum : 0;
}

// A legal slot, each as often as its part of the sum says.
inline int sample_slot(ActionMask legal, const float* probabilities, float sum, Random& random) {
  float left = random.uniform() * sum;
  int chosen = -1;
  for (ActionMask rest = legal; rest != 0; rest &= rest - 1) {
    const int slot = std::countr_zero(rest);
    if (probabilities[slot] <= 0) continue;
    chosen = slot;  // rounding may leave a crumb of `left` after the last one
    left -= probabilities[slot];
    if (left < 0) break;
  }
  return chosen;
}

}  // namespace regretless
