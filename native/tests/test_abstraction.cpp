// SPDX-License-Identifier: MIT
#include <cmath>
#include <numeric>

#include "cards.h"
#include "cards/equity_features.h"
#include "cards/hand_buckets.h"
#include "cards/kmeans.h"
#include "cards/suits.h"
#include "test.h"

using namespace regretless;

namespace {

constexpr Deck kTens{5, 4, 8};  // T to A

// Beaten hands twice and equal ones once, one by one.
int score_by_counting(Showdown rule, const Deck& deck, std::span<const Card> hole, std::span<const Card> board) {
  int score = 0;
  const Strength own = strength(rule, deck, hole, board);
  for (int a = 0; a < deck.num_cards(); ++a)
    for (int b = 0; b < a; ++b) {
      const Card other[] = {static_cast<Card>(a), static_cast<Card>(b)};
      if (share_card(card_set(other), card_set(hole) | card_set(board))) continue;
      const Strength theirs = strength(rule, deck, other, board);
      score += (theirs < own) + (theirs <= own);
    }
  return score;
}

// Points around so many places.
Points some_points(int places, int count) {
  Points points{2, {}};
  Random random{3};
  for (int i = 0; i < count; ++i) {
    points.numbers.push_back(static_cast<float>(i % places) + 0.1f * random.uniform());
    points.numbers.push_back(0.1f * random.uniform());
  }
  return points;
}

HandBuckets::Tables numbered_tables(const std::vector<std::size_t>& sizes) {
  HandBuckets::Tables tables;
  for (const auto& [table, size] :
       {std::pair{&tables.preflop, sizes[0]}, {&tables.flop, sizes[1]}, {&tables.turn, sizes[2]}, {&tables.river, sizes[3]}})
    for (std::size_t i = 0; i < size; ++i) table->push_back(static_cast<std::uint16_t>(i % 60'000));
  return tables;
}

}  // namespace

TEST(abstraction_scores_count_the_hands_that_are_beaten) {
  for (const auto& [rule, deck] :
       {std::pair{Showdown::kHoldem, kDeck52}, {Showdown::kShortDeck, kDeck36}, {Showdown::kHoldem, kTens}}) {
    const BoardScores scores(rule, deck);
    std::vector<BoardScores::Score> all(scores.hands().num_hands());
    Random random{1};
    for (int i = 0; i < 20; ++i) {
      const std::vector<Card> cards = test::draw_cards(deck, 7, random);
      const std::span<const Card> hole(cards.data(), 2), board(cards.data() + 2, 5);
      scores.all(board, all.data());
      const int expected = score_by_counting(rule, deck, hole, board);
      CHECK_EQUAL(int{all[subset_index(card_set(hole))]}, expected);
      CHECK_EQUAL(scores.one(hole, board), expected);
      for (std::uint32_t hand = 0; hand < scores.hands().num_hands(); ++hand)
        CHECK((all[hand] == BoardScores::kBlocked) == share_card(scores.hands().set(hand), card_set(board)));
    }
  }
  CHECK_EQUAL(BoardScores(Showdown::kHoldem, kDeck52).most(), 1980);
  CHECK_THROWS(BoardScores(Showdown::kOmaha, kDeck52));
}

TEST(abstraction_features_are_means_over_the_boards_to_come) {
  const BoardScores scores(Showdown::kHoldem, kTens);
  const double most = scores.most();
  for (const int num_board : {3, 4}) {
    std::vector<FeatureRows> by_kind;
    for (const FeatureKind kind : {FeatureKind::kEhs, FeatureKind::kEhs2, FeatureKind::kHistogram}) {
      const EquityFeatures features(Showdown::kHoldem, kTens, num_board, kind);
      std::vector<std::int64_t> boards(static_cast<std::size_t>(features.num_boards()));
      std::iota(boards.begin(), boards.end(), 0);
      by_kind.push_back(features.rows(boards, 2));
    }
    const FeatureRows& rows = by_kind[0];
    const CanonicalIndex deals({2, num_board}, kTens);
    std::vector<bool> met(deals.size(1));
    std::uint64_t weight = 0;
    for (std::size_t r = 0; r < rows.indices.size(); ++r) {
      CHECK(!met[rows.indices[r]]);
      met[rows.indices[r]] = true;
      weight += rows.weights[r];
    }
    CHECK(std::ranges::all_of(met, [](bool m) { return m; }));
    CHECK_EQUAL(weight, std::uint64_t{choose(20, 2)} * choose(18, num_board));

    for (std::size_t r = 0; r < rows.indices.size(); r += rows.indices.size() / 15) {
      std::array<Card, 7> cards;
      deals.cards(1, rows.indices[r], cards.data());
      CHECK_EQUAL(deals.index({cards.data(), 2}), rows.classes[r]);
      const CardSet known = card_set({cards.data(), static_cast<std::size_t>(2 + num_board)});
      double sum = 0, squares = 0, count = 0;
      std::array<double, EquityFeatures::kBins> below{};
      for (std::uint32_t i = 0; i < choose(20, 5 - num_board); ++i) {
        const CardSet rest = subset_at(i, 5 - num_board);
        if (share_card(rest, known)) continue;
        write_cards(rest, cards.data() + 2 + num_board);
        const double equity = score_by_counting(Showdown::kHoldem, kTens, {cards.data(), 2}, {cards.data() + 2, 5}) / most;
        sum += equity;
        squares += equity * equity;
        ++count;
        for (int bin = 1; bin < EquityFeatures::kBins; ++bin) below[bin] += equity * EquityFeatures::kBins < bin - 1e-9;
      }
      CHECK(std::abs(rows.equities[r] - sum / count) < 1e-6);
      CHECK(std::abs(rows.features[r] - sum / count) < 1e-6);
      CHECK(std::abs(by_kind[1].features[r] - squares / count) < 1e-6);
      for (int bin = 1; bin < EquityFeatures::kBins; ++bin)
        CHECK(std::abs(by_kind[2].features[r * (EquityFeatures::kBins - 1) + bin - 1] - below[bin] / count) < 1e-6);
    }
  }
  CHECK_THROWS(EquityFeatures(Showdown::kHoldem, kTens, 5, FeatureKind::kEhs));
}

TEST(abstraction_counts_all_scores) {
  const ScoreCounts counts(Showdown::kHoldem, kTens);
  const auto one = counts.count(0, counts.num_boards(), 1), three = counts.count(0, counts.num_boards(), 3);
  CHECK(one == three);
  CHECK_EQUAL(std::accumulate(one.begin(), one.end(), std::int64_t{0}), std::int64_t{choose(20, 2)} * choose(18, 5));
  double mean = 0;
  for (std::size_t score = 0; score < one.size(); ++score)
    mean += static_cast<double>(score) / counts.most() * static_cast<double>(one[score]);
  CHECK(std::abs(mean / (choose(20, 2) * choose(18, 5)) - 0.5) < 1e-12);  // what one wins the other loses
}

TEST(abstraction_kmeans_finds_places_whatever_the_threads) {
  const std::vector<double> weights(5'000, 2.0);
  KMeans one(some_points(7, 5'000), weights, 7, 11, 1), three(some_points(7, 5'000), weights, 7, 11, 3);
  for (int i = 0; i < 20; ++i) CHECK(one.step() == three.step());
  CHECK(one.centroids().numbers == three.centroids().numbers);
  CHECK(one.error() < 0.01);
  CHECK(!one.step());
  // Fewer different points than clusters.
  Points few{1, {1, 1, 2, 3, 2}};
  KMeans small(few, std::vector<double>(5, 1.0), 10, 0, 1);
  CHECK_EQUAL(small.centroids().size(), 3u);
  CHECK_EQUAL(small.error(), 0.0);
  CHECK_THROWS(KMeans(few, {1, 1}, 2, 0, 1));
  CHECK_THROWS(KMeans(few, {1, 1, 1, 1, -1}, 2, 0, 1));
}

TEST(abstraction_nearest_centroid_is_the_nearest) {
  Random random{5};
  for (const int count : {1, 3, 64, 131}) {
    Points centroids{3, {}};
    for (int i = 0; i < 3 * count; ++i) centroids.numbers.push_back(random.uniform());
    const NearestCentroid nearest(centroids);
    for (int i = 0; i < 50; ++i) {
      const float point[] = {random.uniform(), random.uniform(), random.uniform()};
      std::size_t best = 0;
      double least = 1e9;
      for (std::size_t c = 0; c < centroids.size(); ++c) {
        double distance = 0;
        for (int d = 0; d < 3; ++d) distance += std::pow(static_cast<double>(centroids.at(c)[d]) - point[d], 2);
        if (distance < least) least = distance, best = c;
      }
      CHECK_EQUAL(std::size_t{nearest.find(point).cluster}, best);
    }
  }
}

TEST(abstraction_buckets_know_nothing_of_suits) {
  for (const auto& [rule, deck] : {std::pair{Showdown::kHoldem, kTens}, {Showdown::kShortDeck, kDeck36}}) {
    const std::vector<std::size_t> sizes = HandBuckets::table_sizes(rule, deck);
    const HandBuckets buckets("numbers", rule, deck, numbered_tables(sizes));
    CHECK_EQUAL(static_cast<std::size_t>(buckets.num_buckets(0)), sizes[0]);
    Random random{9};
    for (int i = 0; i < 200; ++i) {
      const std::size_t num_board = std::array<std::size_t, 4>{0, 3, 4, 5}[i % 4];
      std::vector<Card> cards = test::draw_cards(deck, 2 + static_cast<int>(num_board), random);
      const auto bucket = buckets.bucket(std::span(cards).first(2), std::span(cards).subspan(2));
      std::reverse(cards.begin(), cards.begin() + 2);
      std::reverse(cards.begin() + 2, cards.end());
      const SuitPermutation& renaming = kSuitPermutations[random.below(24)];
      for (Card& card : cards) card = deck.card(deck.rank(card), renaming[deck.suit(card)]);
      CHECK_EQUAL(buckets.bucket(std::span(cards).first(2), std::span(cards).subspan(2)), bucket);
    }
    HandBuckets::Tables wrong = numbered_tables(sizes);
    wrong.turn.pop_back();
    CHECK_THROWS(HandBuckets("wrong", rule, deck, wrong));
  }
}
