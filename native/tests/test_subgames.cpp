// SPDX-License-Identifier: MIT
#include "jobs/subgames.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <thread>

#include "jobs/search_profile.h"
#include "poker_tables.h"
#include "solve/vector_solver.h"
#include "test.h"

using namespace regretless;

namespace {

using Doubles = std::vector<double>;

Discounts discounts_of(std::string_view name, bool alternating = true) {
  Discounts discounts = named_discounts(name);
  discounts.alternating = alternating;
  return discounts;
}

SubgameOptions options_of(const Discounts& discounts, int iterations, int max_decisions = 0, int threads = 1) {
  SubgameOptions options;
  options.discounts = discounts;
  options.iterations = iterations;
  options.max_decisions = max_decisions;
  options.threads = threads;
  return options;
}

std::unique_ptr<Subgames> subgames_of(const AnyGame& game, const SubgameOptions& options, const std::vector<int>& board = {}) {
  return make_subgames(make_public_states(game, board), options);
}

SubgameBatch batch_of(std::vector<std::int32_t> states, Doubles ranges, std::vector<SubgameStop> stops = {}) {
  SubgameBatch batch;
  batch.states = std::move(states);
  batch.ranges = std::move(ranges);
  batch.stops = std::move(stops);
  return batch;
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
  while (const RangeQuestions* questions = job.ask()) {
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
  const double* some = ranges.data();
  SubgameBatch batch =
      batch_of({states.data() + first, states.data() + last}, {some + first * 2 * hands, some + last * 2 * hands}, stops);
  batch.exploration = 0.25;
  batch.keeps_strategies = true;
  job.begin(batch);
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
template <class G>
void check_batches(const std::shared_ptr<const G>& game, SubgameOptions options, std::size_t count,
                   const std::vector<int>& board = {}) {
  const auto alone = subgames_of(game, options, board);
  options.threads = 3;
  const auto shared = subgames_of(game, options, board);
  for (const auto& job : {alone.get(), shared.get()})
    for (std::int32_t state = 0; state < job->states()->size() && state < 40; ++state) job->nodes(state);
  CHECK_EQUAL(alone->states()->size(), shared->states()->size());
  std::vector<std::int32_t> states;
  for (std::size_t s = 0; s < count; ++s)
    states.push_back(
        static_cast<std::int32_t>(s % 3 == 0 ? 0 : s % static_cast<std::size_t>(std::min(alone->states()->size(), 40))));
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
    for (const bool alternating : {true, false}) {
      const Discounts discounts = discounts_of(row.name, alternating);
      const auto job = subgames_of(game, options_of(discounts, 30));
      job->begin(batch_of({0}, weights));
      CHECK(job->ask() == nullptr);
      SolveOptions options;
      options.discounts = discounts;
      options.problem.merge_suits = false;
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
void check_spot(const std::vector<int>& board, bool alternating, int iterations) {
  const auto game = test::game_of(test::spot(static_cast<int>(board.size())), {"a"});
  SubgameOptions job_options = options_of(discounts_of("dcfr", alternating), iterations);
  const auto job = subgames_of(game, job_options, board);
  job->begin(batch_of({0}, random_ranges(1, 1326, 5)));
  CHECK(job->ask() == nullptr);
  SolveOptions options;
  options.discounts = job_options.discounts;
  options.problem.board = board;
  options.problem.merge_suits = false;
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
  check_batches(test::game_of(test::spot(5), {"50%", "a"}), river, 10, {33, 29, 18, 40, 3});
  check_batches(std::make_shared<const LiarsDice>(1, 3, 2), options_of(discounts_of("cfr+"), 5, 2), 100);
}

// Strategies that depend on their own row alone come first.
TEST(warm_starts_and_examples_are_the_same_on_threads) {
  const auto game = test::game_of(test::leduc());
  const std::size_t count = 50;
  const auto run = [&](int threads) {
    SubgameOptions options = options_of(discounts_of("linear"), 4, 3, threads);
    options.warm_start = 6;
    const auto job = subgames_of(game, options);
    job->begin(batch_of(std::vector<std::int32_t>(count), random_ranges(count, 6, 8)));
    std::vector<float> answers;
    while (const RangeQuestions* questions = job->ask_strategies()) {
      answers.resize(static_cast<std::size_t>(questions->rows * job->num_slots()) * 6);
      for (std::size_t i = 0; i < answers.size(); ++i)
        answers[i] = questions->ranges[i / 18 * 12 + i % 12] + static_cast<float>(questions->states[i / 18] % 3);
      job->answer_strategies(answers.data());
    }
    answer_all(*job, 6);
    const RangeExamples values = job->value_examples();
    const RangeExamples strategies = job->strategy_examples(3);
    return std::tuple{job->root_values(), values.states,     values.ranges,   values.found,
                      strategies.states,  strategies.ranges, strategies.found};
  };
  CHECK(run(1) == run(3));
}

// Those who keep questions see them as they were asked, whatever the job does meanwhile.
TEST(questions_stay_as_they_were_asked) {
  const auto game = test::game_of(test::leduc());
  const auto job = subgames_of(game, options_of(discounts_of("cfr"), 3, 1));
  std::vector<std::shared_ptr<const RangeQuestions>> kept;
  std::vector<std::vector<float>> ranges;
  for (const std::size_t count : {1u, 30u, 2u}) {
    job->begin(batch_of(std::vector<std::int32_t>(count), random_ranges(count, 6, count)));
    while (const RangeQuestions* questions = job->ask()) {
      kept.push_back(questions->shared_from_this());
      ranges.push_back(questions->ranges);
      job->answer(std::vector<float>(questions->ranges.size(), static_cast<float>(kept.size())).data());
    }
  }
  CHECK_EQUAL(kept.size(), 18u);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    CHECK(kept[i]->ranges == ranges[i]);
    CHECK_EQUAL(kept[i]->states.size() * 12, ranges[i].size());
  }
  kept.clear();
  job->begin(batch_of({0}, random_ranges(1, 6, 1)));
  const RangeQuestions* before = job->ask();
  const std::vector<float> zeros(before->ranges.size());
  job->answer(zeros.data());
  CHECK(job->ask() == before);  // nobody kept it
}

TEST(subgames_refuse_what_makes_no_sense_and_go_on) {
  const auto game = test::game_of(test::leduc());
  SubgameOptions options = options_of(discounts_of("cfr+"), 3);
  options.ends_with_round = true;
  const auto job = subgames_of(game, options);
  const Doubles ranges = random_ranges(2, 6, 1);
  Doubles negative = ranges;
  negative[7] = -1;
  CHECK(job->ask() == nullptr);
  SubgameBatch fine = batch_of({0, 0}, ranges, {{1, 2, 0}}), strange = fine, foreign = fine, endless = fine;
  fine.keeps_strategies = true;
  strange.exploration = std::nan("");
  foreign.opponents = {0, 2};
  foreign.opponent_values.resize(12);
  endless.opponents = {0, 1};
  endless.opponent_values.assign(12, std::nan(""));
  job->begin(fine);
  CHECK_THROWS((job->begin(batch_of({0, 400}, ranges)), 0));
  CHECK_THROWS((job->begin(batch_of({0, 0}, negative)), 0));
  CHECK_THROWS((job->begin(batch_of({0}, ranges)), 0));
  CHECK_THROWS((job->begin(batch_of({0, 0}, ranges, {{2, 1, 0}})), 0));
  CHECK_THROWS((job->begin(batch_of({0, 0}, ranges, {{0, 4, 0}})), 0));
  for (const SubgameBatch& wrong : {strange, foreign, endless}) CHECK_THROWS((job->begin(wrong), 0));
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
  const std::vector<SubgameNode> whole = subgames_of(game, options_of(discounts, 1))->nodes(0);
  for (const int playthroughs : {0, 1, 9}) {
    Doubles first;
    for (const auto& [batch, parts] : {std::pair{1, 1}, {2, 1}, {64, 1}, {64, 2}, {2, 7}}) {
      Doubles sums(24);  // four public decisions, two actions, three hands
      for (int part = 0; part < parts; ++part) {
        SearchProfile profile(subgames_of(game, options_of(discounts, 4, 1)), whole, discounts, 0, playthroughs, part, parts, batch,
                              7);
        answer_all(profile, 3);
        CHECK_EQUAL(profile.sums().size(), sums.size());
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += profile.sums()[i];
      }
      if (first.empty()) first = sums;
      for (std::size_t i = 0; i < sums.size(); ++i) CHECK(std::abs(sums[i] - first[i]) < 1e-12);
      for (std::size_t h = 0; h < 3; ++h) CHECK(std::abs(sums[h] + sums[3 + h] - 1) < 1e-12);  // at the root
    }
  }
  const auto search = std::shared_ptr<Subgames>(subgames_of(game, options_of(discounts, 4, 1)));
  CHECK_THROWS(SearchProfile(search, whole, discounts, 0, 0, 2, 2, 64, 7));
  CHECK_THROWS(SearchProfile(search, whole, discounts, 0, -1, 0, 1, 64, 7));
  CHECK_THROWS(SearchProfile(search, whole, discounts, 0, 0, 0, 1, 0, 7));
}

TEST(search_profile_refuses_the_outline_of_another_game) {
  const Discounts discounts = discounts_of("linear");
  const auto outline = [&](const auto& game, int depth) { return subgames_of(game, options_of(discounts, 1, depth))->nodes(0); };
  const auto kuhn = test::game_of(test::kuhn()), leduc = test::game_of(test::leduc());
  const auto dice = std::make_shared<const LiarsDice>(1, 2, 2);
  const auto search = [&](const auto& game) { return std::shared_ptr<Subgames>(subgames_of(game, options_of(discounts, 4, 1))); };
  const auto make = [&](std::shared_ptr<Subgames> job, std::vector<SubgameNode> whole) {
    SearchProfile profile(std::move(job), std::move(whole), discounts, 0, 1, 0, 1, 64, 7);
  };
  make(search(leduc), outline(leduc, 0));
  CHECK_THROWS((make(search(leduc), outline(leduc, 2)), 0));
  CHECK_THROWS((make(search(leduc), outline(kuhn, 0)), 0));
  CHECK_THROWS((make(search(kuhn), outline(leduc, 0)), 0));
  CHECK_THROWS((make(search(kuhn), outline(dice, 0)), 0));
  CHECK_THROWS((make(search(dice), outline(kuhn, 0)), 0));
}

TEST(search_profile_notices_that_its_subgames_were_begun_elsewhere) {
  const auto game = test::game_of(test::leduc());
  const Discounts discounts = discounts_of("linear");
  const auto search = std::shared_ptr<Subgames>(subgames_of(game, options_of(discounts, 4, 1)));
  SearchProfile profile(search, subgames_of(game, options_of(discounts, 1))->nodes(0), discounts, 0, 9, 0, 1, 64, 7);
  search->begin(batch_of({0, 0}, random_ranges(2, 6, 1)));
  const std::vector<float> values(profile.ask()->ranges.size());
  CHECK_THROWS((profile.answer(values.data()), 0));
}

// Parts on threads of their own, with pools of threads, that share an outline which is made by whoever comes first.
TEST(search_profiles_are_the_same_on_threads) {
  const auto game = test::game_of(test::leduc());
  const Discounts discounts = discounts_of("linear");
  const auto run = [&](std::size_t parts, int threads) {
    const auto whole = subgames_of(game, options_of(discounts, 1));
    std::vector<Doubles> sums(parts);
    std::vector<std::thread> players;
    for (std::size_t part = 0; part < parts; ++part)
      players.emplace_back([&, part] {
        SearchProfile profile(subgames_of(game, options_of(discounts, 3, 2, threads)), outline_of(*whole), discounts, 0, 24,
                              static_cast<int>(part), static_cast<int>(parts), 32, 7);
        answer_all(profile, 6);
        sums[part] = profile.sums();
      });
    for (std::thread& player : players) player.join();
    for (std::size_t part = 1; part < parts; ++part)
      for (std::size_t i = 0; i < sums[0].size(); ++i) sums[0][i] += sums[part][i];
    return sums[0];
  };
  const Doubles one = run(1, 1), pooled = run(1, 3), shared = run(4, 2);
  CHECK(one == pooled);
  CHECK_EQUAL(one.size(), shared.size());
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(std::abs(one[i] - shared[i]) < 1e-9);
}

TEST(a_busy_job_refuses_other_threads_and_lets_those_who_wait_in) {
  const auto job = subgames_of(test::game_of(test::kuhn()), options_of(discounts_of("cfr"), 1));
  int count = 0;
  {
    const Busy::Use use(job->busy());
    CHECK_THROWS(Busy::Use(job->busy()));
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const Busy::Use use = Busy::Use::after_others(job->busy());
        ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQUAL(count, 4000);
  const Busy::Use use(job->busy());
}
