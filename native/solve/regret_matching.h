// SPDX-License-Identifier: MIT
// Strategies from weights of the actions.
#pragma once
#include <limits>

#include "tree/vectors.h"

namespace regretless {

// weights and out [actions, width]: shares that sum to 1 for every hand; uniform where all are 0. In blocks of hands that fit
// registers, so the sums over actions stay there. Both may be the same.
template <class Tree>
inline void normalize_actions(const typename Tree::Real* weights, int actions, int width, typename Tree::Real* out) {
  using Real = typename Tree::Real;
  using Hands = Register<Real>;
  using Lanes = typename Hands::Lanes;
  if constexpr (Tree::kWidth > 0) width = Tree::kWidth;
  // Below the least normal number the reciprocal would overflow.
  const Lanes zero{}, least = zero + std::numeric_limits<Real>::min(), uniform = zero + Real{1} / static_cast<Real>(actions);
  for (int first = 0; first < width; first += Hands::kSize) {
    Lanes sum{};
    for (int a = 0; a < actions; ++a) sum += Hands::load(weights + a * width + first).lanes;
    const Lanes scale = sum > least ? Real{1} / sum : zero, rest = sum > least ? zero : uniform;
    for (int a = 0; a < actions; ++a)
      Hands{Hands::load(weights + a * width + first).lanes * scale + rest}.store(out + a * width + first);
  }
}

}  // namespace regretless
