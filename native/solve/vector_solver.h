// SPDX-License-Identifier: MIT
// A solver of the CFR family over the public tree of a two-player problem, and its solution.
#pragma once
#include "solve/discounts.h"
#include "solve/leaf_values.h"
#include "solve/vector_problem.h"
#include "threads/busy.h"

namespace regretless {

struct SolveOptions {
  Discounts discounts;
  int threads = 1;
  ProblemOptions problem;
  int precision =
      0;  // bits of a number in the tables of hold'em: 32, 16 (with a scale for each node), or 0: 16 where 32 do not fit
};

// Ranges and values of the average strategies at some nodes, by place in hands(player).
struct NodeBeliefs {
  std::array<std::vector<double>, 2> reaches;  // [player][nodes, hands]: his weights times his own choices, the gadget's included
  std::array<std::vector<double>, 2> values;  // [player][nodes, hands]: counterfactual, chips times the reach of the other
};

class VectorSolver {
 public:
  virtual ~VectorSolver() = default;
  virtual std::shared_ptr<const VectorProblem> problem() const = 0;
  virtual SolveSize size() const = 0;  // the tables included
  virtual int iteration() const = 0;
  virtual void step(int count) = 0;

  // For a cut tree. Both players are updated against the same strategies: the reaches, chance left out, at the leaves that the
  // next iteration has, or the average strategies ...
  virtual const LeafRows& leaf_reaches(bool of_average) = 0;
  // ... and an iteration with counterfactual values there: chips times the reach of the other.
  virtual void step_with(const LeafView& values) = 0;

  // Whether one wins what the other loses: not with rake.
  virtual bool is_zero_sum() const = 0;
  // Values of the average strategy, chips per episode. With a gadget there are none, only those of hands; with leaves, beliefs.
  virtual double value(Player player) = 0;
  virtual double best_value(Player player) = 0;

  // By place in hands(player): what a hand wins on average against the opponent's range, chips; 0 if it meets no hand.
  virtual std::vector<double> hand_values(Player player) = 0;
  // Counterfactual values of his best answer at the root, for each hand: chips times the weights of the other.
  virtual std::vector<double> best_hand_values(Player player) = 0;
  // At any nodes but endings, each once; the values of leaves are those at the reaches of the average strategies.
  virtual NodeBeliefs beliefs(const std::vector<std::int32_t>& nodes, const LeafView& leaves) = 0;
  // The average strategy at a decision node: [actions, hands of the actor].
  virtual std::vector<double> strategy(std::int32_t node) const = 0;
  virtual SolutionRows rows() const = 0;
  virtual PackedSolution packed() const = 0;

  // rows and packed count every hand of a gadget as playing.

  // From now on the actor of a node does this and nothing else: [actions, hands], which sum to 1 for each hand. Best answers keep
  // to it, too.
  virtual void lock(std::int32_t node, const std::vector<double>& strategy) = 0;

  // All that is needed to go on: one array of regrets, sums and predictions for each player.
  virtual std::vector<double> state() const = 0;
  virtual void restore(int iteration, const std::vector<double>& state) = 0;

  Busy& busy() const { return busy_; }

 private:
  mutable Busy busy_{"VectorSolver"};
};

// The size of a solver, the tables included and the infosets not counted, without making one; with precision 0 that of 32 bits
// up to 2 GiB or max_bytes, beyond the lesser that of 16. Throws as below, but for what is larger than max_bytes, up to 2^46 bytes.
SolveSize plan_vector_solver(const AnyGame& game, const SolveOptions& options);

// For games with public states. Throws std::length_error, saying what it would take, beyond max_bytes; std::invalid_argument for
// what makes no sense.
std::unique_ptr<VectorSolver> make_vector_solver(const AnyGame& game, const SolveOptions& options);

}  // namespace regretless
