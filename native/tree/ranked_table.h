// SPDX-License-Identifier: MIT
// One player's hands of two cards on one board, against the other player's hands in order of strength.
//
// A hand wins the weight of the weaker hands minus that of the stronger ones, less those that share a card with it: a
// sum over all hands minus one over the hands of each of its two cards. So the other's hands are listed 53 times, once all of
// them and once for each card those that hold it, weakest first. A walk along a list keeps its sum in a register and writes it
// down where a hand of the player stands: once for each run, which is one strength in one list.
#pragma once
#include <array>

#include "cards/deck.h"
#include "tree/vectors.h"

namespace regretless {

struct RankedTable {
  static constexpr int kNobody = kMaxCards;     // row of `all` that stays zero
  static constexpr int kEverybody = kMaxCards + 1;
  static constexpr int kNumSums = kMaxCards + 2;

  // The other's hands that a walk adds up since the last run: first those below, then those as strong as the player's.
  struct Run {
    std::uint16_t below = 0, tied = 0;
  };
  struct List {
    std::uint8_t sum = 0;           // its card, or kEverybody
    std::uint16_t num_runs = 0;
    std::uint16_t rest = 0;  // of the other's hands, after the last run
  };
  // A hand of the player: its runs in three lists, counted from 1, and rows of sums. All are rows of zeros if the board blocks it.
  struct Own {
    std::uint16_t run = 0, high_run = 0, low_run = 0;
    std::uint16_t twin = 0;  // the same cards in the other's list, or the row after the last
    std::uint8_t high = kNobody, low = kNobody, everybody = kNobody;
  };

  std::vector<std::uint16_t> others;  // list after list
  std::vector<Run> runs;              // list after list
  std::vector<List> lists;            // everybody first
  std::vector<Own> own;               // [padded hands]

  // Strengths and cards of both players' hands; strength 0: blocked by the board.
  struct Hands {
    std::vector<std::uint32_t> strengths;
    const std::vector<std::array<Card, 2>>* cards;
  };
  RankedTable(const Hands& own_hands, const Hands& other_hands, const std::vector<std::int32_t>& twins, int own_stride,
              int other_stride);

  std::size_t num_others() const;  // that the board leaves

  // weights [other's hands and a zero]. all [kNumSums]: the weight of all hands that hold a card. signs [runs and a zero]: of a
  // run, weaker hands twice and equal ones once; minus everybody in the first list. tied [runs and a zero]: the equal ones.
  template <class Lanes>
  void add_up(const typename Lanes::Number* weights, typename Lanes::Number* all, typename Lanes::Number* signs,
              typename Lanes::Number* tied) const {
    const std::uint16_t* other = others.data();
    const Run* run = runs.data();
    const auto next = [&] { return Lanes::load(weights + *other++ * Lanes::kSize); };
    Lanes{}.store(all + kNobody * Lanes::kSize);
    Lanes{}.store(signs);
    auto* sign = signs + Lanes::kSize;
    auto* tie = tied + Lanes::kSize;
    Lanes{}.store(tied);
    for (const List& list : lists) {
      Lanes below{};
      for (const Run* end = run + list.num_runs; run != end; ++run) {
        for (int i = run->below; i > 0; --i) below += next();
        Lanes equal{};
        for (int i = run->tied; i > 0; --i) equal += next();
        (below + below + equal).store(sign);
        equal.store(tie);
        sign += Lanes::kSize;
        tie += Lanes::kSize;
        below += equal;
      }
      for (int i = list.rest; i > 0; --i) below += next();
      below.store(all + list.sum * Lanes::kSize);
    }
    const Lanes everybody = Lanes::load(all + kEverybody * Lanes::kSize);
    for (int i = 1; i <= lists[0].num_runs; ++i)
      (Lanes::load(signs + i * Lanes::kSize) - everybody).store(signs + i * Lanes::kSize);
  }

  // The sums alone, in any order of the hands.
  template <class Lanes>
  void add_all(const typename Lanes::Number* weights, typename Lanes::Number* all) const {
    const std::uint16_t* other = others.data();
    const Run* run = runs.data();
    Lanes{}.store(all + kNobody * Lanes::kSize);
    for (const List& list : lists) {
      int count = list.rest;
      for (const Run* end = run + list.num_runs; run != end; ++run) count += run->below + run->tied;
      Lanes even{}, odd{};
      for (; count > 1; count -= 2) {
        even += Lanes::load(weights + *other++ * Lanes::kSize);
        odd += Lanes::load(weights + *other++ * Lanes::kSize);
      }
      if (count > 0) even += Lanes::load(weights + *other++ * Lanes::kSize);
      (even + odd).store(all + list.sum * Lanes::kSize);
    }
  }

  // Weights for a hand: weaker minus stronger hands, equal hands, and all hands that it can meet. Rows are `stride` numbers apart.
  template <class Lanes>
  static Lanes sign(const Own& hand, const typename Lanes::Number* all, const typename Lanes::Number* signs, int stride) {
    return Lanes::load(signs + hand.run * stride) - Lanes::load(signs + hand.high_run * stride) -
           Lanes::load(signs + hand.low_run * stride) + Lanes::load(all + hand.high * stride) +
           Lanes::load(all + hand.low * stride);
  }
  template <class Lanes>
  static Lanes equal(const Own& hand, const typename Lanes::Number* weights, const typename Lanes::Number* tied, int stride) {
    return Lanes::load(tied + hand.run * stride) - Lanes::load(tied + hand.high_run * stride) -
           Lanes::load(tied + hand.low_run * stride) + Lanes::load(weights + hand.twin * stride);
  }
  template <class Lanes>
  static Lanes compatible(const Own& hand, const typename Lanes::Number* weights, const typename Lanes::Number* all, int stride) {
    return Lanes::load(all + hand.everybody * stride) - Lanes::load(all + hand.high * stride) -
           Lanes::load(all + hand.low * stride) + Lanes::load(weights + hand.twin * stride);
  }
};

}  // namespace regretless
