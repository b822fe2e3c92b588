// SPDX-License-Identifier: MIT
// The solver of depth-limited subgames at public belief states: thousands at once, by the CFR family in lockstep. Every iteration
// asks for the values of all leaves, at the ranges of the current strategies. Subgames without leaves are solved without a
// question. The result of a subgame depends on its root, its ranges and the answers to its own questions alone.
//
// A subgame begins with the ranges of both players, or with a range of one and the counterfactual values of the other, his
// opponent (solve/subgame_gadget.h). Roots and leaves are numbers of a catalogue (public_states.h).
#pragma once
#include <algorithm>

#include "jobs/public_states.h"
#include "solve/discounts.h"

namespace regretless {

struct SubgameOptions {
  Discounts discounts;
  int iterations = 512;     // each updates both players once
  int max_decisions = 0;    // on any path of a subgame; 0: no limit
  bool ends_with_round = false;  // subgames end where the betting after the next public chance begins
  bool keeps_average = true;
  int warm_start = 0;       // iterations that the initial strategies count for; 0: these are uniform
  int threads = 1;
  std::int64_t max_bytes = std::int64_t{1} << 36;
};

// Public states about which something is asked, at ranges of both players. Of leaves the values: answers are [rows, players, hands]
// in chips, what a hand wins on average against the opponent's range of sum 1, where hands that cannot meet count nothing. Of
// decisions the strategies that iterations begin with, one level of decisions after the other: answers are probabilities [rows,
// slots, hands] of the actor; slots that are not legal are ignored, and the others need not sum to 1.
struct RangeQuestions : std::enable_shared_from_this<RangeQuestions> {
  std::int64_t rows = 0;
  std::vector<std::int32_t> states;  // [rows]: twins
  std::vector<float> ranges;         // [rows, players, hands], each of sum 1
};

// States of solved subgames, as their twins: at which ranges, and what was found there.
struct RangeExamples {
  std::vector<std::int32_t> states;  // [rows]
  std::vector<float> ranges;         // [rows, players, hands], each of sum 1
  std::vector<float> found;          // values [rows, players, hands], in stakes, or average strategies [rows, slots, hands]
};

// An iteration (from 1) at whose strategies a path through a subgame is drawn.
struct SubgameStop {
  std::int32_t subgame = 0;
  std::int32_t iteration = 1;
  std::uint64_t seed = 0;
};

// Subgames that are solved together.
struct SubgameBatch {
  std::vector<std::int32_t> states;  // [subgames]: roots
  std::vector<double> ranges;        // [subgames, players, hands], not negative; a range without mass counts as uniform
  // The player whose values are given, -1 for none: [subgames], or empty where no subgame has any. His range then only weighs his
  // hands, and he may take `opponent_values` instead of playing the subgame.
  std::vector<std::int32_t> opponents;
  std::vector<double> opponent_values;  // [subgames, hands], in the unit of leaf values
  double least_follow = 0;  // the least probability with which he plays the subgame
  std::vector<SubgameStop> stops;  // in any order
  double exploration = 0;  // probability that the exploring player of a path acts at random
  bool keeps_strategies = false;  // at stops
  bool keeps_values = false;  // at inner nodes

  int opponent(std::size_t subgame) const { return opponents.empty() ? -1 : opponents[subgame]; }
  std::int64_t num_gadgets() const {
    return std::ranges::count_if(opponents, [](std::int32_t p) { return p >= 0; });
  }
};

// One node of a subgame; children are contiguous and come after it.
struct SubgameNode {
  std::int32_t first_child = 0;
  std::int32_t num_children = 0;
  std::int8_t actor = 0;
  std::int32_t state = -1;  // of a decision or leaf
  std::int64_t offset = -1;  // of a decision: of its [actions, hands] among the strategies
  std::int32_t event = -1;  // the slot or the public outcome that leads here
};

class Subgames {
 public:
  explicit Subgames(std::shared_ptr<PublicStates> states) : states_(std::move(states)) {}
  virtual ~Subgames() = default;

  const std::shared_ptr<PublicStates>& states() const { return states_; }
  std::int64_t num_hands() const { return static_cast<std::int64_t>(states_->num_hands()); }
  int num_slots() const { return static_cast<int>(states_->num_slots()); }
  virtual int iterations() const = 0;

  // The subgame that begins at a state.
  virtual const std::vector<SubgameNode>& nodes(std::int32_t state) = 0;
  virtual bool has_leaves(std::int32_t state) = 0;
  virtual std::int64_t subgame_bytes(std::int32_t state) = 0;  // with one stop whose strategies are kept

  // Replaces the subgames by new ones. If it throws, there are none.
  virtual void begin(const SubgameBatch& batch) = 0;
  // With a warm start strategies are asked for first; nullptr when there are no (more) questions about them.
  virtual const RangeQuestions* ask_strategies() const = 0;
  virtual void answer_strategies(const float* probabilities) = 0;
  virtual const RangeQuestions* ask() const = 0;  // nullptr when all subgames are solved
  virtual void answer(const float* values) = 0;

  // Results, once all subgames are solved. Values are in the unit of leaf values: means over the iterations, weighted as the
  // average strategy. With a gadget, the values of the player who re-solves count only the opponent's hands that follow.
  virtual const std::vector<double>& ranges() const = 0;  // [subgames, players, hands], each of sum 1
  virtual const std::vector<double>& root_values() const = 0;  // [subgames, players, hands]
  // [nodes, players, hands], if kept; 0 at nodes that the other player never reached.
  virtual std::vector<double> node_values(std::int64_t subgame) = 0;
  virtual std::vector<double> average_strategies(std::int64_t subgame) = 0;  // of all decisions, if kept
  virtual std::vector<double> average_ranges(std::int64_t subgame) = 0;  // [nodes, players, hands]: those of the average strategies
  virtual const std::vector<std::int32_t>& next_states() const = 0;  // [stops]: the leaf on the path, -1 where the episode ended
  virtual const std::vector<double>& next_ranges() const = 0;  // [stops, players, hands], each of sum 1
  // Strategies of all decisions at a stop, if kept: of its iteration, or the average where the subgame has no leaves.
  virtual std::vector<double> stop_strategies(std::int64_t stop) const = 0;
  virtual RangeExamples value_examples() = 0;  // the root of each subgame
  virtual RangeExamples strategy_examples(std::uint64_t seed) = 0;  // a random decision of each subgame

  std::int64_t num_begun() const { return num_begun_; }  // calls of begin
  Busy& busy() const { return states_->busy(); }

 protected:
  std::int64_t num_begun_ = 0;

 private:
  std::shared_ptr<PublicStates> states_;
};

// Throws std::invalid_argument for options that make no sense; functions that need more memory than max_bytes throw
// std::length_error.
std::unique_ptr<Subgames> make_subgames(std::shared_ptr<PublicStates> states, const SubgameOptions& options);

}  // namespace regretless
