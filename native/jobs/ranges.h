// SPDX-License-Identifier: MIT
// Ranges of sum 1 from reaches, over the hands that a public state leaves; uniform where there is no mass.
#pragma once
#include <cstddef>
#include <vector>

#include "games/game.h"

namespace regretless {

inline constexpr double kLeastMass = 1e-30;  // a range of less counts as empty

// `out` may be `in`.
template <class In, class Out>
void normalize_range(const In* in, const std::uint8_t* possible, std::size_t hands, Out* out) {
  double mass = 0, left = 0;
  for (std::size_t h = 0; h < hands; ++h) {
    mass += possible[h] != 0 ? static_cast<double>(in[h]) : 0.0;
    left += possible[h];
  }
  const double scale = mass > kLeastMass ? 1 / mass : 0, rest = mass > kLeastMass ? 0 : 1 / left;
  for (std::size_t h = 0; h < hands; ++h)
    out[h] = possible[h] != 0 ? static_cast<Out>(static_cast<double>(in[h]) * scale + rest) : Out{0};
}

// Sums a padded vector.
template <int kWidth, class Real>
Real sum_reach(const Real* reach, std::size_t hands) {
  Real total = 0;
  const int width = kWidth > 0 ? kWidth : static_cast<int>(hands);
  for (int h = 0; h < width; ++h) total += reach[h];
  return total;
}

// As normalize_range, of a padded reach that is 0 where a hand cannot be.
template <int kWidth, class Real>
void write_range(const Real* reach, const std::uint8_t* possible, std::size_t hands, float* out) {
  const Real mass = sum_reach<kWidth>(reach, hands);
  if (!(mass > static_cast<Real>(kLeastMass))) return normalize_range(reach, possible, hands, out);
  const Real scale = Real{1} / mass;
  for (std::size_t h = 0; h < hands; ++h) out[h] = static_cast<float>(reach[h] * scale);
}

// Moves the number of hand h to hand names[h]; without names nothing moves.
inline void rename_hands(const Hand* names, std::size_t hands, float* row) {
  if (!names) return;
  thread_local std::vector<float> before;
  before.assign(row, row + hands);
  for (std::size_t h = 0; h < hands; ++h) row[names[h]] = before[h];
}

}  // namespace regretless
