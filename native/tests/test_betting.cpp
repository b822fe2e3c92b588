// SPDX-License-Identifier: MIT
#include "games/betting.h"

#include <numeric>

#include "games/poker_episode.h"
#include "games/tree_counts.h"
#include "jobs/random_play.h"
#include "poker_tables.h"
#include "test.h"

using namespace regretless;
using namespace regretless::test;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kEpisodes = 2'000;
#else
constexpr int kEpisodes = 20'000;
#endif

constexpr Card kBlank[] = {0, 5, 10, 15, 20};

void act(const Betting& betting, PokerState& state, std::initializer_list<Action> actions) {
  for (const Action action : actions) {
    CHECK(betting.is_legal(state, action));
    betting.act(state, action);
    while (state.actor == kChance) betting.reveal(state, kBlank);
  }
}

void check_range(const Betting& betting, const PokerState& state, Chips min, Chips max) {
  const auto range = betting.raise_range(state);
  CHECK(range.has_value());
  if (!range) return;
  CHECK_EQUAL(range->min, min);
  CHECK_EQUAL(range->max, max);
}

void check_payoffs(const Betting& betting, const PokerState& state, std::initializer_list<Strength> strengths,
                   std::initializer_list<Chips> expected) {
  CHECK_EQUAL(state.actor, kTerminal);
  std::array<Chips, kMaxPlayers> payoffs{};
  betting.settle(state, strengths.begin(), payoffs.data());
  for (std::size_t p = 0; p < expected.size(); ++p) CHECK_EQUAL(payoffs[p], expected.begin()[p]);
}

// Plays random episodes and returns the chips that seats won in all.
std::int64_t sum_of_payoffs(const std::shared_ptr<const Poker>& game) {
  const RandomPlay totals = play_random(game, kEpisodes, 7, 2);
  CHECK_EQUAL(totals.episodes, kEpisodes);
  CHECK(totals.decisions > 0);
  return std::accumulate(totals.payoffs.begin(), totals.payoffs.end(), std::int64_t{0});
}

// The sums of random play in which each deal is made before anybody acts.
RandomPlay play_dealt_first(const Poker& game, std::uint64_t seed) {
  RandomPlay totals{kEpisodes, 0, std::vector<std::int64_t>(static_cast<std::size_t>(game.num_players()))};
  for (std::uint64_t episode = 0; episode < kEpisodes; ++episode) {
    Random random{seed, episode};
    const PokerDeal deal = game.deal(random);
    PokerState state = game.root();
    for (; state.actor != kTerminal;) {
      if (state.actor == kChance) {
        game.reveal(state, deal);
        continue;
      }
      ++totals.decisions;
      std::vector<RaiseRange> kinds{{kCall, kCall}};
      if (game.betting().can_fold(state)) kinds.push_back({kFold, kFold});
      if (const auto range = game.betting().raise_range(state)) kinds.push_back(*range);
      const RaiseRange kind = kinds[random.below(static_cast<std::uint32_t>(kinds.size()))];
      const bool raises = kind.max > 0;
      const Chips more = raises ? static_cast<Chips>(random.below(static_cast<std::uint32_t>(kind.max - kind.min + 1))) : 0;
      game.betting().act(state, kind.min + more);
    }
    std::array<Chips, kMaxPlayers> payoffs{};
    game.payoffs(state, deal, payoffs);
    for (std::size_t p = 0; p < totals.payoffs.size(); ++p) totals.payoffs[p] += payoffs[p];
  }
  return totals;
}

}  // namespace

TEST(random_play_is_as_if_cards_were_dealt_first) {
  PokerStart flop;
  flop.board = {0, 17, 40};
  PokerRules rules = no_limit_holdem(2, 1, 2, 100);
  rules.board_cards = {3, 1, 1, 0};
  rules.num_streets = 3;
  for (const auto& game :
       {game_of(no_limit_holdem(2, 1, 2, 200)), game_of(no_limit_holdem(6, 1, 2, 50)), game_of(omaha(3, 5)), game_of(short_deck(3)),
        game_of(leduc()), std::shared_ptr<const Poker>(std::make_shared<Poker>(rules, menu_of({"min"}), flop))}) {
    const RandomPlay expected = play_dealt_first(*game, 7), found = play_random(game, kEpisodes, 7, 2);
    CHECK_EQUAL(found.decisions, expected.decisions);
    CHECK(found.payoffs == expected.payoffs);
  }
}

TEST(betting_heads_up_the_button_speaks_first_before_the_flop) {
  const Betting betting(no_limit_holdem(2, 50, 100, 10'000));
  PokerState state = betting.root();
  CHECK_EQUAL(state.actor, 1);
  CHECK_EQUAL(betting.to_call(state), 50);
  act(betting, state, {kCall, kCall});
  CHECK_EQUAL(state.street, 1);
  CHECK_EQUAL(state.actor, 0);
}

TEST(betting_short_all_in_does_not_reopen) {
  PokerRules rules = no_limit_holdem(3, 50, 100, 1'000);
  rules.stacks[1] = 250;
  const Betting betting(rules);
  PokerState state = betting.root();
  act(betting, state, {kCall, kCall, kCall, 100, 150});
  check_range(betting, state, 250, 900);
  act(betting, state, {kCall});
  CHECK_EQUAL(state.actor, 0);
  CHECK(!betting.raise_range(state));
}

TEST(betting_short_all_ins_that_add_up_reopen) {
  PokerRules rules = no_limit_holdem(4, 50, 100, 1'000);
  rules.stacks[1] = 250;
  rules.stacks[2] = 310;
  const Betting betting(rules);
  PokerState state = betting.root();
  act(betting, state, {kCall, kCall, kCall, kCall, 100, 150, 210, kCall});
  CHECK_EQUAL(state.actor, 0);
  check_range(betting, state, 310, 900);
}

TEST(betting_a_straddle_is_raised_by_a_straddle) {
  PokerRules rules = no_limit_holdem(4, 50, 100, 10'000);
  rules.blinds[2] = 200;
  rules.first_actors[0] = 3;
  rules.blinds[7] = 5'000;  // no such seat: must not matter
  const Betting betting(rules);
  check_range(betting, betting.root(), 400, 10'000);
}

TEST(betting_pot_limit_and_fixed_limit) {
  const Betting pot_limit(omaha(3, 4));
  PokerState state = pot_limit.root();
  check_range(pot_limit, state, 4, 7);
  act(pot_limit, state, {7});
  check_range(pot_limit, state, 12, 23);
  const Betting fixed(limit_holdem(2));
  state = fixed.root();
  act(fixed, state, {4, 6, 8});
  CHECK(!fixed.raise_range(state));
}

TEST(betting_side_pots_and_odd_chips) {
  PokerRules rules = no_limit_holdem(4, 5, 10, 100);
  rules.stacks = {30, 60, 100, 100};
  const Betting betting(rules);
  PokerState state = betting.root();
  act(betting, state, {100, kCall, kCall, kCall});
  check_payoffs(betting, state, {4, 3, 2, 1}, {90, 30, -20, -100});
  check_payoffs(betting, state, {1, 1, 1, 1}, {0, 0, 0, 0});
  check_payoffs(betting, state, {1, 2, 2, 1}, {-30, 120 / 2 + 90 / 2 - 60, 60 + 45 + 80 - 100, -100});

  const Betting odd(no_limit_holdem(3, 1, 2, 100));
  state = odd.root();
  act(odd, state, {kCall, kFold, kCall, kCall, kCall, kCall, kCall, kCall, kCall});
  check_payoffs(odd, state, {0, 1, 1}, {-1, 1, 0});
}

TEST(betting_antes) {
  PokerRules rules = no_limit_holdem(3, 1, 2, 100);
  rules.stacks = {4, 6, 100};
  rules.antes = {10, 10, 10};
  const Betting trimmed(rules);
  PokerState state = trimmed.root();
  while (state.actor == kChance) trimmed.reveal(state, kBlank);
  CHECK_EQUAL(state.paid[2], 6);
  check_payoffs(trimmed, state, {3, 2, 1}, {8, -2, -6});

  rules = no_limit_holdem(3, 50, 100, 1'000);
  rules.stacks[2] = 100;
  rules.antes = {0, 100, 0};  // the big blind's: dead money of the main pot
  const Betting dead(rules);
  state = dead.root();
  CHECK_EQUAL(dead.pot(state), 250);
  act(dead, state, {kCall, kFold, kCall});
  check_payoffs(dead, state, {1, 2, 3}, {-50, -200, 250});
}

TEST(betting_rake_and_uncalled_bets) {
  PokerRules rules = no_limit_holdem(2, 50, 100, 10'000);
  rules.rake = {0.05, 30, true};
  const Betting betting(rules);
  PokerState state = betting.root();
  act(betting, state, {500, kFold});
  check_payoffs(betting, state, {}, {-100, 100});
  state = betting.root();
  act(betting, state, {kCall, kCall, 113, kCall, kCall, kCall, kCall, kCall});
  check_payoffs(betting, state, {2, 1}, {213 - 21, -213});
  state = betting.root();
  act(betting, state, {10'000, kCall});
  check_payoffs(betting, state, {2, 1}, {9'970, -10'000});
}

TEST(betting_conserves_chips_in_every_variant) {
  for (const int players : {2, 3, 6, 10}) {
    CHECK_EQUAL(sum_of_payoffs(game_of(no_limit_holdem(players, 1, 2, 60))), 0);
    CHECK_EQUAL(sum_of_payoffs(game_of(limit_holdem(players))), 0);
    CHECK_EQUAL(sum_of_payoffs(game_of(short_deck(players))), 0);
  }
  for (const int players : {2, 3, 9}) {
    CHECK_EQUAL(sum_of_payoffs(game_of(omaha(players, 4))), 0);
    CHECK_EQUAL(sum_of_payoffs(game_of(omaha(players, 5))), 0);
  }
  CHECK_EQUAL(sum_of_payoffs(game_of(kuhn())), 0);
  CHECK_EQUAL(sum_of_payoffs(game_of(leduc())), 0);
}

TEST(betting_conserves_chips_with_ten_uneven_stacks_and_the_largest_ones) {
  PokerRules rules = no_limit_holdem(10, 5, 10, 1);
  for (int p = 0; p < 10; ++p) {
    rules.stacks[p] = 1 + 7 * p * p;
    rules.antes[p] = 3;
  }
  CHECK_EQUAL(sum_of_payoffs(game_of(rules)), 0);
  rules.antes.fill(0);
  rules.antes[1] = 10;
  CHECK_EQUAL(sum_of_payoffs(game_of(rules)), 0);
  rules.stacks.fill(kMaxStack);
  CHECK_EQUAL(sum_of_payoffs(game_of(rules)), 0);
  rules.limit = Limit::kPot;
  CHECK_EQUAL(sum_of_payoffs(game_of(rules)), 0);
}

TEST(betting_rejects_rules_that_make_no_sense) {
  const auto broken = [](auto breaks) {
    PokerRules rules = no_limit_holdem(3, 1, 2, 100);
    breaks(rules);
    CHECK_THROWS(Betting(rules));
  };
  broken([](PokerRules& r) { r.num_players = 11; });
  broken([](PokerRules& r) { r.num_players = -1; });
  broken([](PokerRules& r) { r.num_streets = 5; });
  broken([](PokerRules& r) { r.stacks[1] = 0; });
  broken([](PokerRules& r) { r.stacks[1] = kMaxStack + 1; });
  broken([](PokerRules& r) { r.blinds = {}; });
  broken([](PokerRules& r) { r.blinds[0] = -1; });
  broken([](PokerRules& r) { r.bets[2] = 0; });
  broken([](PokerRules& r) { r.first_actors[3] = 3; });
  broken([](PokerRules& r) { r.board_cards[1] = 4; });
  broken([](PokerRules& r) { r.deck = kDeck36; });
  broken([](PokerRules& r) { r.rake.fraction = 1; });
}

TEST(tree_counts_of_kuhn_and_leduc) {
  const TreeCounts kuhn_counts = count_tree(*game_of(kuhn()));
  CHECK_EQUAL(kuhn_counts.histories, 58);
  CHECK_EQUAL(kuhn_counts.terminals, 30);
  CHECK_EQUAL(kuhn_counts.infosets, 12);
  const TreeCounts leduc_counts = count_tree(*game_of(leduc()));
  CHECK_EQUAL(leduc_counts.histories, 9457);
  CHECK_EQUAL(leduc_counts.terminals, 5520);
  CHECK_EQUAL(leduc_counts.infosets, 936);
}

TEST(poker_episode_refuses_and_stays_as_it_was) {
  PokerEpisode episode(game_of(no_limit_holdem(2, 1, 2, 100)), {{0, 1}, {}}, {});
  const std::uint64_t key = episode.state().key;
  CHECK_THROWS(episode.act(3));
  CHECK_THROWS(episode.act(101));
  CHECK_THROWS(episode.choose(3));
  CHECK_THROWS(episode.deal_hole(0, {2, 3}));
  CHECK_THROWS(episode.deal_hole(1, {1, 2}));
  CHECK_THROWS(episode.deal_board({0}));
  CHECK_THROWS(episode.deal_board({52}));
  CHECK_THROWS(episode.payoffs());
  CHECK_EQUAL(episode.state().key, key);
  CHECK(episode.events().empty());
  episode.act(kFold);
  CHECK_THROWS(episode.act(kCall));
  CHECK_EQUAL(episode.payoffs()[0], 1);
}
