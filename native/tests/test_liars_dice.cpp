// SPDX-License-Identifier: MIT
#include "games/liars_dice.h"

#include <numeric>

#include "games/tree_counts.h"
#include "jobs/random_play.h"
#include "test.h"

using namespace regretless;

namespace {

// Slot of a bid of so many dice of a face (from 1) with six faces.
constexpr int bid(int quantity, int face) { return (quantity - 1) * 6 + face - 1; }

}  // namespace

TEST(liars_dice_tree_counts) {
  const TreeCounts counts = count_tree(LiarsDice(1, 6, 2));
  CHECK_EQUAL(counts.histories, 294883);
  CHECK_EQUAL(counts.terminals, 147420);
  CHECK_EQUAL(counts.infosets, 24576);
}

TEST(liars_dice_bids_rise_and_a_call_ends_it) {
  const auto game = std::make_shared<LiarsDice>(1, 6, 2);
  LiarsDiceEpisode episode(game, {{3}, {6}});
  CHECK_THROWS(episode.choose(game->num_bids()));  // nobody has bid
  CHECK_THROWS(episode.choose(-1));
  CHECK_THROWS(episode.choose(64));
  CHECK_THROWS(episode.payoffs());
  episode.choose(bid(1, 3));
  CHECK_EQUAL(episode.actor(), 1);
  CHECK_THROWS(episode.choose(bid(1, 3)));
  CHECK_THROWS(episode.choose(bid(1, 2)));
  episode.choose(bid(2, 3));  // true: a three, and the six is wild
  episode.choose(game->num_bids());
  CHECK_EQUAL(episode.actor(), kTerminal);
  CHECK_EQUAL(episode.payoffs()[0], -1);
  CHECK_EQUAL(episode.payoffs()[1], 1);
  CHECK_THROWS(episode.choose(0));
  CHECK_EQUAL(episode.history().size(), 3u);
}

TEST(liars_dice_the_liar_pays_every_other_player) {
  const auto game = std::make_shared<LiarsDice>(1, 6, 3);
  LiarsDiceEpisode episode(game, {{1}, {2}, {3}});
  episode.choose(bid(2, 1));
  episode.choose(game->num_bids());
  CHECK_EQUAL(episode.payoffs()[0], -2);
  CHECK_EQUAL(episode.payoffs()[1], 1);
  CHECK_EQUAL(episode.payoffs()[2], 1);
}

TEST(liars_dice_refuses_sizes_that_do_not_fit) {
  CHECK_THROWS(LiarsDice(0, 6, 2));
  CHECK_THROWS(LiarsDice(7, 2, 2));
  CHECK_THROWS(LiarsDice(1, 1, 2));
  CHECK_THROWS(LiarsDice(1, 6, 11));
  CHECK_THROWS(LiarsDice(4, 8, 2));  // 64 bids
  CHECK_EQUAL(LiarsDice(3, 7, 3).num_actions(), 64);
  CHECK_THROWS(LiarsDiceEpisode(std::make_shared<LiarsDice>(1, 6, 2), {{1, 2}}));
  CHECK_THROWS(LiarsDiceEpisode(std::make_shared<LiarsDice>(1, 6, 2), {{1}, {7}}));
}

TEST(liars_dice_is_zero_sum) {
  for (const auto& [dice, faces, players] : {std::array{1, 6, 2}, std::array{2, 3, 2}, std::array{3, 7, 3}, std::array{1, 6, 10}}) {
    const RandomPlay totals = play_random(std::make_shared<LiarsDice>(dice, faces, players), 5'000, 3, 2);
    CHECK_EQUAL(std::accumulate(totals.payoffs.begin(), totals.payoffs.end(), std::int64_t{0}), 0);
    CHECK(totals.decisions >= 2 * 5'000);
  }
}
