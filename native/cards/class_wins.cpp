// SPDX-License-Identifier: MIT
#include "cards/class_wins.h"

#include <memory>
#include <stdexcept>
#include <string>

#include "cards/canonical.h"
#include "cards/hands.h"
#include "cards/strength.h"
#include "cards/suits.h"
#include "cards/sweep.h"
#include "threads/lookout.h"

namespace regretless {
namespace {

constexpr int kWidth = 192;  // classes, padded to whole registers

// Hands of each class. A class has at most 12, and 12 of one against 12 of another are 144 pairs, so bytes do.
struct alignas(64) Counts {
  std::array<std::uint8_t, kWidth> of{};
};

// Hands are met from the weakest to the strongest. Each beats all that were met before but those that hold one of its cards;
// no hand that was met before holds both.
class BoardCount {
 public:
  BoardCount() : hands_(kDeck52, 2) {
    for (std::uint32_t hand = 0; hand < hands_.num_hands(); ++hand)
      classes_.push_back(static_cast<std::uint8_t>(class_of(hands_.cards(hand)[0], hands_.cards(hand)[1])));
  }

  void count(std::span<const Card> board) {
    sort_hands(board);
    met_ = {};
    met_with_.fill({});
    wins_.fill({});
    for (std::size_t begin = 0, end; begin < order_.size(); begin = end) {
      for (end = begin; end < order_.size() && order_[end].strength == order_[begin].strength; ++end) add_wins(order_[end].hand);
      for (std::size_t i = begin; i < end; ++i) meet(order_[i].hand);
    }
  }

  void add_to(std::vector<std::uint32_t>& sums, std::uint32_t weight) const {
    for (std::size_t row = 0; row < kNumClasses; ++row)
      for (std::size_t column = 0; column < kNumClasses; ++column)
        sums[row * kNumClasses + column] += weight * wins_[row].of[column];
  }

 private:
  void sort_hands(std::span<const Card> board) {
    board_strengths(Showdown::kHoldem, kDeck52, board, 2, strengths_.data());
    order_.clear();
    for (std::uint32_t hand = 0; hand < hands_.num_hands(); ++hand)
      if (strengths_[hand] != 0) order_.push_back({strengths_[hand], hand});
    sort_by_strength(order_, spare_);
  }

  void add_wins(std::uint32_t hand) {
    auto& wins = wins_[classes_[hand]].of;
    const auto& first = met_with_[hands_.cards(hand)[0]].of;
    const auto& second = met_with_[hands_.cards(hand)[1]].of;
    for (std::size_t i = 0; i < kWidth; ++i) wins[i] = static_cast<std::uint8_t>(wins[i] + met_.of[i] - first[i] - second[i]);
  }

  void meet(std::uint32_t hand) {
    const std::uint8_t its_class = classes_[hand];
    ++met_.of[its_class];
    for (const Card card : hands_.cards(hand)) ++met_with_[card].of[its_class];
  }

  HandTable hands_;
  std::vector<std::uint8_t> classes_;               // [hands]
  std::array<Strength, 1326> strengths_{};          // [hands]
  std::vector<RankedHand> order_, spare_;           // ascending
  Counts met_;                                      // hands met so far
  std::array<Counts, kMaxCards> met_with_{};        // of these, those that hold a card
  std::array<Counts, kNumClasses> wins_{};          // [classes]: pairs in which the class wins against each
};

}  // namespace

std::uint64_t num_canonical_boards() { return CanonicalIndex({5}).size(0); }

std::vector<std::uint32_t> class_wins(std::uint64_t first, std::uint64_t count) {
  const CanonicalIndex boards({5});
  if (first > boards.size(0) || count > boards.size(0) - first)
    throw std::invalid_argument("there are " + std::to_string(boards.size(0)) + " boards");
  std::vector<std::uint32_t> sums(std::size_t{kNumClasses} * kNumClasses);
  const auto counter = std::make_unique<BoardCount>();
  for (std::uint64_t index = first; index < first + count; ++index, Lookout::look_now()) {
    std::array<Card, 5> board;
    boards.cards(0, index, board.data());
    counter->count(board);
    counter->add_to(sums, num_renamed(kDeck52, card_set(board)));
  }
  return sums;
}

}  // namespace regretless
