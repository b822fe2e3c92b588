// SPDX-License-Identifier: MIT
// The public-tree solver.
#include "bindings.h"

#include "solve/vector_solver.h"

namespace regretless {
namespace {

// Sorting copies the rows once.
std::int64_t table_bytes(const VectorProblem& problem) { return 2 * row_bytes(problem.size().infosets, problem.num_actions()); }

template <class T, auto kField>
ArrayOut<T, 1> node_array(const VectorProblem& problem) {
  const auto& nodes = problem.nodes();
  auto array = new_array<T, 1>({nodes.size()});
  for (std::size_t n = 0; n < nodes.size(); ++n) array.data()[n] = static_cast<T>(nodes[n].*kField);
  return array;
}

nb::typed<nb::dict, std::string, nb::any> problem_arrays(const VectorProblem& problem) {
  VectorArrays all = without_gil([&] { return problem.arrays(); });
  nb::dict arrays;
  arrays["edge_nodes"] = to_array(std::move(all.edge_nodes));
  arrays["edge_probabilities"] = to_array(std::move(all.edge_probabilities));
  arrays["node_orbits"] = to_array(std::move(all.node_orbits));
  arrays["terminal_nodes"] = to_array(std::move(all.terminal_nodes));
  arrays["tables"] = to_array(std::move(all.tables));
  arrays["payoffs"] = to_rows(std::move(all.payoffs), 6);
  arrays["leaf_nodes"] = to_array(std::move(all.leaf_nodes));
  arrays["leaf_stakes"] = to_array(std::move(all.leaf_stakes));
  for (Player p = 0; p < 2; ++p) {
    const std::size_t hands = problem.hands(p).size();
    const auto put = [&](const char* name, auto array) { arrays[(name + std::string("_") + std::to_string(p)).c_str()] = array; };
    put("edge_masks", to_array(std::move(all.edge_masks[p])));
    put("masks", to_rows(std::move(all.masks[p]), hands));
    put("orbits", to_rows(std::move(all.orbits[p]), hands));
    put("weights", to_array(std::move(all.weights[p])));
    put("ranks", to_rows(std::move(all.order.ranks[p]), hands));
    put("orders", to_rows(std::move(all.order.orders[p]), hands));
    put("cards", to_rows(std::move(all.order.cards[p]), 2));
  }
  return arrays;
}

Player check_player(int player) {
  if (player < 0 || player > 1) throw std::invalid_argument("no player " + std::to_string(player));
  return player;
}

using Weights = std::array<std::vector<double>, 2>;

TreeOptions tree_options(int max_decisions, bool ends_with_round, bool runs_out) {
  if (max_decisions < 0) throw std::invalid_argument("max_decisions: must not be negative");
  TreeOptions tree{.ends_with_round = ends_with_round, .runs_out = runs_out};
  if (max_decisions > 0) tree.max_decisions = max_decisions;
  return tree;
}

std::shared_ptr<VectorSolver> new_solver(const AnyGame& game, Discounts discounts, int threads, const std::vector<int>& board,
                                         const std::vector<int>& actions, const Weights& weights, bool merge_suits,
                                         std::int64_t max_bytes, int precision, int opponent,
                                         const std::vector<double>& opponent_values, double least_follow, int max_decisions,
                                         bool ends_with_round, bool runs_out) {
  nb::gil_scoped_release release;
  const TreeOptions tree = tree_options(max_decisions, ends_with_round, runs_out);
  const GadgetOptions gadget{opponent, opponent_values, least_follow};
  return make_vector_solver(game, {discounts, threads, {board, actions, weights, merge_suits, max_bytes, tree, gadget}, precision});
}

SolveSize planned_size(const AnyGame& game, Discounts discounts, const std::vector<int>& board, const std::vector<int>& actions,
                       const Weights& weights, bool merge_suits, std::int64_t max_bytes, int precision) {
  nb::gil_scoped_release release;
  return plan_vector_solver(game, {discounts, 1, {board, actions, weights, merge_suits, max_bytes, {}, {}}, precision});
}

// Python sees no difference: a problem never changes.
std::shared_ptr<VectorProblem> new_problem(const AnyGame& game, const std::vector<int>& board, const Weights& weights,
                                           bool merge_suits, std::int64_t max_bytes, int max_decisions, bool ends_with_round,
                                           bool runs_out) {
  const TreeOptions tree = tree_options(max_decisions, ends_with_round, runs_out);
  nb::gil_scoped_release release;
  return std::const_pointer_cast<VectorProblem>(make_vector_problem(game, {board, {}, weights, merge_suits, max_bytes, tree, {}}));
}

void def_new(nb::module_& m, nb::class_<VectorSolver>& solver, nb::class_<VectorProblem>& problem) {
  const std::int64_t most = ProblemOptions{}.max_bytes;
  solver.def(
      nb::new_(&new_solver), "game"_a, "discounts"_a, nb::kw_only(), "threads"_a = 1, "board"_a = std::vector<int>{},
      "actions"_a = std::vector<int>{}, "weights"_a = Weights{}, "merge_suits"_a = true, "max_bytes"_a = most, "precision"_a = 0,
      "opponent"_a = -1, "opponent_values"_a = std::vector<double>{}, "least_follow"_a = 0.0, "max_decisions"_a = 0,
      "ends_with_round"_a = false, "runs_out"_a = true,
      "The root follows `board` and `actions` (-1 fold, 0 check or call, else the amount to bet or raise to), on the menu or "
      "not. With an `opponent` (a player) the root is a re-solving gadget: he may take `opponent_values` [hands] instead of "
      "playing, counterfactual to the other's weights; each hand plays with probability `least_follow` at least. A tree is cut as "
      "that of a VectorProblem; then both players are updated at once, with values of the leaves (`step_with`).");
  problem.def(nb::new_(&new_problem), "game"_a, nb::kw_only(), "board"_a = std::vector<int>{}, "weights"_a = Weights{},
              "merge_suits"_a = true, "max_bytes"_a = most, "max_decisions"_a = 0, "ends_with_round"_a = false, "runs_out"_a = true,
              "A tree is cut after max_decisions decisions on a path (0: never), and with ends_with_round at the first decision "
              "after public chance; a cut tree ends at leaves. Unless it runs out, the first card that comes where nobody can bet "
              "any more is a leaf, too.");
  m.def("planned_size", &planned_size, "game"_a, "discounts"_a, nb::kw_only(), "board"_a = std::vector<int>{},
        "actions"_a = std::vector<int>{}, "weights"_a = Weights{}, "merge_suits"_a = true, "max_bytes"_a = most, "precision"_a = 0,
        "Returns the size of a VectorSolver without making one, even above max_bytes; infosets are not counted. Precision 0 plans "
        "32 bits where max_bytes allow it, else 16.");
}

using LeafArray = ArrayIn<float, 2>;

LeafView leaf_view(const VectorSolver& solver, const LeafArray& first, const LeafArray& second) {
  const std::array<const LeafArray*, 2> given{&first, &second};
  const auto leaves = static_cast<std::size_t>(solver.problem()->size().leaves);
  for (Player p = 0; p < 2; ++p) {
    const std::size_t hands = solver.problem()->hands(p).size();
    const std::string name = "values of player " + std::to_string(p) + ": must be ";
    if (given[p]->shape(0) != leaves || given[p]->shape(1) != hands)
      throw std::invalid_argument(name + "[" + std::to_string(leaves) + ", " + std::to_string(hands) + "]");
    if (!std::ranges::all_of(span_of(*given[p]), [](float value) { return std::isfinite(value); }))
      throw std::invalid_argument(name + "finite");
  }
  return {first.data(), second.data()};
}

auto leaf_reaches(VectorSolver& solver, bool of_average) {
  const LeafRows& found = without_gil([&]() -> const LeafRows& { return solver.leaf_reaches(of_average); });
  const auto leaves = static_cast<std::size_t>(solver.problem()->size().leaves);
  const auto rows = [&](Player p) { return to_array(found[p], {leaves, solver.problem()->hands(p).size()}); };
  return std::tuple(rows(0), rows(1));
}

// (keys, probabilities, values, reaches), the keys ascending.
template <class Run>
auto sorted_rows(const VectorProblem& problem, std::int64_t max_bytes, Run run) {
  const std::int64_t bytes = table_bytes(problem);
  if (bytes > max_bytes)
    throw std::length_error("a table of " + std::to_string(problem.size().infosets) + " infosets needs " +
                            std::to_string(bytes >> 20) + " MiB, more than the " + std::to_string(max_bytes >> 20) + " allowed");
  SolutionRows rows = without_gil([&] { return sorted_by_key(run()); });
  return std::tuple(to_array(std::move(rows.keys)), to_rows(std::move(rows.probabilities), problem.num_actions()),
                    to_array(std::move(rows.values)), to_array(std::move(rows.reaches)));
}

// (strategy, values, scales)
auto to_packed(PackedSolution packed, const VectorProblem& problem) {
  const std::size_t rows = packed.scales.size() / 4;
  return std::tuple(to_array(std::move(packed.strategy)),
                    to_rows(std::move(packed.values), problem.hands(0).size() + problem.hands(1).size()),
                    to_array(std::move(packed.scales), {rows, 2, 2}));
}

nb::typed<nb::dict, std::string, nb::any> board_arrays(const VectorProblem& problem) {
  BoardList list = without_gil([&] { return problem.boards(); });
  nb::dict arrays;
  arrays["of_nodes"] = to_array(std::move(list.of_nodes));
  arrays["ends"] = to_array(std::move(list.ends));
  arrays["outcomes"] = to_array(std::move(list.outcomes));
  arrays["renamings"] = to_array(std::move(list.renamings));
  arrays["suits"] = to_rows(std::move(list.suits), 4);
  for (Player p = 0; p < 2; ++p)
    arrays[("places_" + std::to_string(p)).c_str()] = to_rows(std::move(list.places[p]), problem.hands(p).size());
  return arrays;
}

void bind_problem(nb::class_<VectorProblem>& problem) {
  problem.def_prop_ro("size", &VectorProblem::size)
      .def_prop_ro("table_bytes", &table_bytes, "Bytes of `rows` in memory.")
      .def(
          "hands", [](const VectorProblem& p, int player) { return to_array(p.hands(check_player(player))); }, "player"_a)
      .def(
          "hand_weights",
          [](const VectorProblem& p, int player) {
            return to_array(without_gil([&] { return p.hand_weights(check_player(player)); }));
          },
          "player"_a, "Weight of the opponent's compatible hands, for each hand of `hands`.")
      .def_prop_ro("actors", &node_array<std::int8_t, &PublicNode::actor>, nb::rv_policy::move, "int8 [nodes]")
      .def_prop_ro("parents", &node_array<std::int32_t, &PublicNode::parent>, nb::rv_policy::move, "int32 [nodes]")
      .def_prop_ro("first_children", &node_array<std::int32_t, &PublicNode::first_child>, nb::rv_policy::move, "int32 [nodes]")
      .def_prop_ro("num_children", &node_array<std::int32_t, &PublicNode::num_children>, nb::rv_policy::move, "int32 [nodes]")
      .def_prop_ro("events", &node_array<std::int32_t, &PublicNode::event>, nb::rv_policy::move,
                   "int32 [nodes]: the slot or public outcome that led there")
      .def(
          "hands_possible",
          [](const VectorProblem& p, int node, int player) { return p.hands_possible(node, check_player(player)); }, "node"_a,
          "player"_a)
      .def(
          "values_of",
          [](const VectorProblem& p, ArrayIn<double, 1> profile) {
            return without_gil([&p, given = copied(profile)] { return p.values_of(given); });
          },
          "profile"_a, "Expected chips of a profile given node by node as [actions, hands].")
      .def(
          "best_values_against",
          [](const VectorProblem& p, ArrayIn<double, 1> profile) {
            return without_gil([&p, given = copied(profile)] { return p.best_values_against(given); });
          },
          "profile"_a, "Winnings of each player's best response to a profile.")
      .def(
          "rows",
          [](const VectorProblem& p, ArrayIn<double, 1> profile, std::int64_t max_bytes) {
            return sorted_rows(p, max_bytes, [&p, given = copied(profile)] { return p.rows(given); });
          },
          "profile"_a, "max_bytes"_a = ProblemOptions{}.max_bytes,
          "Lists a profile by infoset, merged boards under each of their names: keys [infosets] ascending, probabilities "
          "[infosets, "
          "slots], expected payoffs of the actor (units; 0 where the opponent's reach is 0) and the actor's own reaches. "
          "ValueError "
          "if the rows would take more than max_bytes.")
      .def(
          "packed",
          [](const VectorProblem& p, ArrayIn<double, 1> profile) {
            return to_packed(without_gil([&p, given = copied(profile)] { return p.packed(given); }), p);
          },
          "profile"_a,
          "A profile and its values in 16 bits (`PackedSolution` in native/solve/vector_problem.h): strategy, values [nodes, "
          "hands], "
          "scales [nodes, players, 2].")
      .def(
          "profile_of",
          [](const VectorProblem& p, ArrayIn<double, 2> probabilities) {
            if (static_cast<std::int64_t>(probabilities.shape(0)) != p.size().infosets ||
                static_cast<int>(probabilities.shape(1)) != p.num_actions())
              throw std::invalid_argument("probabilities: must be [infosets, slots]");
            const std::vector<double> given(probabilities.data(), probabilities.data() + probabilities.size());
            return to_array(without_gil([&] { return p.profile_of(given.data()); }));
          },
          "probabilities"_a,
          "The profile of probabilities [infosets, slots] in the order of `keys`, for problems that merge no suits.")
      .def("boards", &board_arrays, "Boards of the nodes and what they stand for (`BoardList` in native/solve/vector_problem.h).")
      .def(
          "names", [](const VectorProblem& p) { return without_gil([&] { return p.names(); }); },
          "Names of the infosets, such as 'Qd:cc/Kd:r', in the order of `keys`.")
      .def(
          "keys", [](const VectorProblem& p) { return to_array(without_gil([&] { return p.infosets().keys; })); },
          "Keys of the infosets, in the order of a depth-first walk.")
      .def("arrays", &problem_arrays,
           "The problem as flat arrays (`VectorArrays` in native/solve/vector_problem.h); those of player p end in _p, payoffs are "
           "[terminals, 6].")
      .def(
          "matchups",
          [](const VectorProblem& p, std::int32_t table) {
            return to_rows(without_gil([&] { return p.matchups(table); }), p.hands(1).size());
          },
          "table"_a = kNoShowdown,
          "int8 [hands of player 0, hands of player 1]: 1 player 0 wins, 0 a tie or no showdown, -1 player 0 loses, 2 they cannot "
          "meet.");
}

void bind_discounts(nb::module_& m) {
  nb::class_<Discounts>(m, "Discounts", "A member of the CFR family.")
      .def(
          "__init__", [](Discounts* self, const std::string& name) { new (self) Discounts(named_discounts(name)); }, "name"_a)
      .def_rw("alpha", &Discounts::alpha, "After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1).")
      .def_rw("beta", &Discounts::beta, "The exponent for negative regrets.")
      .def_rw("gamma", &Discounts::gamma, "Iteration t counts t^gamma in the average strategy.")
      .def_rw("clamps", &Discounts::clamps, "Regrets never fall below zero.")
      .def_rw("predicts", &Discounts::predicts, "The last regret counts once more in the strategy.")
      .def_rw("alternating", &Discounts::alternating, "The second player answers the first one's new strategy.")
      .def("positive", &Discounts::positive, "iteration"_a, "What a positive regret is multiplied by after this iteration.")
      .def("negative", &Discounts::negative, "iteration"_a, "The same for a negative regret.")
      .def("average", &Discounts::average, "iteration"_a, "What the average strategy so far is multiplied by in this iteration.");
  m.def(
      "cfr_family",
      [] {
        std::vector<std::string> names;
        for (const NamedDiscounts& row : kDiscounts) names.emplace_back(row.name);
        return names;
      },
      "Names that Discounts takes.");
}

}  // namespace

void bind_solve(nb::module_& m) {
  bind_discounts(m);
  nb::class_<SolveSize>(m, "SolveSize", "The size of a problem and of its solver (native/solve/vector_problem.h).")
      .def_ro("nodes", &SolveSize::nodes)
      .def_ro("decisions", &SolveSize::decisions)
      .def_ro("endings", &SolveSize::endings, "Terminal nodes.")
      .def_ro("leaves", &SolveSize::leaves)
      .def_ro("entries", &SolveSize::entries)
      .def_ro("infosets", &SolveSize::infosets)
      .def_ro("bytes", &SolveSize::bytes)
      .def_ro("problem_bytes", &SolveSize::problem_bytes, "Bytes without the tables of a solver.")
      .def_ro("tables", &SolveSize::tables, "Tables of showdowns, at most.")
      .def_ro("payoff_terms", &SolveSize::payoff_terms, "Matrices of a showdown that are not 0: sign, presence, tie.")
      .def_ro("hands", &SolveSize::hands, "Hands of each player.")
      .def_ro("precision", &SolveSize::precision, "Bits of a number in the tables.");
  nb::class_<VectorProblem> problem(m, "VectorProblem",
                                    "A two-player problem: public tree, ranges and showdowns; it can be shared by threads.");
  nb::class_<VectorSolver> solver(m, "VectorSolver", "CFR over the public tree of a two-player game, with vectors of hands.");
  def_new(m, solver, problem);
  bind_problem(problem);
  solver
      .def_prop_ro(
          "problem", [](const VectorSolver& s) { return std::const_pointer_cast<VectorProblem>(s.problem()); },
          "The problem that is solved.")
      .def_prop_ro("size", &VectorSolver::size)
      .def_prop_ro("iteration", exclusive(&VectorSolver::iteration))
      .def("step", exclusive([](VectorSolver& s, int count) {
             if (count < 0 || count > std::numeric_limits<int>::max() - s.iteration())
               throw std::invalid_argument("count: must not be negative, nor beyond iteration 2^31 - 1");
             nb::gil_scoped_release release;
             s.step(count);
           }),
           "count"_a = 1)
      .def(
          "leaf_reaches", exclusive(&leaf_reaches), nb::kw_only(), "of_average"_a = false,
          "The reaches of players 0 and 1 at the leaves in the order of nodes, chance left out: [leaves, hands] each; those of the "
          "next iteration, or of the average strategies.")
      .def("step_with", exclusive([](VectorSolver& s, LeafArray first, LeafArray second) {
             const LeafView values = leaf_view(s, first, second);
             nb::gil_scoped_release release;
             s.step_with(values);
           }),
           "first"_a, "second"_a,
           "One iteration with counterfactual values of both players at the leaves, [leaves, hands]: chips times the reach of the "
           "other.")
      .def_prop_ro("is_zero_sum", exclusive(&VectorSolver::is_zero_sum), "Whether one wins what the other loses.")
      .def("value",
           exclusive([](VectorSolver& s, int player) { return without_gil([&] { return s.value(check_player(player)); }); }),
           "player"_a, "Expected chips of the average strategy.")
      .def("best_value",
           exclusive([](VectorSolver& s, int player) { return without_gil([&] { return s.best_value(check_player(player)); }); }),
           "player"_a, "Expected chips of the best answer to the other's average strategy.")
      .def("hand_values", exclusive([](VectorSolver& s, int player) {
             return to_array(without_gil([&] { return s.hand_values(check_player(player)); }));
           }),
           "player"_a, "Expected chips of each hand of the problem's `hands`.")
      .def("best_hand_values", exclusive([](VectorSolver& s, int player) {
             return to_array(without_gil([&] { return s.best_hand_values(check_player(player)); }));
           }),
           "player"_a, "Counterfactual values of a best response at the root, for each hand of the problem's `hands`.")
      .def("beliefs",
           exclusive([](VectorSolver& s, const std::vector<std::int32_t>& nodes, std::optional<LeafArray> first,
                        std::optional<LeafArray> second) {
             const bool has_leaves = s.problem()->size().leaves > 0;
             if (has_leaves != (first && second)) throw std::invalid_argument("leaves: values of both players, of a cut tree only");
             const LeafView leaves = has_leaves ? leaf_view(s, *first, *second) : LeafView{};
             NodeBeliefs found = without_gil([&] { return s.beliefs(nodes, leaves); });
             const std::array<std::size_t, 2> hands{s.problem()->hands(0).size(), s.problem()->hands(1).size()};
             return std::tuple(to_rows(std::move(found.reaches[0]), hands[0]), to_rows(std::move(found.reaches[1]), hands[1]),
                               to_rows(std::move(found.values[0]), hands[0]), to_rows(std::move(found.values[1]), hands[1]));
           }),
           "nodes"_a, "first"_a = nb::none(), "second"_a = nb::none(),
           "Reaches of players 0 and 1, then their counterfactual values, at these nodes under the average strategies: "
           "[nodes, hands] each. A cut tree needs the values of its leaves there.")
      .def("strategy", exclusive([](const VectorSolver& s, int node) {
             std::vector<double> flat = s.strategy(node);
             const std::size_t hands = flat.size() / static_cast<std::size_t>(s.problem()->nodes()[node].num_children);
             return to_rows(std::move(flat), hands);
           }),
           "node"_a, "The average strategy at a decision: [actions, hands of the actor].")
      .def("rows", exclusive([](const VectorSolver& s, std::int64_t max_bytes) {
             return sorted_rows(*s.problem(), max_bytes, [&] { return s.rows(); });
           }),
           "max_bytes"_a = ProblemOptions{}.max_bytes, "Lists the average strategy as `VectorProblem.rows` lists a profile.")
      .def("packed",
           exclusive([](const VectorSolver& s) { return to_packed(without_gil([&] { return s.packed(); }), *s.problem()); }),
           "Packs the average strategy as `VectorProblem.packed` packs a profile.")
      .def("lock", exclusive([](VectorSolver& s, int node, ArrayIn<double, 2> strategy) {
             s.lock(node, {strategy.data(), strategy.data() + strategy.size()});
           }),
           "node"_a, "strategy"_a,
           "Let the actor of a node do this and nothing else: [actions, hands], which sum to 1 for each hand.")
      .def("state", exclusive([](const VectorSolver& s) { return to_array(without_gil([&] { return s.state(); })); }))
      .def("restore",
           exclusive([](VectorSolver& s, int iteration, ArrayIn<double, 1> state) { s.restore(iteration, copied(state)); }),
           "iteration"_a, "state"_a);
}

}  // namespace regretless
