// SPDX-License-Identifier: MIT
// A two-player problem: a game from some public cards on, with two ranges. It holds the public tree, the ranges and the showdowns,
// says what any profile is worth, and names its infosets by their keys. Solvers stand on it.
#pragma once
#include "games/any_game.h"
#include "tree/public_tree.h"
#include "tree/showdown.h"

namespace regretless {

// The re-solving gadget at the root (subgame_gadget.h); the opponent's range weighs his hands.
struct GadgetOptions {
  Player opponent = -1;        // -1: there is no gadget
  std::vector<double> values;  // [hands]: what he may take with each, counterfactual to the other's range
  double least_follow = 0;     // probability with which each hand plays on at least

  bool is_there() const { return opponent >= 0; }
};

struct ProblemOptions {
  std::vector<int> board;                      // public cards of the root, where board cards are due at the start
  std::vector<int> actions;                    // of poker, before the root: as in betting.h, on the menu or not
  std::array<std::vector<double>, 2> weights;  // [hands] of each player; empty: the weights of the game
  bool merge_suits = true;                     // keep public cards that are equal up to suit isomorphism once
  std::int64_t max_bytes = std::int64_t{1} << 36;
  TreeOptions tree;  // a tree that is cut ends at leaves; such a problem has arrays, but no values of its own
  GadgetOptions gadget;  // for solvers; a problem only merges no suits that its values tell apart
};

// The size of a problem, known before anything is allocated; bytes within a few percent.
struct SolveSize {
  std::int64_t nodes = 0;                // public nodes
  std::int64_t decisions = 0;            // of them decision nodes
  std::int64_t endings = 0;              // of them terminal nodes
  std::int64_t leaves = 0;               // of them leaves of a tree that is cut
  std::int64_t entries = 0;              // node x action x hand
  std::int64_t infosets = 0;             // of all boards, merged boards counted once for each board they stand for
  std::int64_t bytes = 0;                // of the problem and the tables of a solver
  std::int64_t problem_bytes = 0;        // of the problem alone
  std::int64_t tables = 0;               // of showdowns, at most
  int payoff_terms = 1;                  // parts of a showdown's payoff that are not 0: sign, presence, tie
  std::array<std::int64_t, 2> hands{};   // of each player
  int precision = 0;                     // bits of a number in the tables of a solver
};

// A problem as flat arrays, for solvers elsewhere (docs/solver_backends.md). An edge leads from a chance node to a kept outcome; a
// hand is its place in hands(player).
struct VectorArrays {
  std::vector<std::int32_t> edge_nodes;                 // [edges]: the node below
  std::vector<double> edge_probabilities;               // [edges], of all outcomes that the edge stands for
  std::array<std::vector<std::int32_t>, 2> edge_masks;  // [player][edges]: row of masks
  std::array<std::vector<std::uint8_t>, 2> masks;       // [player][masks, hands]: 1 where the hand is still possible
  std::vector<std::int32_t> node_orbits;                // [nodes]: row of orbits over which values are averaged, or -1
  std::array<std::vector<std::int32_t>, 2> orbits;      // [player][rows, hands]: the orbit of each hand
  std::vector<std::int32_t> terminal_nodes;             // [terminals]
  std::vector<std::int32_t> tables;                     // [terminals]: of the showdown, kNoShowdown without one
  std::vector<double> payoffs;                          // [terminals, players, (lose, tie, win)], chips
  std::array<std::vector<double>, 2> weights;           // [player][hands], at the root
  std::vector<std::int32_t> leaf_nodes;                 // [leaves]
  std::vector<double> leaf_stakes;                      // [leaves]: the stake of the public state (poker: the pot), chips
  RankedOrder order;                                    // of strength, by table; empty unless hands have two cards
};

// All infosets, merged boards under each of their names, in the order of a walk that goes deep first.
struct InfosetList {
  std::vector<std::uint64_t> keys;    // [infosets]
  std::vector<std::int8_t> actors;    // [infosets]
  std::vector<ActionMask> legals;     // [infosets]
};

// A profile by infoset, in the same order.
struct SolutionRows {
  std::vector<std::uint64_t> keys;    // [infosets]
  std::vector<double> probabilities;  // [infosets, slots of the game]
  std::vector<double> values;         // [infosets]: expected payoff of the actor, in units; 0 where the opponent's reach is 0
  std::vector<double> reaches;        // [infosets]: the actor's own reach
};

// A profile and its values in 16 bits, node after node (solve/packed_solution.h).
struct PackedSolution {
  std::vector<std::int16_t> strategy;  // decisions [actions - 1, hands of the actor]: shares added up over the actions, of 32,767
  std::vector<std::int16_t>
      values;  // decisions and public chance [hands of player 0, then of player 1]: what each wins; 0: meets none
  std::vector<float> scales;  // of the same [players, (middle, step)]: a value is middle + step x number, chips
};

// The outcomes of public chance, where a kept board stands for others.
struct BoardList {
  std::vector<std::int32_t> of_nodes;  // [nodes]
  std::vector<std::int32_t> ends;  // [boards]: in the two that follow; the root has none
  std::vector<std::int32_t> outcomes;  // that may have come last, the kept one first ...
  std::vector<std::int32_t> renamings;  // ... and the renaming of suits that makes it the kept one
  std::vector<std::uint8_t> suits;  // [renamings, 4]: where each suit goes
  std::array<std::vector<std::int32_t>, 2> places;  // [player][renamings, hands]: where each hand goes
};

class VectorProblem {
 public:
  virtual ~VectorProblem() = default;
  virtual SolveSize size() const = 0;
  virtual int num_actions() const = 0;  // slots of the game
  virtual const std::vector<Hand>& hands(Player player) const = 0;
  virtual std::vector<double> hand_weights(Player player) const = 0;  // at the root, of the opponent's compatible hands

  // The public tree.
  virtual const std::vector<PublicNode>& nodes() const = 0;
  virtual std::vector<bool> hands_possible(std::int32_t node, Player player) const = 0;
  virtual BoardList boards() const = 0;

  // A profile is [node's actions x hands of the actor], one decision node after the other: expected chips of it, and of the best
  // answer of each player.
  virtual std::array<double, 2> values_of(const std::vector<double>& profile) const = 0;
  virtual std::array<double, 2> best_values_against(const std::vector<double>& profile) const = 0;

  virtual InfosetList infosets() const = 0;
  virtual std::vector<std::string> names() const = 0;  // [infosets], as in "Qd:cc/Kd:r"
  virtual SolutionRows rows(const std::vector<double>& profile) const = 0;
  virtual PackedSolution packed(const std::vector<double>& profile) const = 0;
  // The profile of probabilities [infosets, slots], made to sum to 1 over legal slots and uniform where there are none. For
  // problems that merge no suits.
  virtual std::vector<double> profile_of(const double* probabilities) const = 0;

  virtual VectorArrays arrays() const = 0;
  // The matrix [hands of player 0, hands of player 1] of a table of `arrays` or of kNoShowdown: 1 player 0 wins, 0 a tie or no
  // showdown, -1 player 0 loses, or kCannotMeet.
  virtual std::vector<std::int8_t> matchups(std::int32_t table) const = 0;
};

// The rows in ascending order of their keys.
SolutionRows sorted_by_key(const SolutionRows& rows);

// The bytes that SolutionRows take in memory.
std::int64_t row_bytes(std::int64_t infosets, int num_actions);

// For games with public states. Throws std::length_error, saying what it would take, beyond max_bytes; std::invalid_argument for
// what makes no sense.
std::shared_ptr<const VectorProblem> make_vector_problem(const AnyGame& game, const ProblemOptions& options);

}  // namespace regretless
