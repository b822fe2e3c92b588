// SPDX-License-Identifier: MIT
#include "tree/explicit_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace regretless {
namespace {

constexpr double kProbabilityTolerance = 1e-6;
constexpr int kMostPlayers = 127;  // player numbers are int8

void require(bool ok, const char* problem) {
  if (!ok) throw std::invalid_argument(std::string("explicit tree: ") + problem);
}

void require(bool ok, int node, const char* problem) {
  if (!ok) throw std::invalid_argument("explicit tree: node " + std::to_string(node) + ": " + problem);
}

void check_sizes(const ExplicitTree& tree) {
  const std::size_t nodes = tree.actors.size();
  require(nodes >= 1 && nodes <= std::numeric_limits<std::int32_t>::max(), "needs 1 to 2^31 - 1 nodes");
  require(tree.num_players >= 1 && tree.num_players <= kMostPlayers, "needs 1 to 127 players");
  require(tree.parents.size() == nodes && tree.first_children.size() == nodes && tree.num_children.size() == nodes &&
              tree.chance_probabilities.size() == nodes && tree.infosets.size() == nodes && tree.terminals.size() == nodes,
          "the arrays of nodes differ in length");
  require(tree.infoset_num_actions.size() == tree.infoset_actors.size(), "the arrays of infosets differ in length");
  require(std::ranges::all_of(tree.payoffs, [](double x) { return std::isfinite(x); }), "a payoff is not finite");
}

void check_kind(const ExplicitTree& tree, int node) {
  const int actor = tree.actors[node], infoset = tree.infosets[node];
  require(actor >= kTerminal && actor < tree.num_players, node, "there is no such actor");
  require(actor >= 0 || infoset == -1, node, "nobody decides, so it has no infoset");
  require(actor == kTerminal || tree.terminals[node] == -1, node, "is no terminal, so it has no payoffs");
  if (actor == kTerminal) {
    const int num_terminals = static_cast<int>(tree.payoffs.size()) / tree.num_players;
    require(tree.num_children[node] == 0, node, "a terminal has no children");
    require(tree.terminals[node] >= 0 && tree.terminals[node] < num_terminals, node, "there is no such row of payoffs");
    return;
  }
  require(tree.num_children[node] >= 1, node, "has no children and is no terminal");
  if (actor == kChance) return;
  require(infoset >= 0 && infoset < tree.num_infosets(), node, "there is no such infoset");
  require(tree.infoset_actors[infoset] == actor, node, "the infoset is another player's");
  require(tree.infoset_num_actions[infoset] == tree.num_children[node], node, "the infoset has another number of actions");
}

void check_probabilities(const ExplicitTree& tree, int node) {
  double total = 0;
  for (int c = 0; c < tree.num_children[node]; ++c) {
    const double probability = tree.chance_probabilities[tree.first_children[node] + c];
    const bool is_chance = tree.actors[node] == kChance;
    require(is_chance ? probability >= 0 : probability == 1, node, "a child's probability is wrong");
    total += probability;
  }
  require(tree.actors[node] != kChance || std::abs(total - 1) <= kProbabilityTolerance, node,
          "the probabilities of the children do not sum to 1");
}

}  // namespace

void check(const ExplicitTree& tree) {
  check_sizes(tree);
  require(tree.parents[0] == -1 && tree.chance_probabilities[0] == 1, 0, "is not a root");
  std::int64_t next = 1;
  for (int node = 0; node < tree.num_nodes(); ++node) {
    require(next > node, node, "is nobody's child");
    check_kind(tree, node);
    require(tree.first_children[node] == next, node, "the children do not follow those before");
    next += tree.num_children[node];
    require(next <= tree.num_nodes(), node, "a child is missing");
    for (std::int64_t child = next - tree.num_children[node]; child < next; ++child)
      require(tree.parents[child] == node, static_cast<int>(child), "the parent is wrong");
    check_probabilities(tree, node);
  }
}

}  // namespace regretless
