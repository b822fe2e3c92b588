// SPDX-License-Identifier: MIT
#include "jobs/spot_questions.h"

#include "poker_tables.h"
#include "test.h"
#include "threads/thread_pool.h"

using namespace regretless;
using namespace regretless::test;

namespace {

const SpotOptions kEverything{
    3, {.encoders = {"slots12", "canonical24"}, .with_chips = true, .with_history = true, .with_seeds = true, .with_past = true}};

bool same(const Questions& a, const Questions& b) {
  return a.batch == b.batch && a.legal == b.legal && a.encoded == b.encoded && a.actors == b.actors && a.hands == b.hands &&
         a.episodes == b.episodes && a.infosets == b.infosets && a.pots == b.pots && a.hand_strengths == b.hand_strengths &&
         a.seeds == b.seeds && a.step_offsets == b.step_offsets && a.step_slots == b.step_slots &&
         a.past_offsets == b.past_offsets && a.past_slots == b.past_slots && (!a.past || same(*a.past, *b.past));
}

// Pieces, asked for by several threads at once, are the rows of the whole.
void check_pieces(const SpotQuestions& asked, std::int64_t piece) {
  const auto whole = asked.ask(0, asked.num_rows());
  ThreadPool pool(3);
  std::vector<int> failed(3);
  pool.run([&](int thread) {
    for (std::int64_t begin = thread * piece; begin < asked.num_rows(); begin += 3 * piece) {
      std::vector<std::int64_t> rows;
      for (std::int64_t row = begin; row < std::min(begin + piece, asked.num_rows()); ++row) rows.push_back(row);
      failed[thread] += !same(*asked.ask(begin, begin + static_cast<std::int64_t>(rows.size())), whole->part(rows));
    }
  });
  for (const int count : failed) CHECK_EQUAL(count, 0);
}

}  // namespace

TEST(spot_questions_in_pieces) {
  const auto dice = std::make_shared<const LiarsDice>(2, 3, 2);
  const auto everywhere = ask_everywhere(dice, kEverything);
  CHECK_EQUAL(everywhere->num_rows(), 9 * (1 << 12));  // any set of bids may have been made
  check_pieces(*everywhere, 1'000);
  const auto game = std::make_shared<const Poker>(no_limit_holdem(2, 1, 2, 100), menu_of({"50%", "a"}));
  std::vector<AnyEpisode> spots;
  PokerEpisode episode(game, 1, 2);
  for (; episode.actor() >= 0; episode.choose(kCallSlot)) spots.push_back(episode);
  const std::vector<std::int64_t> numbers(spots.size(), 2);
  check_pieces(*ask_spots(game, spots, numbers, std::nullopt, kEverything), 777);
  check_pieces(*ask_spots(game, spots, numbers, std::vector<Hand>{game->hand(episode.deal(), 0)}, kEverything), 2);
}

TEST(spot_questions_refuse) {
  const auto dice = std::make_shared<const LiarsDice>(1, 3, 2);
  const auto ask = [&](const LiarsDiceEpisode& episode, const std::optional<std::vector<Hand>>& hands = {}) {
    return ask_spots(dice, {episode}, std::nullopt, hands, {})->num_rows();
  };
  LiarsDiceEpisode called(dice, 1, 2);
  CHECK_THROWS(ask(called, std::vector<Hand>{3}));
  CHECK_THROWS(ask(LiarsDiceEpisode(std::make_shared<const LiarsDice>(1, 3, 2), 1, 2)));  // another game
  called.choose(0);
  CHECK_EQUAL(ask(called), 3);
  called.choose(dice->num_actions() - 1);
  CHECK_THROWS(ask(called));
  const auto asked = ask_everywhere(dice, {});
  CHECK_THROWS(asked->ask(0, asked->num_rows() + 1));
  CHECK_THROWS(ask_everywhere(std::make_shared<const LiarsDice>(2, 6, 2), {}));
}
