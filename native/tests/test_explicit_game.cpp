// SPDX-License-Identifier: MIT
#include "games/explicit_game.h"

#include "jobs/self_play.h"
#include "jobs/spot_questions.h"
#include "solve/mccfr.h"
#include "test.h"

using namespace regretless;

namespace {

// Chance deals a high card (once in four) or a low one; player 0 bets or passes, and player 1, who sees no card, calls or folds.
ExplicitParts bluff() {
  ExplicitParts parts;
  parts.name = "bluff";
  parts.num_players = 2;
  parts.actors = {-1, 0, 0, 1, -2, 1, -2, -2, -2, -2, -2};
  parts.parents = {-1, 0, 0, 1, 1, 2, 2, 3, 3, 5, 5};
  parts.first_children = {1, 3, 5, 7, 9, 9, 11, 11, 11, 11, 11};
  parts.num_children = {2, 2, 2, 2, 0, 2, 0, 0, 0, 0, 0};
  parts.chance_probabilities = {1, 0.25, 0.75, 1, 1, 1, 1, 1, 1, 1, 1};
  parts.infosets = {-1, 0, 1, 2, -1, 2, -1, -1, -1, -1, -1};
  parts.terminals = {-1, -1, -1, -1, 0, -1, 1, 2, 3, 4, 5};
  parts.payoffs = {1, -1, -1, 1, 2, -2, 1, -1, -2, 2, 1, -1};
  parts.keys = {100, 200, 300};
  parts.infoset_names = {"high", "low", "a bet"};
  parts.slots = {{0, 1}, {0, 1}, {3, 2}};  // slots need not be in the order of actions
  parts.texts = {{"bet", "pass"}, {"bet", "pass"}, {"call", "fold"}};
  parts.action_names = {"bet", "pass", "fold", "call"};
  return parts;
}

std::shared_ptr<const ExplicitGame> game() { return std::make_shared<ExplicitGame>(bluff()); }

TEST(explicit_game_plays_by_slots) {
  const auto g = game();
  ExplicitState state = g->root();
  CHECK_EQUAL(g->actor(state), kChance);
  g->reveal(state, 1u);
  CHECK_EQUAL(g->actor(state), 0);
  CHECK_EQUAL(g->legal(state), ActionMask{3});
  CHECK(g->infoset_text(state, {}, {}) == "low");
  g->act(state, 0);
  CHECK_EQUAL(g->actor(state), 1);
  CHECK_EQUAL(g->legal(state), ActionMask{12});
  CHECK(g->slot_text(state, 3) == "call");
  CHECK_EQUAL(g->infoset(state, {}, 1), g->infoset_keys()[2]);
  const auto path = g->path(state);
  CHECK_EQUAL(path.size(), std::size_t{1});
  CHECK_EQUAL(path[0].second.slot, 0);
  CHECK_EQUAL(path[0].first.draws, 1);
  g->act(state, 3);
  std::array<std::int32_t, 2> payoffs{};
  g->payoffs(state, {}, payoffs);
  CHECK_EQUAL(payoffs[0], -2);
  CHECK_EQUAL(payoffs[1], 2);
}

TEST(explicit_game_draws_chance_as_likely_as_it_is) {
  const auto g = game();
  int high = 0;
  for (std::uint64_t i = 0; i < 40'000; ++i) {
    Random random{7, i};
    high += g->outcome(g->root(), g->deal(random)) == 0;
  }
  CHECK(std::abs(high - 10'000) < 400);
}

TEST(explicit_game_refuses_what_does_not_fit) {
  const auto refused = [](auto change) {
    ExplicitParts parts = bluff();
    change(parts);
    try {
      ExplicitGame{std::move(parts)};
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(refused([](ExplicitParts& p) { p.slots[2] = {3, 3}; }));
  CHECK(refused([](ExplicitParts& p) { p.slots[2] = {3}; }));
  CHECK(refused([](ExplicitParts& p) { p.slots[2] = {3, 4}; }));
  CHECK(refused([](ExplicitParts& p) { p.keys[0] = p.keys[1]; }));
  CHECK(refused([](ExplicitParts& p) { p.num_players = 11; }));
  CHECK(refused([](ExplicitParts& p) { p.payoffs.pop_back(); }));
  CHECK(refused([](ExplicitParts& p) { p.parents.pop_back(); }));
  CHECK(!refused([](ExplicitParts&) {}));
}

TEST(explicit_game_is_the_same_for_all_threads) {
  const auto play = [](int threads, int tables) {
    SelfPlayOptions options;
    options.episodes = 1000;
    options.tables = tables;
    options.threads = threads;
    options.questions.with_history = options.questions.with_past = true;
    options.questions.encoders = {"infoset"};
    const auto job = make_self_play(game(), options);
    for (auto questions = job->ask(); questions; questions = job->ask()) {
      const std::vector<float> answer(static_cast<std::size_t>(questions->batch) * 4, 1.f);
      job->answer(answer.data());
    }
    return job->take_steps();
  };
  const Steps one = play(1, 7), two = play(2, 64);
  CHECK(one.payoffs == two.payoffs);
  CHECK(one.slots == two.slots);
  CHECK(one.infosets == two.infosets);
}

TEST(explicit_game_is_asked_once_for_each_infoset) {
  SpotOptions options;
  options.questions.with_history = options.questions.with_past = true;
  const auto asked = ask_everywhere(game(), options);
  CHECK_EQUAL(asked->num_rows(), 3);
  const auto questions = asked->ask(0, 3);
  CHECK(questions->infosets == game()->infoset_keys());
  CHECK_EQUAL(questions->step_offsets.back(), 1);  // of a bet alone there is a history
}

TEST(explicit_game_is_solved_by_sampling) {
  // Three of four cards are low: they bluff 1 / 9 of the time, 1 / 3 of 1 / 3, and the bet is called 2 / 3 of the time.
  MccfrOptions options;
  const auto mccfr = make_mccfr(game(), options);
  mccfr->run(200'000);
  const StrategyTable table = mccfr->average_strategy();
  const auto row = [&](int infoset) {
    const auto at = std::ranges::find(table.keys, game()->infoset_keys()[static_cast<std::size_t>(infoset)]) - table.keys.begin();
    return table.probabilities.data() + 4 * at;
  };
  CHECK(row(0)[0] > 0.98);
  CHECK(std::abs(row(1)[0] - 1.0 / 9) < 0.02);
  CHECK(std::abs(row(2)[3] - 2.0 / 3) < 0.05);
}

}  // namespace
