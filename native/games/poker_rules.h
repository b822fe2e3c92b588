// SPDX-License-Identifier: MIT
// A poker variant as plain data. Seats are numbered in the order of play after the first street: seat 0 speaks first,
// the last seat is the button (heads-up: seat 0 is the big blind, seat 1 the button and small blind).
#pragma once
#include "cards/strength.h"
#include "games/game.h"

namespace regretless {

using Chips = std::int32_t;

inline constexpr int kMaxStreets = 4;
inline constexpr int kNoRaiseCap = 1'000'000;
inline constexpr Chips kMaxStack = 100'000'000;  // ten of them add up without overflow

enum class Limit : std::uint8_t { kFixed, kPot, kNone };

struct Rake {
  double fraction = 0;          // of the pot, rounded down to a chip
  Chips cap = 0;                // at most this; 0 is no cap
  bool no_flop_no_drop = true;  // nothing is taken before a board card is dealt
};

struct PokerRules {
  std::string name;
  int num_players = 2;
  Deck deck;
  int num_hole_cards = 2;
  int num_streets = 4;
  std::array<int, kMaxStreets> board_cards{0, 3, 1, 1};    // dealt before the betting of the street
  Limit limit = Limit::kNone;
  std::array<Chips, kMaxStreets> bets{};                   // the bet and raise (fixed limit) or the least bet
  std::array<int, kMaxStreets> max_raises{};               // bets and raises together
  std::array<int, kMaxStreets> first_actors{};             // seat that speaks first
  std::array<Chips, kMaxPlayers> antes{};
  std::array<Chips, kMaxPlayers> blinds{};                 // straddles too
  std::array<Chips, kMaxPlayers> stacks{};
  Rake rake;
  Showdown showdown = Showdown::kHoldem;
  Chips unit = 1;                                          // chips in the unit that values are counted in

  int num_board_cards() const;
  // Throws std::invalid_argument with one line that names the field.
  void validate() const;
};

}  // namespace regretless
