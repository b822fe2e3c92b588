// SPDX-License-Identifier: MIT
#include "solve/vector_problem.h"

#include "solve/vector_problem_of.h"

namespace regretless {
namespace {

template <class G>
std::shared_ptr<const VectorProblem> make(std::shared_ptr<const G> game, const ProblemOptions& options) {
  return with_tree(*game, [&]<class Tree>() -> std::shared_ptr<const VectorProblem> {
    return new_problem<G, Tree>(game, options, sizeof(typename Tree::Real));
  });
}

}  // namespace

std::int64_t row_bytes(std::int64_t infosets, int num_actions) {
  return infosets * static_cast<std::int64_t>((3 + num_actions) * sizeof(double));
}

std::shared_ptr<const VectorProblem> make_vector_problem(std::shared_ptr<const Poker> game, const ProblemOptions& options) {
  return make(std::move(game), options);
}

std::shared_ptr<const VectorProblem> make_vector_problem(std::shared_ptr<const LiarsDice> game, const ProblemOptions& options) {
  return make(std::move(game), options);
}

std::shared_ptr<const VectorProblem> make_vector_problem(std::shared_ptr<const TabularGame> game, const ProblemOptions& options) {
  return make(std::move(game), options);
}

}  // namespace regretless
