// SPDX-License-Identifier: MIT
// The counts behind the figures of playing style (matches/style.py), by policy: number p sits on seat s of episode e where p is
// (s + e) mod players.
#pragma once
#include <span>

#include "games/bet_menu.h"

namespace regretless {

inline constexpr std::array<const char*, 7> kStyleCounts{"vpip", "pfr", "raises", "calls", "saw", "showdowns", "won"};

// Adds up episodes, decision by decision.
class StyleTally {
 public:
  StyleTally(int num_players, int num_streets)
      : num_players_(static_cast<std::size_t>(num_players)), has_streets_(num_streets > 1) {}

  const std::vector<std::int64_t>& counts() const { return counts_; }  // [kStyleCounts, players]

  void note(std::int64_t episode, Player seat, int slot, int street, bool can_fold) {
    const auto mine = static_cast<Seats>(1u << seat);
    const bool raises = slot >= kFirstRaiseSlot, calls = slot == kCallSlot && can_fold;
    if (raises || calls) ++count(raises ? 2 : 3, policy(seat, episode));
    if (slot == kFoldSlot) folded_ |= mine;
    if (street > 0) return;
    if (raises) raised_ |= mine;
    if (raises || calls) voluntary_ |= mine;
    if (slot == kFoldSlot) left_ |= mine;
  }

  // After the last decision of an episode; payoffs [players].
  void end(std::int64_t episode, const std::int32_t* payoffs) {
    const unsigned all = (1u << num_players_) - 1;
    const unsigned saw = has_streets_ ? several(all & ~left_) : all, showdown = several(all & ~folded_);
    for (Player seat = 0; seat < static_cast<Player>(num_players_); ++seat) {
      const std::size_t mine = policy(seat, episode);
      const bool shows = (showdown >> seat & 1) != 0;
      count(0, mine) += voluntary_ >> seat & 1;
      count(1, mine) += raised_ >> seat & 1;
      count(4, mine) += saw >> seat & 1;
      count(5, mine) += shows;
      count(6, mine) += shows && payoffs[seat] > 0;
    }
    voluntary_ = raised_ = folded_ = left_ = 0;
  }

 private:
  static unsigned several(unsigned seats) { return std::has_single_bit(seats) ? 0u : seats; }
  std::size_t policy(Player seat, std::int64_t episode) const { return static_cast<std::size_t>(seat + episode) % num_players_; }
  std::int64_t& count(std::size_t row, std::size_t policy) { return counts_[row * num_players_ + policy]; }

  std::size_t num_players_;
  bool has_streets_;
  std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(kStyleCounts.size() * num_players_);
  Seats voluntary_ = 0, raised_ = 0, folded_ = 0, left_ = 0;  // of this episode; those who left folded on the first street
};

// Some episodes, of which the first is the first copy of a deal, and their steps.
struct StyleSteps {
  std::size_t num_players = 0;
  int num_streets = 0;
  std::span<const std::int32_t> payoffs;  // [episodes, players]
  std::span<const std::int64_t> offsets;  // [episodes + 1] into the steps
  std::span<const std::uint8_t> actors, slots, streets, can_fold;  // [steps]
};
StyleTally count_styles(const StyleSteps& steps);  // throws std::invalid_argument if they do not fit together

}  // namespace regretless
