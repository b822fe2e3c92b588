// SPDX-License-Identifier: MIT
// The solver of trees that are cut at leaves.
#include "solve/leaf_solver.h"

#include "bindings.h"

namespace regretless {
namespace {

using Weights = std::array<std::vector<double>, 2>;

std::unique_ptr<LeafSolver> new_leaf_solver(const AnyGame& game, Discounts discounts, int iterations, const std::vector<int>& board,
                                            const std::vector<int>& actions, const Weights& weights, std::int64_t max_bytes,
                                            int max_decisions, bool ends_with_round, bool runs_out) {
  if (max_decisions < 0) throw std::invalid_argument("max_decisions: must not be negative");
  TreeOptions tree{.ends_with_round = ends_with_round, .runs_out = runs_out};
  if (max_decisions > 0) tree.max_decisions = max_decisions;
  nb::gil_scoped_release release;
  return make_leaf_solver(game, {discounts, iterations, {board, actions, weights, false, max_bytes, tree, {}}});
}

std::size_t num_leaves(const LeafSolver& solver) { return static_cast<std::size_t>(solver.problem()->size().leaves); }

using Rows = ArrayOut<float, 2>;

std::optional<std::tuple<Rows, Rows>> ask(LeafSolver& solver) {
  const LeafRows* found = without_gil([&] { return solver.ask(); });
  if (found == nullptr) return std::nullopt;
  const auto rows = [&](Player p) { return to_array((*found)[p], {num_leaves(solver), solver.problem()->hands(p).size()}); };
  return std::tuple(rows(0), rows(1));
}

void answer(LeafSolver& solver, ArrayIn<float, 2> first, ArrayIn<float, 2> second) {
  const std::array<const ArrayIn<float, 2>*, 2> given{&first, &second};
  for (Player p = 0; p < 2; ++p) {
    const std::size_t hands = solver.problem()->hands(p).size();
    if (given[p]->shape(0) != num_leaves(solver) || given[p]->shape(1) != hands)
      throw std::invalid_argument("values of player " + std::to_string(p) + ": must be [" + std::to_string(num_leaves(solver)) +
                                  ", " + std::to_string(hands) + "]");
    for (const float value : span_of(*given[p]))
      if (!std::isfinite(value)) throw std::invalid_argument("values of player " + std::to_string(p) + ": must be finite");
  }
  nb::gil_scoped_release release;
  solver.answer({first.data(), second.data()});
}

}  // namespace

void bind_leaf_solver(nb::module_& m) {
  nb::class_<LeafSolver>(m, "LeafSolver",
                         "CFR over a public tree that is cut at leaves, both players at once: asks for the values of the leaves.")
      .def(nb::new_(&new_leaf_solver), "game"_a, "discounts"_a, nb::kw_only(), "iterations"_a, "board"_a = std::vector<int>{},
           "actions"_a = std::vector<int>{}, "weights"_a = Weights{}, "max_bytes"_a = ProblemOptions{}.max_bytes,
           "max_decisions"_a = 0, "ends_with_round"_a = false, "runs_out"_a = true,
           "The root is as for a VectorSolver, the tree is cut as for a VectorProblem; suits are not merged.")
      .def_prop_ro(
          "problem", [](const LeafSolver& s) { return std::const_pointer_cast<VectorProblem>(s.problem()); },
          "The problem that is solved; leaves stand in the order of nodes.")
      .def_prop_ro("iteration", exclusive(&LeafSolver::iteration))
      .def(
          "ask", exclusive(&ask),
          "The reaches of players 0 and 1 at the leaves, chance left out: [leaves, hands] each; None when all iterations are done.")
      .def("answer", exclusive(&answer), "first"_a, "second"_a,
           "Counterfactual values of both players at the leaves, [leaves, hands]: chips times the reach of the other.")
      .def("strategy", exclusive([](const LeafSolver& s, int node) {
             std::vector<double> flat = s.strategy(node);
             const std::size_t hands = flat.size() / static_cast<std::size_t>(s.problem()->nodes()[node].num_children);
             return to_rows(std::move(flat), hands);
           }),
           "node"_a, "The average strategy at a decision: [actions, hands of the actor].")
      .def("root_values", exclusive([](const LeafSolver& s, int player) {
             if (player < 0 || player > 1) throw std::invalid_argument("no player " + std::to_string(player));
             return to_array(s.root_values(player));
           }),
           "player"_a, "Counterfactual values of the root, the mean over the iterations: [hands].");
}

}  // namespace regretless
