// SPDX-License-Identifier: MIT
#include "jobs/subgames.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "jobs/search_profile.h"
#include "poker_tables.h"
#include "solve/vector_solver.h"
#include "test.h"

using namespace regretless;

namespace {

using Doubles = std::vector<double>;

Discounts discounts_of(std::string_view name, bool alternates = true) {
  for (const NamedDiscounts& row : kDiscounts)
    if (row.name == name) {
      Discounts discounts = row.discounts;
      discounts.alternates = alternates;
      return discounts;
    }
  throw std::invalid_argument("no such member of the family");
}

SubgameOptions options_of(const Discounts& discounts, int iterations, int max_decisions = 0, int threads = 1) {
  SubgameOptions options;
  options.discounts = discounts;
  options.iterations = iterations;
  options.max_decisions = max_decisions;
  options.threads = threads;
  return options;
}

// Ranges [subgames, 2, hands] with zeros here and there; sums are of no matter.
Doubles random_ranges(std::size_t subgames, std::size_t hands, std::uint64_t seed) {
  Random random({seed});
  Doubles ranges(subgames * 2 * hands);
  for (double& range : ranges) range = random.below(4) == 0 ? 0 : 1 + random.below(64);
  return ranges;
}

// Answers that depend on their own row alone, to the bit; other than zero-sum.
template <class Job>
void answer_all(Job& job, std::size_t hands) {
  std::vector<float> values;
  while (const LeafQuestions* questions = job.ask()) {
    values.resize(questions->ranges.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = questions->ranges[i] * static_cast<float>(questions->states[i / (2 * hands)] + 1) -
                  0.125f * static_cast<float>(i % hands);
    job.answer(values.data());
  }
}

// The average strategies of one subgame without a limit beside those of the solver of the whole tree.
double largest_difference(Subgames& job, VectorSolver& solver) {
  const auto hands = static_cast<std::size_t>(job.num_hands());
  const Doubles found = job.average_strategies(0);
  const auto& outline = job.nodes(0);
  CHECK_EQUAL(outline.size(), solver.problem()->nodes().size());
  double largest = 0;
  for (std::size_t n = 0; n < outline.size(); ++n) {
    const SubgameNode& node = outline[n];
    CHECK_EQUAL(node.actor, solver.problem()->nodes()[n].actor);
    if (node.actor < 0) continue;
    const Doubles expected = solver.strategy(static_cast<std::int32_t>(n));
    const auto& held = solver.problem()->hands(node.actor);
    const std::vector<bool> possible = solver.problem()->hands_possible(static_cast<std::int32_t>(n), node.actor);
    for (std::size_t a = 0; a < static_cast<std::size_t>(node.num_children); ++a)
      for (std::size_t h = 0; h < held.size(); ++h)
        if (possible[h])
          largest = std::max(largest,
                             std::abs(found[static_cast<std::size_t>(node.offset) + a * hands + static_cast<std::size_t>(held[h])] -
                                      expected[a * held.size() + h]));
  }
  return largest;
}

struct Results {
  Doubles root_values, next_ranges, strategies, averages;
  std::vector<std::int32_t> next_states;
  bool operator==(const Results&) const = default;
};

// Subgames first to last of a batch, in one go, with a stop each.
Results solve(Subgames& job, const std::vector<std::int32_t>& states, const Doubles& ranges, std::size_t first, std::size_t last) {
  const auto hands = static_cast<std::size_t>(job.num_hands());
  std::vector<SubgameStop> stops;
  for (std::size_t s = first; s < last; ++s)
    stops.push_back({static_cast<std::int32_t>(s - first), 1 + static_cast<std::int32_t>(s) % job.iterations(), s});
  job.begin({states.begin() + static_cast<std::ptrdiff_t>(first), states.begin() + static_cast<std::ptrdiff_t>(last)},
            ranges.data() + first * 2 * hands, stops, 0.25, true);
  answer_all(job, hands);
  Results results{job.root_values(), job.next_ranges(), {}, {}, job.next_states()};
  for (std::size_t s = 0; s < stops.size(); ++s) {
    const Doubles stop = job.stop_strategies(static_cast<std::int64_t>(s)),
                  average = job.average_strategies(static_cast<std::int64_t>(s));
    results.strategies.insert(results.strategies.end(), stop.begin(), stop.end());
    results.averages.insert(results.averages.end(), average.begin(), average.end());
  }
  return results;
}

void append(Results& all, const Results& more) {
  all.root_values.insert(all.root_values.end(), more.root_values.begin(), more.root_values.end());
  all.next_ranges.insert(all.next_ranges.end(), more.next_ranges.begin(), more.next_ranges.end());
  all.strategies.insert(all.strategies.end(), more.strategies.begin(), more.strategies.end());
  all.averages.insert(all.averages.end(), more.averages.begin(), more.averages.end());
  all.next_states.insert(all.next_states.end(), more.next_states.begin(), more.next_states.end());
}

// One batch on one thread, on three, and one subgame at a time.
void check_batches(const std::shared_ptr<const Poker>& game, SubgameOptions options, std::size_t count) {
  const auto alone = make_subgames(game, options);
  options.threads = 3;
  const auto shared = make_subgames(game, options);
  for (const auto& job : {alone.get(), shared.get()})
    for (std::int32_t state = 0; state < job->num_states() && state < 40; ++state) job->nodes(state);
  CHECK_EQUAL(alone->num_states(), shared->num_states());
  std::vector<std::int32_t> states;
  for (std::size_t s = 0; s < count; ++s)
    states.push_back(static_cast<std::int32_t>(s % 3 == 0 ? 0 : s % static_cast<std::size_t>(std::min(alone->num_states(), 40))));
  const Doubles ranges = random_ranges(count, static_cast<std::size_t>(game->num_hands()), 3);
  const Results whole = solve(*alone, states, ranges, 0, count);
  CHECK(solve(*shared, states, ranges, 0, count) == whole);
  Results parts;
  for (std::size_t s = 0; s < count; ++s) append(parts, solve(*shared, states, ranges, s, s + 1));
  CHECK(parts == whole);
  CHECK(std::any_of(whole.next_states.begin(), whole.next_states.end(), [](std::int32_t state) { return state >= 0; }));
}

}  // namespace

TEST(subgames_without_a_limit_equal_the_solver_on_leduc) {
  const auto game = test::game_of(test::leduc());
  // Sixty-fourths, so that sums and quotients are exact; no two alike, so that nothing ties.
  const Doubles weights{3, 5, 19, 7, 20, 10, 23, 2, 11, 9, 6, 13};
  for (const NamedDiscounts& row : kDiscounts)
    for (const bool alternates : {true, false}) {
      const Discounts discounts = discounts_of(row.name, alternates);
      const auto job = make_subgames(game, options_of(discounts, 30));
      job->begin({0}, weights.data(), {}, 0, false);
      CHECK(job->ask() == nullptr);
      SolveOptions options;
      options.discounts = discounts;
      options.problem.merges_suits = false;
      for (std::size_t p = 0; p < 2; ++p)
        for (std::size_t h = 0; h < 6; ++h) options.problem.weights[p].push_back(job->ranges()[p * 6 + h]);
      const auto solver = make_vector_solver(game, options);
      solver->step(30);
      CHECK(largest_difference(*job, *solver) < 1e-8);
      solver->step(1);
      CHECK(largest_difference(*job, *solver) > 1e-6);
    }
}

// Hold'em with 1,326 hands, to the end.
void check_spot(const std::vector<int>& board, bool alternates, int iterations) {
  const auto game = test::game_of(test::spot(static_cast<int>(board.size())), {"a"});
  SubgameOptions job_options = options_of(discounts_of("dcfr", alternates), iterations);
  job_options.board = board;
  const auto job = make_subgames(game, job_options);
  job->begin({0}, random_ranges(1, 1326, 5).data(), {}, 0, false);
  CHECK(job->ask() == nullptr);
  SolveOptions options;
  options.discounts = job_options.discounts;
  options.problem.board = board;
  options.problem.merges_suits = false;
  for (std::ptrdiff_t p = 0; p < 2; ++p)
    options.problem.weights[p].assign(job->ranges().begin() + p * 1326, job->ranges().begin() + (p + 1) * 1326);
  const auto solver = make_vector_solver(game, options);
  solver->step(iterations);
  CHECK(largest_difference(*job, *solver) < 1e-5);
  solver->step(1);
  CHECK(largest_difference(*job, *solver) > 1e-3);
}

TEST(subgames_without_a_limit_equal_the_solver_on_a_river) {
  check_spot({33, 29, 18, 40, 3}, true, 20);
  check_spot({33, 29, 18, 40, 3}, false, 20);
}

// Here the solver values the terminals of a river all at once, and the job one by one. Later, hands that beat all that is left
// win as much by a check as by a bet that is never called, and rounding decides.
TEST(subgames_without_a_limit_equal_the_solver_on_a_turn) { check_spot({33, 29, 18, 40}, false, 2); }

TEST(subgames_are_the_same_in_batches_and_on_threads) {
  SubgameOptions options = options_of(discounts_of("dcfr"), 5);
  options.ends_with_round = true;
  check_batches(test::game_of(test::leduc()), options, 100);
  check_batches(test::game_of(test::leduc()), options_of(discounts_of("pdcfr+", false), 5, 2), 100);
  check_batches(test::game_of(test::kuhn()), options_of(discounts_of("linear"), 5, 1), 100);
  SubgameOptions river = options_of(discounts_of("linear"), 2, 1);
  river.board = {33, 29, 18, 40, 3};
  check_batches(test::game_of(test::spot(5), {"50%", "a"}), river, 7);
}

TEST(subgames_refuse_what_makes_no_sense_and_go_on) {
  const auto game = test::game_of(test::leduc());
  SubgameOptions options = options_of(discounts_of("cfr+"), 3);
  options.ends_with_round = true;
  const auto job = make_subgames(game, options);
  const Doubles ranges = random_ranges(2, 6, 1);
  Doubles negative = ranges;
  negative[7] = -1;
  CHECK(job->ask() == nullptr);
  job->begin({0, 0}, ranges.data(), {{1, 2, 0}}, 0, true);
  CHECK_THROWS((job->begin({0, 400}, ranges.data(), {}, 0, false), 0));
  CHECK_THROWS((job->begin({0, 0}, negative.data(), {}, 0, false), 0));
  CHECK_THROWS((job->begin({0, 0}, ranges.data(), {{2, 1, 0}}, 0, false), 0));
  CHECK_THROWS((job->begin({0, 0}, ranges.data(), {{0, 4, 0}}, 0, false), 0));
  CHECK_THROWS((job->begin({0, 0}, ranges.data(), {}, std::nan(""), false), 0));
  CHECK_THROWS(job->root_values());
  std::vector<float> values(job->ask()->ranges.size(), std::nanf(""));
  CHECK_THROWS((job->answer(values.data()), 0));
  answer_all(*job, 6);
  CHECK_EQUAL(job->root_values().size(), 24u);
  CHECK(!job->stop_strategies(0).empty());
  CHECK_THROWS(job->stop_strategies(1));
  CHECK_THROWS(job->average_strategies(2));
  CHECK_THROWS((job->answer(values.data()), 0));
}

TEST(search_profile_does_not_depend_on_batches_and_parts) {
  const auto game = test::game_of(test::kuhn());
  const Discounts discounts = discounts_of("linear");
  const std::vector<SubgameNode> whole = make_subgames(game, options_of(discounts, 1))->nodes(0);
  for (const int playthroughs : {0, 1, 9}) {
    Doubles first;
    for (const auto& [batch, parts] : {std::pair{1, 1}, {2, 1}, {64, 1}, {64, 2}, {2, 7}}) {
      Doubles sums(24);  // four public decisions, two actions, three hands
      for (int part = 0; part < parts; ++part) {
        SearchProfile profile(make_subgames(game, options_of(discounts, 4, 1)), whole, discounts, 0, playthroughs, part, parts,
                              batch, 7);
        answer_all(profile, 3);
        CHECK_EQUAL(profile.sums().size(), sums.size());
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += profile.sums()[i];
      }
      if (first.empty()) first = sums;
      for (std::size_t i = 0; i < sums.size(); ++i) CHECK(std::abs(sums[i] - first[i]) < 1e-12);
      for (std::size_t h = 0; h < 3; ++h) CHECK(std::abs(sums[h] + sums[3 + h] - 1) < 1e-12);  // at the root
    }
  }
  const auto search = std::shared_ptr<Subgames>(make_subgames(game, options_of(discounts, 4, 1)));
  CHECK_THROWS(SearchProfile(search, whole, discounts, 0, 0, 2, 2, 64, 7));
  CHECK_THROWS(SearchProfile(search, whole, discounts, 0, -1, 0, 1, 64, 7));
  CHECK_THROWS(SearchProfile(search, whole, discounts, 0, 0, 0, 1, 0, 7));
}
