// SPDX-License-Identifier: MIT
// Exact values of strategies that are given as tables by infoset key, for games whose public tree is small. Two players are
// evaluated over vectors of hands; more of them over all joint deals.
#pragma once
#include "solve/vector_problem.h"

namespace regretless {

class TableEvaluation {
 public:
  struct Values {
    std::vector<double> values;       // [players]: of the strategy, in units of the game
    std::vector<double> best_values;  // [players]: of the best answer to the others
  };

  virtual ~TableEvaluation() = default;
  virtual int num_players() const = 0;
  virtual int num_actions() const = 0;
  virtual const InfosetList& infosets() const = 0;
  virtual std::vector<std::string> names() const = 0;  // [infosets], as in "Qd:cc/Kd:r"
  // probabilities [infosets, actions] in the order of infosets(). Rows are normalised over legal slots; without any
  // probability they are uniform. Throws std::invalid_argument for what is no probability.
  virtual Values evaluate(const double* probabilities) const = 0;
};

// For games whose hands are dealt. Throws std::length_error if the game is too large.
std::unique_ptr<TableEvaluation> make_table_evaluation(const AnyGame& game);

}  // namespace regretless
