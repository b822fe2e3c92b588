// SPDX-License-Identifier: MIT
// Every poker variant: rules, a bet menu, and the two views that a Game owes.
#pragma once
#include <memory>

#include "cards/hands.h"
#include "games/bet_menu.h"
#include "games/poker_start.h"

namespace regretless {

struct PokerDeal {
  std::array<std::array<Card, kMaxHoleCards>, kMaxPlayers> hole{};
  std::array<Card, kMaxBoardCards> board{};
};

class PokerEpisode;

class Poker {
 public:
  using Episode = PokerEpisode;
  using State = PokerState;
  using Deal = PokerDeal;

  Poker(const PokerRules& rules, BetMenu menu, PokerStart start = {});  // validates all three
  const PokerRules& rules() const { return betting_.rules(); }
  const BetMenu& menu() const { return menu_; }
  const PokerStart& start() const { return start_; }
  const Betting& betting() const { return betting_; }

  int num_players() const { return rules().num_players; }
  int num_actions() const { return menu_.num_actions(); }
  std::int64_t num_hands() const { return choose(rules().deck.num_cards(), rules().num_hole_cards); }
  double unit() const { return rules().unit; }
  std::string name() const { return rules().name; }
  int num_cards() const { return rules().deck.num_cards(); }
  int num_streets() const { return rules().num_streets; }
  int num_board_cards() const { return rules().num_board_cards(); }
  int hand_size() const { return rules().num_hole_cards; }
  std::vector<int> hand_parts(Hand hand) const;  // cards, ascending
  double weight(Player player, Hand hand) const {
    return start_.weights.empty() ? 1 : start_.weights[static_cast<std::size_t>(player)][static_cast<std::size_t>(hand)];
  }

  // Public view.
  State root() const { return root_; }
  Player actor(const State& state) const { return state.actor; }
  Offer offer(const State& state) const { return make_offer(menu_, betting_, state); }
  ActionMask legal(const State& state) const { return offer(state).legal; }
  void act(State& state, int slot) const { betting_.act(state, offer(state).actions[slot]); }
  Step take(State& state, int slot) const { return take(state, slot, offer(state).actions[slot]); }
  Step take(State& state, int slot, Action action) const;  // an action that counts as that slot
  std::uint32_t num_outcomes(const State& state) const;
  void reveal(State& state, std::uint32_t outcome) const;
  bool hand_possible(const State& state, Hand hand) const { return (hand_cards(hand) & board_set(state)) == 0; }
  CardSet hand_cards(Hand hand) const {
    return hand_sets_.empty() ? subset_at(static_cast<std::uint32_t>(hand), rules().num_hole_cards)
                              : hand_sets_[static_cast<std::size_t>(hand)];
  }
  bool hand_clear_of(Hand hand, CardSet cards) const { return (hand_cards(hand) & cards) == 0; }
  double num_deals(const State& state) const;
  double num_partial_deals() const;
  CardSet board_set(const State& state) const { return card_set({state.board.data(), state.num_board}); }

  // Public view of two players.
  Ending ending(const State& state) const;
  int compare(const State& state, Hand first, Hand second) const;
  bool hands_compatible(Hand first, Hand second) const { return (hand_cards(first) & hand_cards(second)) == 0; }
  double outcome_probability(const State& state) const;

  // Episode view.
  Deal deal(Random& random) const;
  void reveal(State& state, const Deal& deal) const { betting_.reveal(state, deal.board.data() + state.num_board); }
  std::uint32_t outcome(const State& state, const Deal& deal) const;
  Hand hand(const Deal& deal, Player player) const { return static_cast<Hand>(subset_index(card_set(hole(deal, player)))); }
  void set_hand(Deal& deal, Player player, Hand hand) const { write_cards(hand_cards(hand), deal.hole[player].data()); }
  void payoffs(const State& state, const Deal& deal, std::span<Chips> out) const;
  Strength strength(const Deal& deal, Player player) const;  // at the end
  std::uint64_t infoset(const State& state, const Deal& deal, Player player) const {
    return infoset_key(state.key, static_cast<std::uint64_t>(hand(deal, player)), player);
  }
  std::span<const Card> hole(const Deal& deal, Player player) const {
    return {deal.hole[player].data(), static_cast<std::size_t>(rules().num_hole_cards)};
  }

  // For two players: who is to act, street, board cards by street, chips and, where the menu asks for him, the last aggressor;
  // without the order of the actions that led here.
  int num_public_features() const;
  void encode_public(const State& state, std::span<float> features) const;
  double stake(const State& state) const { return static_cast<double>(betting_.pot(state)); }

  // Words.
  std::string slot_text(const State& state, int slot) const;  // "fold", "check", "call 2", "raise to 6", "all-in 200"
  std::string hand_text(Hand hand) const;  // "QhQd"; "Q" where a rank comes in one suit
  std::string outcome_text(const State& before, const State& after) const;  // "/Kd:"
  std::string action_text(int slot) const;  // "f", "c", "r" where there is one raise, else the slot's name: "[75%]"

 private:
  Strength hand_strength(const State& state, Hand hand) const;
  void begin_at_start();

  Betting betting_;
  BetMenu menu_;
  PokerStart start_;
  State root_;
  RangeDealer dealer_;
  bool has_donks_ = false;
  std::vector<CardSet> hand_sets_;  // [hands], of up to two cards, or four where they are weighted: there are too many of more
};

}  // namespace regretless
