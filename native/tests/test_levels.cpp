// SPDX-License-Identifier: MIT
// Figures that every level must give: the native tests run at each, and none knows what another finds. They were found by
// g++ 12 at x86-64-v3, in the lines that a test prints which does not find what it expects.
#include <iomanip>
#include <sstream>

#include "cards/equity.h"
#include "jobs/random_play.h"
#include "poker_tables.h"
#include "processor/levels.h"
#include "solve/vector_solver.h"
#include "test.h"

using namespace regretless;

namespace {

constexpr double kDouble = 1e-12;  // powers are the C library's
constexpr double kSingle = 0;  // sums are made in one order everywhere, and nothing is fused

void check_near(std::string_view name, double found, double expected, double tolerance) {
  std::ostringstream text;
  text << name << ": " << std::setprecision(17) << found << ", expected " << expected;
  test::check(std::abs(found - expected) <= tolerance, text.str().c_str(), __FILE__, __LINE__);
}

struct Figures {
  std::string_view name;  // of the algorithm
  double value;           // of player 0, chips
  double exploitability;  // chips
};

template <class G>
void check_figures(std::shared_ptr<const G> game, SolveOptions options, int iterations, const Figures& expected, double tolerance) {
  options.discounts = named_discounts(expected.name);
  const auto solver = make_vector_solver(game, options);
  solver->step(iterations);
  check_near(expected.name, solver->value(0), expected.value, tolerance);
  check_near(expected.name, (solver->best_value(0) + solver->best_value(1)) / 2, expected.exploitability, tolerance);
}

// Half of all hands, with weights of all sizes.
SolveOptions spot_options(std::vector<int> board) {
  SolveOptions options;
  options.problem.board = std::move(board);
  Random random{11};
  for (auto& weights : options.problem.weights)
    for (Hand hand = 0; hand < 1326; ++hand) weights.push_back(random.below(2) == 0 ? 0 : random.uniform());
  return options;
}

Equity exact_equity(std::vector<CardSet> hands, std::vector<Card> board) {
  std::vector<WeightedHands> players;
  for (const CardSet hand : hands) players.push_back({{hand}, {1.0}});
  ExactEquity method(Matchup(Showdown::kHoldem, kDeck52, 2, std::move(players), board, {}));
  method.run(method.num_chunks(), 1);
  return method.result();
}

CardSet pair_of(int rank, int suit, int other_rank, int other_suit) {
  return bit(kDeck52.card(rank, suit)) | bit(kDeck52.card(other_rank, other_suit));
}

}  // namespace

TEST(level_is_one_that_the_processor_runs) { CHECK(std::ranges::count(processor_levels(), kLevel) == 1); }

#ifdef __x86_64__
TEST(levels_of_processors) {
  const std::uint32_t v2 = 0x00982201, v3 = v2 | 0x38401000;
  CHECK_EQUAL(levels_of({}).size(), 1u);
  CHECK(levels_of({}).front() == "x86-64");
  CHECK(levels_of({v2, 0, 1, 0}).front() == "x86-64-v2");
  CHECK(levels_of({v3, 0x128, 0x21, 7}).front() == "x86-64-v3");
  CHECK(levels_of({v3, 0x128, 0x21, 3}).front() == "x86-64-v2");  // the system does not keep ymm
  CHECK(levels_of({v3, 0xd0030128, 0x21, 0xe7}).front() == "x86-64-v4");
  CHECK(levels_of({v3, 0xd0030128, 0x21, 7}).front() == "x86-64-v3");  // nor zmm
  CHECK(levels_of({v3, 0xd0030128, 0x21, 0xe7}).size() == 4);
}
#endif

// Wins and ties are counted, then divided: the same to the last bit.
TEST(levels_agree_on_equity) {
  const CardSet jack_ten = pair_of(9, 3, 8, 3), twos = pair_of(0, 2, 0, 1), kings = pair_of(11, 0, 11, 1);
  const Equity two = exact_equity({jack_ten, twos}, {});
  CHECK(two.equities[0] == 0.53979404358104643);
  CHECK(two.ties[0] == 0.014067011465253833);
  const Equity three = exact_equity({jack_ten, twos, kings}, {kDeck52.card(7, 3), kDeck52.card(3, 3), kDeck52.card(0, 0)});
  CHECK(three.equities[0] == 0.27796234772978962);
  CHECK(three.equities[1] == 0.67441860465116277);
}

// Rules, cards and random numbers are integers.
TEST(levels_agree_on_episodes) {
  const RandomPlay play = play_random(test::game_of(test::no_limit_holdem(6, 1, 2, 200)), 20'000, 5, 2);
  CHECK_EQUAL(play.decisions, 207004);
  CHECK_EQUAL(play.payoffs[0], 166273);
  CHECK_EQUAL(play.payoffs[5], 16129);
}

// Some regrets of Leduc are exactly 0, and rounding decides what is played: a change to the order of sums, at all levels alike,
// shows in the fourth digit of these and is no fault. Then they are found anew.
TEST(levels_agree_on_leduc) {
  const auto game = test::game_of(test::leduc());
  constexpr std::array<Figures, 3> kExpected{{
      {"cfr+", -0.085364430798094124, 0.0049868607493248063},
      {"dcfr", -0.085643009885600391, 0.0019126328860375047},
      {"pcfr+", -0.085175337649632435, 0.0067681098447476273},
  }};
  for (const Figures& expected : kExpected) check_figures(game, {}, 200, expected, kDouble);
}

TEST(levels_agree_on_liars_dice) {
  const auto game = std::make_shared<const LiarsDice>(1, 4, 2);
  constexpr std::array<Figures, 2> kExpected{{
      {"cfr+", 0.061966982274567976, 0.00067481594197580513},
      {"dcfr", 0.062458563867676405, 0.00016079534859656311},
  }};
  for (const Figures& expected : kExpected) check_figures(game, {}, 200, expected, kDouble);
}

TEST(levels_agree_on_a_river) {
  const auto game = test::game_of(test::spot(5), {"50%", "a"});
  constexpr std::array<Figures, 3> kExpected{{
      {"cfr+", -4.701878103340877, 1.0725619074827355},
      {"dcfr", -4.3998648540617999, 0.58108617115076622},
      {"pcfr+", -4.8553211804857357, 1.0411029439201809},
  }};
  for (const Figures& expected : kExpected) check_figures(game, spot_options({33, 29, 18, 40, 3}), 50, expected, kSingle);
}

TEST(levels_agree_on_tables_of_16_bits) {
  const auto game = test::game_of(test::spot(5), {"50%", "a"});
  SolveOptions options = spot_options({33, 29, 18, 40, 3});
  options.precision = 16;
  check_figures(game, options, 50, {"dcfr", -4.3998378528856943, 0.58102517970120338}, kSingle);
}

TEST(levels_agree_on_a_turn) {
  const auto game = test::game_of(test::spot(4), {"a"});
  constexpr std::array<Figures, 2> kExpected{{
      {"cfr+", -1.1294876825857985, 0.80689732002976511},
      {"dcfr", -0.99508024360712111, 0.33178714938489923},
  }};
  for (const Figures& expected : kExpected) check_figures(game, spot_options({33, 29, 18, 40}), 50, expected, kSingle);
}
