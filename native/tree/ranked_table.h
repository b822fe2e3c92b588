// SPDX-License-Identifier: MIT
// One player's hands of two cards on one board, against the other player's hands in order of strength.
//
// A hand wins the weight of the weaker hands minus that of the stronger ones, less those that share a card with it: a
// sum over all hands minus one over the hands of each of its two cards. So the other's hands are listed 53 times, once all of
// them and once for each card those that hold it, weakest first. A list is added up hand by hand; then each run, which is one
// strength of the player's hands in the list, takes the sums below it and up to those as strong, minus the sum of all.
#pragma once
#include <array>

#include "cards/deck.h"
#include "tree/vectors.h"

namespace regretless {

// Rows of numbers, one for each lane, are named by where they begin if a lane takes one register: so a load needs no shift.
struct RankedTable {
  using Row = std::uint16_t;
  static constexpr int kNobody = kMaxCards;  // row of `all` that stays zero
  static constexpr int kEverybody = kMaxCards + 1;
  static constexpr int kNumSums = kMaxCards + 2;
  static constexpr int kExtraWeights = 2;  // rows after those of the hands: zeros, then minus the weight of everybody
  static constexpr Row row(std::size_t index) { return static_cast<Row>(index * kRegisterSize<float>); }
  static constexpr std::size_t index(Row row) { return row / kRegisterSize<float>; }
  template <int kRegisters, class Real>
  static Real* at(Real* rows, Row row) {
    return rows + kRegisters * static_cast<std::size_t>(row);
  }

  // Rows of the sums of a list: of the hands below, and with those as strong as the player's.
  struct Run {
    Row below = 0, tied = 0;
  };
  struct List {
    Row sum = 0;  // of its card, or kEverybody
    std::uint16_t num_others = 0, num_runs = 0;
  };
  // A hand of the player: its runs in three lists, counted from 1, and the sums of its cards. All are of zeros if the board blocks
  // it, and the twin is then minus everybody.
  struct Own {
    Row run = 0, high_run = 0, low_run = 0;
    Row high = row(kNobody), low = row(kNobody);
    Row twin = 0;  // the same cards in the other's list, or zeros
  };

  std::vector<Row> others;  // list after list
  std::vector<Run> runs;    // list after list
  std::vector<List> lists;  // everybody first
  std::vector<Own> own;     // [padded hands]

  // Strengths and cards of both players' hands; strength 0: blocked by the board.
  struct Hands {
    std::vector<std::uint32_t> strengths;
    const std::vector<std::array<Card, 2>>* cards;
  };
  RankedTable(const Hands& own_hands, const Hands& other_hands, const std::vector<std::int32_t>& twins, int own_stride,
              int other_stride);

  // weights [other's hands, kExtraWeights]. all [kNumSums]: the weight of all hands that hold a card. signs [a zero, runs]: of a
  // run, weaker hands minus stronger ones; tied [a zero, runs]: the equal ones, if wanted. sums: [1 + other's hands], for a list.
  template <bool kWantsTied, int kRegisters, class Real>
  void add_up(const Real* weights, Real* all, Real* signs, Real* tied, Real* sums) const {
    using Lanes = Registers<Real, kRegisters>;
    const Row* other = others.data();
    const Run* run = runs.data();
    for (Real* zeros : {at<kRegisters>(all, row(kNobody)), signs, tied, sums}) Lanes{}.store(zeros);
    for (const List& list : lists) {
      Lanes sum{};
      Real* to = sums + Lanes::kSize;
      for (const Row* end = other + list.num_others; other != end; to += Lanes::kSize) {
        sum += Lanes::load(at<kRegisters>(weights, *other++));
        sum.store(to);
      }
      sum.store(at<kRegisters>(all, list.sum));
      for (const Run* end = run + list.num_runs; run != end; ++run) {
        const Lanes below = Lanes::load(at<kRegisters>(sums, run->below)), up_to = Lanes::load(at<kRegisters>(sums, run->tied));
        (below + up_to - sum).store(signs += Lanes::kSize);
        if constexpr (kWantsTied) (up_to - below).store(tied += Lanes::kSize);
      }
    }
  }

  // The sums alone, in any order of the hands.
  template <int kRegisters, class Real>
  void add_all(const Real* weights, Real* all) const {
    using Lanes = Registers<Real, kRegisters>;
    const Row* other = others.data();
    Lanes{}.store(at<kRegisters>(all, row(kNobody)));
    for (const List& list : lists) {
      int count = list.num_others;
      Lanes even{}, odd{};
      for (; count > 1; count -= 2) {
        even += Lanes::load(at<kRegisters>(weights, *other++));
        odd += Lanes::load(at<kRegisters>(weights, *other++));
      }
      if (count > 0) even += Lanes::load(at<kRegisters>(weights, *other++));
      (even + odd).store(at<kRegisters>(all, list.sum));
    }
  }
};

}  // namespace regretless
