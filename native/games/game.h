// SPDX-License-Identifier: MIT
// The members that a game must have. There are two views of a game: the public view (states that everybody sees, with private hands
// kept apart as an index) and the episode view (one deal, stepped). Trees, ranges, solvers and jobs need nothing else.
#pragma once
#include <array>
#include <concepts>
#include <span>
#include <string>

#include "cards/random.h"

namespace regretless {

using Player = int;
using Hand = std::int32_t;  // dense index of a player's private cards or dice
using ActionMask = std::uint64_t;  // bit a: slot a may be chosen
inline constexpr Player kChance = -1;
inline constexpr Player kTerminal = -2;
inline constexpr int kMaxPlayers = 10;
inline constexpr int kMaxActions = 64;

// One decision of an episode, in the order of play.
struct Step {
  std::uint8_t actor = 0;
  std::uint8_t slot = 0;
  std::uint8_t street = 0;
  std::uint8_t share = 0;  // in poker, what a call costs or by how much a raise raises, as a share of the pot (pot_share.h)
  bool operator==(const Step&) const = default;
};

template <class G>
concept Game = requires(const G game, const typename G::State state, typename G::State mutable_state, const typename G::Deal deal,
                        typename G::Deal mutable_deal, Random random, Player player, Hand hand, int slot, std::uint32_t outcome,
                        std::span<std::int32_t> payoffs) {
  { game.num_players() } -> std::same_as<int>;
  { game.num_actions() } -> std::same_as<int>;  // slots, the same at every decision
  { game.num_hands() } -> std::convertible_to<std::int64_t>;
  { game.unit() } -> std::convertible_to<double>;  // chips in the unit that values are counted in
  { game.weight(player, hand) } -> std::same_as<double>;  // how likely a hand is at the root, next to the others

  // Public view.
  { game.root() } -> std::same_as<typename G::State>;
  { game.actor(state) } -> std::same_as<Player>;  // a player, kChance or kTerminal
  { game.legal(state) } -> std::same_as<ActionMask>;  // at a decision: never empty
  { game.act(mutable_state, slot) } -> std::same_as<void>;  // a legal slot
  { game.take(mutable_state, slot) } -> std::same_as<Step>;  // the same, and what was done
  { game.num_outcomes(state) } -> std::convertible_to<std::uint32_t>;  // public chance, equally likely
  // An outcome decides which hands are possible and who wins; who may do what below, and what is paid, is the same for all.
  { game.reveal(mutable_state, outcome) } -> std::same_as<void>;
  { game.hand_possible(state, hand) } -> std::same_as<bool>;  // not blocked by what is public
  { game.num_deals(state) } -> std::convertible_to<double>;  // joint hands that fit the public state
  { game.num_partial_deals() } -> std::convertible_to<double>;  // histories before the last private card or die

  // Episode view.
  { game.deal(random) } -> std::same_as<typename G::Deal>;
  { game.reveal(mutable_state, deal) } -> std::same_as<void>;  // the public chance that the deal holds next
  { game.outcome(state, deal) } -> std::same_as<std::uint32_t>;  // the same, as one of num_outcomes
  { game.hand(deal, player) } -> std::same_as<Hand>;
  { game.set_hand(mutable_deal, player, hand) } -> std::same_as<void>;
  { game.payoffs(state, deal, payoffs) } -> std::same_as<void>;  // chips won, [players]
  { game.infoset(state, deal, player) } -> std::same_as<std::uint64_t>;
};

// The ending of a two-player game at a terminal public state.
struct Ending {
  bool is_showdown = false;  // else the hands do not matter
  std::array<std::array<double, 3>, 2> payoffs{};  // [player][lose, tie, win], chips; all equal without a showdown
  std::uint64_t key = 0;  // showdowns of equal key compare the hands alike
};

// A game of which episodes are played: G::Episode is one episode, stepped.
template <class G>
concept EpisodeGame = Game<G> && requires { typename G::Episode; };

// A game whose public states are kept apart from the private hands. `ending`, `compare` and `outcome_probability` are for two
// players.
template <class G>
concept PublicGame =
    Game<G> && requires(const G game, const typename G::State state, Hand hand, int slot, std::span<float> features) {
      { game.ending(state) } -> std::same_as<Ending>;
      { game.compare(state, hand, hand) } -> std::same_as<int>;  // +1, 0, -1: player 0's hand wins, ties, loses
      { game.hands_compatible(hand, hand) } -> std::same_as<bool>;
      { game.outcome_probability(state) } -> std::convertible_to<double>;  // of one public outcome, given two hands

      // All that matters of a public state for what follows: states of equal features have equal subgames.
      { game.num_public_features() } -> std::same_as<int>;
      { game.encode_public(state, features) } -> std::same_as<void>;
      { game.stake(state) } -> std::convertible_to<double>;  // chips, the size of what is played for

      // Names of infosets, such as "Qd:cc/Kd:r": the hand, each public outcome and each action.
      { game.hand_text(hand) } -> std::same_as<std::string>;
      { game.outcome_text(state, state) } -> std::same_as<std::string>;  // from the state before to the state after
      { game.action_text(slot) } -> std::same_as<std::string>;
    };

// A game of both kinds: hands are dealt, and public states are kept apart from them.
template <class G>
concept DealtGame = EpisodeGame<G> && PublicGame<G>;

// The weight of a pair of hands, relative to other pairs: as the game says, or 1 for all that can meet.
template <class G>
double pair_weight(const G& game, Hand first, Hand second) {
  if constexpr (requires { game.pair_weight(first, second); })
    return game.pair_weight(first, second);
  else
    return game.hands_compatible(first, second) ? 1 : 0;
}

// Whether a player is ever dealt a hand; players of one game may have unequally many.
template <class G>
bool is_held(const G& game, Player player, Hand hand) {
  if constexpr (requires { game.is_held(player, hand); })
    return game.is_held(player, hand);
  else
    return true;
}

// Extends the key of a public history by one event.
constexpr std::uint64_t extend_key(std::uint64_t key, std::uint64_t event) {
  return scatter((key ^ event) + 0x9e3779b97f4a7c15ULL);
}

// The key of what a player knows: a public history and a private hand, or what stands for the hand.
constexpr std::uint64_t infoset_key(std::uint64_t public_key, std::uint64_t hand, Player player) {
  return extend_key(public_key, hand << 8 | static_cast<unsigned>(player));
}

}  // namespace regretless
