// SPDX-License-Identifier: MIT
// Strategies from weights of the actions: shares that sum to 1 for every hand, uniform where all weights are 0. In blocks of
// hands that fit a register, so that sums over actions stay there.
#pragma once
#include <limits>
#include <type_traits>

#include "games/game.h"
#include "tree/vectors.h"

namespace regretless {

// Calls run(number) with the number of actions, known to the compiler where it is small; not to sanitizers, which would compile
// each number for minutes.
template <class Run>
inline void with_actions(int actions, Run run) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return run(actions);
#endif
  switch (actions) {
    case 2:
      return run(std::integral_constant<int, 2>{});
    case 3:
      return run(std::integral_constant<int, 3>{});
    case 4:
      return run(std::integral_constant<int, 4>{});
    default:
      return run(actions);
  }
}

// The most actions there are if `Count` is what with_actions gives.
template <class Count>
inline constexpr int kMostActions = kMaxActions;
template <int kCount>
inline constexpr int kMostActions<std::integral_constant<int, kCount>> = kCount;

// The map from weights to shares: a share is weight * scale + rest.
template <class Real>
struct ShareFactors {
  using Lanes = typename Register<Real>::Lanes;
  Lanes scale, rest;

  ShareFactors(Lanes sum, int actions) {
    // Below the least normal number the reciprocal would overflow.
    const Lanes zero{}, least = zero + std::numeric_limits<Real>::min(), uniform = zero + Real{1} / static_cast<Real>(actions);
    scale = sum > least ? Real{1} / sum : zero;
    rest = sum > least ? zero : uniform;
  }
};

// weigh(actions, action, hand) gives the weights of a register of hands, not negative; take(actions, action, hand, part) gets their
// parts of `whole` [width].
template <class Tree, class Weigh, class Take>
inline void share_out(int actions, int width, const typename Tree::Real* whole, Weigh weigh, Take take) {
  using Real = typename Tree::Real;
  using Hands = Register<Real>;
  if constexpr (Tree::kWidth > 0) width = Tree::kWidth;
  with_actions(actions, [&](auto count) {
    for (int first = 0; first < width; first += Hands::kSize) {
      typename Hands::Lanes sum{}, weights[kMostActions<decltype(count)>];
      for (int a = 0; a < count; ++a) sum += weights[a] = weigh(count, a, first);
      const ShareFactors<Real> factors(sum, count);
      const typename Hands::Lanes all = Hands::load(whole + first).lanes;
      for (int a = 0; a < count; ++a) take(count, a, first, (weights[a] * factors.scale + factors.rest) * all);
    }
  });
}

// weights and out [actions, width]; both may be the same.
template <class Tree>
inline void normalize_actions(const typename Tree::Real* weights, int actions, int width, typename Tree::Real* out) {
  using Hands = Register<typename Tree::Real>;
  if constexpr (Tree::kWidth > 0) width = Tree::kWidth;
  for (int first = 0; first < width; first += Hands::kSize) {
    typename Hands::Lanes sum{};
    for (int a = 0; a < actions; ++a) sum += Hands::load(weights + a * width + first).lanes;
    const ShareFactors<typename Tree::Real> factors(sum, actions);
    for (int a = 0; a < actions; ++a)
      Hands{Hands::load(weights + a * width + first).lanes * factors.scale + factors.rest}.store(out + a * width + first);
  }
}

}  // namespace regretless
