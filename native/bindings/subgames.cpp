// SPDX-License-Identifier: MIT
// Depth-limited subgames, in batches of questions about their leaves.
#include "bindings.h"

#include "jobs/search_profile.h"
#include "jobs/subgames.h"
#include "tree/tree_plan.h"

namespace regretless {
namespace {

using Asked = std::optional<std::pair<ArrayView<std::int32_t, 1>, ArrayView<float, 3>>>;

// The open questions: states [rows] and ranges [rows, 2, hands].
Asked asked(const RangeQuestions* questions, std::int64_t num_hands) {
  if (!questions) return {};
  const auto owner = questions->shared_from_this();
  const auto rows = static_cast<std::size_t>(questions->rows), hands = static_cast<std::size_t>(num_hands);
  return std::pair(to_view(questions->states, owner, {rows}), to_view(questions->ranges, owner, {rows, 2, hands}));
}

std::shared_ptr<Subgames> new_subgames(std::shared_ptr<PublicStates> states, Discounts discounts, int iterations, int max_decisions,
                                       bool ends_with_round, bool keeps_average, int warm_start, int threads,
                                       std::int64_t max_bytes) {
  nb::gil_scoped_release release;
  return make_subgames(std::move(states),
                       {discounts, iterations, max_decisions, ends_with_round, keeps_average, warm_start, threads, max_bytes});
}

void def_new(nb::class_<Subgames>& subgames) {
  subgames.def(nb::new_(&new_subgames), "states"_a, "discounts"_a, nb::kw_only(), "iterations"_a, "max_decisions"_a = 0,
               "ends_with_round"_a = false, "keeps_average"_a = true, "warm_start"_a = 0, "threads"_a = 1,
               "max_bytes"_a = std::int64_t{1} << 36);
}

template <class T, int kDimensions>
using Maybe = std::optional<ArrayIn<T, kDimensions>>;

template <class Array>
auto given(const std::optional<Array>& array) {
  using T = std::remove_const_t<typename Array::Scalar>;
  return array ? std::vector<T>(array->data(), array->data() + array->size()) : std::vector<T>{};
}

std::vector<SubgameStop> read_stops(const std::vector<std::int32_t>& subgames, const std::vector<std::int32_t>& iterations,
                                    const std::vector<std::uint64_t>& seeds) {
  if (subgames.size() != iterations.size() || subgames.size() != seeds.size())
    throw std::invalid_argument("stops: subgames, iterations and seeds must be equally many");
  std::vector<SubgameStop> stops(subgames.size());
  for (std::size_t i = 0; i < stops.size(); ++i) stops[i] = {subgames[i], iterations[i], seeds[i]};
  return stops;
}

void begin(Subgames& self, ArrayIn<std::int32_t, 1> states, ArrayIn<double, 3> ranges, const Maybe<std::int32_t, 1>& stop_subgames,
           const Maybe<std::int32_t, 1>& stop_iterations, const Maybe<std::uint64_t, 1>& stop_seeds,
           const Maybe<std::int32_t, 1>& opponents, const Maybe<double, 2>& opponent_values, double least_follow,
           double exploration, bool keeps_strategies, bool keeps_values) {
  const auto hands = static_cast<std::size_t>(self.num_hands());
  if (ranges.shape(0) != states.size() || ranges.shape(1) != 2 || ranges.shape(2) != hands)
    throw std::invalid_argument("ranges: must be [" + std::to_string(states.size()) + ", 2, " + std::to_string(hands) + "]");
  if (opponent_values && opponent_values->shape(1) != hands)
    throw std::invalid_argument("opponent_values: must be [subgames, " + std::to_string(hands) + "]");
  SubgameBatch batch;
  batch.states.assign(states.data(), states.data() + states.size());
  batch.ranges.assign(ranges.data(), ranges.data() + ranges.size());
  batch.opponents = given(opponents);
  batch.opponent_values = given(opponent_values);
  batch.least_follow = least_follow;
  batch.stops = read_stops(given(stop_subgames), given(stop_iterations), given(stop_seeds));
  batch.exploration = exploration;
  batch.keeps_strategies = keeps_strategies;
  batch.keeps_values = keeps_values;
  nb::gil_scoped_release release;
  self.begin(batch);
}

// Numbers of both players, [rows, 2, hands].
template <class T>
ArrayOut<T, 3> of_both(const Subgames& self, std::vector<T> values) {
  const auto hands = static_cast<std::size_t>(self.num_hands());
  const std::size_t rows = values.size() / (2 * hands);
  return to_array(std::move(values), {rows, 2, hands});
}

// Questions and answers, the same for Subgames and SearchProfile.
template <class Job>
void def_questions(nb::class_<Job>& job) {
  job.def_prop_ro("states", [](const Job& self) { return self.states(); }, "The catalogue of its public states.");
  job.def(
         "ask_strategies", exclusive([](const Job& self) { return asked(self.ask_strategies(), self.num_hands()); }),
         "With a warm start, decisions to begin with: states [rows] and ranges [rows, 2, hands] of one level; None after the last.")
      .def("answer_strategies", exclusive([](Job& self, ArrayIn<float, 3> probabilities) {
             const RangeQuestions* questions = self.ask_strategies();
             const std::size_t rows = questions ? static_cast<std::size_t>(questions->rows) : 0;
             if (probabilities.shape(0) != rows || static_cast<int>(probabilities.shape(1)) != self.num_slots() ||
                 static_cast<std::int64_t>(probabilities.shape(2)) != self.num_hands())
               throw std::invalid_argument("answer_strategies: expected shape [" + std::to_string(rows) + ", " +
                                           std::to_string(self.num_slots()) + ", " + std::to_string(self.num_hands()) + "]");
             nb::gil_scoped_release release;
             self.answer_strategies(probabilities.data());
           }),
           "probabilities"_a, "float32 [rows, slots, hands] of the actor; slots that are not legal are ignored.");
  job.def("ask", exclusive([](const Job& self) { return asked(self.ask(), self.num_hands()); }),
          "States [rows] and ranges [rows, 2, hands] of all leaves, read-only; None when all are solved.")
      .def("answer", exclusive([](Job& self, ArrayIn<float, 3> values) {
             const RangeQuestions* questions = self.ask();
             if (!questions) throw std::invalid_argument("answer: nothing was asked");
             const auto rows = static_cast<std::size_t>(questions->rows);
             if (values.shape(0) != rows || values.shape(1) != 2 || static_cast<std::int64_t>(values.shape(2)) != self.num_hands())
               throw std::invalid_argument("answer: expected shape [" + std::to_string(rows) + ", 2, " +
                                           std::to_string(self.num_hands()) + "]");
             nb::gil_scoped_release release;
             self.answer(values.data());
           }),
           "values"_a,
           "float32 [rows, 2, hands], chips: what a hand wins on average against the opponent's range, where hands that "
           "cannot meet count nothing.");
}

}  // namespace

void bind_subgames(nb::module_& m) {
  m.attr("LEAF") = kLeaf;
  nb::class_<Subgames> subgames(
      m, "Subgames", "Depth-limited subgames at public belief states, solved in lockstep: asks for the values of their leaves.");
  def_new(subgames);
  def_questions(subgames);
  subgames.def_prop_ro("num_hands", &Subgames::num_hands)
      .def_prop_ro("num_slots", &Subgames::num_slots)
      .def_prop_ro("iterations", &Subgames::iterations)
      .def("outline", exclusive([](Subgames& self, std::int32_t state) {
             const auto& nodes = self.nodes(state);
             auto array = new_array<std::int64_t>({nodes.size(), 6});
             for (std::size_t n = 0; n < nodes.size(); ++n) {
               const std::int64_t row[] = {nodes[n].first_child, nodes[n].num_children, nodes[n].actor,
                                           nodes[n].state,       nodes[n].offset,       nodes[n].event};
               std::copy_n(row, 6, array.data() + 6 * n);
             }
             return array;
           }),
           "state"_a,
           "The subgame that begins at a state, [nodes, 6]: first child, number of children, actor, state of a decision or leaf, "
           "offset of a decision among the strategies, slot or public outcome that leads there.")
      .def("value_examples", exclusive([](Subgames& self) {
             auto all = without_gil([&] { return self.value_examples(); });
             return std::tuple(to_array(std::move(all.states)), of_both(self, std::move(all.ranges)),
                               of_both(self, std::move(all.found)));
           }),
           "The root of each subgame, as its twin: states [n], ranges [n, 2, hands], root values in stakes [n, 2, hands].")
      .def("strategy_examples", exclusive([](Subgames& self, std::uint64_t seed) {
             auto all = without_gil([&] { return self.strategy_examples(seed); });
             const std::size_t rows = all.states.size();
             const auto slots = static_cast<std::size_t>(self.num_slots()), hands = static_cast<std::size_t>(self.num_hands());
             return std::tuple(to_array(std::move(all.states)), of_both(self, std::move(all.ranges)),
                               to_array(std::move(all.found), {rows, slots, hands}));
           }),
           "seed"_a,
           "A random decision of each subgame, as its twin: states [n], ranges there [n, 2, hands], average strategies [n, slots, "
           "hands].")
      .def("subgame_bytes", exclusive(&Subgames::subgame_bytes), "state"_a,
           "Memory of one subgame that begins at a state, with one stop whose strategies are kept.")
      .def("begin", exclusive(&begin), "states"_a, "ranges"_a, "stop_subgames"_a = nb::none(), "stop_iterations"_a = nb::none(),
           "stop_seeds"_a = nb::none(), nb::kw_only(), "opponents"_a = nb::none(), "opponent_values"_a = nb::none(),
           "least_follow"_a = 0.0, "exploration"_a = 0.0, "keeps_strategies"_a = false, "keeps_values"_a = false,
           "New subgames at states [n] with ranges [n, 2, hands]. `opponents` [n] names the player who may take his value of "
           "`opponent_values` [n, hands] at the root instead of playing (the re-solving gadget), -1 for none; every hand plays "
           "with probability `least_follow` at least. A stop names a subgame, the iteration (from 1) whose strategies a path to a "
           "leaf is drawn from, and a seed.")
      .def("ranges", exclusive([](const Subgames& self) { return of_both(self, self.ranges()); }),
           "Ranges at the roots, each of sum 1: [subgames, 2, hands].")
      .def("root_values", exclusive([](const Subgames& self) { return of_both(self, self.root_values()); }),
           "Mean over the iterations, weighted as the average strategy: [subgames, 2, hands], in the unit of leaf values.")
      .def("node_values", exclusive([](Subgames& self, std::int64_t subgame) { return of_both(self, self.node_values(subgame)); }),
           "subgame"_a, "Values at all nodes of a subgame, [nodes, 2, hands], as `root_values`; begin with keeps_values=True.")
      .def("average_ranges",
           exclusive([](Subgames& self, std::int64_t subgame) { return of_both(self, self.average_ranges(subgame)); }), "subgame"_a,
           "Ranges of the average strategies at decisions and leaves of a subgame: [nodes, 2, hands].")
      .def("next_states", exclusive([](const Subgames& self) { return to_array(self.next_states()); }),
           "The leaf that each stop's path reached, -1 where the episode ended: [stops].")
      .def("next_ranges", exclusive([](const Subgames& self) { return of_both(self, self.next_ranges()); }),
           "The ranges there: [stops, 2, hands].")
      .def("stop_strategies",
           exclusive([](const Subgames& self, std::int64_t stop) { return to_array(self.stop_strategies(stop)); }), "stop"_a,
           "Strategies of all decisions at a stop, as `outline` places them; the average where the subgame has no leaves.")
      .def("average_strategies",
           exclusive([](Subgames& self, std::int64_t subgame) { return to_array(self.average_strategies(subgame)); }), "subgame"_a,
           "Average strategies of all decisions of a subgame, as `outline` places them.");

  nb::class_<SearchProfile> profile(m, "SearchProfile",
                                    "The strategy of a player who searches at every decision, as a table of the whole game.");
  profile.def(nb::new_([](std::shared_ptr<Subgames> search, Subgames& game, Discounts discounts, int warm_start, int playthroughs,
                          int part, int parts, std::int64_t batch, std::uint64_t seed) {
                nb::gil_scoped_release release;
                std::vector<SubgameNode> whole = outline_of(game);
                const Busy::Use use(search->busy());
                return std::make_shared<SearchProfile>(std::move(search), std::move(whole), discounts, warm_start, playthroughs,
                                                       part, parts, batch, seed);
              }),
              "search"_a, "game"_a, "discounts"_a, nb::kw_only(), "warm_start"_a = 0, "playthroughs"_a, "part"_a = 0, "parts"_a = 1,
              "batch"_a, "seed"_a = 0);
  def_questions(profile);
  profile.def_prop_ro("num_subgames", exclusive(&SearchProfile::num_subgames), "Solved so far.")
      .def("sums", exclusive([](const SearchProfile& self) { return to_array(self.sums()); }),
           "[actions, hands] of every decision of the game, one after the other: how likely the player's own actions come that "
           "far.");
}

}  // namespace regretless
