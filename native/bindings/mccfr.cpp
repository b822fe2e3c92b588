// SPDX-License-Identifier: MIT
// Sampled regret minimisation, and the exact evaluation of tables.
#include "bindings.h"

#include "solve/mccfr.h"
#include "solve/table_evaluation.h"

namespace regretless {
namespace {

template <class T>
void read(const nb::dict& state, const char* name, std::vector<T>& out) {
  if (!state.contains(name)) throw std::invalid_argument("the state has no " + std::string(name));
  nb::ndarray<const T, nb::c_contig, nb::device::cpu> values;
  if (!nb::try_cast(state[name], values)) throw std::invalid_argument("the state's " + std::string(name) + " is of another type");
  out.assign(values.data(), values.data() + values.size());
}

// Calls visit(name, column) with every array of a state; single numbers are columns of `numbers`.
template <class Visit>
void each_column(MccfrState& state, std::array<std::vector<std::int64_t>, 3>& numbers, bool is_compact, Visit visit) {
  const auto visit_rows = [&](auto& rows) {
    visit("regrets", rows.regrets);
    visit("sums", rows.sums);
    visit("values", rows.values);
  };
  visit("iteration", numbers[0]);
  visit("nodes", numbers[1]);
  visit("keys", state.keys);
  visit("legals", state.legals);
  if (is_compact)
    visit_rows(state.compact_rows);
  else
    visit_rows(state.rows);
  visit("replay_ids", state.replay.ids);
  visit("replay_legals", state.replay.legals);
  visit("replay_sizes", state.replay.sizes);
  visit("replay_regrets", state.replay.regrets);
  visit("replay_priorities", state.replay.priorities);
  visit("replay_next", numbers[2]);
}

nb::dict save_state(const Mccfr& self) {
  MccfrState state = self.state();
  std::array<std::vector<std::int64_t>, 3> numbers{{{state.iteration}, {state.nodes}, {state.replay.next}}};
  nb::dict result;
  each_column(state, numbers, self.is_compact(),
              [&](const char* name, auto& column) { result[name] = to_array(std::move(column)); });
  return result;
}

void restore_state(Mccfr& self, const nb::dict& given) {
  MccfrState state;
  std::array<std::vector<std::int64_t>, 3> numbers;
  each_column(state, numbers, self.is_compact(), [&](const char* name, auto& column) { read(given, name, column); });
  if (std::ranges::any_of(numbers, [](const auto& column) { return column.size() != 1; }))
    throw std::invalid_argument("the state's iteration, nodes and replay_next must be single numbers");
  state.iteration = numbers[0][0];
  state.nodes = numbers[1][0];
  state.replay.next = numbers[2][0];
  self.restore(std::move(state));
}

std::shared_ptr<Mccfr> new_mccfr(const AnyGame& game, MccfrOptions options, std::shared_ptr<HandBuckets> buckets) {
  nb::gil_scoped_release release;
  if (!buckets) return make_mccfr(game, options);
  const auto* poker = std::get_if<std::shared_ptr<const Poker>>(&game);
  if (!poker) throw std::invalid_argument("buckets: only poker has cards");
  return make_mccfr(game, options, std::make_shared<TableBuckets>(*poker, std::move(buckets)));
}

std::shared_ptr<TableEvaluation> new_evaluation(const AnyGame& game) {
  nb::gil_scoped_release release;
  return make_table_evaluation(game);
}

void bind_options(nb::module_& m) {
  nb::enum_<Sampling>(m, "Sampling", "The actions that one traversal walks.")
      .value("EXTERNAL", Sampling::kExternal)
      .value("OUTCOME", Sampling::kOutcome);
  nb::enum_<Estimates>(m, "Estimates", "Estimates for the actions that outcome sampling does not walk.")
      .value("NONE", Estimates::kNone)
      .value("BASELINE", Estimates::kBaseline)
      .value("SUBSTITUTE", Estimates::kSubstitute);
  nb::enum_<Storage>(m, "Storage", "The way in which infosets are found.")
      .value("AUTO", Storage::kAuto)
      .value("TREE", Storage::kTree)
      .value("STATES", Storage::kStates);
  nb::class_<MccfrOptions>(m, "MccfrOptions")
      .def(nb::init<>())
      .def_rw("sampling", &MccfrOptions::sampling)
      .def_rw("epsilon", &MccfrOptions::epsilon)
      .def_rw("final_epsilon", &MccfrOptions::final_epsilon)
      .def_rw("epsilon_decay", &MccfrOptions::epsilon_decay)
      .def_rw("estimates", &MccfrOptions::estimates)
      .def_rw("value_rate", &MccfrOptions::value_rate)
      .def_rw("weight_power", &MccfrOptions::weight_power)
      .def_rw("pruning", &MccfrOptions::pruning)
      .def_rw("replay_capacity", &MccfrOptions::replay_capacity)
      .def_rw("replay_draws", &MccfrOptions::replay_draws)
      .def_rw("batch", &MccfrOptions::batch)
      .def_rw("threads", &MccfrOptions::threads)
      .def_rw("seed", &MccfrOptions::seed)
      .def_rw("storage", &MccfrOptions::storage)
      .def_rw("max_nodes", &MccfrOptions::max_nodes)
      .def_rw("max_entries", &MccfrOptions::max_entries);
}

}  // namespace

void bind_mccfr(nb::module_& m) {
  bind_options(m);
  nb::class_<Mccfr>(m, "Mccfr", "Monte Carlo counterfactual regret minimisation.")
      .def(nb::new_(&new_mccfr), "game"_a, "options"_a, "buckets"_a.none() = nb::none(),
           "With buckets, which are for poker, infosets are slots and buckets instead of actions and cards.")
      .def_prop_ro("storage", &Mccfr::storage)
      .def_prop_ro("iteration", exclusive(&Mccfr::iteration), "Iterations so far: one traversal for each player.")
      .def_prop_ro("nodes", exclusive(&Mccfr::nodes), "Decisions and endings that all traversals so far visited.")
      .def_prop_ro("decisions", exclusive(&Mccfr::decisions), "Decisions visited since this object was made.")
      .def("most_bytes", exclusive(&Mccfr::most_bytes), nb::call_guard<nb::gil_scoped_release>(),
           "The most bytes of the rows of infosets; None: the rows grow, and there are too many to count.")
      .def("run", exclusive(&Mccfr::run), "batches"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Do that many batches of iterations.")
      .def("average_strategy", exclusive([](const Mccfr& self) {
             StrategyTable table = self.average_strategy();
             return std::pair(to_array(std::move(table.keys)), to_rows(std::move(table.probabilities), table.num_actions));
           }),
           "Keys [infosets] in order, of the infosets that were met, and probabilities [infosets, actions].")
      .def("state", exclusive(&save_state), nb::sig("def state(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"))
      .def("restore", exclusive(&restore_state), "state"_a,
           nb::sig("def restore(self, state: dict[str, numpy.typing.NDArray[typing.Any]]) -> None"),
           "ValueError, and no change, if the state does not fit.");

  nb::class_<TableEvaluation>(m, "TableEvaluation", "Exact values of tables by infoset, for small games.")
      .def(nb::new_(&new_evaluation), "game"_a)
      .def_prop_ro("num_players", &TableEvaluation::num_players)
      .def_prop_ro("num_actions", &TableEvaluation::num_actions)
      .def_prop_ro(
          "keys", [](const TableEvaluation& e) { return to_array(e.infosets().keys); }, nb::rv_policy::move, "uint64 [infosets]")
      .def_prop_ro(
          "actors", [](const TableEvaluation& e) { return to_array(e.infosets().actors); }, nb::rv_policy::move, "int8 [infosets]")
      .def_prop_ro(
          "names", [](const TableEvaluation& e) { return e.names(); }, "[infosets], such as 'Qd:cc/Kd:r'; made anew each time.")
      .def_prop_ro(
          "legal",
          [](const TableEvaluation& e) {
            const auto actions = static_cast<std::size_t>(e.num_actions());
            auto out = new_array<bool, 2>({e.infosets().legals.size(), actions});
            bool* to = out.data();
            for (const ActionMask legal : e.infosets().legals)
              for (std::size_t a = 0; a < actions; ++a) *to++ = (legal >> a & 1) != 0;
            return out;
          },
          nb::rv_policy::move, "bool [infosets, actions]")
      .def(
          "evaluate",
          [](const TableEvaluation& e, ArrayIn<double, 2> probabilities) {
            if (probabilities.shape(0) != e.infosets().keys.size() ||
                probabilities.shape(1) != static_cast<std::size_t>(e.num_actions()))
              throw std::invalid_argument("probabilities: expected shape [" + std::to_string(e.infosets().keys.size()) + ", " +
                                          std::to_string(e.num_actions()) + "]");
            const TableEvaluation::Values result = without_gil([&] { return e.evaluate(probabilities.data()); });
            return std::pair(result.values, result.best_values);
          },
          "probabilities"_a,
          "For each player the value of the profile [infosets, actions], and of the best answer to the others, in units.");
}

}  // namespace regretless
