// SPDX-License-Identifier: MIT
// Which bucket a hand of two cards and a board are in: cards that differ by a renaming of suits always share one. Before the
// river it is looked up by canonical index; on the river by the score of the hand, which takes microseconds to find and spares a
// table of 123 million entries.
#pragma once
#include <string>

#include "cards/board_scores.h"
#include "cards/canonical.h"

namespace regretless {

class HandBuckets {
 public:
  static constexpr int kNumStreets = 4;
  static constexpr int kNumBoard[kNumStreets] = {0, 3, 4, 5};

  using Bucket = std::uint16_t;
  struct Tables {
    std::vector<Bucket> preflop, flop, turn;  // by canonical index, the board as a set
    std::vector<Bucket> river;                // by score
    std::vector<std::vector<float>> equities;  // [streets][buckets] what their hands win on average, or none
  };

  // The name identifies the buckets, as a hash of the tables does. Throws std::invalid_argument for tables of other sizes.
  HandBuckets(std::string name, Showdown rule, const Deck& deck, Tables tables);

  const std::string& name() const { return name_; }
  Showdown rule() const { return scores_.rule(); }
  const Deck& deck() const { return scores_.deck(); }
  int num_buckets(int street) const { return sizes_[street]; }
  bool has_equities() const { return !tables_.equities.empty(); }
  float equity(int street, Bucket bucket) const {
    return tables_.equities[static_cast<std::size_t>(street)][bucket];
  }  // if it has them

  // The street that a board of so many cards belongs to, or -1.
  static int street_of(std::size_t num_board);

  // The bucket of hole cards and 0, 3, 4 or 5 board cards, all different.
  Bucket bucket(std::span<const Card> hole, std::span<const Card> board) const;

  // The sizes that the tables must have.
  static std::vector<std::size_t> table_sizes(Showdown rule, const Deck& deck);

 private:
  std::string name_;
  BoardScores scores_;
  CanonicalIndex flops_, turns_;
  Tables tables_;
  int sizes_[kNumStreets];
};

}  // namespace regretless
