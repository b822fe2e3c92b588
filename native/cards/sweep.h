// SPDX-License-Identifier: MIT
// Hands of two cards on one board, in one pass over them in order of strength.
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "cards/strength.h"

namespace regretless {

struct RankedHand {
  Strength strength;
  std::uint32_t hand;
};

// Weakest first, equal ones as they were: three passes of ten bits, since strengths fill thirty. `spare` is memory.
inline void sort_by_strength(std::vector<RankedHand>& hands, std::vector<RankedHand>& spare) {
  constexpr Strength kDigit = (1 << 10) - 1;
  spare.resize(hands.size());
  for (int shift = 0; shift < 30; shift += 10) {
    std::array<std::uint32_t, kDigit + 1> starts{};
    for (const RankedHand& each : hands) ++starts[each.strength >> shift & kDigit];
    std::uint32_t start = 0;
    for (std::uint32_t& slot : starts) start += std::exchange(slot, start);
    for (const RankedHand& each : hands) spare[starts[each.strength >> shift & kDigit]++] = each;
    hands.swap(spare);
  }
}

// The weight of some hands of one player, in all and by card.
struct CardSums {
  double total = 0;
  std::array<double, kMaxCards> by_card{};

  void add(const Card* hand, double weight) {
    total += weight;
    by_card[hand[0]] += weight;
    by_card[hand[1]] += weight;
  }
  // The weight of the hands that share no card with this one. If the hand itself is among them, it is subtracted twice.
  double apart_from(const Card* hand) const { return total - by_card[hand[0]] - by_card[hand[1]]; }
};

// Two players' hands compared.
class Sweep {
 public:
  struct Weights {
    double first_wins, second_wins, ties;
  };

  std::vector<RankedHand> entries;  // the possible hands in any order; sorted by compare

  // The weight of the deals that each player wins, cards being [hands, 2] and first and second the weights [hands]
  // of the players' hands. Deals in which both hold the same card do not count.
  Weights compare(std::span<const Card> cards, std::span<const double> first, std::span<const double> second);

 private:
  std::vector<RankedHand> spare_;
  std::vector<double> below_;  // [entries], the second player's weight below
};

}  // namespace regretless
