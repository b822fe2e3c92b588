// SPDX-License-Identifier: MIT
#include "jobs/lbr_play.h"

#include <cmath>
#include <limits>

#include "cards.h"
#include "poker_tables.h"
#include "test.h"

using namespace regretless;
using namespace regretless::test;

namespace {

// Answers that depend on the infoset alone, some of them zero.
std::vector<float> answers(const Questions& questions, int num_actions) {
  std::vector<float> probabilities;
  for (const std::uint64_t infoset : questions.infosets)
    for (int a = 0; a < num_actions; ++a) {
      Random random{infoset, static_cast<std::uint64_t>(a)};
      const float share = random.uniform();
      probabilities.push_back(a != kCallSlot && share < 0.2f ? 0.f : share + 0.01f);
    }
  return probabilities;
}

struct Result {
  std::vector<Chips> payoffs;
  std::vector<double> values;
  std::int64_t num_questions;
  bool operator==(const Result&) const = default;
};

Result play(std::shared_ptr<const Poker> game, const LbrPlayOptions& options) {
  LbrPlay job(game, options);
  while (const auto questions = job.ask()) job.answer(answers(*questions, job.num_actions()).data());
  CHECK_EQUAL(job.num_finished(), options.episodes);
  return {job.payoffs(), job.values(), job.num_questions()};
}

void check_tables_and_threads_change_nothing(std::shared_ptr<const Poker> game, LbrPlayOptions options) {
  options.tables = 1;
  const Result first = play(game, options);
  for (const int tables : {5, 32})
    for (const int threads : {1, 3}) {
      options.tables = tables;
      options.threads = threads;
      CHECK(play(game, options) == first);
    }
}

}  // namespace

TEST(lbr_play_is_the_same_with_any_tables_and_threads) {
  for (const ResponseMenu menu : {ResponseMenu::kFoldCall, ResponseMenu::kAllIn, ResponseMenu::kBets}) {
    check_tables_and_threads_change_nothing(game_of(kuhn()), {.episodes = 500, .menu = menu});
    check_tables_and_threads_change_nothing(game_of(leduc()), {.episodes = 500, .menu = menu});
    check_tables_and_threads_change_nothing(game_of(no_limit_holdem(2, 1, 2, 20), {"100%", "a"}),
                                            {.episodes = 10, .menu = menu, .rollouts = 5});
  }
}

TEST(lbr_play_asks_with_chips_alike_on_threads) {
  const QuestionOptions asked{.encoders = {"slots12"}, .with_chips = true};
  const auto game = game_of(no_limit_holdem(2, 1, 2, 20), {"100%", "a"});
  LbrPlay one(game, {.episodes = 12, .tables = 6, .rollouts = 5, .questions = asked});
  LbrPlay three(game, {.episodes = 12, .tables = 6, .threads = 3, .rollouts = 5, .questions = asked});
  std::shared_ptr<const Questions> first;
  std::vector<EncodedRows> rows;
  while (const auto a = one.ask()) {
    if (!first) first = a, rows = a->encoded;
    const auto b = three.ask();
    CHECK(b && a->encoded == b->encoded && a->pots == b->pots && a->stacks == b->stacks && a->streets == b->streets);
    CHECK(a->to_calls == b->to_calls && a->hand_strengths == b->hand_strengths);
    const std::vector<float> probabilities = answers(*a, one.num_actions());
    one.answer(probabilities.data());
    three.answer(probabilities.data());
  }
  CHECK(one.payoffs() == three.payoffs());
  CHECK(first->encoded == rows);  // kept all the while
}

TEST(lbr_play_refuses_bad_answers_and_goes_on) {
  const auto game = game_of(leduc());
  const LbrPlayOptions options{.episodes = 60, .threads = 2};
  const Result good = play(game, options);
  LbrPlay job(game, options);
  CHECK_THROWS(job.payoffs());
  while (const auto questions = job.ask()) {
    const std::int64_t before = job.num_questions();
    const std::vector<float> right = answers(*questions, 3);
    for (const float bad : {-1.f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      std::vector<float> wrong = right;
      wrong[wrong.size() - 2] = bad;  // the call of the last row is always legal
      CHECK_THROWS(job.answer(wrong.data()));
    }
    CHECK_THROWS(job.answer(std::vector<float>(right.size()).data()));
    CHECK_EQUAL(job.num_questions(), before);
    job.answer(right.data());
  }
  CHECK((Result{job.payoffs(), job.values(), job.num_questions()} == good));
  CHECK_THROWS(job.answer(std::vector<float>(3, 1.f).data()));
}

TEST(lbr_play_refuses_bad_options) {
  const auto game = game_of(leduc());
  CHECK_THROWS(LbrPlay(game, {.episodes = -1}));
  CHECK_THROWS(LbrPlay(game, {.episodes = 1, .tables = 0}));
  CHECK_THROWS(LbrPlay(game, {.episodes = 1, .threads = 0}));
  CHECK_THROWS(LbrPlay(game, {.episodes = 1, .rollouts = 0}));
  CHECK_THROWS(LbrPlay(game_of(no_limit_holdem(3, 1, 2, 100)), {.episodes = 1}));
  CHECK_THROWS(LbrPlay(game_of(omaha(2, 4)), {.episodes = 1}));
  CHECK(LbrPlay(game, {.episodes = 0}).ask() == nullptr);
}

TEST(lbr_play_asks_for_hands_that_the_other_may_hold) {
  const auto game = game_of(no_limit_holdem(2, 1, 2, 20), {"100%", "a"});
  const LbrPlayOptions options{.episodes = 20, .rollouts = 5, .questions = {.with_chips = true}};
  LbrPlay job(game, options);
  while (const auto questions = job.ask()) {
    CHECK_EQUAL(questions->hand_strengths.size(), static_cast<std::size_t>(questions->batch));
    for (std::int64_t row = 0; row < questions->batch; ++row) {
      const std::int64_t episode = questions->episodes[row];
      Random random{options.seed, static_cast<std::uint64_t>(episode / 2)};
      const PokerDeal deal = game->deal(random);
      const Player responder = static_cast<Player>(episode % 2);
      CHECK_EQUAL(questions->actors[row], 1 - responder);
      CHECK((subset_at(static_cast<std::uint32_t>(questions->hands[row]), 2) & card_set(game->hole(deal, responder))) == 0);
      CHECK(questions->pots[row] + questions->stacks[row] > 20);  // of 40 in all, his 20 are in or behind
      CHECK(questions->to_calls[row] >= 0 && questions->to_calls[row] <= questions->stacks[row]);
      CHECK(questions->hand_strengths[row] >= 0 && questions->hand_strengths[row] <= 1);
    }
    const OpenRanges open = job.ranges();
    for (std::size_t i = 0; i < open.episodes.size(); ++i) {
      double sum = 0;
      for (std::size_t h = 0; h < 1326; ++h) sum += open.ranges[i * 1326 + h];
      CHECK(std::abs(sum - 1) < 1e-12);
      Random random{options.seed, static_cast<std::uint64_t>(open.episodes[i] / 2)};
      const PokerDeal deal = game->deal(random);  // what he holds is in his range
      const Hand held = game->hand(deal, static_cast<Player>(1 - open.episodes[i] % 2));
      CHECK(open.ranges[i * 1326 + static_cast<std::size_t>(held)] > 0);
    }
    job.answer(answers(*questions, job.num_actions()).data());
  }
}

// The formula of the paper, with P in the pot, A to call and S more.
TEST(local_best_response_values_are_those_of_the_paper) {
  const auto game = game_of(no_limit_holdem(2, 1, 2, 100), {"100%", "a"});
  PokerState state = game->root();
  game->act(state, kFirstRaiseSlot);  // the small blind raises: 1 and 2 are in, a pot more
  const Player responder = 0;
  CHECK_EQUAL(state.actor, responder);
  const double pot = game->betting().pot(state), asked = game->betting().to_call(state), paid = state.paid[responder];
  const std::vector<Hand> hands{3, 7};
  const std::vector<double> weights{1, 3}, folds{0.25, 0.5, 1, 1};
  std::vector<Chances> chances(8);
  chances[3] = {0.2, 0};
  chances[7] = {0.5, 0.2};
  const ResponseBelief belief{responder, hands, weights, chances};
  const double win = (1 * 0.2 + 3 * (0.5 + 0.1)) / 4;
  CHECK_EQUAL(fold_value(*game, state, responder), -paid);
  CHECK(std::abs(call_value(*game, state, belief) - (win * pot - (1 - win) * asked - paid)) < 1e-12);

  const auto bets = response_bets(*game, state, ResponseMenu::kBets);
  CHECK_EQUAL(bets.size(), 2u);
  CHECK_EQUAL(response_bets(*game, state, ResponseMenu::kAllIn).size(), 1u);
  CHECK_EQUAL(response_bets(*game, state, ResponseMenu::kAllIn)[0].slot, bets[1].slot);
  CHECK(response_bets(*game, state, ResponseMenu::kFoldCall).empty());
  const double more = bets[0].after.high_bet - state.high_bet;
  const double fold = (1 * 0.25 + 3 * 0.5) / 4, stays = 1 - fold;
  const double win_then = (1 * 0.75 * 0.2 + 3 * 0.5 * 0.6) / 4 / stays;
  const double expected = fold * pot + stays * (win_then * (pot + more) - (1 - win_then) * (asked + more)) - paid;
  CHECK(std::abs(bet_value(*game, bets[0], belief, std::span(folds).first(2)) - expected) < 1e-12);
  CHECK(expected < pot - paid);
  CHECK_EQUAL(choose_response(*game, state, belief, bets, folds), 1);  // to all-in he always folds
  CHECK_EQUAL(choose_response(*game, state, belief, {}, {}), win * pot > (1 - win) * asked ? kChooseCall : kChooseFold);
}

TEST(runouts_are_exact_with_one_card_to_come_and_close_with_more) {
  const Deck deck = kDeck52;
  const CardSet own = card_set(cards_of("AcAd"));
  const std::vector<Card> turn = cards_of("2h7sJcJd");
  const CardSet dead = own | card_set(turn);
  std::vector<Chances> chances;
  Runouts(Showdown::kHoldem, deck, 2, 5, 1).chances(own, turn, Random{1}, chances);
  const HandTable hands(deck, 2);
  for (const std::uint32_t other : {subset_index(card_set(cards_of("Jh5s"))), subset_index(card_set(cards_of("AhAs"))),
                                    subset_index(card_set(cards_of("Tc9c")))}) {
    int wins = 0, ties = 0, all = 0;
    for (Card river = 0; river < 52; ++river) {
      if (((dead | hands.set(other)) & bit(river)) != 0) continue;
      std::vector<Card> board = turn;
      board.push_back(river);
      const Strength mine = strength(Showdown::kHoldem, deck, hands.cards(subset_index(own)), board);
      const Strength his = strength(Showdown::kHoldem, deck, hands.cards(other), board);
      wins += mine > his;
      ties += mine == his;
      ++all;
    }
    CHECK_EQUAL(all, 44);
    CHECK(std::abs(chances[other].win - wins / 44.0) < 1e-12);
    CHECK(std::abs(chances[other].tie - ties / 44.0) < 1e-12);
  }

  const std::span<const Card> flop{turn.data(), 3};
  std::vector<Chances> exact, sampled, once;
  Runouts(Showdown::kHoldem, deck, 2, 5, 2'000).chances(own, flop, Random{1}, exact);
  Runouts(Showdown::kHoldem, deck, 2, 5, 600).chances(own, flop, Random{2}, sampled);
  Runouts(Showdown::kHoldem, deck, 2, 5, 1).chances(own, flop, Random{3}, once);
  double mean = 0, exact_mean = 0;
  for (std::uint32_t h = 0; h < hands.num_hands(); ++h) {
    if (!hands.possible(h, own | card_set(flop))) continue;
    CHECK(std::abs(sampled[h].win - exact[h].win) < 0.12);
    CHECK(once[h].win == 0 || once[h].win == 1);
    mean += once[h].win;
    exact_mean += exact[h].win;
  }
  CHECK(std::abs(mean - exact_mean) < 0.5 * hands.num_hands());
}
