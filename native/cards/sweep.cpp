// SPDX-License-Identifier: MIT
#include "cards/sweep.h"

#include <array>
#include <utility>

namespace regretless {
namespace {

// The weight of one player's hands seen so far, in all and by card.
struct Seen {
  double total = 0;
  std::array<double, kMaxCards> by_card{};

  void add(const Card* hand, double weight) {
    total += weight;
    by_card[hand[0]] += weight;
    by_card[hand[1]] += weight;
  }
  // The weight of the hands that share no card with this one, if the hand itself has not been seen: it would be subtracted twice.
  double apart_from(const Card* hand) const { return total - by_card[hand[0]] - by_card[hand[1]]; }
};

}  // namespace

Sweep::Weights Sweep::compare(std::span<const Card> cards, std::span<const double> first, std::span<const double> second) {
  sort();
  below_.resize(entries.size());
  Seen seen_first, seen_second;
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

// By strength in three passes of ten bits: strengths fill thirty.
void Sweep::sort() {
  constexpr Strength kDigit = (1 << 10) - 1;
  spare_.resize(entries.size());
  for (int shift = 0; shift < 30; shift += 10) {
    std::array<std::uint32_t, kDigit + 1> starts{};
    for (const Entry& entry : entries) ++starts[entry.strength >> shift & kDigit];
    std::uint32_t start = 0;
    for (std::uint32_t& slot : starts) start += std::exchange(slot, start);
    for (const Entry& entry : entries) spare_[starts[entry.strength >> shift & kDigit]++] = entry;
    entries.swap(spare_);
  }
}

}  // namespace regretless
