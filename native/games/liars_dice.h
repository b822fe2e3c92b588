// SPDX-License-Identifier: MIT
// Liar's Dice: every player rolls some dice in secret; bids rise (quantity, then face); the highest face is wild. Instead of
// bidding, the next player may call the bid a lie. Whoever was wrong pays one chip to each of the others.
#pragma once
#include "games/slot_episode.h"

namespace regretless {

inline constexpr int kMaxDice = 6;  // of one player

struct LiarsDiceState {
  std::int8_t bid = -1;        // (quantity - 1) * faces + face, -1 before the first bid
  std::int8_t to_act = 0;
  bool is_called = false;
  std::uint64_t key = 0;
};

struct LiarsDiceDeal {
  std::array<std::array<std::uint8_t, kMaxDice>, kMaxPlayers> dice{};  // faces from 0
};

class LiarsDice {
 public:
  using Episode = SlotEpisode<LiarsDice>;
  using State = LiarsDiceState;
  using Deal = LiarsDiceDeal;

  // Throws std::invalid_argument for sizes that do not fit.
  LiarsDice(int num_dice, int num_faces, int num_players);

  int num_players() const { return num_players_; }
  std::string name() const;  // "liars-dice-2x3f-3p"
  int num_dice() const { return num_dice_; }
  int num_faces() const { return num_faces_; }
  int num_bids() const { return num_players_ * num_dice_ * num_faces_; }
  int num_actions() const { return num_bids() + 1; }  // the bids in order, then "liar"
  std::int64_t num_hands() const { return num_hands_; }  // dice in the order rolled, as digits in base num_faces
  double unit() const { return 1; }
  int num_cards() const { return 0; }
  int num_streets() const { return 1; }
  int num_board_cards() const { return 0; }
  int hand_size() const { return num_dice_; }
  std::vector<int> hand_parts(Hand hand) const;  // faces from 1, in the order rolled
  double weight(Player, Hand) const { return 1; }

  State root() const { return {}; }
  Player actor(const State& state) const { return state.is_called ? kTerminal : state.to_act; }
  ActionMask legal(const State& state) const;
  void act(State& state, int slot) const;
  Step take(State& state, int slot) const;
  std::uint32_t num_outcomes(const State&) const { return 0; }
  void reveal(State&, std::uint32_t) const {}
  bool hand_possible(const State&, Hand) const { return true; }
  bool hand_clear_of(Hand, std::uint64_t) const { return true; }  // there are no cards
  double num_deals(const State&) const;
  double num_partial_deals() const;

  Ending ending(const State& state) const;
  int compare(const State& state, Hand first, Hand second) const;
  bool hands_compatible(Hand, Hand) const { return true; }
  double outcome_probability(const State&) const { return 1; }

  Deal deal(Random& random) const;
  void reveal(State&, const Deal&) const {}
  std::uint32_t outcome(const State&, const Deal&) const { return 0; }
  Hand hand(const Deal& deal, Player player) const;
  void set_hand(Deal& deal, Player player, Hand hand) const;
  // Faces from 1 by seat, an empty list where they are unknown; returns the seats that are known, as bits.
  unsigned read_hands(const std::vector<std::vector<int>>& dice, Deal& deal) const;
  void payoffs(const State& state, const Deal& deal, std::span<std::int32_t> out) const;
  std::uint64_t infoset(const State& state, const Deal& deal, Player player) const {
    return infoset_key(state.key, static_cast<std::uint64_t>(hand(deal, player)), player);
  }

  // Whose turn it is, and the last bid.
  int num_public_features() const { return num_players_ + num_bids(); }
  void encode_public(const State& state, std::span<float> features) const;
  double stake(const State&) const { return 1; }

  std::string slot_text(const State& state, int slot) const;  // "2 x 5", "liar"
  std::string hand_text(Hand hand) const;                      // "25"
  std::string outcome_text(const State&, const State&) const { return {}; }
  std::string action_text(int slot) const;  // "[2x5]", "[liar]"
  std::string infoset_text(const State& state, const Deal& deal, std::span<const Step> history) const;

 private:
  int num_matches(Hand hand, int face) const;

  int num_dice_, num_faces_, num_players_;
  std::int64_t num_hands_;
};

using LiarsDiceEpisode = LiarsDice::Episode;

}  // namespace regretless
