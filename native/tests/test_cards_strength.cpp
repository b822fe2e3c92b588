// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cards/census.h"
#include "cards/hands.h"
#include "cards/random.h"
#include "test.h"

using namespace regretless;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSlow = true;
#else
constexpr bool kSlow = false;
#endif

// Distinct cards, [count, width].
std::vector<Card> random_cards(Random& random, const Deck& deck, std::size_t count, int width) {
  std::vector<Card> cards;
  for (std::size_t i = 0; i < count; ++i) {
    CardSet dealt = 0;
    while (std::popcount(dealt) < width) {
      const auto card = static_cast<Card>(random.below(deck.num_cards()));
      if (!share_card(dealt, bit(card))) cards.push_back(card);
      dealt |= bit(card);
    }
  }
  return cards;
}

// "AhKs" as cards of a deck.
std::vector<Card> parse(const Deck& deck, std::string_view text) {
  constexpr std::string_view kRanks = "23456789TJQKA", kSuits = "cdhs";
  std::vector<Card> cards;
  for (std::size_t i = 0; i < text.size(); i += 2)
    cards.push_back(
        deck.card(static_cast<int>(kRanks.find(text[i])) - deck.lowest_rank, static_cast<int>(kSuits.find(text[i + 1]))));
  return cards;
}

void check_ascending(Showdown rule, const Deck& deck, std::initializer_list<std::string_view> hands) {
  Strength last = 0;
  for (const std::string_view hand : hands) {
    const std::vector<Card> cards = parse(deck, hand);
    const Strength next = strength(rule, deck, std::span(cards).first(2), std::span(cards).subspan(2));
    CHECK(next > last);
    last = next;
  }
}

void check_census(Showdown rule, const Deck& deck, int num_cards, const std::array<std::uint64_t, kNumCategories>& hands,
                  int num_strengths) {
  const Census census = category_counts(rule, deck, num_cards);
  for (int c = 0; c < kNumCategories; ++c) CHECK_EQUAL(census.hands[c], hands[c]);
  CHECK_EQUAL(census.num_strengths, num_strengths);
}

void check_batches(Showdown rule, const Deck& deck, int num_hole, int num_board) {
  Random random({1, static_cast<std::uint64_t>(rule), static_cast<std::uint64_t>(num_hole + num_board)});
  const int width = num_hole + num_board;
  for (const std::size_t count : {0, 1, 63, 64, 65, 1000}) {
    const std::vector<Card> cards = random_cards(random, deck, count, width);
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
  const std::vector<Card> board = random_cards(random, deck, 1, num_board);
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
  const std::vector<Card> board = parse(kDeck52, "2h3h4h5hKd");
  const auto omaha = [&](std::string_view hole) { return strength(Showdown::kOmaha, kDeck52, parse(kDeck52, hole), board); };
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

TEST(census_of_seven_cards) {
  if (kSlow) return;
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
