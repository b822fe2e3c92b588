// SPDX-License-Identifier: MIT
#include "cards/census.h"

#include "cards/best_five_block.h"

namespace regretless {
namespace {

// Hands per strength: open addressing, sized for the 7,462 strengths of five cards.
class StrengthCounter {
 public:
  void add(Strength strength) {
    std::uint32_t slot = strength * 0x9e3779b1u >> (32 - kBits);
    while (slots_[slot].strength != strength) {
      if (slots_[slot].strength == 0)
        slots_[slot].strength = strength;
      else
        slot = (slot + 1) % kSlots;
    }
    ++slots_[slot].hands;
  }

  Census census(Showdown rule) const {
    Census census;
    for (const Slot& slot : slots_) {
      if (slot.strength == 0) continue;
      census.hands[static_cast<std::size_t>(category(rule, slot.strength))] += slot.hands;
      ++census.num_strengths;
    }
    return census;
  }

 private:
  struct Slot {
    Strength strength = 0;
    std::uint32_t hands = 0;  // at most the 133,784,560 sets of seven cards
  };
  static constexpr int kBits = 15;
  static constexpr std::uint32_t kSlots = 1 << kBits;
  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
};

}  // namespace

Census category_counts(Showdown rule, const Deck& deck, int num_cards) {
  StrengthCounter counter;
  with_kernel(rule, num_cards, [&]<int kCards, bool kShort> {
    for_each_block<kCards, kShort>(deck, 0, kCards, [&](const SuitRanks*, const Strength* block, int count) {
      for (int i = 0; i < count; ++i) counter.add(block[i]);
    });
  });
  return counter.census(rule);
}

}  // namespace regretless
