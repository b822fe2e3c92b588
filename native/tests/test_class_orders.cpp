// SPDX-License-Identifier: MIT
#include "cards/class_orders.h"

#include "cards/canonical.h"
#include "cards/hands.h"
#include "cards/strength.h"
#include "cards/suits.h"
#include "test.h"

using namespace regretless;

namespace {

// Triple by triple with a first hand of this class, on one board.
ClassOrders slow_orders(std::span<const Card> board, int first) {
  const std::vector<std::uint32_t> zeros(std::size_t{kNumClasses} * kNumClasses * kNumClasses);
  ClassOrders orders{zeros, zeros, zeros};
  const HandTable hands(kDeck52, 2);
  std::vector<Strength> strengths(hands.num_hands());
  board_strengths(Showdown::kHoldem, kDeck52, board, 2, strengths.data());
  const auto place = [&](std::uint32_t hand) { return class_of(hands.cards(hand)[0], hands.cards(hand)[1]); };
  for (std::uint32_t a = 0; a < hands.num_hands(); ++a) {
    if (strengths[a] == 0 || place(a) != first) continue;
    for (std::uint32_t b = 0; b < hands.num_hands(); ++b) {
      if (strengths[b] == 0 || strengths[b] > strengths[a] || share_card(hands.set(a), hands.set(b))) continue;
      for (std::uint32_t c = 0; c < hands.num_hands(); ++c) {
        if (strengths[c] == 0 || share_card(hands.set(a) | hands.set(b), hands.set(c))) continue;
        const auto index = static_cast<std::size_t>((place(a) * kNumClasses + place(b)) * kNumClasses + place(c));
        if (strengths[a] > strengths[b]) {
          if (strengths[b] > strengths[c]) ++orders.strict[index];
        } else if (strengths[c] != strengths[a]) {
          ++(strengths[c] < strengths[a] ? orders.tied_above : orders.tied_below)[index];
        }
      }
    }
  }
  return orders;
}

}  // namespace

TEST(class_orders_match_counted_triples) {
  const CanonicalIndex boards({5});
  for (const auto& [index, first] : {std::pair{0, 0}, {4'321, 14}, {77'777, 3}, {99'999, 80}}) {
    std::array<Card, 5> board;
    boards.cards(0, static_cast<std::uint64_t>(index), board.data());
    const ClassOrders found = class_orders(static_cast<std::uint64_t>(index), 1), slow = slow_orders(board, first);
    const std::uint32_t weight = num_renamed(kDeck52, card_set(board));
    const std::size_t size = std::size_t{kNumClasses} * kNumClasses, begin = static_cast<std::size_t>(first) * size;
    for (std::size_t i = begin; i < begin + size; ++i) {
      CHECK_EQUAL(found.strict[i], weight * slow.strict[i]);
      CHECK_EQUAL(found.tied_above[i], weight * slow.tied_above[i]);
      CHECK_EQUAL(found.tied_below[i], weight * slow.tied_below[i]);
    }
  }
  CHECK_THROWS(class_orders(1, 134'459));
}
