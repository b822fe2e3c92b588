// SPDX-License-Identifier: MIT
#include "jobs/self_play.h"

#include <limits>
#include <tuple>

#include "buffers/row_buffer.h"
#include "games/poker_episode.h"
#include "poker_tables.h"
#include "test.h"

using namespace regretless;
using namespace regretless::test;

namespace {

// Answers that depend on the infoset alone: the same question always gets the same answer.
std::vector<float> answers(const Questions& questions, int num_actions) {
  std::vector<float> probabilities;
  for (const std::uint64_t infoset : questions.infosets)
    for (int a = 0; a < num_actions; ++a) {
      Random random{infoset, static_cast<std::uint64_t>(a)};
      probabilities.push_back(random.uniform() + 0.01f);
    }
  return probabilities;
}

template <class G>
Steps play(std::shared_ptr<const G> game, const SelfPlayOptions& options) {
  const auto job = make_self_play(game, options);
  std::int64_t decisions = 0;
  while (const auto questions = job->ask()) {
    decisions += questions->batch;
    job->answer(answers(*questions, job->num_actions()).data());
  }
  CHECK_EQUAL(job->num_finished(), *options.episodes);
  CHECK_EQUAL(job->num_decisions(), decisions);
  return job->take_steps();
}

bool same(const Steps& a, const Steps& b) {
  return a.payoffs == b.payoffs && a.hands == b.hands && a.offsets == b.offsets && a.actors == b.actors && a.slots == b.slots &&
         a.streets == b.streets && a.legal == b.legal && a.infosets == b.infosets && a.next == b.next;
}

template <class G>
void check_tables_and_threads_change_nothing(std::shared_ptr<const G> game) {
  SelfPlayOptions options{.episodes = 3'000, .tables = 64, .seed = 11};
  const Steps first = play(game, options);
  CHECK_EQUAL(first.offsets.size(), 3'001u);
  for (const int tables : {64, 1'000, 4'096})
    for (const int threads : {1, 2, 5}) {
      options.tables = tables;
      options.threads = threads;
      CHECK(same(play(game, options), first));
    }
}

}  // namespace

TEST(self_play_is_the_same_with_any_tables_and_threads) {
  check_tables_and_threads_change_nothing(game_of(leduc()));
  check_tables_and_threads_change_nothing(game_of(no_limit_holdem(6, 1, 2, 100), {"50%", "100%", "a"}));
  check_tables_and_threads_change_nothing(std::make_shared<const LiarsDice>(1, 6, 2));
}

TEST(self_play_parts_are_parts_of_the_whole) {
  const auto game = game_of(leduc());
  SelfPlayOptions options{.episodes = 500};
  const Steps whole = play(game, options);
  options.episodes = 200;
  options.first_episode = 300;
  const Steps part = play(game, options);
  CHECK(std::equal(part.payoffs.begin(), part.payoffs.end(), whole.payoffs.begin() + 300 * 2));
}

TEST(self_play_episodes_replay_step_by_step) {
  const auto game = game_of(no_limit_holdem(3, 1, 2, 50), {"50%", "a"});
  const SelfPlayOptions options{.episodes = 300, .seed = 5};
  const Steps log = play(game, options);
  for (std::int64_t e = 0; e < *options.episodes; ++e) {
    PokerEpisode episode(game, options.seed, static_cast<std::uint64_t>(e));
    for (std::int64_t i = log.offsets[e]; i < log.offsets[e + 1]; ++i) {
      CHECK_EQUAL(episode.actor(), log.actors[i]);
      episode.choose(log.slots[i]);
    }
    CHECK_EQUAL(episode.actor(), kTerminal);
    const std::vector<Chips> payoffs = episode.payoffs();
    for (int p = 0; p < 3; ++p) CHECK_EQUAL(payoffs[p], log.payoffs[e * 3 + p]);
  }
}

namespace {

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// The first 1,000 episodes of a job without an end, taken after every `every`-th answer.
Steps play_endless(std::shared_ptr<const Poker> game, int tables, int threads, int every) {
  SelfPlayOptions options{.tables = tables, .threads = threads, .seed = 3, .record_rows = true, .record_answers = true};
  options.questions.encoders = {"slots12", "canonical24"};
  const auto job = make_self_play(game, options);
  Steps all;
  all.encoded.resize(2);
  std::int64_t episodes = 0;
  for (int round = 1; episodes < 1'000; ++round) {
    job->answer(answers(*job->ask(), job->num_actions()).data());
    if (round % every != 0) continue;
    const Steps some = job->take_steps();
    CHECK_EQUAL(some.first_episode, episodes);
    episodes += static_cast<std::int64_t>(some.offsets.size()) - 1;
    for (std::size_t i = 0; i < some.next.size(); ++i) {
      if (some.next[i] < 0) continue;
      const auto next = static_cast<std::size_t>(some.next[i]);
      CHECK(next > i && some.actors[next] == some.actors[i] && some.episodes[next] == some.episodes[i]);
    }
    for (std::size_t i = 0; i < some.next.size(); ++i)
      all.next.push_back(some.next[i] < 0 ? -1 : some.next[i] - static_cast<std::int64_t>(i));
    append(all.payoffs, some.payoffs);
    append(all.episodes, some.episodes);
    append(all.slots, some.slots);
    append(all.legal, some.legal);
    append(all.infosets, some.infosets);
    append(all.answers, some.answers);
    for (std::size_t i = 0; i < 2; ++i) append(all.encoded[i].bytes, some.encoded[i].bytes);
  }
  const auto end = static_cast<std::size_t>(std::ranges::lower_bound(all.episodes, 1'000) - all.episodes.begin());
  for (auto& rows : all.encoded) rows.bytes.resize(rows.bytes.size() / all.episodes.size() * end);
  all.legal.resize(end * 3);
  all.answers.resize(end * 3);
  all.payoffs.resize(2'000);
  all.slots.resize(end);
  all.next.resize(end);
  all.infosets.resize(end);
  all.episodes.resize(end);
  return all;
}

}  // namespace

TEST(self_play_without_an_end_hands_out_the_same_steps_with_any_tables_and_threads) {
  const auto game = game_of(leduc());
  const Steps first = play_endless(game, 64, 1, 1);
  for (const auto& [tables, threads, every] : {std::tuple{1, 1, 7}, {50, 2, 3}, {333, 5, 10}}) {
    const Steps again = play_endless(game, tables, threads, every);
    CHECK(again.payoffs == first.payoffs && again.episodes == first.episodes && again.slots == first.slots);
    CHECK(again.legal == first.legal && again.infosets == first.infosets && again.answers == first.answers);
    CHECK(again.next == first.next);
    for (std::size_t i = 0; i < 2; ++i) CHECK(again.encoded[i].bytes == first.encoded[i].bytes);
  }
}

// A round is played while the one before is learned from: what each learns from is the same as in turn.
TEST(self_play_on_a_thread_beside_what_learns_from_it) {
  const auto game = game_of(leduc());
  const auto round = [&game](std::int64_t number) {
    const SelfPlayOptions options{
        .episodes = 400, .first_episode = 400 * number, .threads = 2, .record_rows = true, .questions = {.encoders = {"slots12"}}};
    return play(game, options);
  };
  const auto learn = [](RowBuffer& buffer, const Steps& steps) {
    const EncodedRows& rows = steps.encoded[0];
    buffer.add({rows.bytes.data()}, static_cast<std::int64_t>(rows.bytes.size() / rows.row_bytes));
    std::vector<std::uint8_t> drawn(64 * rows.row_bytes);
    for (std::uint64_t step = 0; step < 20; ++step) buffer.sample(1, step, 64, {drawn.data()});
    return drawn;
  };
  const auto width = static_cast<std::int64_t>(round(0).encoded[0].row_bytes);
  const auto make = [width] { return Ring({{width}, 1'000, "", 1 << 30, 2}); };
  Ring in_turn = make(), beside = make();
  Steps waiting = round(0);
  for (std::int64_t number = 0; number < 5; ++number) {
    Steps next;
    std::thread player([&] { next = round(number + 1); });
    const auto drawn = learn(beside, waiting);
    player.join();
    CHECK(drawn == learn(in_turn, round(number)));
    waiting = std::move(next);
  }
}

TEST(self_play_copies_share_deals_and_nothing_else) {
  const auto game = game_of(leduc());
  SelfPlayOptions options{.episodes = 3'000, .seed = 5, .copies = 3};
  const Steps log = play(game, options);
  int different = 0;
  for (std::int64_t e = 0; e < *options.episodes; ++e) {
    const PokerEpisode episode(game, options.seed, static_cast<std::uint64_t>(e / 3));
    for (Player p = 0; p < 2; ++p) CHECK_EQUAL(log.hands[e * 2 + p], game->hand(episode.deal(), p));
    if (e % 3 == 0) different += log.payoffs[e * 2] != log.payoffs[e * 2 + 2];
  }
  CHECK(different > 300);
  options.tables = 7;
  options.threads = 2;
  CHECK(same(play(game, options), log));
}

TEST(self_play_tells_chips_and_strengths_of_its_states) {
  const auto game = game_of(no_limit_holdem(2, 1, 2, 50), {"50%", "a"});
  const HandStrengths<Poker> strengths(*game);
  const SelfPlayOptions options{.episodes = 400, .tables = 400, .seed = 5, .questions = {.with_chips = true}};
  std::vector<PokerEpisode> episodes;
  for (int e = 0; e < 400; ++e) episodes.emplace_back(game, options.seed, static_cast<std::uint64_t>(e));
  const auto job = make_self_play(game, options);
  while (const auto q = job->ask()) {
    const std::vector<std::int64_t> rows{q->batch - 1, 0};
    const Questions two = q->part(rows);
    CHECK_EQUAL(two.infosets[0], q->infosets.back());
    CHECK_EQUAL(two.hand_strengths[1], q->hand_strengths[0]);
    CHECK_THROWS(q->part(std::vector<std::int64_t>{q->batch}));
    std::vector<std::int32_t> slots;
    for (std::int64_t row = 0; row < q->batch; ++row) {
      PokerEpisode& episode = episodes[static_cast<std::size_t>(q->episodes[row])];
      const PokerState& state = episode.state();
      CHECK_EQUAL(q->pots[row], game->betting().pot(state));
      CHECK_EQUAL(q->to_calls[row], game->betting().to_call(state));
      CHECK_EQUAL(q->stacks[row], state.stacks[state.actor]);
      CHECK_EQUAL(q->streets[row], state.street);
      CHECK_EQUAL(q->hand_strengths[row], strengths(state, episode.deal(), state.actor));
      slots.push_back(row % 5 == 0 && (game->legal(state) >> 2 & 1) != 0 ? 2 : 1);
      episode.choose(slots.back());
    }
    job->answer(slots.data());
  }
}

TEST(self_play_tells_the_table_of_its_states) {
  const auto game = game_of(no_limit_holdem(3, 1, 2, 50), {"50%", "a"});
  const SelfPlayOptions options{.episodes = 200, .tables = 200, .seed = 6, .questions = {.with_history = true, .with_table = true}};
  std::vector<PokerEpisode> episodes;
  for (int e = 0; e < 200; ++e) episodes.emplace_back(game, options.seed, static_cast<std::uint64_t>(e));
  const auto job = make_self_play(game, options);
  while (const auto q = job->ask()) {
    CHECK(q->hand_strengths.empty());
    const Questions two = q->part(std::vector<std::int64_t>{q->batch - 1, 0});
    const std::vector<const Questions*> parts{&two, q.get()};
    const Questions all = Questions::joined(parts);
    CHECK_EQUAL(all.seat_stacks.size(), static_cast<std::size_t>(q->batch + 2) * 3);
    CHECK_EQUAL(all.offers[4 + 1], q->offers[1]);
    CHECK_EQUAL(all.step_actions.size(), two.step_actions.size() + q->step_actions.size());
    std::vector<std::int32_t> slots;
    for (std::int64_t row = 0; row < q->batch; ++row) {
      PokerEpisode& episode = episodes[static_cast<std::size_t>(q->episodes[row])];
      const PokerState& state = episode.state();
      CHECK(std::ranges::equal(game->hand_parts(q->hands[row]), std::span(q->hole_cards).subspan(row * 2, 2)));
      for (int p = 0; p < 3; ++p) {
        CHECK_EQUAL(q->seat_stacks[row * 3 + p], state.stacks[p]);
        CHECK_EQUAL(q->seat_bets[row * 3 + p], state.bets[p]);
        CHECK_EQUAL(q->live[row * 3 + p], state.live >> p & 1);
      }
      for (int i = 0; i < 5; ++i) CHECK_EQUAL(q->boards[row * 5 + i], i < state.num_board ? state.board[i] : kNotDealt);
      const auto range = game->betting().raise_range(state);
      CHECK_EQUAL(q->least_raises[row], range ? range->min : 0);
      CHECK_EQUAL(q->most_raises[row], range ? range->max : 0);
      auto step = q->step_offsets[row];
      for (const auto& event : episode.events()) CHECK_EQUAL(q->step_actions[step++], event.action);
      CHECK_EQUAL(step, q->step_offsets[row + 1]);
      const bool raises = (row + state.street) % 3 == 0 && (game->legal(state) >> 2 & 1) != 0;
      slots.push_back(raises ? 2 : row % 7 == 0 ? std::countr_zero(game->legal(state)) : 1);
      CHECK_EQUAL(q->offers[row * 4 + slots.back()], game->offer(state).actions[slots.back()]);
      episode.choose(slots.back());
    }
    job->answer(slots.data());
  }
}

// Tables that wait ask the same again, and episodes are as they would be without; what they end with is told.
TEST(self_play_waits_and_tells_ends) {
  const auto game = game_of(leduc());
  for (const bool with_end : {false, true})
    for (const int threads : {1, 3}) {
      SelfPlayOptions options{.tables = 30, .threads = threads, .seed = 4, .record_steps = false, .record_ends = true};
      if (with_end) options.episodes = 10'000;
      const auto job = make_self_play(game, options);
      std::vector<PokerEpisode> episodes;
      for (int e = 0; e < 10'000; ++e) episodes.emplace_back(game, options.seed, static_cast<std::uint64_t>(e));
      Random random{1};
      std::int64_t decisions = 0;
      for (int round = 0; round < 60; ++round) {
        const auto q = job->ask();
        std::vector<std::int32_t> slots;
        for (std::int64_t row = 0; row < 30; ++row) slots.push_back(random.uniform() < 0.5f ? kWait : 1);
        job->answer(slots.data());
        const auto next = job->ask();
        for (std::int64_t row = 0; row < 30; ++row) {
          if (slots[row] == kWait) {
            CHECK(next->infosets[row] == q->infosets[row] && next->episodes[row] == q->episodes[row] && job->ended()[row] == 0);
            continue;
          }
          ++decisions;
          PokerEpisode& episode = episodes[static_cast<std::size_t>(q->episodes[row])];
          episode.choose(1);
          CHECK_EQUAL(job->ended()[row] != 0, episode.actor() == kTerminal);
          for (int p = 0; p < 2; ++p)
            CHECK_EQUAL(job->end_payoffs()[row * 2 + p], episode.actor() == kTerminal ? episode.payoffs()[p] : 0);
        }
      }
      CHECK_EQUAL(job->num_decisions(), decisions);
    }
}

// The same tables in another number of shares: the same rows.
template <class G>
void check_threads_ask_alike(std::shared_ptr<const G> game) {
  SelfPlayOptions options{.episodes = 500, .tables = 60};
  options.questions = {.encoders = {"slots12", "canonical24"}, .with_chips = true};
  const auto one = make_self_play(game, options);
  options.threads = 3;
  const auto three = make_self_play(game, options);
  while (const auto a = one->ask()) {
    const auto b = three->ask();
    CHECK(b && a->encoded == b->encoded && a->legal == b->legal && a->hands == b->hands && a->episodes == b->episodes);
    CHECK(a->pots == b->pots && a->to_calls == b->to_calls && a->stacks == b->stacks && a->streets == b->streets);
    CHECK(a->hand_strengths == b->hand_strengths);
    const std::vector<float> probabilities = answers(*a, one->num_actions());
    one->answer(probabilities.data());
    three->answer(probabilities.data());
  }
}

TEST(self_play_asks_with_chips_alike_on_threads) {
  check_threads_ask_alike(game_of(leduc()));
  check_threads_ask_alike(game_of(no_limit_holdem(6, 1, 2, 100), {"50%", "a"}));
  check_threads_ask_alike(game_of(omaha(2, 4), {"a"}));
  check_threads_ask_alike(std::make_shared<const LiarsDice>(1, 6, 2));
}

TEST(hand_strengths_are_shares_of_hands) {
  const auto share = [](const auto& game, const std::vector<std::vector<int>>& hole, const std::vector<int>& board) {
    PokerEpisode episode(game, hole, board);
    PokerState state = game->root();
    while (state.num_board < board.size()) {
      state.actor = kChance;
      state.street = static_cast<std::uint8_t>(state.street + (state.num_board > 0 || state.street == 0));
      game->reveal(state, episode.deal());
    }
    return HandStrengths<Poker>(*game)(state, episode.deal(), 0);
  };
  const auto holdem = game_of(no_limit_holdem(2, 1, 2, 50));
  CHECK(std::abs(share(holdem, {{51, 50}}, {}) - (1 - 3.0 / 1326)) < 1e-6);        // aces: only five others are as good
  CHECK(std::abs(share(holdem, {{5, 0}}, {}) - 6.0 / 1326) < 1e-6);                 // the worst, in twelve suits
  CHECK(share(holdem, {{51, 47}}, {43, 39, 35}) > 1 - 1e-6);                        // a royal flush
  const auto small = game_of(leduc());
  CHECK(std::abs(share(small, {{0}}, {}) - 0.1) < 1e-6);   // a jack: the other jack of five cards
  CHECK(std::abs(share(small, {{5}}, {}) - 0.9) < 1e-6);
  CHECK(share(small, {{0}}, {1}) == 1);                    // a pair
  CHECK(std::abs(share(small, {{2}}, {0}) - 0.125) < 1e-6);  // behind a pair and two kings, even with the other queen
  const LiarsDice dice(1, 6, 2);
  LiarsDiceDeal deal;
  CHECK(std::abs(HandStrengths<LiarsDice>(dice)({}, deal, 0) - 0.5) < 1e-6);  // one die always matches itself
}

TEST(strength_shares_count_every_hand_once) {
  const double num_hands[] = {2'598'960, 20'358'520, 133'784'560};
  for (const int board : {3, 4, 5}) {
    const StrengthShares shares(Showdown::kHoldem, kDeck52, 2, board);
    CHECK_EQUAL(shares.num_hands(), num_hands[board - 3]);
    CHECK_EQUAL(shares.share(0), 0);
  }
  CHECK_EQUAL(StrengthShares(Showdown::kHoldem, kDeck52, 2, 3).num_strengths(), 7'462u);
  CHECK_EQUAL(StrengthShares(Showdown::kHoldem, kDeck52, 2, 5).num_strengths(), 4'824u);
  CHECK_EQUAL(StrengthShares(Showdown::kShortDeck, kDeck36, 2, 5).num_hands(), 8'347'680);
  // Random deals are spread evenly.
  for (const auto& [rule, hole] : {std::pair{Showdown::kHoldem, 2}, {Showdown::kOmaha, 4}}) {
    const auto shares = strength_shares(rule, kDeck52, hole, 4);
    const auto game = game_of(rule == Showdown::kOmaha ? omaha(2, 4) : no_limit_holdem(2, 1, 2, 50));
    double sum = 0;
    for (std::uint64_t e = 0; e < 4'000; ++e) {
      const PokerEpisode episode(game, 1, e);
      sum += shares->share(strength(rule, kDeck52, game->hole(episode.deal(), 0), {episode.deal().board.data(), 4}));
    }
    CHECK(std::abs(sum / 4'000 - 0.5) < 0.02);
  }
}

TEST(self_play_refuses_bad_answers_and_goes_on) {
  const auto game = game_of(leduc());
  const SelfPlayOptions options{.episodes = 100, .threads = 2};
  const Steps good = play(game, options);
  const auto job = make_self_play(game, options);
  CHECK(job->take_steps().offsets.size() <= 1);
  while (const auto questions = job->ask()) {
    const std::int64_t before = job->num_decisions();
    const std::vector<float> right = answers(*questions, 3);
    for (const float bad : {-1.f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      std::vector<float> wrong = right;
      wrong[wrong.size() - 2] = bad;  // the call of the last row is always legal
      CHECK_THROWS(job->answer(wrong.data()));
    }
    CHECK_THROWS(job->answer(std::vector<float>(right.size()).data()));
    const std::vector<std::int32_t> slots(static_cast<std::size_t>(questions->batch), 3);
    CHECK_THROWS(job->answer(slots.data()));
    CHECK_EQUAL(job->num_decisions(), before);
    job->answer(right.data());
  }
  CHECK(same(job->take_steps(), good));
  CHECK_THROWS(job->answer(std::vector<float>(3, 1.f).data()));
}

TEST(self_play_refuses_bad_options) {
  const auto game = game_of(leduc());
  CHECK_THROWS(make_self_play(game, {.episodes = -1}));
  CHECK_THROWS(make_self_play(game, {.episodes = 1, .first_episode = -1}));
  CHECK_THROWS(make_self_play(game, {.episodes = 1, .first_episode = std::numeric_limits<std::int64_t>::max()}));
  CHECK_THROWS(make_self_play(game, {.episodes = 1, .tables = 0}));
  CHECK_THROWS(make_self_play(game, {.episodes = 1, .threads = 0}));
  CHECK_THROWS(make_self_play(game, {.episodes = 1, .copies = 0}));
  CHECK(make_self_play(game, {.episodes = 0})->ask() == nullptr);
}

TEST(thread_pool_does_every_piece_of_every_round_once) {
  for (const int size : {1, 2, 3, 8}) {
    ThreadPool pool(size);
    CHECK_EQUAL(pool.size(), size);
    std::vector<int> counts(static_cast<std::size_t>(size));  // one writer each: run() must order the rounds
    std::atomic<int> total = 0;
    constexpr int kRounds = 2'000;
    for (int round = 0; round < kRounds; ++round)
      pool.run([&](int t) {
        counts[t] += counts[t] == round;
        ++total;
      });
    CHECK_EQUAL(total.load(), kRounds * size);
    for (const int count : counts) CHECK_EQUAL(count, kRounds);
  }
}

TEST(thread_pools_come_and_go) {
  for (int i = 0; i < 300; ++i) {
    ThreadPool pool(1 + i % 6);
    std::atomic<int> total = 0;
    for (int round = 0; round < i % 4; ++round) pool.run([&](int) { ++total; });
    CHECK_EQUAL(total.load(), i % 4 * pool.size());
  }
}
