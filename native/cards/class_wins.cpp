// SPDX-License-Identifier: MIT
#include "cards/class_wins.h"

#include <memory>
#include <stdexcept>
#include <string>

#include "cards/canonical.h"
#include "cards/hands.h"
#include "cards/strength.h"
#include "cards/suits.h"

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
      for (end = begin; end < order_.size() && order_[end] >> 32 == order_[begin] >> 32; ++end) add_wins(hand_at(end));
      for (std::size_t i = begin; i < end; ++i) meet(hand_at(i));
    }
  }

  void add_to(std::vector<std::uint32_t>& sums, std::uint32_t weight) const {
    for (std::size_t row = 0; row < kNumClasses; ++row)
      for (std::size_t column = 0; column < kNumClasses; ++column)
        sums[row * kNumClasses + column] += weight * wins_[row].of[column];
  }

 private:
  std::uint32_t hand_at(std::size_t place) const { return static_cast<std::uint32_t>(order_[place]); }

  void sort_hands(std::span<const Card> board) {
    board_strengths(Showdown::kHoldem, kDeck52, board, 2, strengths_.data());
    order_.clear();
    for (std::uint32_t hand = 0; hand < hands_.num_hands(); ++hand)
      if (strengths_[hand] != 0) order_.push_back(std::uint64_t{strengths_[hand]} << 32 | hand);
    std::ranges::sort(order_);
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
  std::vector<std::uint64_t> order_;                // strength and hand, ascending
  Counts met_;                                      // hands met so far
  std::array<Counts, kMaxCards> met_with_{};        // of these, those that hold a card
  std::array<Counts, kNumClasses> wins_{};          // [classes]: pairs in which the class wins against each
};

// The number of boards that renamings of suits make of one.
std::uint32_t num_images(CardSet board) {
  const auto is_same = [&](const SuitPermutation& permutation) { return rename_suits(board, permutation) == board; };
  return static_cast<std::uint32_t>(kSuitPermutations.size()) /
         static_cast<std::uint32_t>(std::ranges::count_if(kSuitPermutations, is_same));
}

CanonicalIndex board_index() {
  constexpr int kCards[] = {5};
  return CanonicalIndex(kCards);
}

}  // namespace

std::uint64_t num_canonical_boards() { return board_index().size(0); }

std::vector<std::uint32_t> class_wins(std::uint64_t first, std::uint64_t count) {
  const CanonicalIndex boards = board_index();
  if (first > boards.size(0) || count > boards.size(0) - first)
    throw std::invalid_argument("there are " + std::to_string(boards.size(0)) + " boards");
  std::vector<std::uint32_t> sums(std::size_t{kNumClasses} * kNumClasses);
  const auto counter = std::make_unique<BoardCount>();
  for (std::uint64_t index = first; index < first + count; ++index) {
    std::array<Card, 5> board;
    boards.cards(0, index, board.data());
    counter->count(board);
    counter->add_to(sums, num_images(card_set(board)));
  }
  return sums;
}

}  // namespace regretless
