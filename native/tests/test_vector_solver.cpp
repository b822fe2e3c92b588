// SPDX-License-Identifier: MIT
#include <set>

#include "poker_tables.h"
#include "solve/vector_cfr.h"
#include "solve/vector_solver.h"
#include "test.h"

using namespace regretless;

namespace {

BetMenu menu_of(const char* open, const char* raise, int streets) {
  BetMenu menu;
  menu.name = "test";
  menu.slots = {"fold", "call", "raise"};
  menu.rows.emplace_back();
  for (int street = 0; street < streets; ++street) {
    menu.rows[0][street][kOpen] = {BetSize::parse(open)};
    menu.rows[0][street][kRaise] = menu.rows[0][street][kReraise] = {BetSize::parse(raise)};
  }
  return menu;
}

SolveOptions options_of(const char* name, bool merge_suits, int threads = 1) {
  SolveOptions options;
  options.discounts = named_discounts(name);
  options.problem.merge_suits = merge_suits;
  options.threads = threads;
  return options;
}

double exploitability(VectorSolver& solver) { return (solver.best_value(0) + solver.best_value(1)) / 2; }

std::shared_ptr<const Poker> spot(int board_cards, double rake = 0) {
  PokerRules rules = test::spot(board_cards);
  rules.rake.fraction = rake;
  return std::make_shared<const Poker>(rules, menu_of("50%", "a", rules.num_streets));
}

}  // namespace

TEST(kuhn_has_its_value) {
  const auto game = test::game_of(test::kuhn());
  const auto solver = make_vector_solver(game, options_of("pcfr+", true));
  solver->step(2000);
  CHECK(std::abs(solver->value(0) + 1.0 / 18) < 1e-6);
  CHECK(exploitability(*solver) < 1e-6);
  CHECK_EQUAL(solver->size().infosets, 12);
}

TEST(leduc_is_the_same_with_suits_merged) {
  const auto game = test::game_of(test::leduc());
  const auto merged = make_vector_solver(game, options_of("cfr+", true));
  const auto whole = make_vector_solver(game, options_of("cfr+", false));
  merged->step(100);
  whole->step(100);
  CHECK_EQUAL(merged->size().nodes, 240);
  CHECK_EQUAL(whole->size().nodes, 465);
  CHECK_EQUAL(merged->size().infosets, 936);
  CHECK(std::abs(merged->value(0) - whole->value(0)) < 1e-9);
  CHECK(std::abs(exploitability(*merged) - 0.0134) < 1e-4);
}

// Rounding must not part hands that a renaming of suits exchanges, or merged cards no longer stand for each other.
TEST(leduc_plays_exchanged_hands_alike) {
  const auto game = test::game_of(test::leduc());
  for (const char* name : {"linear", "pdcfr+"}) {
    const auto solver = make_vector_solver(game, options_of(name, true));
    solver->step(20'000);
    int num_nodes = 0;
    for (std::int32_t n = 0; n < static_cast<std::int32_t>(solver->size().nodes); ++n) {
      const Player actor = solver->problem()->nodes()[n].actor;
      if (actor < 0 || solver->problem()->hands_possible(n, actor) != std::vector<bool>(6, true)) continue;
      const std::vector<double> strategy = solver->strategy(n);
      for (std::size_t h = 0; h < strategy.size(); h += 2) CHECK(strategy[h] == strategy[h + 1]);
      ++num_nodes;
    }
    CHECK_EQUAL(num_nodes, 6);  // before the board
  }
}

// An ace on the flop and another on the turn do not make their suits alike.
TEST(cards_of_different_streets_are_not_exchanged) {
  const Poker game(test::no_limit_holdem(2, 1, 2, 20), menu_of("50%", "a", 4));
  PokerState state = game.root();
  const std::vector<double> weights(1326, 1);
  const SymmetryGroup group = find_symmetries(game, state, weights, weights);
  CHECK_EQUAL(group.renamings.size(), 24u);
  const auto check_down = [&] {
    while (game.actor(state) >= 0) game.act(state, 1);
  };
  const Deck& deck = game.rules().deck;
  const std::array<Card, 3> flop{deck.card(0, 0), deck.card(11, 0), deck.card(12, 2)};
  const Card turn = deck.card(12, 3);
  check_down();
  game.betting().reveal(state, flop.data());
  check_down();
  CHECK_EQUAL(fixing_renamings(game, state, group).size(), 2u);  // of the two suits that the flop has not
  game.betting().reveal(state, &turn);
  check_down();
  CHECK_EQUAL(fixing_renamings(game, state, group).size(), 1u);
  CHECK_EQUAL(outcome_classes(game, state, group).size(), 48u);
}

// A place of the shape on a board is the public state that the events lead to.
template <class G>
void check_tree(const G& game, const PublicTree<G>& tree) {
  std::int64_t num_nodes = 0;
  for (std::size_t place = 0; place < tree.plan.shape().places.size(); ++place) num_nodes += tree.plan.num_boards(place);
  CHECK_EQUAL(tree.plan.num_nodes(), num_nodes);
  CHECK_EQUAL(static_cast<std::int64_t>(tree.nodes.size()), num_nodes);
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const auto state = tree.state(n);
    const auto& events = tree.states[n];
    CHECK_EQUAL(game.actor(state), game.actor(events));
    if (game.actor(state) == kTerminal) {
      CHECK(game.ending(state).payoffs == game.ending(events).payoffs);
      CHECK_EQUAL(game.ending(state).key, game.ending(events).key);
    } else if (game.actor(state) >= 0) {
      CHECK_EQUAL(game.legal(state), game.legal(events));
    }
    for (Hand hand = 0; hand < game.num_hands(); ++hand) {
      CHECK_EQUAL(game.hand_possible(state, hand), game.hand_possible(events, hand));
      CHECK_EQUAL(game.hand_possible(tree.board(n).state, hand), game.hand_possible(events, hand));
    }
  }
}

TEST(trees_are_shapes_on_boards) {
  const Poker leduc(test::leduc(), test::menu_of({"min"}));
  check_tree(leduc, build_tree(leduc, leduc.root(), SymmetryGroup{}));
  check_tree(leduc, build_tree(leduc, leduc.root(), find_symmetries(leduc, leduc.root())));
  const auto turn = spot(4);
  const PokerState root = make_root(*turn, {33, 29, 18, 40});
  check_tree(*turn, build_tree(*turn, root, find_symmetries(*turn, root)));
  check_tree(*turn, build_tree(*turn, root, SymmetryGroup{}, {.ends_with_round = true}));
  const LiarsDice dice(1, 4, 2);
  check_tree(dice, build_tree(dice, dice.root(), SymmetryGroup{}));
  CHECK_THROWS(build_tree(*turn, root, SymmetryGroup{}, {.max_nodes = 100}));
}

// Nothing is built, and hardly anything counted.
TEST(the_whole_game_is_refused) {
  const auto game = std::make_shared<const Poker>(test::no_limit_holdem(2, 1, 2, 400), menu_of("50%", "100%", 4));
  CHECK_THROWS(make_vector_solver(game, options_of("cfr", true)));
}

TEST(leduc_goes_on_from_its_state) {
  const auto game = test::game_of(test::leduc());
  const auto whole = make_vector_solver(game, options_of("pdcfr+", true));
  const auto first = make_vector_solver(game, options_of("pdcfr+", true));
  const auto second = make_vector_solver(game, options_of("pdcfr+", true));
  whole->step(40);
  first->step(15);
  second->restore(15, first->state());
  second->step(25);
  CHECK(second->state() == whole->state());
  CHECK_THROWS(second->restore(3, {1.0}));
}

namespace {

void check_terminals(double rake) {
  const auto game = spot(5, rake);
  PokerState state = game->root();
  const std::array<Card, 5> board{33, 29, 18, 40, 3};
  game->betting().reveal(state, board.data());
  std::array<RootRange, 2> ranges;
  Random random{7};
  for (Player p = 0; p < 2; ++p)
    for (Hand hand = 0; hand < 1326; ++hand)
      if (random.below(3) == 0) {  // hands that the board blocks are among them
        ranges[p].hands.push_back(hand);
        ranges[p].weights.push_back(1);
      }
  const auto public_tree = build_tree(*game, state, SymmetryGroup{});
  const RankedTree tree(*game, public_tree, SymmetryGroup{}, ranges);
  for (Player p = 0; p < 2; ++p) {
    const auto width = static_cast<std::size_t>(tree.strides[p]), other_width = static_cast<std::size_t>(tree.strides[1 - p]);
    const std::size_t nodes = tree.nodes.size();
    HandVector<float> reaches(nodes * other_width), values(nodes * width);
    for (std::size_t n = 0; n < nodes; ++n)
      for (std::size_t h = 0; h < ranges[1 - p].hands.size(); ++h)
        if (game->hand_possible(state, ranges[1 - p].hands[h])) reaches[n * other_width + h] = random.uniform();
    // All endings at a node of the player have one reach, whatever he chooses.
    const auto reach = [&](const VectorNode& node, int c) {
      const auto n = static_cast<std::size_t>(node.actor == p ? &node - tree.nodes.data() : node.first_child + c);
      return reaches.data() + n * other_width;
    };
    Lanes<float> lanes;
    for (const VectorNode& node : tree.nodes)
      if (node.actor >= 0)
        add_lanes(
            tree, node, p, [&](int c) { return reach(node, c); },
            [&](int c) { return values.data() + static_cast<std::size_t>(node.first_child + c) * width; }, lanes);
    CHECK(!lanes.both.empty() && !lanes.showdowns.empty() && !lanes.folds.empty());
    const auto num_terminals =
        std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const VectorNode& node) { return node.actor == kTerminal; });
    CHECK_EQUAL(2 * lanes.both.size() + lanes.showdowns.size() + lanes.folds.size(), static_cast<std::size_t>(num_terminals));
    tree.showdown->lane_values(lanes, p);
    const auto &own = ranges[p].hands, &other = ranges[1 - p].hands;
    std::vector<int> signs;  // [own hands, other hands]: 1 wins, 0 ties, -1 loses, kCannotMeet
    for (const Hand h : own)
      for (const Hand o : other) {
        const bool meets = game->hands_compatible(h, o) && game->hand_possible(state, h) && game->hand_possible(state, o);
        signs.push_back(!meets ? kCannotMeet : p == 0 ? game->compare(state, h, o) : -game->compare(state, o, h));
      }
    for (const VectorNode& node : tree.nodes) {
      for (int c = 0; node.actor >= 0 && c < node.num_children; ++c) {
        const VectorNode& child = tree.nodes[node.first_child + c];
        if (child.actor != kTerminal) continue;
        const TerminalNode& ending = tree.terminals[child.offset];
        for (std::size_t h = 0; h < own.size(); ++h) {
          if (!game->hand_possible(state, own[h])) continue;
          double sum = 0;
          for (std::size_t o = 0; o < other.size(); ++o)
            if (const int sign = signs[h * other.size() + o]; sign != kCannotMeet)
              sum += ending.payoffs[p][ending.is_showdown ? sign + 1 : 2] * reach(node, c)[o];
          CHECK(std::abs(sum - values[static_cast<std::size_t>(node.first_child + c) * width + h]) < 0.2);  // of some 20,000
        }
      }
    }
  }
}

}  // namespace

TEST(batches_of_terminals_equal_sums_over_pairs_of_hands) {
  check_terminals(0);
  check_terminals(0.05);  // what is won is not what is lost, nor what is kept when shared
}

TEST(turn_is_the_same_on_two_threads) {
  const auto game = spot(4);
  SolveOptions options = options_of("dcfr", true);
  options.problem.board = {33, 29, 18, 40};
  for (auto& weights : options.problem.weights) {
    weights.assign(1326, 0);
    for (Hand hand = 3; hand < 1326; hand += 47) weights[hand] = 1;
  }
  const auto one = make_vector_solver(game, options);
  options.threads = 2;
  const auto two = make_vector_solver(game, options);
  one->step(10);
  two->step(10);
  CHECK(one->state() == two->state());
  CHECK(std::abs(one->value(0) + one->value(1)) < 1e-3);
  CHECK(exploitability(*one) > 0);
}

TEST(solvers_are_the_same_on_threads) {
  const auto check = [](const auto& game, SolveOptions options) {
    const auto one = make_vector_solver(game, options);
    options.threads = 3;
    const auto three = make_vector_solver(game, options);
    one->step(6);
    three->step(6);
    CHECK(one->state() == three->state());
    for (Player p = 0; p < 2; ++p) {
      CHECK_EQUAL(one->value(p), three->value(p));
      CHECK_EQUAL(one->best_value(p), three->best_value(p));
      CHECK(one->hand_values(p) == three->hand_values(p));
    }
  };
  for (const char* name : {"cfr", "dcfr", "pdcfr+"})
    for (const bool alternating : {true, false}) {
      SolveOptions options = options_of(name, true);
      options.discounts.alternating = alternating;
      check(test::game_of(test::leduc()), options);
      check(std::make_shared<const LiarsDice>(1, 4, 2), options);
      options.problem.board = {33, 29, 18, 40, 3};
      check(spot(5), options);
    }
  SolveOptions narrow = options_of("dcfr", false);
  for (auto& weights : narrow.problem.weights) {
    weights.assign(1326, 0);
    for (Hand hand = 3; hand < 1326; hand += 147) weights[hand] = 1;
  }
  narrow.problem.board = {33, 29, 18, 40};
  narrow.precision = 16;
  check(spot(4), narrow);
  PokerRules flop = test::spot(3);
  flop.num_streets = 3;
  flop.board_cards = {3, 1, 1};
  flop.bets[2] = flop.bets[1];
  flop.max_raises[2] = flop.max_raises[1];
  narrow.problem.board = {33, 29, 18};
  narrow.precision = 32;
  check(test::game_of(flop, {"a"}), narrow);
}

TEST(solver_refuses_states_and_profiles_that_make_no_sense) {
  for (const int precision : {32, 16}) {
    SolveOptions options = options_of("pcfr+", true);
    options.problem.board = {33, 29, 18, 40, 3};
    options.precision = precision;
    const auto solver = make_vector_solver(spot(5), options);
    solver->step(3);
    const std::vector<double> good = solver->state();
    for (const double bad : {std::nan(""), 1e300, -1e300}) {
      std::vector<double> state = good;
      for (const std::size_t at : {std::size_t{0}, state.size() / 2, state.size() - 1}) {
        state = good;
        state[at] = bad;
        CHECK_THROWS((solver->restore(3, state), 0));
      }
      CHECK(solver->state() == good);
    }
    CHECK_THROWS((solver->restore(-1, good), 0));
    CHECK_THROWS((solver->restore(3, {good.begin(), good.end() - 1}), 0));
    solver->restore(3, good);
    std::vector<double> profile(static_cast<std::size_t>(solver->size().entries), 1);
    solver->problem()->values_of(profile);
    for (const double bad : {std::nan(""), -1.0, 1e300}) {
      profile.back() = bad;
      CHECK_THROWS(solver->problem()->values_of(profile));
      CHECK_THROWS(solver->problem()->best_values_against(profile));
    }
  }
  SolveOptions options = options_of("dcfr", true);
  options.discounts.gamma = std::nan("");
  CHECK_THROWS(make_vector_solver(test::game_of(test::leduc()), options));
}

TEST(tables_of_16_bits_are_nearly_as_good_and_go_on_from_their_state) {
  const auto game = spot(5);
  SolveOptions options = options_of("dcfr", true);
  options.problem.board = {33, 29, 18, 40, 3};
  const auto whole = make_vector_solver(game, options);
  options.precision = 16;
  const auto packed = make_vector_solver(game, options), first = make_vector_solver(game, options),
             second = make_vector_solver(game, options);
  CHECK_EQUAL(whole->size().precision, 32);
  CHECK_EQUAL(packed->size().precision, 16);
  CHECK(packed->size().bytes < 0.7 * static_cast<double>(whole->size().bytes));
  whole->step(400);
  packed->step(400);
  CHECK(exploitability(*whole) < 0.02);  // of a pot of 100
  CHECK(exploitability(*packed) < 0.03);
  CHECK(std::abs(whole->value(0) - packed->value(0)) < 0.03);
  first->step(150);
  second->restore(150, first->state());
  second->step(250);
  CHECK(second->state() == packed->state());
}

TEST(problems_that_do_not_fit_are_refused) {
  const auto game = spot(5);
  SolveOptions options = options_of("cfr", true);
  const auto refuses = [&](auto change) {
    SolveOptions changed = options;
    change(changed.problem);
    CHECK_THROWS(make_vector_solver(game, changed));
  };
  refuses([](ProblemOptions& problem) { problem.board = {1, 1, 2, 3, 4}; });
  refuses([](ProblemOptions& problem) { problem.board = {1, 2}; });
  refuses([](ProblemOptions& problem) { problem.weights[0] = {1.0}; });
  options.problem.max_bytes = 1000;
  options.problem.board = {0, 5, 10, 15, 20};
  CHECK_THROWS(make_vector_solver(game, options));
}

TEST(rows_name_every_infoset_once_and_make_the_profile_again) {
  const auto game = spot(4);
  SolveOptions options = options_of("dcfr", true);
  options.problem.board = {33, 29, 18, 41};  // two suits of it may be exchanged
  for (auto& weights : options.problem.weights) {
    weights.assign(1326, 0);
    for (Hand hand = 0; hand < 1326; ++hand) weights[hand] = game->hand_cards(hand) >> 44 << 44 == game->hand_cards(hand);  // A, K
  }
  const auto merged = make_vector_solver(game, options);
  merged->step(3);
  const SolutionRows rows = merged->rows();
  CHECK_EQUAL(static_cast<std::int64_t>(rows.keys.size()), merged->size().infosets);
  CHECK_EQUAL(rows.keys.size(), merged->problem()->names().size());
  CHECK(std::set<std::uint64_t>(rows.keys.begin(), rows.keys.end()).size() == rows.keys.size());
  for (const double reach : rows.reaches) CHECK(reach >= 0 && reach <= 1.0001);
  options.problem.merge_suits = false;
  const auto whole = make_vector_problem(game, options.problem);
  CHECK(whole->infosets().keys.size() == rows.keys.size());
  CHECK(whole->size().nodes > merged->size().nodes);
  CHECK_THROWS(merged->problem()->profile_of(rows.probabilities.data()));
  // The rows of a problem that merges nothing, put back, are worth the same.
  const auto solver = make_vector_solver(game, options);
  solver->step(3);
  const auto profile = solver->problem()->profile_of(solver->rows().probabilities.data());
  for (Player p = 0; p < 2; ++p) {
    CHECK(std::abs(solver->problem()->values_of(profile)[p] - solver->value(p)) < 1e-3);
    CHECK(std::abs(solver->problem()->best_values_against(profile)[p] - solver->best_value(p)) < 1e-3);
  }
}

TEST(deals_of_a_start_come_from_its_ranges) {
  std::vector<std::vector<double>> weights(2, std::vector<double>(1326));
  weights[0][0] = weights[0][700] = weights[1][0] = weights[1][1325] = 1;
  const auto rules = spot(4);
  const Poker game(rules->rules(), rules->menu(), {{33, 29, 18, 40}, weights});
  for (std::uint64_t i = 0; i < 500; ++i) {
    Random random{7, i};
    const PokerDeal deal = game.deal(random);
    const Hand first = game.hand(deal, 0), second = game.hand(deal, 1);
    CHECK(weights[0][first] > 0 && weights[1][second] > 0 && game.hands_compatible(first, second));
    CHECK(deal.board[0] == 33 && deal.board[3] == 40);
  }
  CHECK_THROWS(Poker(rules->rules(), rules->menu(), {{33, 29, 18}, {}}));
  CHECK_THROWS(Poker(rules->rules(), rules->menu(), {{33, 29, 18, 33}, {}}));
  weights[1].assign(1326, 0);
  CHECK_THROWS(Poker(rules->rules(), rules->menu(), {{33, 29, 18, 40}, weights}));
}

TEST(one_wins_what_the_other_loses_but_for_the_rake) {
  for (const double rake : {0.0, 0.05}) {
    SolveOptions options = options_of("dcfr", true);
    options.problem.board = {33, 29, 18, 40, 3};
    for (auto& weights : options.problem.weights) weights.assign(1326, 1);
    const auto solver = make_vector_solver(spot(5, rake), options);
    solver->step(20);
    CHECK_EQUAL(solver->is_zero_sum(), rake == 0);
    const double best = solver->best_value(0), sum = solver->value(0) + solver->value(1);
    CHECK(rake == 0 ? std::abs(sum) < 1e-3 : sum < -1);
    CHECK(best > solver->value(0));
    solver->step(1);
    CHECK(solver->best_value(0) != best);
  }
}
