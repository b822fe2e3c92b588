// SPDX-License-Identifier: MIT
// A two-player zero-sum game given by tables: hands are dealt once, each pair with a weight of its own, and all that follows is
// public. Where the game ends, every pair of hands has its own payoff. The public view of an explicit game is such a game, and so
// is preflop play over the 169 classes of starting hands.
#pragma once
#include <vector>

#include "games/game.h"

namespace regretless {

struct TabularState {
  std::int32_t node = 0;
  std::uint64_t key = 1;  // of the node
};

struct TabularDeal {
  std::array<Hand, 2> hands{};
};

// Nodes are public states, breadth first, children together and in the order of their slots.
struct TabularParts {
  std::string name;
  double unit = 1;                        // chips
  std::vector<std::string> action_names;  // [slots]
  std::vector<std::int8_t> actors;        // [nodes]: a player or kTerminal
  std::vector<std::int32_t> first_children;  // [nodes]
  std::vector<std::int32_t> num_children;    // [nodes]
  std::vector<std::int32_t> slots;        // [nodes]: what led there, -1 at the root
  std::vector<double> stakes;             // [nodes], chips
  int num_features = 0;
  std::vector<float> features;            // [nodes, features]
  std::int64_t num_hands = 0;
  std::vector<double> pair_weights;       // [hands of player 0, hands of player 1], the largest 1
  std::vector<std::int32_t> tables;       // [nodes]: of payoffs where the game ends, else -1
  std::vector<double> scales;             // [nodes]: chips by which the table is multiplied
  std::vector<double> offsets;            // [nodes]: chips that player 0 gets with any hand besides; empty: none
  std::vector<double> payoffs;            // [tables, hands, hands]: of player 0, times the weight of the pair
};

class TabularGame {
 public:
  using State = TabularState;
  using Deal = TabularDeal;

  // Throws std::invalid_argument for tables that do not fit together.
  explicit TabularGame(TabularParts parts);

  const std::string& name() const { return parts_.name; }
  int num_players() const { return 2; }
  int num_actions() const { return static_cast<int>(parts_.action_names.size()); }
  const std::vector<std::string>& action_names() const { return parts_.action_names; }
  std::int32_t num_nodes() const { return static_cast<std::int32_t>(parts_.actors.size()); }
  std::int64_t num_hands() const { return parts_.num_hands; }
  double unit() const { return parts_.unit; }
  double weight(Player player, Hand hand) const { return is_held(player, hand) ? 1 : 0; }  // the pairs say the rest

  State root() const { return at(0); }
  State at(std::int32_t node) const { return {node, static_cast<std::uint64_t>(node) + 1}; }
  Player actor(const State& state) const { return parts_.actors[state.node]; }
  ActionMask legal(const State& state) const { return legals_[state.node]; }
  void act(State& state, int slot) const;
  Step take(State& state, int slot) const;
  std::uint32_t num_outcomes(const State&) const { return 0; }
  void reveal(State&, std::uint32_t) const {}
  bool hand_possible(const State&, Hand) const { return true; }
  double num_deals(const State&) const { return static_cast<double>(num_pairs_); }
  double num_partial_deals() const { return 1; }

  Ending ending(const State& state) const;
  int compare(const State& state, Hand first, Hand second) const;
  bool hands_compatible(Hand first, Hand second) const { return pair_weight(first, second) > 0; }
  double outcome_probability(const State&) const { return 1; }
  double pair_weight(Hand first, Hand second) const { return parts_.pair_weights[pair(first, second)]; }
  bool is_held(Player player, Hand hand) const { return is_held_[player][hand]; }
  // The payoff of player 0 where the game ends, times the weight of the pair; in the scale of the ending and without its offset.
  double weighed_payoff(const State& state, Hand first, Hand second) const {
    return parts_.payoffs[static_cast<std::size_t>(parts_.tables[state.node]) * parts_.pair_weights.size() + pair(first, second)];
  }

  Deal deal(Random& random) const;
  void reveal(State&, const Deal&) const {}
  std::uint32_t outcome(const State&, const Deal&) const { return 0; }
  Hand hand(const Deal& deal, Player player) const { return deal.hands[player]; }
  void set_hand(Deal& deal, Player player, Hand hand) const { deal.hands[player] = hand; }
  void payoffs(const State& state, const Deal& deal, std::span<std::int32_t> out) const;  // rounded
  std::uint64_t infoset(const State& state, const Deal& deal, Player player) const {
    return infoset_key(state.key, static_cast<std::uint64_t>(deal.hands[player]), player);
  }

  int num_public_features() const { return parts_.num_features; }
  void encode_public(const State& state, std::span<float> features) const;
  double stake(const State& state) const { return parts_.stakes[state.node]; }

  std::string hand_text(Hand hand) const { return std::to_string(hand); }
  std::string outcome_text(const State&, const State&) const { return {}; }
  std::string action_text(int slot) const { return "[" + parts_.action_names[slot] + "]"; }

 private:
  double offset(const State& state) const { return parts_.offsets.empty() ? 0 : parts_.offsets[state.node]; }
  std::size_t pair(Hand first, Hand second) const {
    return static_cast<std::size_t>(first) * static_cast<std::size_t>(parts_.num_hands) + static_cast<std::size_t>(second);
  }
  void check() const;

  TabularParts parts_;
  std::vector<ActionMask> legals_;                // [nodes]
  std::array<std::vector<bool>, 2> is_held_;      // [player][hands]
  double total_weight_ = 0;                       // of all pairs
  std::int64_t num_pairs_ = 0;                    // that can meet
};

}  // namespace regretless
