// SPDX-License-Identifier: MIT
// Cards and decks. A card is an index into its deck: rank * num_suits + suit, lowest rank first.
// The standard deck runs 2c 2d 2h 2s 3c ... As (0 to 51).
#pragma once
#include <bit>
#include <compare>
#include <cstdint>

namespace regretless {

using Card = std::uint8_t;
using CardSet = std::uint64_t;  // bit c is card c

inline constexpr int kMaxCards = 52;
inline constexpr int kMaxHoleCards = 5;
inline constexpr int kMaxBoardCards = 5;

struct Deck {
  std::uint8_t num_ranks = 13;
  std::uint8_t num_suits = 4;
  std::uint8_t lowest_rank = 0;  // of the thirteen ranks 2 to A: 0 is the deuce, 4 the six of short deck

  constexpr int num_cards() const { return num_ranks * num_suits; }
  constexpr int rank(Card card) const { return card / num_suits; }
  constexpr int suit(Card card) const { return card % num_suits; }
  constexpr Card card(int rank, int suit) const { return static_cast<Card>(rank * num_suits + suit); }
  constexpr CardSet all() const { return (CardSet{1} << num_cards()) - 1; }
  auto operator<=>(const Deck&) const = default;
};

inline constexpr Deck kDeck52{13, 4, 0};
inline constexpr Deck kDeck36{9, 4, 4};

constexpr CardSet bit(Card card) { return CardSet{1} << card; }

}  // namespace regretless
