// SPDX-License-Identifier: MIT
// A game written out in full, as something to play: a state is a history, so nothing is kept apart as a hand, and what a player
// knows is the key of his infoset. Jobs and samplers go through it as through any game; there is no public view of it, so solvers
// over public states do not.
#pragma once
#include "games/slot_episode.h"

namespace regretless {

struct ExplicitState {
  std::int32_t node = 0;
  std::int32_t draws = 0;  // of chance so far
  std::uint64_t key = 0;   // of the infoset; 0 where nobody decides
};

// Draw i of chance is number i of this stream.
struct ExplicitDeal {
  std::uint64_t seed = 0;
};

// Nodes are breadth first, as in tree/explicit_tree.h; a slot is one of `action_names`.
struct ExplicitParts {
  std::string name;
  int num_players = 0;
  double unit = 1;                         // chips
  double stake = 1;                        // chips
  std::vector<std::int8_t> actors;         // [nodes]
  std::vector<std::int32_t> parents;       // [nodes]
  std::vector<std::int32_t> first_children;  // [nodes]
  std::vector<std::int32_t> num_children;  // [nodes]
  std::vector<double> chance_probabilities;  // [nodes]
  std::vector<std::int32_t> infosets;      // [nodes]
  std::vector<std::int32_t> terminals;     // [nodes]
  std::vector<std::int32_t> payoffs;       // [terminals, players], chips
  std::vector<std::uint64_t> keys;         // [infosets]
  std::vector<std::string> infoset_names;  // [infosets]
  std::vector<std::vector<int>> slots;     // [infosets][actions]
  std::vector<std::vector<std::string>> texts;  // [infosets][actions]
  std::vector<std::string> action_names;   // [slots]
};

class ExplicitGame {
 public:
  using Episode = SlotEpisode<ExplicitGame>;
  using State = ExplicitState;
  using Deal = ExplicitDeal;

  // Throws std::invalid_argument for what cannot be played; that the nodes are a tree was checked before.
  explicit ExplicitGame(ExplicitParts parts);

  const std::string& name() const { return parts_.name; }
  int num_players() const { return parts_.num_players; }
  int num_actions() const { return static_cast<int>(parts_.action_names.size()); }
  const std::vector<std::string>& action_names() const { return parts_.action_names; }
  int num_infosets() const { return static_cast<int>(parts_.keys.size()); }
  int infoset(std::int32_t node) const { return parts_.infosets[node]; }
  const std::string& infoset_text(const State& state, const Deal&, std::span<const Step>) const {
    return parts_.infoset_names[parts_.infosets[state.node]];
  }
  const std::vector<std::uint64_t>& infoset_keys() const { return infoset_keys_; }  // [infosets], as `infoset` gives them
  std::int64_t num_hands() const { return 1; }
  double unit() const { return parts_.unit; }
  int num_cards() const { return 0; }
  int num_streets() const { return 1; }
  int num_board_cards() const { return 0; }
  int hand_size() const { return 0; }
  std::vector<int> hand_parts(Hand) const { return {}; }
  double weight(Player, Hand) const { return 1; }

  State root() const { return at(0, 0); }
  Player actor(const State& state) const { return parts_.actors[state.node]; }
  ActionMask legal(const State& state) const { return legals_[parts_.infosets[state.node]]; }
  void act(State& state, int slot) const;
  Step take(State& state, int slot) const;
  std::uint32_t num_outcomes(const State& state) const { return static_cast<std::uint32_t>(parts_.num_children[state.node]); }
  void reveal(State& state, std::uint32_t outcome) const {
    state = at(parts_.first_children[state.node] + static_cast<std::int32_t>(outcome), state.draws + 1);
  }
  bool hand_possible(const State&, Hand) const { return true; }
  bool hand_clear_of(Hand, std::uint64_t) const { return true; }  // there are no cards
  double num_deals(const State&) const { return 1; }
  double num_partial_deals() const { return 0; }

  Deal deal(Random& random) const { return {random.bits()}; }
  void reveal(State& state, const Deal& deal) const { reveal(state, outcome(state, deal)); }
  std::uint32_t outcome(const State& state, const Deal& deal) const;
  Hand hand(const Deal&, Player) const { return 0; }
  void set_hand(Deal&, Player, Hand) const {}
  [[noreturn]] unsigned read_hands(const std::vector<std::vector<int>>&, Deal&) const {
    throw std::invalid_argument("the game does not tell its hands apart, so none can be given");
  }
  void payoffs(const State& state, const Deal&, std::span<std::int32_t> out) const;
  std::uint64_t infoset(const State& state, const Deal&, Player player) const { return infoset_key(state.key, 0, player); }
  double stake(const State&) const { return parts_.stake; }

  std::string slot_text(const State& state, int slot) const;

  // The states at which somebody decided, from the root to before this one, with what he chose.
  std::vector<std::pair<State, Step>> path(const State& state) const;
  // The first node of each infoset.
  std::vector<State> every_infoset() const;

 private:
  State at(std::int32_t node, std::int32_t draws) const {
    const std::int32_t infoset = parts_.infosets[node];
    return {node, draws, infoset < 0 ? 0 : parts_.keys[infoset]};
  }

  ExplicitParts parts_;
  std::vector<ActionMask> legals_;           // [infosets]
  std::vector<std::uint64_t> infoset_keys_;  // [infosets]
};

using ExplicitEpisode = ExplicitGame::Episode;

}  // namespace regretless
