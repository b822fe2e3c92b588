// SPDX-License-Identifier: MIT
// A solver of the CFR family over a tree that is cut at leaves. An iteration goes down to the leaves, asks for their values at both
// players' reaches, and goes up; both players are updated against the same strategies.
#pragma once
#include "solve/discounts.h"
#include "solve/vector_problem.h"
#include "threads/busy.h"

namespace regretless {

struct LeafSolveOptions {
  Discounts discounts;
  int iterations = 0;
  ProblemOptions problem;
};

// Numbers of every leaf, by place in hands(player): [player][leaves, hands].
using LeafRows = std::array<std::vector<float>, 2>;

class LeafSolver {
 public:
  virtual ~LeafSolver() = default;
  virtual std::shared_ptr<const VectorProblem> problem() const = 0;
  virtual int iteration() const = 0;  // answered so far

  // The reaches of both players, chance left out, at each leaf in the order of nodes; null when all iterations are done.
  virtual const LeafRows* ask() = 0;
  // Counterfactual values there: chips times the reach of the other.
  virtual void answer(const std::array<const float*, 2>& values) = 0;

  // The average strategy at a decision node: [actions, hands of the actor].
  virtual std::vector<double> strategy(std::int32_t node) const = 0;
  // Counterfactual values of the root by place in hands(player): the mean over the iterations, as they count in the average.
  virtual std::vector<double> root_values(Player player) const = 0;

  Busy& busy() const { return busy_; }

 private:
  mutable Busy busy_{"LeafSolver"};
};

// For games with public states; the tree must be cut, and suits are not merged. Throws as make_vector_solver.
std::unique_ptr<LeafSolver> make_leaf_solver(const AnyGame& game, const LeafSolveOptions& options);

}  // namespace regretless
