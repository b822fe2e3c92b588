// SPDX-License-Identifier: MIT
#include "solve/explicit_cfr.h"

#include "solve/fictitious_play.h"
#include "test.h"

using namespace regretless;

namespace {

// Kuhn poker by hand: chance deals one of six pairs of cards, then the players pass and bet in turn. All deals have the same
// nine histories, so the tree is written level by level, six deals at a time.
struct Kuhn {
  std::vector<std::int8_t> actors, infoset_actors;
  std::vector<std::int32_t> parents, first_children, num_children, infosets, terminals, infoset_num_actions;
  std::vector<double> chance_probabilities, payoffs;

  static constexpr int kDeals[6][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};

  Kuhn() {
    add(-1, kChance, -1, 6, 1);
    for (const auto& deal : kDeals) add(0, 0, deal[0], 2, 1.0 / 6);
    for (int d = 0; d < 6; ++d)
      for (int bet = 0; bet < 2; ++bet) add(1 + d, 1, 3 + 2 * kDeals[d][1] + bet, 2);  // p, b
    for (int d = 0; d < 6; ++d) {
      end(7 + 2 * d, winner(d) * 1);                          // pp
      add(7 + 2 * d, 0, 9 + kDeals[d][0], 2);                 // pb
      end(8 + 2 * d, 1);                                      // bp
      end(8 + 2 * d, winner(d) * 2);                          // bb
    }
    for (int d = 0; d < 6; ++d) {
      end(20 + 4 * d, -1);             // pbp
      end(20 + 4 * d, winner(d) * 2);  // pbb
    }
    infoset_actors = {0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0};
    infoset_num_actions.assign(12, 2);
  }

  static int winner(int deal) { return kDeals[deal][0] > kDeals[deal][1] ? 1 : -1; }

  void add(int parent, int actor, int infoset, int children, double probability = 1) {
    first_children.push_back(parents.empty() ? 1 : first_children.back() + num_children.back());
    parents.push_back(parent);
    actors.push_back(static_cast<std::int8_t>(actor));
    infosets.push_back(infoset);
    num_children.push_back(children);
    chance_probabilities.push_back(probability);
    terminals.push_back(-1);
  }

  void end(int parent, int payoff) {
    add(parent, kTerminal, -1, 0);
    terminals.back() = static_cast<std::int32_t>(payoffs.size() / 2);
    payoffs.push_back(payoff);
    payoffs.push_back(-payoff);
  }

  ExplicitTree tree() const {
    return {2,        actors,    parents, first_children, num_children,       chance_probabilities,
            infosets, terminals, payoffs, infoset_actors, infoset_num_actions};
  }
  std::shared_ptr<const SequenceForm> form() const { return std::make_shared<SequenceForm>(tree()); }
};

bool is_near(double a, double b, double tolerance = 1e-12) { return std::abs(a - b) <= tolerance; }

double exploitability(const SequenceForm& form, const std::vector<double>& behaviours) {
  const std::vector<double> values = explicit_values(form, behaviours);
  const std::vector<double> best = explicit_best_response(form, behaviours).values;
  double sum = 0;
  for (std::size_t p = 0; p < values.size(); ++p) sum += best[p] - values[p];
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST(sequence_form_of_kuhn) {
  const Kuhn kuhn;
  CHECK_EQUAL(kuhn.actors.size(), std::size_t{55});
  const auto form = kuhn.form();
  CHECK_EQUAL(form->num_sequences(), 26);
  CHECK_EQUAL(form->max_actions(), 2);
  const std::vector<double> uniform(26, 0.5);
  CHECK(is_near(explicit_values(*form, uniform)[0], 0.125));
  CHECK(is_near(explicit_values(*form, uniform)[1], -0.125));
  CHECK(is_near(exploitability(*form, uniform), 0.4583333333333333));
}

TEST(best_response_behaviours_earn_their_values) {
  const auto form = Kuhn().form();
  std::vector<double> behaviours(26, 0.5);
  const ExplicitBestResponse response = explicit_best_response(*form, behaviours);
  const auto [begin, end] = form->sequences(0);
  std::copy(response.behaviours.begin() + begin, response.behaviours.begin() + end, behaviours.begin() + begin);
  CHECK(is_near(explicit_values(*form, behaviours)[0], response.values[0]));
}

TEST(explicit_cfr_curves_on_kuhn) {
  const auto form = Kuhn().form();
  const struct {
    const char* name;
    double after_100, after_500;
  } curves[] = {{"cfr", 8.23e-3, 1.17e-3},
                {"cfr+", 1.19e-3, 1.73e-4},
                {"dcfr", 1.67e-3, 3.88e-4},
                {"pcfr+", 2.32e-5, 1.88e-7},
                {"pdcfr+", 1.10e-7, 7.24e-12}};
  for (const auto& curve : curves) {
    ExplicitCfr cfr(form, named_discounts(curve.name));
    while (cfr.iteration() < 100) cfr.step();
    CHECK(is_near(exploitability(*form, cfr.average_behaviours()), curve.after_100, curve.after_100 * 0.01));
    while (cfr.iteration() < 500) cfr.step();
    CHECK(is_near(exploitability(*form, cfr.average_behaviours()), curve.after_500, curve.after_500 * 0.01));
    CHECK(is_near(explicit_values(*form, cfr.average_behaviours())[0], -1.0 / 18, 1e-3));
  }
}

TEST(explicit_cfr_resumes_exactly) {
  const auto form = Kuhn().form();
  for (const bool alternating : {true, false}) {
    for (const NamedDiscounts& entry : kDiscounts) {
      Discounts discounts = entry.discounts;
      discounts.alternating = alternating;
      ExplicitCfr straight(form, discounts), first(form, discounts), second(form, discounts);
      for (int t = 0; t < 40; ++t) straight.step();
      for (int t = 0; t < 17; ++t) first.step();
      second.restore(first.state());
      for (int t = 17; t < 40; ++t) second.step();
      CHECK(second.state().regrets == straight.state().regrets);
      CHECK(second.state().sums == straight.state().sums);
    }
  }
}

TEST(fictitious_play_on_kuhn) {
  const auto form = Kuhn().form();
  for (const bool is_linear : {false, true}) {
    for (const bool alternating : {false, true}) {
      FictitiousPlay play(form, is_linear, alternating);
      for (int t = 0; t < 2000; ++t) play.step();
      CHECK(exploitability(*form, play.average_behaviours()) < 0.01);
      CHECK(is_near(explicit_values(*form, play.average_behaviours())[0], -1.0 / 18, 0.01));
    }
  }
}

TEST(sequence_form_needs_perfect_recall) {
  Kuhn forgetful;
  for (int& infoset : forgetful.infosets)
    if (infoset == 10) infoset = 9;  // player 0 forgets a card after pass, bet
  CHECK_THROWS(SequenceForm(forgetful.tree()));
}

TEST(explicit_trees_are_checked) {
  Kuhn wrong_parent, wrong_actor, wrong_sum, cut, wrong_payoff, knowing_chance, knowing_end, early_payoff;
  wrong_parent.parents[9] = 1;
  wrong_actor.actors[9] = 0;
  wrong_sum.chance_probabilities[3] = 0.5;
  cut.actors.pop_back();
  wrong_payoff.terminals[19] = 100;
  knowing_chance.infosets[0] = 12;
  knowing_end.infosets[19] = 1'000'000;
  early_payoff.terminals[1] = 0;
  for (const Kuhn* kuhn :
       {&wrong_parent, &wrong_actor, &wrong_sum, &cut, &wrong_payoff, &knowing_chance, &knowing_end, &early_payoff})
    CHECK_THROWS(SequenceForm(kuhn->tree()));
}

TEST(a_game_that_is_over_at_once) {
  const std::vector<std::int8_t> actors{kTerminal};
  const std::vector<std::int32_t> parents{-1}, first_children{1}, num_children{0}, infosets{-1}, terminals{0};
  const std::vector<double> chance_probabilities{1}, payoffs{1, 2, -3};
  const auto form = std::make_shared<SequenceForm>(
      ExplicitTree{3, actors, parents, first_children, num_children, chance_probabilities, infosets, terminals, payoffs, {}, {}});
  ExplicitCfr cfr(form, named_discounts("cfr+"));
  cfr.step();
  CHECK_EQUAL(explicit_values(*form, cfr.average_behaviours())[2], -3.0);
  CHECK_EQUAL(explicit_best_response(*form, cfr.average_behaviours()).values[1], 2.0);
}
