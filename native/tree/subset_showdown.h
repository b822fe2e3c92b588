// SPDX-License-Identifier: MIT
// Values of hands of three or four cards at the end of an episode, for ranges of up to some tens of thousands of hands.
//
// A hand cannot meet those that share a card with it. The weight of the others is a sum over the sets of its cards: plus all
// hands, minus those that hold each card, plus those that hold each pair of them, and so on (inclusion and exclusion). So for
// every set of cards that hands of both players hold there is one sum. At a showdown the other's hands are added weakest first,
// and a hand reads its sums where it stands among them: before and after those of its strength, and at the end.
#pragma once
#include "tree/showdown.h"

namespace regretless {

inline constexpr int kMostSubsetHands = 30'000;  // of a range; pairs of hands are counted once

class SubsetShowdown {
 public:
  using Real = float;
  static constexpr bool kHasLanes = false;
  static constexpr int kMostCards = 4;

  SubsetShowdown(const Poker& game, const std::array<RootRange, 2>& ranges, std::array<int, 2> strides);

  // About, with what serves all boards.
  static std::size_t table_bytes(const std::array<RootRange, 2>& ranges, std::array<int, 2> strides) {
    return (ranges[0].hands.size() + ranges[1].hands.size()) * (2 * kSets + 2) * sizeof(std::int32_t) +
           static_cast<std::size_t>(strides[0] + strides[1]) * sizeof(std::int32_t);
  }
  std::int32_t table(const Poker& game, const PokerState& state, const Ending& ending, const std::array<RootRange, 2>& ranges);
  void values(const TerminalNode& node, Player player, const Real* reach, Real* values) const;
  std::vector<std::int8_t> matchups(std::int32_t table) const;

 private:
  static constexpr int kSets = 1 << kMostCards;  // of the cards of a hand, nobody's included

  // One player's hands, as the other meets them.
  struct Side {
    std::vector<CardSet> cards;                           // [hands]
    std::vector<std::array<std::int32_t, kSets>> reads;   // [hands]: the sums that a hand reads; sum 0 is always zero
    std::vector<std::array<std::int32_t, kSets>> writes;  // [hands]: the sums of the other that a hand is added to ...
    std::vector<std::int32_t> num_writes;                 // [hands]: ... and how many they are
    std::int32_t num_sums = 1;
  };
  // One player's hands that the board leaves, weakest first.
  struct Order {
    std::vector<std::int32_t> hands;
    std::vector<Strength> strengths;  // [hands], in the same order
  };

  void number_sums(Player player);
  double met(Player player, std::size_t hand, const double* sums) const;
  void add(Player other, std::int32_t hand, const Real* reach, double* sums) const;

  int num_cards_;
  std::array<int, 2> strides_;
  std::array<Side, 2> sides_;
  std::vector<std::array<Order, 2>> tables_;  // [tables][player]; the first is empty, for folds
  std::map<std::uint64_t, std::int32_t> tables_by_key_;
};

}  // namespace regretless
