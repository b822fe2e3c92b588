// SPDX-License-Identifier: MIT
// Games written out in full: their sequence form, and what solves and measures there. Strategies are arrays
// [infosets, max_actions] with zeros beyond an infoset's last action.
#include "bindings.h"

#include "solve/explicit_cfr.h"
#include "solve/fictitious_play.h"
#include "threads/lookout.h"

namespace regretless {
namespace {

using Form = std::shared_ptr<SequenceForm>;
using Rows = ArrayOut<double, 2>;

void require(bool ok, const std::string& problem) {
  if (!ok) throw std::invalid_argument(problem);
}

// Conversions.

Rows rows_of(const SequenceForm& form, const std::vector<double>& sequences) {
  auto rows = new_array<double>({static_cast<std::size_t>(form.num_infosets()), static_cast<std::size_t>(form.max_actions())});
  form.write_rows(sequences.data(), rows.data());
  return rows;
}

std::vector<double> sequences_of(const SequenceForm& form, const ArrayIn<double, 2>& rows, const std::string& name,
                                 bool is_signed = false) {
  require(rows.shape(0) == static_cast<std::size_t>(form.num_infosets()) &&
              rows.shape(1) == static_cast<std::size_t>(form.max_actions()),
          name + ": expected shape [" + std::to_string(form.num_infosets()) + ", " + std::to_string(form.max_actions()) + "]");
  require(std::ranges::all_of(span_of(rows), [&](double x) { return std::isfinite(x) && (is_signed || x >= 0); }),
          name + (is_signed ? ": not all numbers are finite" : ": not all numbers are finite and from 0"));
  std::vector<double> sequences(form.num_sequences());
  form.read_rows(rows.data(), sequences.data());
  return sequences;
}

void check_player(const SequenceForm& form, int player) {
  require(player >= 0 && player < form.num_players(), "there is no player " + std::to_string(player));
}

void check_iteration(std::int64_t iteration) {
  require(iteration >= 0 && iteration <= std::numeric_limits<int>::max(), "iteration: must be from 0 to 2^31 - 1");
}

template <class Solver>
void step(Solver& solver, std::int64_t count) {
  require(count >= 0 && count <= std::numeric_limits<int>::max(), "count: must be from 0 to 2^31 - 1");
  check_iteration(solver.iteration() + count);
  nb::gil_scoped_release release;
  for (std::int64_t i = 0; i < count; ++i, Lookout::look_now()) solver.step();
}

template <class Solver>
Rows average_strategy(const Solver& solver) {
  return rows_of(solver.form(), solver.average_behaviours());
}

// The sequence form.

void bind_sequence_form(nb::module_& m) {
  nb::class_<SequenceForm>(m, "SequenceForm",
                           "A game of perfect recall by the sequences of each player; arrays as in ExplicitTree.")
      .def(
          "__init__",
          [](SequenceForm* self, ArrayIn<std::int8_t, 1> actors, ArrayIn<std::int32_t, 1> parents,
             ArrayIn<std::int32_t, 1> first_children, ArrayIn<std::int32_t, 1> num_children,
             ArrayIn<double, 1> chance_probabilities, ArrayIn<std::int32_t, 1> infosets, ArrayIn<std::int32_t, 1> terminals,
             ArrayIn<double, 2> payoffs, ArrayIn<std::int8_t, 1> infoset_actors, ArrayIn<std::int32_t, 1> infoset_num_actions) {
            const ExplicitTree tree{static_cast<int>(payoffs.shape(1)),
                                    span_of(actors),
                                    span_of(parents),
                                    span_of(first_children),
                                    span_of(num_children),
                                    span_of(chance_probabilities),
                                    span_of(infosets),
                                    span_of(terminals),
                                    span_of(payoffs),
                                    span_of(infoset_actors),
                                    span_of(infoset_num_actions)};
            nb::gil_scoped_release release;
            new (self) SequenceForm(tree);
          },
          nb::kw_only(), "actors"_a.noconvert(), "parents"_a.noconvert(), "first_children"_a.noconvert(),
          "num_children"_a.noconvert(), "chance_probabilities"_a.noconvert(), "infosets"_a.noconvert(), "terminals"_a.noconvert(),
          "payoffs"_a.noconvert(), "infoset_actors"_a.noconvert(), "infoset_num_actions"_a.noconvert())
      .def_prop_ro("num_players", &SequenceForm::num_players)
      .def_prop_ro("num_infosets", &SequenceForm::num_infosets)
      .def_prop_ro("max_actions", &SequenceForm::max_actions)
      .def(
          "sequences",
          [](const SequenceForm& form, int player) {
            check_player(form, player);
            return std::pair(form.sequences(player).begin, form.sequences(player).end);
          },
          "player"_a, "The first sequence of a player, the empty one, and the one after the last.")
      .def(
          "infosets",
          [](const SequenceForm& form, int player) {
            check_player(form, player);
            const auto infosets = form.infosets(player);
            auto out = new_array<std::int32_t>({infosets.size(), 4});
            std::int32_t* next = out.data();
            for (const SequenceForm::Infoset& infoset : infosets)
              for (const std::int32_t field : {infoset.number, infoset.parent, infoset.first, infoset.num_actions}) *next++ = field;
            return out;
          },
          "player"_a,
          "For each infoset of a player: its number in the tree, the sequence that leads to it, that of\n"
          "its first action, and the number of actions.  [infosets, 4]")
      .def(
          "payoffs",
          [](const SequenceForm& form, int player) {
            check_player(form, player);
            const SequenceForm::Payoffs& payoffs = form.payoffs(player);
            auto others = new_array<std::int32_t>({payoffs.weights.size(), static_cast<std::size_t>(form.num_players() - 1)});
            std::ranges::copy(payoffs.others, others.data());
            return std::tuple(to_array(payoffs.starts), to_array(payoffs.weights), others);
          },
          "player"_a,
          "Winnings of a player by own sequence, as sparse rows: starts [sequences + 1], chance probability\n"
          "times payoff [terms], and the other players' sequences [terms, players - 1].");

  m.def(
      "explicit_values",
      [](Form form, ArrayIn<double, 2> strategy) {
        return to_array(explicit_values(*form, sequences_of(*form, strategy, "strategy")));
      },
      "form"_a, "strategy"_a, "Mean winnings of each player.  [players]");
  m.def(
      "explicit_best_response",
      [](Form form, ArrayIn<double, 2> strategy) {
        const ExplicitBestResponse response = explicit_best_response(*form, sequences_of(*form, strategy, "strategy"));
        return std::pair(to_array(response.values), rows_of(*form, response.behaviours));
      },
      "form"_a, "strategy"_a,
      "Winnings of each player's best response to the others [players], and all these answers in one\n"
      "strategy: of equally good actions the first.");
}

// Solvers.

Discounts chosen_discounts(const std::string& variant, std::optional<double> alpha, std::optional<double> beta,
                           std::optional<double> gamma, bool alternating) {
  Discounts discounts = named_discounts(variant);
  discounts.alpha = alpha.value_or(discounts.alpha);
  discounts.beta = beta.value_or(discounts.beta);
  discounts.gamma = gamma.value_or(discounts.gamma);
  discounts.alternating = alternating;
  discounts.check();
  return discounts;
}

nb::dict cfr_state(const ExplicitCfr& cfr) {
  const ExplicitCfr::State& state = cfr.state();
  nb::dict arrays;
  arrays["iteration"] = to_array(std::vector<std::int64_t>{state.iteration});
  arrays["regrets"] = rows_of(cfr.form(), state.regrets);
  arrays["sums"] = rows_of(cfr.form(), state.sums);
  if (!state.predictions.empty()) arrays["predictions"] = rows_of(cfr.form(), state.predictions);
  return arrays;
}

void restore_cfr(ExplicitCfr& cfr, std::int64_t iteration, ArrayIn<double, 2> regrets, ArrayIn<double, 2> sums,
                 std::optional<ArrayIn<double, 2>> predictions) {
  check_iteration(iteration);
  require(predictions.has_value() == !cfr.state().predictions.empty(), "the state is of another variant");
  cfr.restore({static_cast<int>(iteration), sequences_of(cfr.form(), regrets, "regrets", true),
               sequences_of(cfr.form(), sums, "sums"),
               predictions ? sequences_of(cfr.form(), *predictions, "predictions", true) : std::vector<double>{}});
}

void bind_solvers(nb::module_& m) {
  nb::class_<ExplicitCfr>(m, "ExplicitCfr", "Counterfactual regret minimisation; an iteration updates every player once.")
      .def(
          "__init__",
          [](ExplicitCfr* self, Form form, const std::string& variant, std::optional<double> alpha, std::optional<double> beta,
             std::optional<double> gamma, bool alternating) {
            new (self) ExplicitCfr(std::move(form), chosen_discounts(variant, alpha, beta, gamma, alternating));
          },
          "form"_a, "variant"_a, nb::kw_only(), "alpha"_a = nb::none(), "beta"_a = nb::none(), "gamma"_a = nb::none(),
          "alternating"_a = true)
      .def_prop_ro("iteration", exclusive(&ExplicitCfr::iteration))
      .def("step", exclusive(&step<ExplicitCfr>), "count"_a = 1)
      .def("average_strategy", exclusive(&average_strategy<ExplicitCfr>))
      .def("state", exclusive(&cfr_state), nb::sig("def state(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"))
      .def("restore", exclusive(&restore_cfr), "iteration"_a, "regrets"_a, "sums"_a, "predictions"_a = nb::none());

  nb::class_<FictitiousPlay>(m, "FictitiousPlay", "Fictitious play; an iteration updates every player once.")
      .def(
          "__init__",
          [](FictitiousPlay* self, Form form, bool is_linear, bool alternating) {
            new (self) FictitiousPlay(std::move(form), is_linear, alternating);
          },
          "form"_a, nb::kw_only(), "is_linear"_a = false, "alternating"_a = true)
      .def_prop_ro("iteration", exclusive(&FictitiousPlay::iteration))
      .def("step", exclusive(&step<FictitiousPlay>), "count"_a = 1)
      .def("average_strategy", exclusive(&average_strategy<FictitiousPlay>))
      .def("average_plans", exclusive([](const FictitiousPlay& play) { return rows_of(play.form(), play.average_plans()); }),
           "The probability that a player does all that leads to an action, and the action.")
      .def("restore", exclusive([](FictitiousPlay& play, std::int64_t iteration, ArrayIn<double, 2> average_plans) {
             check_iteration(iteration);
             play.restore(static_cast<int>(iteration), sequences_of(play.form(), average_plans, "average_plans"));
           }),
           "iteration"_a, "average_plans"_a);
}

}  // namespace

void bind_explicit(nb::module_& m) {
  bind_sequence_form(m);
  bind_solvers(m);
}

}  // namespace regretless
