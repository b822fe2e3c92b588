// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "cards.h"
#include "cards/best_five_block.h"
#include "test.h"

using namespace regretless;
using namespace regretless::test;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSlow = true;
#else
constexpr bool kSlow = false;
#endif

void check_ascending(Showdown rule, const Deck& deck, std::initializer_list<std::string_view> hands) {
  Strength last = 0;
  for (const std::string_view hand : hands) {
    const std::vector<Card> cards = cards_of(hand, deck);
    const Strength next = strength(rule, deck, std::span(cards).first(2), std::span(cards).subspan(2));
    CHECK(next > last);
    last = next;
  }
}

// Hands per strength: open addressing, sized for the 7,462 strengths of five cards.
class StrengthCounter {
 public:
  struct Slot {
    Strength strength = 0;
    std::uint32_t hands = 0;  // at most the 133,784,560 sets of seven cards
  };

  void add(Strength strength) {
    std::uint32_t slot = strength * 0x9e3779b1u >> (32 - kBits);
    while (slots_[slot].strength != strength) {
      if (slots_[slot].strength == 0)
        slots_[slot].strength = strength;
      else
        slot = (slot + 1) % (1u << kBits);
    }
    ++slots_[slot].hands;
  }
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  static constexpr int kBits = 15;
  std::vector<Slot> slots_ = std::vector<Slot>(1 << kBits);
};

// The best five of every set of so many cards.
void check_census(Showdown rule, const Deck& deck, int num_cards, const std::array<std::uint64_t, kNumCategories>& hands,
                  int num_strengths) {
  StrengthCounter counter;
  with_kernel(rule, num_cards, [&]<int kCards, bool kShort> {
    for_each_block<kCards, kShort>(deck, 0, kCards, [&](const SuitRanks*, const Strength* block, int count) {
      for (int i = 0; i < count; ++i) counter.add(block[i]);
    });
  });
  std::array<std::uint64_t, kNumCategories> found{};
  int num_found = 0;
  for (const StrengthCounter::Slot& slot : counter.slots()) {
    if (slot.strength == 0) continue;
    found[static_cast<std::size_t>(category(rule, slot.strength))] += slot.hands;
    ++num_found;
  }
  for (int c = 0; c < kNumCategories; ++c) CHECK_EQUAL(found[c], hands[c]);
  CHECK_EQUAL(num_found, num_strengths);
}

void check_batches(Showdown rule, const Deck& deck, int num_hole, int num_board) {
  Random random({1, static_cast<std::uint64_t>(rule), static_cast<std::uint64_t>(num_hole + num_board)});
  const int width = num_hole + num_board;
  for (const std::size_t count : {0, 1, 63, 64, 65, 1000}) {
    std::vector<Card> cards;
    for (std::size_t i = 0; i < count; ++i) std::ranges::copy(draw_cards(deck, width, random), std::back_inserter(cards));
    std::vector<Strength> batch(count);
    strengths(rule, deck, cards.data(), count, num_hole, num_board, batch.data());
    for (std::size_t i = 0; i < count; ++i) {
      const std::span hand = std::span(cards).subspan(i * width, width);
      CHECK_EQUAL(batch[i], strength(rule, deck, hand.first(num_hole), hand.subspan(num_hole)));
    }
  }
}

void check_boards(Showdown rule, const Deck& deck, int num_hole, int num_board, std::uint32_t step) {
  Random random({2, static_cast<std::uint64_t>(rule), static_cast<std::uint64_t>(num_board)});
  const std::vector<Card> board = draw_cards(deck, num_board, random);
  const HandTable hands(deck, num_hole);
  std::vector<Strength> all(hands.num_hands());
  board_strengths(rule, deck, board, num_hole, all.data());
  for (std::uint32_t hand = 0; hand < hands.num_hands(); hand += step) {
    const bool possible = hands.possible(hand, card_set(board));
    CHECK_EQUAL(all[hand], possible ? strength(rule, deck, hands.cards(hand), board) : 0);
  }
}

}  // namespace

TEST(strength_orders_the_categories) {
  check_ascending(Showdown::kHoldem, kDeck52,
                  {"AcKdQhJs9c7d5h", "AcAdKhQsJc9d7h", "AcAdKhKs2c3d4h", "AcAdAhKsQc9d7h", "Ac2d3h4s5cKdQh", "TcJdQhKsAcAdAh",
                   "2c3c4c5c7cAdAh", "2c2d2h3s3cAdKh", "2c2d2h2sAcAdAh", "Ac2c3c4c5c6d7d", "TcJcQcKcAcAdAh"});
  check_ascending(Showdown::kShortDeck, kDeck36,
                  {"AcKdQhJs9c7d6h", "AcAdKhQsJc9d7h", "AcAdKhKs6c7d8h", "AcAdAhKsQc9d7h", "Ac6d7h8s9cKdQh", "6c6d6h7s7cAdKh",
                   "6c7c8cTcJcAdAh", "6c6d6h6sAcAdAh", "Ac6c7c8c9cKdQd", "TcJcQcKcAcAdAh"});
}

TEST(strength_takes_two_hole_cards_in_omaha) {
  const std::vector<Card> board = cards_of("2h3h4h5hKd");
  const auto omaha = [&](std::string_view hole) { return strength(Showdown::kOmaha, kDeck52, cards_of(hole), board); };
  CHECK(category(Showdown::kOmaha, omaha("AhKcQcJc")) == Category::kPair);
  CHECK(category(Showdown::kOmaha, omaha("Ah6hQcJc")) == Category::kFlush);
  CHECK(category(Showdown::kOmaha, omaha("6h7hQcJc")) == Category::kStraightFlush);
  CHECK(omaha("Ah6hQcJc") > omaha("Th9hQcJc"));
}

TEST(strength_of_a_pair_beats_any_rank) {
  const Deck leduc{3, 2, 0};
  const std::vector<Card> board = {leduc.card(0, 1)};
  const auto with = [&](int rank) {
    const Card hole[] = {leduc.card(rank, 0)};
    return strength(Showdown::kPair, leduc, hole, board);
  };
  CHECK_EQUAL(with(0), 4u);
  CHECK_EQUAL(with(1), 2u);
  CHECK_EQUAL(with(2), 3u);
}

TEST(strengths_of_batches_equal_single_ones) {
  for (const int board : {3, 4, 5}) {
    check_batches(Showdown::kHoldem, kDeck52, 2, board);
    check_batches(Showdown::kShortDeck, kDeck36, 2, board);
    check_batches(Showdown::kOmaha, kDeck52, 4, board);
    check_batches(Showdown::kOmaha, kDeck52, 5, board);
  }
  check_batches(Showdown::kPair, Deck{13, 4, 0}, 1, 2);
}

TEST(strengths_of_boards_equal_single_ones) {
  for (const int board : {3, 4, 5}) {
    check_boards(Showdown::kHoldem, kDeck52, 2, board, 1);
    check_boards(Showdown::kShortDeck, kDeck36, 2, board, 1);
    check_boards(Showdown::kOmaha, kDeck52, 4, board, 101);
  }
  if (!kSlow) check_boards(Showdown::kOmaha, kDeck52, 5, 5, 1001);
  check_boards(Showdown::kPair, Deck{3, 2, 0}, 1, 1, 1);
}

TEST(census_of_five_cards) {
  check_census(Showdown::kHoldem, kDeck52, 5, {1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40}, 7462);
}

TEST(census_of_more_cards) {
  if (kSlow) return;
  check_census(Showdown::kHoldem, kDeck52, 6, {6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1844}, 6075);
  check_census(Showdown::kHoldem, kDeck52, 7, {23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584},
               4824);
}

TEST(census_of_short_deck) {
  check_census(Showdown::kShortDeck, kDeck36, 5, {122400, 193536, 36288, 16128, 6120, 480, 1728, 288, 24}, 1404);
}

TEST(showdowns_refuse_what_they_cannot_judge) {
  CHECK_THROWS(check_showdown(Showdown::kHoldem, kDeck52, 2, 2));
  CHECK_THROWS(check_showdown(Showdown::kHoldem, Deck{3, 2, 0}, 2, 3));
  CHECK_THROWS(check_showdown(Showdown::kShortDeck, kDeck52, 2, 5));
  CHECK_THROWS(check_showdown(Showdown::kOmaha, kDeck52, 2, 5));
  CHECK_THROWS(check_showdown(Showdown::kOmaha, kDeck52, 4, 2));
  CHECK_THROWS(check_showdown(Showdown::kPair, kDeck52, 2, 0));
}
