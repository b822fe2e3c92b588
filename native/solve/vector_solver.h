// SPDX-License-Identifier: MIT
// A two-player problem (a game, public cards already dealt, two ranges), its solver of the CFR family, and its solution.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "games/liars_dice.h"
#include "games/poker.h"
#include "solve/discounts.h"
#include "threads/busy.h"
#include "tree/public_tree.h"
#include "tree/showdown.h"

namespace regretless {

struct SolveOptions {
  Discounts discounts;
  int threads = 1;
  std::vector<int> board;                        // public cards of the root, where board cards are due at the start
  std::array<std::vector<double>, 2> weights;    // [hands] of each player; empty: every hand counts 1
  bool merges_suits = true;                      // solve public cards that a renaming of suits makes equal only once
  std::int64_t max_bytes = std::int64_t{1} << 36;
  int precision =
      0;  // bits of a number in the tables of hold'em: 32, 16 (with a scale for each node), or 0: 16 where 32 do not fit
};

// What a problem will take, known before it is allocated; bytes within a few percent.
struct SolveSize {
  std::int64_t nodes = 0;           // public nodes
  std::int64_t decisions = 0;       // of them decision nodes
  std::int64_t entries = 0;         // node x action x hand
  std::int64_t infosets = 0;
  std::int64_t bytes = 0;
  int precision = 0;                // bits of a number in the tables
};

// A problem as flat arrays, for solvers elsewhere. An edge leads from a chance node to a kept outcome; hands stand by place.
struct VectorArrays {
  std::vector<std::int32_t> edge_nodes;                        // [edges]: where it leads
  std::vector<double> edge_probabilities;                      // [edges], of all outcomes that it stands for
  std::array<std::vector<std::int32_t>, 2> edge_masks;         // [player][edges]: row of masks
  std::array<std::vector<std::uint8_t>, 2> masks;              // [player][masks, hands]: 1 where the hand is still possible
  std::vector<std::int32_t> node_orbits;                       // [nodes]: row of orbits over which values are averaged, or -1
  std::array<std::vector<std::int32_t>, 2> orbits;             // [player][rows, hands]: the orbit that a hand is in
  std::vector<std::int32_t> terminal_nodes;                    // [terminals]
  std::vector<std::int32_t> tables;                            // [terminals]: for matchups, kNoShowdown without a showdown
  std::vector<double> payoffs;                                 // [terminals, players, (lose, tie, win)], chips
  std::array<std::vector<double>, 2> weights;                  // [player][hands], at the root
};

class VectorSolver {
 public:
  virtual ~VectorSolver() = default;
  virtual SolveSize size() const = 0;
  virtual int iteration() const = 0;
  virtual void step(int count) = 0;

  // Of the average strategy, chips per episode.
  virtual double value(Player player) = 0;
  virtual double best_value(Player player) = 0;

  // By place in hands(player): what a hand wins on average against the opponent's range, chips; 0 if it meets no hand.
  virtual std::vector<double> hand_values(Player player) = 0;
  virtual const std::vector<Hand>& hands(Player player) const = 0;
  virtual std::vector<double> hand_weights(Player player) const = 0;  // at the root, against compatible hands

  // The public tree, and the average strategy at a decision node: [actions, hands of the actor].
  virtual const std::vector<PublicNode>& nodes() const = 0;
  virtual std::vector<double> strategy(std::int32_t node) = 0;
  // Of a node below public chance: the outcomes that it stands for, and where each of the player's hands stands in it when
  // the outcome-th of them came.
  virtual std::vector<std::uint32_t> outcomes(std::int32_t node) const = 0;
  virtual std::vector<std::int32_t> renamed_hands(std::int32_t node, int outcome, Player player) const = 0;
  virtual std::vector<bool> hands_possible(std::int32_t node, Player player) const = 0;

  // Any profile of the same layout, in place of the average: [node's actions x hands] one decision node after the other.
  virtual std::array<double, 2> best_values_against(const std::vector<double>& profile) = 0;
  virtual std::array<double, 2> values_of(const std::vector<double>& profile) = 0;

  // All that is needed to go on: one array of regrets, sums and predictions for each player.
  virtual std::vector<double> state() const = 0;
  virtual void restore(int iteration, const std::vector<double>& state) = 0;

  // The problem, for solvers elsewhere. Of a table of `arrays` or kNoShowdown: [hands of player 0, hands of player 1],
  // 1 player 0 wins, 0 a tie or no showdown, -1 player 0 loses, or kCannotMeet.
  virtual VectorArrays arrays() const = 0;
  virtual std::vector<std::int8_t> matchups(std::int32_t table) const = 0;

  Busy& busy() const { return busy_; }

 private:
  mutable Busy busy_{"VectorSolver"};
};

// Throws std::length_error, saying what it would take, beyond max_bytes; std::invalid_argument for what makes no sense.
std::unique_ptr<VectorSolver> make_vector_solver(std::shared_ptr<const Poker> game, const SolveOptions& options);
std::unique_ptr<VectorSolver> make_vector_solver(std::shared_ptr<const LiarsDice> game, const SolveOptions& options);

}  // namespace regretless
