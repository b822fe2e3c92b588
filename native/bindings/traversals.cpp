// SPDX-License-Identifier: MIT
// Sampled traversals, in batches of questions.
#include "bindings.h"

#include "jobs/traversals.h"
#include "questions.h"

namespace regretless {
namespace {

TraversalSampling parse_sampling(const std::string& name) {
  if (name == "external") return TraversalSampling::kExternal;
  if (name == "outcome") return TraversalSampling::kOutcome;
  throw std::invalid_argument("sampling: must be external or outcome, not '" + name + "'");
}

TraversalBaselines parse_baselines(const std::string& name) {
  if (name == "none") return TraversalBaselines::kNone;
  if (name == "control") return TraversalBaselines::kControl;
  if (name == "targets") return TraversalBaselines::kTargets;
  throw std::invalid_argument("baselines: must be none, control or targets, not '" + name + "'");
}

std::shared_ptr<Traversals> new_traversals(const AnyGame& game, std::string encoder, const std::string& sampling, float epsilon,
                                           const std::string& baselines, std::shared_ptr<DealPool> deals, int in_flight, int halves,
                                           int threads, std::int64_t kept_answers, bool strategies, int runouts, std::uint64_t seed,
                                           const BucketsList& buckets) {
  const TraversalOptions options{std::move(encoder),
                                 given_buckets(buckets),
                                 parse_sampling(sampling),
                                 epsilon,
                                 parse_baselines(baselines),
                                 in_flight,
                                 halves,
                                 threads,
                                 kept_answers,
                                 strategies,
                                 runouts,
                                 seed};
  return make_traversals(game, options, std::move(deals));
}

void def_new(nb::class_<Traversals>& job) {
  const TraversalOptions defaults;
  job.def(nb::new_(&new_traversals), "game"_a, "encoder"_a, nb::kw_only(), "sampling"_a = "external",
          "epsilon"_a = defaults.epsilon, "baselines"_a = "none", "deals"_a = nb::none(), "in_flight"_a = defaults.in_flight,
          "halves"_a = defaults.halves, "threads"_a = defaults.threads, "kept_answers"_a = defaults.kept_answers,
          "strategies"_a = defaults.record_strategies, "runouts"_a = defaults.runouts, "seed"_a = defaults.seed,
          "buckets"_a = BucketsList{});
}

using Part = TraversalSamples::Part;

template <auto kPart>
auto rows_of_part(nb::handle self) {
  const Part& part = nb::cast<const TraversalSamples&>(self).*kPart;
  return view(part.rows, self, part.size(), part.row_bytes);
}
template <auto kPart>
auto legal_of_part(nb::handle self) {
  const auto& samples = nb::cast<const TraversalSamples&>(self);
  const Part& part = samples.*kPart;
  return view_bools(part.legal, self, part.size(), samples.num_actions);
}
template <auto kPart>
auto numbers_of_part(nb::handle self) {
  const auto& samples = nb::cast<const TraversalSamples&>(self);
  const Part& part = samples.*kPart;
  return view(part.numbers, self, part.size(), samples.num_actions);
}
template <auto kPart, auto kColumn>
auto column_of_part(nb::handle self) {
  const Part& part = nb::cast<const TraversalSamples&>(self).*kPart;
  return view(part.*kColumn, self, part.size());
}

void bind_samples(nb::module_& m) {
  constexpr auto kAdvantages = &TraversalSamples::advantages, kStrategies = &TraversalSamples::strategies,
                 kOutcomes = &TraversalSamples::outcomes;
  nb::class_<TraversalSamples>(
      m, "TraversalSamples",
      "Samples of traversals: advantages at decisions of the traverser, strategies at those of others, and "
      "with baselines what came of slots at all decisions.")
      .def_prop_ro("rows", &rows_of_part<kAdvantages>, "uint8 [samples, row_bytes]: what the encoder said")
      .def_prop_ro("legal", &legal_of_part<kAdvantages>, "bool [samples, actions]")
      .def_prop_ro("advantages", &numbers_of_part<kAdvantages>, "float32 [samples, actions], in units; 0 where not legal")
      .def_prop_ro("weights", &column_of_part<kAdvantages, &Part::weights>, "float32 [samples]: of their deals, 1 without a pool")
      .def_prop_ro("infosets", &column_of_part<kAdvantages, &Part::infosets>, "uint64 [samples]")
      .def_prop_ro("values", &column<&TraversalSamples::values>,
                   "float32 [samples]: what the strategy is worth to the traverser there, in units")
      .def_prop_ro("stakes", &column<&TraversalSamples::stakes>, "float32 [samples]: what lies in the pot there, in units")
      .def_prop_ro("strategy_rows", &rows_of_part<kStrategies>, "uint8 [strategies, row_bytes]")
      .def_prop_ro("strategy_legal", &legal_of_part<kStrategies>, "bool [strategies, actions]")
      .def_prop_ro("strategies", &numbers_of_part<kStrategies>, "float32 [strategies, actions]; 0 where not legal")
      .def_prop_ro("strategy_weights", &column_of_part<kStrategies, &Part::weights>, "float32 [strategies]")
      .def_prop_ro("strategy_infosets", &column_of_part<kStrategies, &Part::infosets>, "uint64 [strategies]")
      .def_prop_ro("strategy_actors", &column<&TraversalSamples::actors>, "uint8 [strategies]: whose they are")
      .def_prop_ro("outcome_rows", &rows_of_part<kOutcomes>, "uint8 [outcomes, row_bytes of all seats]: what all seats know")
      .def_prop_ro("followed", &legal_of_part<kOutcomes>, "bool [outcomes, actions]: which slots were")
      .def_prop_ro("outcomes", &numbers_of_part<kOutcomes>,
                   "float32 [outcomes, actions], in units: the payoff, or what the strategy is worth at the next decision by its "
                   "baselines; 0 where not followed")
      .def_prop_ro("outcome_weights", &column_of_part<kOutcomes, &Part::weights>, "float32 [outcomes]")
      .def(
          "columns",
          [](nb::handle self) {
            return attributes(self, {"rows", "legal", "advantages", "weights", "infosets", "values", "stakes", "strategy_rows",
                                     "strategy_legal", "strategies", "strategy_weights", "strategy_infosets", "strategy_actors",
                                     "outcome_rows", "followed", "outcomes", "outcome_weights"});
          },
          "All arrays by name.");
}

}  // namespace

void bind_traversals(nb::module_& m) {
  bind_samples(m);
  nb::class_<Traversals> job(
      m, "Traversals", "Sampled traversals of one player in bulk: begin some, then ask and answer until no half has a question.");
  def_new(job);
  job.def_prop_ro("num_players", &Traversals::num_players)
      .def_prop_ro("num_actions", &Traversals::num_actions)
      .def_prop_ro("num_halves", &Traversals::num_halves)
      .def_prop_ro("num_nodes", exclusive(&Traversals::num_nodes), "Decisions and endings visited, of all iterations.")
      .def_prop_ro("num_questions", exclusive(&Traversals::num_questions), "Answered, of all iterations.")
      .def_prop_ro("num_finished", exclusive(&Traversals::num_finished), "Traversals that are over since `begin`.")
      .def("begin", exclusive([](Traversals& self, std::uint64_t iteration, int traverser, std::int64_t first, std::int64_t count) {
             nb::gil_scoped_release release;
             self.begin(iteration, traverser, first, count);
           }),
           "iteration"_a, "traverser"_a, "first"_a, "count"_a,
           "Begin so many traversals, numbered from `first` on, once those before are over.")
      .def("ask", exclusive([](const Traversals& self, int half) -> nb::object { return to_object(self.ask(half)); }), "half"_a = 0,
           nb::sig("def ask(self, half: int = 0) -> Questions | None"),
           "The open questions of a half, ordered by actor, None when it has nothing left to do.")
      .def("answer",
           exclusive([](Traversals& self, ArrayIn<float, 2> probabilities, int half, std::optional<ArrayIn<float, 2>> baselines) {
             const std::shared_ptr<const Questions> questions = self.ask(half);
             require_shape(questions, self.num_actions(), probabilities);
             if (baselines) require_shape(questions, self.num_actions(), *baselines);
             const float* said = baselines ? baselines->data() : nullptr;
             nb::gil_scoped_release release;
             self.answer(half, probabilities.data(), said);
           }),
           "probabilities"_a, "half"_a = 0, "baselines"_a = nb::none(),
           "float32 [batch, actions]: of the legal slots; need not be normalised. With baselines, in units, if the job has any.")
      .def("take_samples", exclusive([](Traversals& self) {
             nb::gil_scoped_release release;
             return std::make_shared<TraversalSamples>(self.take_samples());
           }),
           "Samples of the traversals that are over and were not yet taken, up to the first that is not over. Put together, the "
           "samples of many calls "
           "are the same whatever the number in flight, the halves and the threads.");
}

}  // namespace regretless
