// SPDX-License-Identifier: MIT
// Answers of policies and networks: the choices that they are for, probabilities, of which only those of legal slots count and need
// not sum to 1, and checks of whole batches.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>

#include "games/poker.h"
#include "threads/thread_pool.h"

namespace regretless {

// The choices of a player at a decision, found once for the question and for the answer.
template <Game G>
class Choices {
 public:
  void find(const G& game, const typename G::State& state) { legal_ = game.legal(state); }
  ActionMask legal() const { return legal_; }
  Step take(const G& game, typename G::State& state, int slot) const { return game.take(state, slot); }

 private:
  ActionMask legal_ = 0;
};

template <>
class Choices<Poker> {
 public:
  void find(const Poker& game, const PokerState& state) { offer_ = game.offer(state); }
  ActionMask legal() const { return offer_.legal; }
  Step take(const Poker& game, PokerState& state, int slot) const { return game.take(state, slot, offer_.actions[slot]); }

 private:
  Offer offer_;
};

inline constexpr const char* kNoDistribution = "the probabilities of the legal slots must be finite, not negative and not all zero";

// The legal slots of one row of questions, [actions] of 0 or 1.
inline ActionMask legal_mask(const std::uint8_t* legal, std::size_t actions) {
  ActionMask mask = 0;
  for (std::size_t a = 0; a < actions; ++a) mask |= ActionMask{legal[a]} << a;
  return mask;
}

// The sum of the legal ones; 0 if they are no distribution.
template <class Sum = float>
Sum legal_sum(ActionMask legal, const float* probabilities) {
  Sum sum = 0;
  float least = 0;
  for (ActionMask rest = legal; rest != 0; rest &= rest - 1) {
    const float p = probabilities[std::countr_zero(rest)];
    sum += p;
    least = std::min(least, p);
  }
  return least >= 0 && std::isfinite(sum) ? sum : 0;
}

// A legal slot, each as often as its part of the sum says.
template <class Sum>
int sample_slot(ActionMask legal, const float* probabilities, Sum sum, Random& random) {
  Sum left = random.uniform() * sum;
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

// The first row for which is_good(row) is false, on all threads; `rows` if there is none.
template <class IsGood>
std::int64_t first_bad_row(std::int64_t rows, ThreadPool& pool, IsGood is_good) {
  std::atomic<std::int64_t> bad = rows;
  pool.run([&](int thread) {
    for (std::int64_t row = rows * thread / pool.size(); row < rows * (thread + 1) / pool.size(); ++row) {
      if (is_good(row)) continue;
      for (std::int64_t seen = bad; row < seen && !bad.compare_exchange_weak(seen, row);) {
      }
      return;
    }
  });
  return bad;
}

// Whether an array holds nothing but finite numbers; on all threads, unless it is small.
inline bool all_finite(const float* values, std::size_t size, ThreadPool& pool) {
  constexpr std::size_t kSmall = 1 << 14;
  std::atomic<bool> all = true;
  const auto check = [&](std::size_t first, std::size_t end) {
    float worst = 0;  // NaN and infinity times zero are NaN
    for (; first < end; ++first) worst += values[first] * 0.f;
    if (worst != 0.f) all = false;
  };
  const std::size_t share = size / static_cast<std::size_t>(pool.size()) + 1;
  if (size <= kSmall)
    check(0, size);
  else
    pool.run([&](int thread) { check(static_cast<std::size_t>(thread) * share, std::min(size, (thread + 1) * share)); });
  return all;
}

}  // namespace regretless
