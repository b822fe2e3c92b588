// SPDX-License-Identifier: MIT
// A whole game as flat arrays, one entry per history, breadth first: the children of a node are contiguous and come after
// it, in the order of the nodes. The arrays belong to the caller (explicit/explicit_tree.py has the same names).
#pragma once
#include "games/game.h"

namespace regretless {

struct ExplicitTree {
  int num_players = 0;
  std::span<const std::int8_t> actors;            // [nodes]: a player, kChance or kTerminal
  std::span<const std::int32_t> parents;          // [nodes]: -1 at the root
  std::span<const std::int32_t> first_children;   // [nodes]
  std::span<const std::int32_t> num_children;     // [nodes]
  std::span<const double> chance_probabilities;   // [nodes]: given the parent; 1 unless it is chance
  std::span<const std::int32_t> infosets;         // [nodes]: -1 where nobody decides
  std::span<const std::int32_t> terminals;        // [nodes]: a row of payoffs, -1 where the game goes on
  std::span<const double> payoffs;                // [terminals, players]
  std::span<const std::int8_t> infoset_actors;       // [infosets]
  std::span<const std::int32_t> infoset_num_actions;  // [infosets]

  int num_nodes() const { return static_cast<int>(actors.size()); }
  int num_infosets() const { return static_cast<int>(infoset_actors.size()); }
};

// Throws std::invalid_argument, naming the node, unless the arrays are such a tree.
void check(const ExplicitTree& tree);

}  // namespace regretless
