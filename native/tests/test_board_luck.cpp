// SPDX-License-Identifier: MIT
#include "jobs/board_luck.h"

#include <cmath>

#include "jobs/self_play.h"
#include "poker_tables.h"
#include "test.h"

using namespace regretless;
using namespace regretless::test;

namespace {

// Mostly calls, now and then a raise or a fold.
EpisodeLog play(std::shared_ptr<const Poker> game, std::int64_t episodes) {
  SelfPlayOptions options;
  options.episodes = episodes;
  options.copies = 2;
  const auto job = make_self_play(game, options);
  while (const auto questions = job->ask()) {
    std::vector<float> probabilities(questions->legal.size(), 0.05f);
    for (std::size_t row = 0; row < questions->actors.size(); ++row)
      probabilities[row * static_cast<std::size_t>(job->num_actions()) + 1] = 1;
    job->answer(probabilities.data());
  }
  return job->log();
}

PlayedEpisodes episodes_of(const EpisodeLog& log) { return {log.hands, log.boards, log.offsets, log.slots, 2, 0}; }

void check_luck_is_fair(std::shared_ptr<const Poker> game, std::int64_t episodes) {
  const EpisodeLog log = play(game, episodes);
  RunoutValues values{{20}, {}, {}};
  const auto size = static_cast<std::size_t>(2 * game->rules().num_streets * 2 * kNumCells);
  Random random{1};
  for (std::size_t i = 0; i < size; ++i) values.bases.push_back(random.uniform()), values.slopes.push_back(random.uniform());
  const auto luck = follow_luck(*game, episodes_of(log), values, {.samples = 20, .seed = 3});
  CHECK(luck == follow_luck(*game, episodes_of(log), values, {.samples = 20, .seed = 3, .threads = 3}));
  double sum = 0, squares = 0;  // of deals, as copies are not independent
  const auto width = static_cast<std::size_t>(2 * game->rules().num_streets);
  for (std::size_t d = 0; d < luck.size() / width; ++d) {
    double total = 0;
    for (std::size_t i = d * width; i < (d + 1) * width; ++i) total += luck[i];
    sum += total;
    squares += total * total;
  }
  CHECK(squares > 0);
  CHECK(std::abs(sum) < 4 * std::sqrt(squares));
}

}  // namespace

TEST(luck_with_the_board_is_0_on_average_whatever_the_values) {
  check_luck_is_fair(game_of(no_limit_holdem(2, 1, 2, 100), {"50%", "a"}), 2'000);
  check_luck_is_fair(game_of(short_deck(2), {"50%", "a"}), 1'000);
  check_luck_is_fair(game_of(omaha(2, 4), {"a"}), 200);
}

TEST(runouts_agree_with_payoffs) {
  const auto game = game_of(no_limit_holdem(2, 1, 2, 100), {"50%", "a"});
  const EpisodeLog log = play(game, 400);
  const BoardRecord found = follow_runouts(*game, episodes_of(log), {.samples = 10, .threads = 2});
  CHECK_EQUAL(found.equities.size(), 200u * 5);
  CHECK_EQUAL(found.step_pots[0], 3);
  for (std::size_t e = 0; e < 400; ++e) {
    const float* equities = found.equities.data() + e / 2 * 5;
    const int last = found.pots[e * 4 + 3];
    const bool folded = log.slots[static_cast<std::size_t>(log.offsets[e + 1]) - 1] == kFoldSlot;
    if (last > 0 && !folded) CHECK_EQUAL(equities[4] > 0.5f, log.payoffs[e * 2] > 0);
    CHECK(equities[0] == equities[1]);
    CHECK(found.cells[e / 2 * 5] >= 0 && found.cells[e / 2 * 5] < kNumCells);
  }
}

TEST(runouts_refuse_what_was_not_played) {
  const auto game = game_of(no_limit_holdem(2, 1, 2, 100), {"50%", "a"});
  const EpisodeLog log = play(game, 20);
  EpisodeLog wrong = log;
  wrong.slots.assign(wrong.slots.size(), 9);
  CHECK_THROWS(follow_runouts(*game, episodes_of(wrong), {}));
  wrong = log;
  wrong.hands[3] = -1;
  CHECK_THROWS(follow_runouts(*game, episodes_of(wrong), {.threads = 2}));
  wrong = log;
  wrong.offsets.pop_back();
  CHECK_THROWS(follow_runouts(*game, episodes_of(wrong), {}));
  CHECK_THROWS(follow_runouts(*game_of(leduc()), episodes_of(log), {}));
  CHECK_THROWS(follow_runouts(*game_of(no_limit_holdem(3, 1, 2, 100)), episodes_of(log), {}));
  CHECK_THROWS(follow_luck(*game, episodes_of(log), {{}, {0.f}, {0.f}}, {}));
}
