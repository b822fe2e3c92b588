// SPDX-License-Identifier: MIT
// The public-tree solver.
#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <stdexcept>

#include "arrays.h"
#include "bindings.h"
#include "exclusive.h"
#include "solve/vector_solver.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace regretless {
namespace {

template <class T, class Field>
ArrayOut<T, 1> node_array(const VectorSolver& solver, Field field) {
  const auto& nodes = solver.nodes();
  auto array = new_array<T, 1>({nodes.size()});
  for (std::size_t n = 0; n < nodes.size(); ++n) array.data()[n] = static_cast<T>(nodes[n].*field);
  return array;
}

nb::typed<nb::dict, std::string, nb::any> problem_arrays(const VectorSolver& solver) {
  const VectorArrays all = solver.arrays();
  nb::dict arrays;
  arrays["edge_nodes"] = to_array(all.edge_nodes);
  arrays["edge_probabilities"] = to_array(all.edge_probabilities);
  arrays["node_orbits"] = to_array(all.node_orbits);
  arrays["terminal_nodes"] = to_array(all.terminal_nodes);
  arrays["tables"] = to_array(all.tables);
  arrays["payoffs"] = to_rows<double>(all.payoffs, 6);
  for (Player p = 0; p < 2; ++p) {
    const std::string player = "_" + std::to_string(p);
    const std::size_t hands = solver.hands(p).size();
    arrays[("edge_masks" + player).c_str()] = to_array(all.edge_masks[p]);
    arrays[("masks" + player).c_str()] = to_rows<std::uint8_t>(all.masks[p], hands);
    arrays[("orbits" + player).c_str()] = to_rows<std::int32_t>(all.orbits[p], hands);
    arrays[("weights" + player).c_str()] = to_array(all.weights[p]);
  }
  return arrays;
}

std::vector<double> to_vector(const ArrayIn<double, 1>& array) { return {array.data(), array.data() + array.size()}; }

Player check_player(int player) {
  if (player < 0 || player > 1) throw std::invalid_argument("no player " + std::to_string(player));
  return player;
}

template <class G>
std::shared_ptr<VectorSolver> new_solver(std::shared_ptr<G> game, Discounts discounts, int threads, const std::vector<int>& board,
                                         const std::array<std::vector<double>, 2>& weights, bool merges_suits,
                                         std::int64_t max_bytes, int precision) {
  nb::gil_scoped_release release;
  return make_vector_solver(std::move(game), {discounts, threads, board, weights, merges_suits, max_bytes, precision});
}

template <class G>
void def_new(nb::class_<VectorSolver>& solver) {
  solver.def(nb::new_(&new_solver<G>), "game"_a, "discounts"_a, nb::kw_only(), "threads"_a = 1, "board"_a = std::vector<int>{},
             "weights"_a = std::array<std::vector<double>, 2>{}, "merges_suits"_a = true, "max_bytes"_a = std::int64_t{1} << 36,
             "precision"_a = 0);
}

void bind_discounts(nb::module_& m) {
  nb::class_<Discounts>(m, "Discounts", "A member of the CFR family.")
      .def(
          "__init__",
          [](Discounts* self, const std::string& name) {
            for (const NamedDiscounts& row : kDiscounts)
              if (row.name == name) {
                new (self) Discounts(row.discounts);
                return;
              }
            throw std::invalid_argument("no algorithm '" + name + "' in the CFR family");
          },
          "name"_a)
      .def_rw("alpha", &Discounts::alpha, "After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1).")
      .def_rw("beta", &Discounts::beta, "The same for negative regrets.")
      .def_rw("gamma", &Discounts::gamma, "Iteration t counts t^gamma in the average strategy.")
      .def_rw("clamps", &Discounts::clamps, "Regrets never fall below zero.")
      .def_rw("predicts", &Discounts::predicts, "The last regret counts once more in the strategy.")
      .def_rw("alternates", &Discounts::alternates, "The second player answers the first one's new strategy.")
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
  nb::class_<SolveSize>(m, "SolveSize", "What a problem takes.")
      .def_ro("nodes", &SolveSize::nodes)
      .def_ro("decisions", &SolveSize::decisions)
      .def_ro("entries", &SolveSize::entries)
      .def_ro("infosets", &SolveSize::infosets)
      .def_ro("bytes", &SolveSize::bytes)
      .def_ro("precision", &SolveSize::precision, "Bits of a number in the tables.");
  nb::class_<VectorSolver> solver(m, "VectorSolver", "CFR over the public tree of a two-player game, with vectors of hands.");
  def_new<Poker>(solver);
  def_new<LiarsDice>(solver);
  solver.def_prop_ro("size", &VectorSolver::size)
      .def_prop_ro("iteration", exclusive(&VectorSolver::iteration))
      .def("step", exclusive([](VectorSolver& s, int count) {
             if (count < 0 || count > std::numeric_limits<int>::max() - s.iteration())
               throw std::invalid_argument("count: must not be negative, nor beyond iteration 2^31 - 1");
             nb::gil_scoped_release release;
             s.step(count);
           }),
           "count"_a = 1)
      .def("value", exclusive([](VectorSolver& s, int player) {
             nb::gil_scoped_release release;
             return s.value(check_player(player));
           }),
           "player"_a, "Expected chips of the average strategy.")
      .def("best_value", exclusive([](VectorSolver& s, int player) {
             nb::gil_scoped_release release;
             return s.best_value(check_player(player));
           }),
           "player"_a, "Expected chips of the best answer to the other's average strategy.")
      .def("hand_values", exclusive([](VectorSolver& s, int player) { return to_array(s.hand_values(check_player(player))); }),
           "player"_a, "Expected chips of each hand of `hands`.")
      .def(
          "hand_weights", [](VectorSolver& s, int player) { return to_array(s.hand_weights(check_player(player))); }, "player"_a,
          "Weight of the opponent's compatible hands, for each hand of `hands`.")
      .def(
          "hands", [](const VectorSolver& s, int player) { return to_array(s.hands(check_player(player))); }, "player"_a)
      .def_prop_ro(
          "actors", [](const VectorSolver& s) { return node_array<std::int8_t>(s, &PublicNode::actor); }, nb::rv_policy::move,
          "int8 [nodes]")
      .def_prop_ro(
          "parents", [](const VectorSolver& s) { return node_array<std::int32_t>(s, &PublicNode::parent); }, nb::rv_policy::move,
          "int32 [nodes]")
      .def_prop_ro(
          "first_children", [](const VectorSolver& s) { return node_array<std::int32_t>(s, &PublicNode::first_child); },
          nb::rv_policy::move, "int32 [nodes]")
      .def_prop_ro(
          "num_children", [](const VectorSolver& s) { return node_array<std::int32_t>(s, &PublicNode::num_children); },
          nb::rv_policy::move, "int32 [nodes]")
      .def_prop_ro(
          "events", [](const VectorSolver& s) { return node_array<std::int32_t>(s, &PublicNode::event); }, nb::rv_policy::move,
          "int32 [nodes]: the slot or public outcome that led there")
      .def(
          "outcomes", [](const VectorSolver& s, int node) { return s.outcomes(node); }, "node"_a,
          "For a node below public chance: the outcomes it stands for, itself first.")
      .def(
          "renamed_hands",
          [](const VectorSolver& s, int node, int outcome, int player) {
            return to_array(s.renamed_hands(node, outcome, check_player(player)));
          },
          "node"_a, "outcome"_a, "player"_a,
          "Where each hand stands in this node when the outcome is the `outcome`-th it stands for.")
      .def("strategy", exclusive([](VectorSolver& s, int node) {
             const std::vector<double> flat = s.strategy(node);
             const auto actions = static_cast<std::size_t>(s.nodes()[node].num_children);
             auto array = new_array<double, 2>({actions, flat.size() / actions});
             std::copy(flat.begin(), flat.end(), array.data());
             return array;
           }),
           "node"_a, "The average strategy at a decision: [actions, hands of the actor].")
      .def(
          "hands_possible",
          [](const VectorSolver& s, int node, int player) { return s.hands_possible(node, check_player(player)); }, "node"_a,
          "player"_a)
      .def("best_values_against",
           exclusive([](VectorSolver& s, ArrayIn<double, 1> profile) { return s.best_values_against(to_vector(profile)); }),
           "profile"_a, "What each player wins by the best answer to a profile given node by node as [actions, hands].")
      .def("values_of", exclusive([](VectorSolver& s, ArrayIn<double, 1> profile) { return s.values_of(to_vector(profile)); }),
           "profile"_a)
      .def("state", exclusive([](const VectorSolver& s) { return to_array(s.state()); }))
      .def("restore",
           exclusive([](VectorSolver& s, int iteration, ArrayIn<double, 1> state) { s.restore(iteration, to_vector(state)); }),
           "iteration"_a, "state"_a)
      .def("arrays", &problem_arrays,
           "The problem as flat arrays (`VectorArrays` in native/solve/vector_solver.h); those of player p end in _p, payoffs are "
           "[terminals, 6].")
      .def(
          "matchups",
          [](const VectorSolver& s, std::int32_t table) { return to_rows<std::int8_t>(s.matchups(table), s.hands(1).size()); },
          "table"_a = kNoShowdown,
          "int8 [hands of player 0, hands of player 1]: 1 player 0 wins, 0 a tie or no showdown, -1 player 0 loses, 2 they cannot "
          "meet.");
}

}  // namespace regretless
