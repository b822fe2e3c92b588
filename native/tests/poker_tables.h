// SPDX-License-Identifier: MIT
// Rules and menus for the tests, without Python.
#pragma once
#include "games/poker.h"

namespace regretless::test {

inline PokerRules no_limit_holdem(int num_players, Chips small_blind, Chips big_blind, Chips stack) {
  PokerRules rules;
  rules.name = "nlhe";
  rules.num_players = num_players;
  rules.bets.fill(big_blind);
  rules.max_raises.fill(kNoRaiseCap);
  rules.stacks.fill(stack);
  rules.blinds = {small_blind, big_blind};
  rules.first_actors = {2 % num_players, 0, 0, 0};
  if (num_players == 2) {
    rules.blinds = {big_blind, small_blind};
    rules.first_actors[0] = 1;
  }
  rules.unit = big_blind;
  return rules;
}

inline PokerRules limit_holdem(int num_players) {
  PokerRules rules = no_limit_holdem(num_players, 1, 2, 100);
  rules.limit = Limit::kFixed;
  rules.bets = {2, 2, 4, 4};
  rules.max_raises = {3, 4, 4, 4};
  return rules;
}

inline PokerRules omaha(int num_players, int num_hole_cards) {
  PokerRules rules = no_limit_holdem(num_players, 1, 2, 200);
  rules.limit = Limit::kPot;
  rules.num_hole_cards = num_hole_cards;
  rules.showdown = Showdown::kOmaha;
  return rules;
}

inline PokerRules short_deck(int num_players) {
  PokerRules rules = no_limit_holdem(num_players, 0, 0, 300);
  rules.deck = kDeck36;
  rules.showdown = Showdown::kShortDeck;
  rules.antes.fill(3);
  rules.blinds = {};
  rules.blinds[num_players - 1] = 3;
  rules.bets.fill(3);
  rules.unit = 3;
  rules.first_actors = {};
  return rules;
}

inline PokerRules kuhn() {
  PokerRules rules;
  rules.name = "kuhn";
  rules.deck = {3, 1, 9};
  rules.num_hole_cards = 1;
  rules.num_streets = 1;
  rules.limit = Limit::kFixed;
  rules.bets = {1};
  rules.max_raises = {1};
  rules.antes = {1, 1};
  rules.stacks = {2, 2};
  rules.showdown = Showdown::kPair;
  return rules;
}

inline PokerRules leduc() {
  PokerRules rules = kuhn();
  rules.name = "leduc";
  rules.deck = {3, 2, 9};
  rules.num_streets = 2;
  rules.board_cards = {0, 1};
  rules.bets = {2, 4};
  rules.max_raises = {2, 2};
  rules.stacks = {13, 13};
  return rules;
}

// A hold'em river or turn in which both players have put in 100 chips and have 300 left.
inline PokerRules spot(int board_cards) {
  PokerRules rules;
  rules.name = "spot";
  rules.num_streets = board_cards == 5 ? 1 : 2;
  rules.board_cards = {board_cards, 1};
  rules.bets = {1, 1};
  rules.max_raises = {kNoRaiseCap, kNoRaiseCap};
  rules.antes = {100, 100};
  rules.stacks = {400, 400};
  return rules;
}

// The same sizes everywhere.
inline BetMenu menu_of(std::initializer_list<std::string_view> sizes) {
  BetMenu menu;
  menu.name = "test";
  menu.slots = {"fold", "call"};
  std::vector<BetSize> row;
  for (const std::string_view size : sizes) {
    menu.slots.emplace_back(size);
    row.push_back(BetSize::parse(size));
  }
  menu.rows.resize(1);
  for (auto& street : menu.rows[0]) std::fill_n(street.begin(), kNumSituations, row);
  return menu;
}

inline std::shared_ptr<const Poker> game_of(const PokerRules& rules, std::initializer_list<std::string_view> sizes = {"min"}) {
  return std::make_shared<Poker>(rules, menu_of(sizes));
}

}  // namespace regretless::test
