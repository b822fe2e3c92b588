// SPDX-License-Identifier: MIT
// Luck with the board in two-player poker: what the cards of an episode were worth as they came, and how much better or
// worse they were than the cards that might have come.
//
// Positions are judged by the equity of seat 0, the share of the pot it would win if all cards still to come were dealt at
// once, and by a cell: the hand strengths of both seats (games/hand_strengths.h), each in one of kNumBins bins.
#pragma once
#include "games/poker.h"

namespace regretless {

inline constexpr int kNumBins = 10;
inline constexpr int kNumCells = kNumBins * kNumBins;  // [bin of seat 0, bin of seat 1]

// Episodes to follow, as Steps gives them.
struct PlayedEpisodes {
  std::span<const std::int32_t> hands;    // [episodes, players]
  std::span<const std::uint8_t> boards;   // [episodes, board cards]
  std::span<const std::int64_t> offsets;  // [episodes + 1]
  std::span<const std::uint8_t> slots;    // [steps]
  std::int64_t copies = 1;                // episodes in a row that share their deal
  std::int64_t first_deal = 0;            // number of the first one, for its random numbers
};

struct BoardRecord {
  std::vector<float> equities;          // [deals, streets + 1]: of the hole cards, then with the cards of each street
  std::vector<std::int32_t> cells;      // [deals, streets + 1]; -1 on streets that no copy reached or without new cards
  std::vector<std::int32_t> pots;       // [episodes, streets]: as the street's cards came, 0 if none did
  std::vector<std::uint8_t> is_all_in;  // [episodes, streets]: nobody could bet any more
  std::vector<std::int32_t> step_pots;  // [steps]: before the step
};

struct RunoutOptions {
  int samples = 256;  // boards drawn where more than two cards are to come
  std::uint64_t seed = 0;
  int threads = 1;
};

// Equities are exact with up to two cards to come (one in Omaha), else the mean over boards drawn apart from the ones that
// were dealt. Throws std::invalid_argument unless the game is for two, can be judged and was played so.
BoardRecord follow_runouts(const Poker& game, const PlayedEpisodes& played, const RunoutOptions& options);

// The chips that seat 0 wins on average once the cards of a street have come, as a share of the pot at that moment:
// base[cell] + slope[cell] * (2 equity - 1). Tables differ by copy, street and size of the pot.
struct RunoutValues {
  std::vector<std::int32_t> pot_limits;  // [classes - 1], ascending: the pots below the first are class 0, ...
  std::vector<float> bases, slopes;      // [copies, streets, classes, cells]
};

// The luck of seat 0 with the cards of each street, [episodes, streets] in chips: the value they led to, less its mean over
// all cards that might have come. The mean is exact if one card comes of the last two, else over drawn boards. Where
// nobody can bet any more the value is the equity. Whatever the tables hold, the mean of the luck is 0.
std::vector<double> follow_luck(const Poker& game, const PlayedEpisodes& played, const RunoutValues& values,
                                const RunoutOptions& options);

}  // namespace regretless
