// SPDX-License-Identifier: MIT
// Depth-limited subgames at public belief states, thousands at once, solved by the CFR family in lockstep. The job asks for the
// values of all leaves at once, at the ranges of the current strategies, every iteration anew. Subgames without leaves are solved
// without a question. A subgame depends on its root, its ranges and the answers to its own questions alone.
//
// Public states are numbered: state 0 is the root of the game, and the leaves of a state get their numbers when it first serves
// as a root. States of equal features share a number, so a number does not determine the path that led there.
#pragma once
#include "games/any_game.h"
#include "solve/discounts.h"
#include "threads/busy.h"

namespace regretless {

struct SubgameOptions {
  Discounts discounts;
  int iterations = 512;     // each updates both players once
  int max_decisions = 0;    // on any path of a subgame; 0: as many as there are
  bool ends_with_round = false;  // subgames end where the betting after the next public chance begins
  bool keeps_average = true;
  int warm_start = 0;       // iterations that given strategies count for; 0: none are asked for
  int threads = 1;
  std::vector<int> board;   // public cards of state 0, where board cards are due at the start
  std::int64_t max_bytes = std::int64_t{1} << 36;
};

// Questions about the strategies that iterations begin with, one level of decisions after the other: probabilities are
// answered as [rows, slots, hands] of the actor; slots that are not legal are ignored, and the others need not sum to 1.
struct StrategyQuestions : std::enable_shared_from_this<StrategyQuestions> {
  std::int64_t rows = 0;
  std::vector<std::int32_t> decisions;  // [rows]
  std::vector<float> ranges;            // [rows, players, hands], each of sum 1
};

// The root of a solved subgame, as its twin (see `twins`): at which ranges, and what they are worth, in stakes.
struct ValueExamples {
  std::vector<std::int32_t> states;  // [rows]
  std::vector<float> ranges;         // [rows, players, hands], each of sum 1
  std::vector<float> values;         // [rows, players, hands]
};

// One decision of a solved subgame: where, at which ranges, and the average strategy there.
struct StrategyExamples {
  std::vector<std::int32_t> decisions;   // [rows]
  std::vector<float> ranges;             // [rows, players, hands], each of sum 1
  std::vector<float> strategies;         // [rows, slots, hands]
};

// A stop of a walk through a subgame: at the strategies of an iteration (from 1), along which a path is drawn.
struct SubgameStop {
  std::int32_t subgame = 0;
  std::int32_t iteration = 1;
  std::uint64_t seed = 0;
};

// Questions about the values of leaves; values are answered as [rows, players, hands] in chips: what a hand wins on average against
// the opponent's range of sum 1, where hands that cannot meet count nothing.
struct LeafQuestions : std::enable_shared_from_this<LeafQuestions> {
  std::int64_t rows = 0;
  std::vector<std::int32_t> states;  // [rows]
  std::vector<float> ranges;         // [rows, players, hands], each of sum 1
};

// A node of a subgame, as Python sees the tree.
struct SubgameNode {
  std::int32_t first_child = 0;
  std::int32_t num_children = 0;
  std::int8_t actor = 0;
  std::int32_t state = -1;   // of a leaf
  std::int64_t offset = -1;  // of a decision: of its [actions, hands] among the strategies
};

class Subgames {
 public:
  virtual ~Subgames() = default;

  virtual std::int64_t num_hands() const = 0;
  virtual int iterations() const = 0;

  // Numbered public states.
  virtual std::int32_t num_states() const = 0;
  virtual int num_features() const = 0;
  virtual const std::vector<float>& features() const = 0;                 // [states, features]
  virtual const std::vector<double>& stakes() const = 0;                  // [states], chips
  virtual const std::vector<std::uint8_t>& possible() const = 0;          // [states, hands]: not blocked by what is public
  // States that renamed suits turn into each other: questions are asked about the first of them alone, with the hands renamed.
  virtual std::vector<std::int32_t> twins() const = 0;       // [states]: that first one
  virtual std::vector<std::int32_t> twin_hands() const = 0;  // [states, hands]: what a hand is called there
  virtual const std::vector<std::int32_t>& num_leaves() = 0;  // [states]: of the subgame that begins there, -1 if not known yet
  virtual const std::vector<SubgameNode>& nodes(std::int32_t state) = 0;  // of the subgame that begins there
  virtual std::int64_t subgame_bytes(std::int32_t state) = 0;  // of one such subgame with one stop, strategies kept

  // Numbered decisions: all that occur in subgames met so far, by their features.
  virtual std::int32_t num_decisions() const = 0;
  virtual int num_slots() const = 0;
  virtual const std::vector<float>& decision_features() const = 0;  // [decisions, features]
  virtual const std::vector<std::uint8_t>& decision_legal() const = 0;  // [decisions, slots]
  virtual const std::vector<std::uint8_t>& decision_possible() const = 0;  // [decisions, hands]

  // New subgames in place of those before: states [subgames], ranges [subgames, players, hands], not negative; a range without
  // mass counts as uniform. Stops are in any order.
  virtual void begin(const std::vector<std::int32_t>& states, const double* ranges, const std::vector<SubgameStop>& stops,
                     double exploration, bool keeps_strategies) = 0;
  // With a warm start strategies come first; nullptr when there is nothing (more) to say about them.
  virtual const StrategyQuestions* ask_strategies() const = 0;
  virtual void answer_strategies(const float* probabilities) = 0;
  virtual const LeafQuestions* ask() const = 0;  // nullptr when all are solved
  virtual void answer(const float* values) = 0;

  // Once all are solved.
  virtual const std::vector<double>& ranges() const = 0;  // [subgames, players, hands], each of sum 1
  virtual const std::vector<double>& root_values()
      const = 0;  // [subgames, players, hands], as leaves are answered; mean over iterations
  virtual const std::vector<std::int32_t>& next_states()
      const = 0;  // [stops]: the leaf that was reached, -1 where the episode ended
  virtual const std::vector<double>& next_ranges() const = 0;  // [stops, players, hands], each of sum 1
  // The strategies of a stop at its iteration, or the average where the subgame has no leaves; and the average of a subgame. Each
  // only if kept.
  virtual std::vector<double> stop_strategies(std::int64_t stop) const = 0;
  virtual std::vector<double> average_strategies(std::int64_t subgame) = 0;
  virtual ValueExamples value_examples() = 0;  // of each subgame
  // A random decision of each subgame, if the average is kept.
  virtual StrategyExamples strategy_examples(std::uint64_t seed) = 0;

  std::int64_t num_begun() const { return num_begun_; }  // calls of begin
  Busy& busy() const { return busy_; }

 protected:
  std::int64_t num_begun_ = 0;

 private:
  mutable Busy busy_{"Subgames"};
};

// For games with public states. Throws std::invalid_argument for what makes no sense; every function that needs memory,
// std::length_error beyond max_bytes.
std::unique_ptr<Subgames> make_subgames(const AnyGame& game, const SubgameOptions& options);

}  // namespace regretless
