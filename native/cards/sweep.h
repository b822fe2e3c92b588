// SPDX-License-Identifier: MIT
// Two players' two-card hands compared on one board in one pass over the hands in order of strength.
#pragma once
#include <vector>

#include "cards/strength.h"

namespace regretless {

class Sweep {
 public:
  struct Entry {
    Strength strength;
    std::uint32_t hand;
  };
  struct Weights {
    double first_wins, second_wins, ties;
  };

  std::vector<Entry> entries;  // the possible hands in any order; sorted by compare

  // The weight of the deals that each player wins, cards being [hands, 2] and first and second the weights [hands]
  // of the players' hands. Deals in which both hold the same card do not count.
  Weights compare(std::span<const Card> cards, std::span<const double> first, std::span<const double> second);

 private:
  void sort();

  std::vector<Entry> spare_;
  std::vector<double> below_;  // [entries], the second player's weight below
};

}  // namespace regretless
