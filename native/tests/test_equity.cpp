// SPDX-License-Identifier: MIT
#include "cards/equity.h"

#include <cmath>

#include "cards.h"
#include "test.h"

using namespace regretless;
using namespace regretless::test;

namespace {

CardSet set(std::string_view text) { return card_set(cards_of(text)); }

std::vector<Card> list(CardSet set) {
  std::vector<Card> found(static_cast<std::size_t>(std::popcount(set)));
  write_cards(set, found.data());
  return found;
}

WeightedHands hand(std::string_view text) { return {{set(text)}, {1.0}}; }

WeightedHands every_hand(const Deck& deck) {
  WeightedHands player;
  for (std::uint32_t i = 0; i < choose(deck.num_cards(), 2); ++i) {
    player.hands.push_back(subset_at(i, 2));
    player.weights.push_back(1.0);
  }
  return player;
}

WeightedHands pairs_of(int rank) {
  WeightedHands player;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < a; ++b) {
      player.hands.push_back(bit(kDeck52.card(rank, a)) | bit(kDeck52.card(rank, b)));
      player.weights.push_back(1.0);
    }
  return player;
}

WeightedHands some_hands(int count, int num_hole, const Deck& deck, std::uint64_t seed) {
  WeightedHands player;
  Random random{seed};
  const std::uint32_t all = choose(deck.num_cards(), num_hole);
  while (static_cast<int>(player.hands.size()) < count) {
    const CardSet drawn = subset_at(random.below(all), num_hole);
    if (std::ranges::find(player.hands, drawn) != player.hands.end()) continue;
    player.hands.push_back(drawn);
    player.weights.push_back(random.below(4) == 0 ? 1.0 : random.uniform());
  }
  return player;
}

void slow_deals(const Matchup& matchup, const std::vector<Card>& board, int player, CardSet used, double weight,
                std::vector<Strength>& own, Outcomes& outcomes) {
  if (player == matchup.num_players()) {
    const Strength best = std::ranges::max(own);
    std::size_t winners = 0;
    for (std::size_t i = 0; i < own.size(); ++i) winners |= std::size_t{own[i] == best} << i;
    outcomes[winners] += weight;
    return;
  }
  const WeightedHands& held = matchup.players[player];
  for (std::size_t i = 0; i < held.hands.size(); ++i) {
    if (held.hands[i] & used) continue;
    own[player] = strength(matchup.rule, matchup.deck, list(held.hands[i]), board);
    slow_deals(matchup, board, player + 1, used | held.hands[i], weight * held.weights[i], own, outcomes);
  }
}

// Deal by deal and board by board.
Equity slow_equity(const Matchup& matchup) {
  Outcomes outcomes(std::size_t{1} << matchup.num_players());
  std::vector<Strength> own(matchup.num_players());
  const std::uint32_t boards = choose(matchup.deck.num_cards(), matchup.num_missing());
  for (std::uint32_t i = 0; i < boards; ++i) {
    const CardSet rest = subset_at(i, matchup.num_missing());
    if (rest & ~matchup.available) continue;
    slow_deals(matchup, list(matchup.board | rest), 0, matchup.board | rest, 1.0, own, outcomes);
  }
  return summarize(outcomes, matchup.num_players(), 0);
}

template <class Method>
Equity finish(Method method, int threads = 2) {
  method.run(method.num_chunks(), threads);
  return method.result();
}

bool close(double a, double b, double tolerance = 1e-12) { return std::abs(a - b) <= tolerance; }

void check_same(const Equity& a, const Equity& b) {
  for (std::size_t i = 0; i < b.equities.size(); ++i) {
    CHECK(close(a.equities[i], b.equities[i]));
    CHECK(close(a.wins[i], b.wins[i]));
    CHECK(close(a.ties[i], b.ties[i]));
  }
}

}  // namespace

TEST(equity_of_classes_before_the_flop) {
  const Matchup matchup(Showdown::kHoldem, kDeck52, 2, {pairs_of(12), pairs_of(11)}, {}, {});
  const Equity equity = finish(ExactEquity(matchup));
  CHECK(close(equity.equities[0], 0.8194605, 5e-8));
  CHECK(close(equity.equities[0] + equity.equities[1], 1.0));
}

TEST(equity_sweep_agrees_with_slow_deals) {
  for (const bool is_short : {false, true}) {
    const Deck deck = is_short ? kDeck36 : kDeck52;
    const Matchup matchup(is_short ? Showdown::kShortDeck : Showdown::kHoldem, deck, 2,
                          {some_hands(60, 2, deck, 1), some_hands(50, 2, deck, 2)},
                          cards_of(is_short ? "Ts9s8dQh" : "2c9sTdQh", deck), cards_of("Ac", deck));
    check_same(finish(ExactEquity(matchup)), slow_equity(matchup));
  }
}

TEST(equity_of_many_players_agrees_with_slow_deals) {
  const Matchup three(Showdown::kHoldem, kDeck52, 2,
                      {some_hands(9, 2, kDeck52, 3), some_hands(8, 2, kDeck52, 4), some_hands(7, 2, kDeck52, 5)},
                      cards_of("2c9sTdQh"), {});
  check_same(finish(ExactEquity(three)), slow_equity(three));
  const Matchup nine(Showdown::kHoldem, kDeck52, 2,
                     {hand("AsKs"), hand("AdKd"), hand("2h2d"), hand("JcTc"), hand("7h8h"), hand("QsQd"), hand("5c4c"),
                      hand("AhKh"), hand("3s3d")},
                     cards_of("Ts9s8d6h"), {});
  check_same(finish(ExactEquity(nine)), slow_equity(nine));
}

TEST(equity_of_omaha_agrees_with_slow_deals) {
  for (const int num_hole : {4, 5}) {
    const Matchup matchup(Showdown::kOmaha, kDeck52, num_hole,
                          {some_hands(6, num_hole, kDeck52, 6), some_hands(5, num_hole, kDeck52, 7)}, cards_of("2c9sTdQh"), {});
    check_same(finish(ExactEquity(matchup)), slow_equity(matchup));
  }
}

TEST(equity_uses_symmetry_only_where_it_holds) {
  WeightedHands most_aces = pairs_of(12);
  most_aces.weights[0] = 0.25;
  for (const WeightedHands& aces : {pairs_of(12), most_aces}) {
    for (const char* board : {"2c9c", "2c2d", "2c9h4s"}) {
      const Matchup matchup(Showdown::kHoldem, kDeck52, 2, {aces, hand("KhKd")}, cards_of(board), cards_of("7s"));
      check_same(finish(ExactEquity(matchup)), slow_equity(matchup));
    }
  }
}

TEST(equity_counts_fewer_boards_where_suits_are_alike) {
  WeightedHands most_aces = pairs_of(12);
  most_aces.weights[0] = 0.25;  // leaves 4 of the 24 renamings
  const auto evaluations = [](const WeightedHands& aces) {
    const Matchup matchup(Showdown::kHoldem, kDeck52, 2, {aces, every_hand(kDeck52)}, {}, {});
    return ExactEquity(matchup).num_evaluations();
  };
  CHECK(close(evaluations(most_aces) / evaluations(pairs_of(12)), 6, 1e-3));
}

TEST(equity_depends_on_ratios_of_weights_only) {
  WeightedHands faint = pairs_of(12);
  for (double& weight : faint.weights) weight *= 1e-300;
  const auto find = [](const WeightedHands& aces) {
    return finish(ExactEquity(Matchup(Showdown::kHoldem, kDeck52, 2, {aces, pairs_of(11)}, cards_of("2c9sTd"), {})));
  };
  check_same(find(faint), find(pairs_of(12)));
}

TEST(sampled_equity_is_near_the_exact_one) {
  const Matchup matchup(Showdown::kHoldem, kDeck52, 2,
                        {some_hands(40, 2, kDeck52, 8), every_hand(kDeck52), some_hands(5, 2, kDeck52, 9)}, cards_of("2c9sTdQh"),
                        {});
  const Equity exact = finish(ExactEquity(matchup));
  const Equity sampled = finish(SampledEquity(matchup, 200'000, 5));
  CHECK_EQUAL(sampled.samples, 200'000u);
  for (std::size_t i = 0; i < 3; ++i) CHECK(close(exact.equities[i], sampled.equities[i], 4 * sampled.standard_errors[i]));
}

TEST(equity_does_not_depend_on_threads_or_slices) {
  const Matchup matchup(Showdown::kHoldem, kDeck52, 2, {some_hands(99, 2, kDeck52, 8), some_hands(99, 2, kDeck52, 9)},
                        cards_of("2c9s"), {});
  const Equity exact = finish(ExactEquity(matchup), 1);
  const Equity sampled = finish(SampledEquity(matchup, 50'000, 5), 1);
  CHECK(exact.equities == finish(ExactEquity(matchup), 3).equities);
  CHECK(sampled.equities == finish(SampledEquity(matchup, 50'000, 5), 3).equities);
  CHECK(sampled.equities != finish(SampledEquity(matchup, 50'000, 6), 3).equities);
  ExactEquity sliced(matchup);
  for (std::int64_t i = 0; i < sliced.num_chunks(); ++i) sliced.run(1, 2);
  CHECK(exact.equities == sliced.result().equities);
  CHECK_THROWS((sliced.run(-1, 1), 0));
  CHECK_THROWS((sliced.run(1, 1025), 0));
  CHECK_THROWS(SampledEquity(matchup, ~std::uint64_t{0}, 5));
}

TEST(matchup_refuses_what_cannot_be_dealt) {
  const auto make = [](std::vector<WeightedHands> players, const char* board = "", const char* dead = "") {
    return Matchup(Showdown::kHoldem, kDeck52, 2, std::move(players), cards_of(board), cards_of(dead));
  };
  CHECK_THROWS(make({hand("AsKs")}));
  CHECK_THROWS(make({hand("AsKs"), hand("AsQs")}));
  CHECK_THROWS(make({pairs_of(12), pairs_of(12), pairs_of(12)}));
  CHECK_THROWS(make({hand("AsKs"), hand("2h2d")}, "As2c3c"));
  CHECK_THROWS(make({hand("AsKs"), hand("2h2d")}, "", "As"));
  CHECK_THROWS(make({hand("AsKs"), hand("2h2d")}, "3c4c5c", "3c"));
  CHECK_THROWS(make({hand("AsKs"), hand("2h2d")}, "3c4c5c6c7c8c"));
  CHECK_THROWS(make({hand("AsKs"), {{set("2h2d")}, {0.0}}}));
  CHECK_THROWS(make({hand("AsKs"), {{set("2h2d")}, {std::nan("")}}}));
  CHECK_THROWS(make({hand("AsKs"), hand("2h2d4c")}));
  CHECK_THROWS(Matchup(Showdown::kOmaha, kDeck52, 2, {hand("AsKs"), hand("2h2d")}, {}, {}));
  CHECK_THROWS(Matchup(Showdown::kShortDeck, kDeck52, 2, {hand("AsKs"), hand("2h2d")}, {}, {}));
  CHECK_THROWS(SampledEquity(make({hand("AsKs"), hand("2h2d")}), 0, 1));
  make({pairs_of(12), pairs_of(12)});
}
