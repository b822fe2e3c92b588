// SPDX-License-Identifier: MIT
// Equity: the share of the pot that each player of a matchup wins on average, exactly over all deals and boards, or from
// samples. Both work in numbered chunks, so that a caller may show progress or stop in between.
#pragma once
#include "cards/matchup.h"
#include "cards/suits.h"
#include "threads/busy.h"

namespace regretless {

struct Equity {
  std::vector<double> equities;         // [players], sum 1: a pot is split evenly among its winners
  std::vector<double> wins;             // [players], chance of being the only winner
  std::vector<double> ties;             // [players], chance of being one of several winners
  std::vector<double> standard_errors;  // [players], of the equities; 0 if exact
  std::uint64_t samples;                // 0 if exact
};

// The weight of each set of winners: entry s belongs to the players whose bits are set in s. [1 << players]
using Outcomes = std::vector<double>;

Equity summarize(const Outcomes& outcomes, int num_players, std::uint64_t samples);

// Every board once per class of boards that differ by a renaming of suits which leaves the matchup as it is. On each
// board every hand is judged once; then two players with many hands are compared by a sweep in order of strength, others
// deal by deal.
class ExactEquity {
 public:
  explicit ExactEquity(Matchup matchup);

  double num_evaluations() const { return num_evaluations_; }  // hands judged or compared, roughly
  std::int64_t num_chunks() const { return num_chunks_; }
  void run(std::int64_t chunks, int threads);  // the next chunks, fewer at the end
  Equity result() const { return summarize(outcomes_, matchup_.num_players(), 0); }

  Busy& busy() const { return busy_; }

 private:
  struct Holding {
    std::vector<std::uint32_t> hands;  // [hands of the player], indices into hands_
    std::vector<CardSet> sets;         // [hands of the player]
    std::vector<double> weights;       // [hands of the player]
  };
  class Worker;

  void find_symmetries();
  void collect_hands();

  Matchup matchup_;
  std::vector<SuitPermutation> symmetries_;   // other than the identity
  std::vector<CardSet> hands_;                // [hands], of all players, each once; empty before run
  std::vector<Card> cards_;                   // [hands, num_hole]
  std::vector<std::uint32_t> indices_;        // [hands], in the order of hands.h
  std::vector<Holding> holdings_;             // [players]
  std::vector<std::vector<double>> weights_;  // [players, hands]
  std::vector<Card> open_;                    // cards that may complete the board
  bool sweeps_;                               // in order of strength, else deal by deal
  bool judges_all_;                           // every hand of the deck, else only those held
  std::int64_t num_boards_;
  std::int64_t boards_per_chunk_;
  std::int64_t num_chunks_;
  std::int64_t done_ = 0;
  double num_evaluations_;
  Outcomes outcomes_;
  mutable Busy busy_{"ExactEquity"};
};

// Deals drawn in proportion to their weight, one board each.
class SampledEquity {
 public:
  SampledEquity(Matchup matchup, std::uint64_t samples, std::uint64_t seed);

  std::int64_t num_chunks() const { return num_chunks_; }
  void run(std::int64_t chunks, int threads);  // the next chunks, fewer at the end
  Equity result() const;

  Busy& busy() const { return busy_; }

 private:
  // Draws a hand in proportion to its weight in constant time: hand i, or other[i] with probability 1 - keep[i].
  struct Alias {
    explicit Alias(const std::vector<double>& weights);
    std::vector<float> keep;           // [hands]
    std::vector<std::uint32_t> other;  // [hands]
  };
  class Dealer;

  Matchup matchup_;
  std::vector<Alias> aliases_;  // [players], empty for those who may hold anything
  std::uint64_t samples_;
  std::uint64_t seed_;
  std::int64_t num_chunks_;
  std::int64_t done_ = 0;
  Outcomes outcomes_;
  mutable Busy busy_{"SampledEquity"};
};

}  // namespace regretless
