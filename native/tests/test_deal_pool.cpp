// SPDX-License-Identifier: MIT
#include "games/deal_pool.h"
#include "poker_tables.h"
#include "test.h"

using namespace regretless;
using namespace regretless::test;

TEST(deal_pools_draw_each_of_their_deals_alike) {
  const auto game = game_of(leduc());
  const DealPoolOf<Poker> pool(game, {.count = 60, .min_per_class = 8, .max_rejections = 1'000, .seed = 5});
  CHECK_EQUAL(pool.size(), 60u);
  CHECK_EQUAL(pool.num_lacking(), 0);
  std::vector<int> drawn(pool.size());
  Random random{1};
  for (int i = 0; i < 60'000; ++i) ++drawn[pool.draw(random)];
  for (const int times : drawn) CHECK(times > 800 && times < 1'200);
  std::vector<int> of_seat(pool.size());
  for (int i = 0; i < 30'000; ++i) ++of_seat[pool.draw(random, 1)];
  for (std::size_t i = 0; i < pool.size(); ++i) CHECK(pool.seat(i) == 0 ? of_seat[i] == 0 : of_seat[i] > 800 && of_seat[i] < 1'200);
  double sums[2] = {};
  for (std::size_t i = 0; i < pool.size(); ++i) sums[pool.seat(i)] += static_cast<double>(pool.weight(i));
  for (const double sum : sums) CHECK(sum > 29.99 && sum < 30.01);
}

TEST(hand_classes_are_those_of_canonical_hands) {
  CHECK_EQUAL(hand_classes(*game_of(no_limit_holdem(2, 1, 2, 100))).count, 169);
  CHECK_EQUAL(hand_classes(*game_of(omaha(2, 4))).count, 16'432);
  CHECK_EQUAL(hand_classes(LiarsDice(2, 3, 2)).count, 9);
}
