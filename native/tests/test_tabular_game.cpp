// SPDX-License-Identifier: MIT
#include "games/tabular_game.h"

#include "jobs/subgames.h"
#include "solve/vector_solver.h"
#include "test.h"

using namespace regretless;

namespace {

// Matching pennies: player 0 turns a coin, then player 1, who sees it and has one hand against two. Equal coins win for player 0,
// with hand 1 twice as much.
TabularParts pennies() {
  TabularParts parts;
  parts.name = "pennies";
  parts.action_names = {"heads", "tails"};
  parts.actors = {0, 1, 1, kTerminal, kTerminal, kTerminal, kTerminal};
  parts.first_children = {1, 3, 5, 7, 7, 7, 7};
  parts.num_children = {2, 2, 2, 0, 0, 0, 0};
  parts.slots = {-1, 0, 1, 0, 1, 0, 1};
  parts.stakes.assign(7, 2);
  parts.num_features = 3;
  parts.features = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  parts.num_hands = 2;
  parts.pair_weights = {1, 0, 0.25, 0};
  parts.tables = {-1, -1, -1, 0, 1, 1, 0};
  parts.scales = {0, 0, 0, 2, 2, 2, 2};
  parts.payoffs = {0.5, 0, 0.25, 0, -0.5, 0, -0.25, 0};
  return parts;
}

}  // namespace

TEST(tabular_game_says_what_its_tables_say) {
  const TabularGame game(pennies());
  CHECK(game.is_held(0, 0) && game.is_held(0, 1) && game.is_held(1, 0) && !game.is_held(1, 1));
  TabularState state = game.root();
  game.act(state, 1);
  CHECK_EQUAL(game.actor(state), 1);
  game.act(state, 1);
  CHECK_EQUAL(game.actor(state), kTerminal);
  std::array<std::int32_t, 2> won{};
  game.payoffs(state, {{1, 0}}, won);
  CHECK_EQUAL(won[0], 2);
  CHECK_EQUAL(won[1], -2);
  int second = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    Random random({1, i});
    second += game.deal(random).hands[0];
  }
  CHECK(std::abs(second - 800) < 100);
}

TEST(tabular_game_is_solved_and_searched) {
  const auto game = std::make_shared<const TabularGame>(pennies());
  const auto solver = make_vector_solver(game, {});
  solver->step(100);
  CHECK(std::abs(solver->best_value(1) - 1.2) < 1e-9);  // 4/5 of 1 and 1/5 of 2, whatever player 0 does
  CHECK(std::abs(solver->best_value(0) + 1.2) < 0.1);
  SubgameOptions options;
  options.iterations = 4;
  options.max_decisions = 1;
  const auto job = make_subgames(make_public_states(game, {}), options);
  SubgameBatch batch;
  batch.states = {0};
  batch.ranges = {1, 1, 1, 1};
  batch.stops = {{0, 2, 7}};
  job->begin(batch);
  while (const RangeQuestions* questions = job->ask()) {
    CHECK_EQUAL(questions->ranges[3], 0.f);  // a hand that player 1 never has
    job->answer(std::vector<float>(questions->ranges.size()).data());
  }
  CHECK(job->next_states()[0] > 0);
}

TEST(tabular_game_refuses_tables_that_do_not_fit) {
  const auto is_refused = [](auto change) {
    TabularParts parts = pennies();
    change(parts);
    CHECK_THROWS(TabularGame(parts));
  };
  is_refused([](TabularParts& parts) { parts.slots[2] = 0; });
  is_refused([](TabularParts& parts) { parts.slots[2] = 2; });
  is_refused([](TabularParts& parts) { parts.tables[3] = 2; });
  is_refused([](TabularParts& parts) { parts.first_children[1] = 1; });
  is_refused([](TabularParts& parts) { parts.num_children[2] = 3; });
  is_refused([](TabularParts& parts) { parts.actors[1] = kChance; });
  is_refused([](TabularParts& parts) { parts.pair_weights = {0, 0, 0, 0}; });
  is_refused([](TabularParts& parts) { parts.pair_weights[1] = 2; });
  is_refused([](TabularParts& parts) { parts.payoffs[0] = NAN; });
  is_refused([](TabularParts& parts) { parts.stakes[0] = 0; });
  is_refused([](TabularParts& parts) { parts.num_hands = 3; });
}
