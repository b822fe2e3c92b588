// SPDX-License-Identifier: MIT
#include "cards/sweep.h"

namespace regretless {

Sweep::Weights Sweep::compare(std::span<const Card> cards, std::span<const double> first, std::span<const double> second) {
  sort_by_strength(entries, spare_);
  below_.resize(entries.size());
  CardSums seen_first, seen_second;
  Weights weights{0, 0, 0};
  const auto cards_of = [&](std::uint32_t hand) { return &cards[hand * 2]; };
  for (std::size_t start = 0, end = 0; start < entries.size(); start = end) {
    while (end < entries.size() && entries[end].strength == entries[start].strength) ++end;
    for (std::size_t i = start; i < end; ++i) {
      const std::uint32_t hand = entries[i].hand;
      below_[i] = seen_second.apart_from(cards_of(hand));
      weights.first_wins += first[hand] * below_[i];
      weights.second_wins += second[hand] * seen_first.apart_from(cards_of(hand));
    }
    for (std::size_t i = start; i < end; ++i) {
      const std::uint32_t hand = entries[i].hand;
      seen_first.add(cards_of(hand), first[hand]);
      seen_second.add(cards_of(hand), second[hand]);
    }
    for (std::size_t i = start; i < end; ++i) {
      const std::uint32_t hand = entries[i].hand;
      const double up_to_here = seen_second.apart_from(cards_of(hand)) + second[hand];
      weights.ties += first[hand] * (up_to_here - below_[i]);
    }
  }
  return weights;
}

}  // namespace regretless
