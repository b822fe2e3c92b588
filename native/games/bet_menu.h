// SPDX-License-Identifier: MIT
// The bets that a player may choose from. A menu has canonical slots: fold, call (or check), then raises; what a raise
// slot means depends on seat, street and how often the street was raised, and a slot that means nothing there is illegal.
#pragma once
#include <string_view>
#include <vector>

#include "games/betting.h"

namespace regretless {

inline constexpr int kFoldSlot = 0;
inline constexpr int kCallSlot = 1;
inline constexpr int kFirstRaiseSlot = 2;
inline constexpr int kMaxSlots = 32;

struct BetSize {
  enum class Kind : std::uint8_t {
    kNone,       // "-"      the slot is empty here
    kPot,        // "33%"    raise by this share of the pot after a call
    kMultiple,   // "2.5x"   raise to this many times the bet faced
    kChips,      // "100c"   raise by this many chips
    kUnits,      // "2.5u"   raise to this many units (big blinds)
    kGeometric,  // "e", "2e", "3e200%"  the share of the pot that, bet on each street left (or on 2, 3), ends all-in
    kMin,        // "min"    the least raise
    kAllIn,      // "a"      the most: all-in, or the pot in pot limit
  };
  Kind kind = Kind::kNone;
  double amount = 0;
  int streets = 0;  // kGeometric: how many, 0 for all that are left
  double cap = 0;   // kGeometric: at most this share of the pot, 0 for no cap

  // Throws std::invalid_argument with one line that quotes the text.
  static BetSize parse(std::string_view text);
  std::string text() const;
  bool operator==(const BetSize&) const = default;
};

// Which row of a menu holds: nobody has raised yet on this street, one player has, or more.
inline constexpr int kOpen = 0;
inline constexpr int kRaise = 1;
inline constexpr int kReraise = 2;
inline constexpr int kNumSituations = 3;
// One that a menu may have besides: nobody has bet yet on this street, and the last aggressor of the street before has still to
// speak after the actor. Where it has no such row, it is as open as any.
inline constexpr int kDonk = 3;

struct BetMenu {
  std::string name;
  std::vector<std::string> slots;  // names, "fold" and "call" first
  // [seats or 1][streets][situations][raise slots]: one seat's rows serve all if there is only one; donk rows may be empty
  std::vector<std::array<std::array<std::vector<BetSize>, kNumSituations + 1>, kMaxStreets>> rows;
  int max_raises = kNoRaiseCap;  // per street, on top of the rules'
  // Ratios to the pot; 0 turns each off. They count the chips that an opponent can match.
  double add_all_in = 0;    // the last slot is all-in wherever that is at most so many pots, the pot as it is after a call
  double force_all_in = 0;  // a raise that leaves, if called, at most so many pots behind is made all-in
  double merge = 0;         // of two raises closer than this share of the pot the smaller is not offered
  bool limp = true;  // if not, nobody calls before the first raise of the first street where he may raise instead

  // Sizes as they are written: [seats or 1][streets][situations, donk the fourth where there is one][raise slots].
  using Texts = std::vector<std::vector<std::vector<std::vector<std::string>>>>;
  void set_rows(const Texts& texts);  // throws std::invalid_argument where they are none
  Texts texts(int num_streets) const;

  int num_actions() const { return static_cast<int>(slots.size()); }
  bool has_donks() const;  // whether it matters who was the aggressor of the street before
  void validate(const PokerRules& rules) const;
};

// The raise-to amounts of a menu at one decision.
struct Offer {
  ActionMask legal = 0;
  std::array<Chips, kMaxSlots> actions;  // of legal slots: kFold, kCall or the amount to raise to
};

// Amounts below the least raise become the least raise, those beyond the most become the most; of slots that then mean the
// same, an all-in slot stays, else the first. Raises are forced all-in before they are compared, and merged at the end.
Offer make_offer(const BetMenu& menu, const Betting& betting, const PokerState& state);

// The slots of a bet that is not on the menu: slot `low` with probability `low_probability`, else slot `high`
// (pseudo-harmonic mapping, Ganzfried and Sandholm 2013, on shares of the pot; a check or call counts as a bet of 0).
struct Translation {
  int low;
  int high;
  double low_probability;
};
Translation translate(const BetMenu& menu, const Betting& betting, const PokerState& state, Action action);

}  // namespace regretless
