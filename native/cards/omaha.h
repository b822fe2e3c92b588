// SPDX-License-Identifier: MIT
// Omaha showdowns: the best of all hands of exactly two hole and three board cards.
#pragma once
#include "cards/strength.h"

namespace regretless {

Strength omaha_strength(const Deck& deck, std::span<const Card> hole, std::span<const Card> board);

// cards is [count, num_hole + num_board], out is [count].
void omaha_strengths(const Deck& deck, const Card* cards, std::size_t count, int num_hole, int num_board, Strength* out);

// out is [hands], 0 where the board holds a card of the hand.
void omaha_board_strengths(const Deck& deck, std::span<const Card> board, int num_hole, Strength* out);

}  // namespace regretless
