// SPDX-License-Identifier: MIT
// Dense numbers for cards dealt over streets that differ only by suits renamed or by the order
// within a street (K. Waugh, A Fast and Optimal Hand Isomorphism Algorithm, 2013).
//
// Each suit has a shape, its number of cards per street, and a place among all ways to deal that
// shape out of one suit. The sorted shapes of the suits are a configuration, with a range of
// indices of its own; within it, suits of equal shape are interchangeable, so their places are
// numbered as a multiset.
#pragma once
#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "cards/deck.h"
#include "cards/random.h"

namespace regretless {

class CanonicalIndex {
 public:
  static constexpr int kMaxStreets = 5;
  static constexpr int kMaxSuits = 4;

  // At most five streets, seven cards in one of them and ten in all; at most 13 ranks of four
  // suits. Throws std::invalid_argument on anything else.
  explicit CanonicalIndex(std::span<const int> cards_per_street, const Deck& deck = kDeck52);
  explicit CanonicalIndex(std::initializer_list<int> cards_per_street, const Deck& deck = kDeck52)
      : CanonicalIndex(std::span(cards_per_street.begin(), cards_per_street.size()), deck) {}

  const Deck& deck() const { return deck_; }
  int num_streets() const { return static_cast<int>(streets_.size()); }
  int num_cards(int street) const { return streets_[street].num_cards; }  // up to and including it
  std::uint64_t size(int street) const { return streets_[street].size; }

  // The street that ends at that many cards, or -1.
  int street_of(std::size_t num_cards) const;

  // The index of cards dealt street by street, in [0, size) of the street that their number names.
  std::uint64_t index(std::span<const Card> cards) const;

  // One deal of that index: out is [num_cards(street)], ascending within each street.
  void cards(int street, std::uint64_t index, Card* out) const;

 private:
  using Shape = std::uint16_t;                  // cards per street, 3 bits each
  using Shapes = std::array<Shape, kMaxSuits>;  // ascending

  struct Configuration {
    Shapes shapes;
    std::array<int, kMaxSuits> members;            // how many earlier suits have the same shape
    std::array<std::uint64_t, kMaxSuits> strides;  // of the multiset that the suit belongs to
    std::uint64_t first_index;
  };

  struct Scatter {
    std::size_t operator()(std::uint64_t packed) const { return scatter(packed); }
  };

  struct Street {
    int num_cards = 0;
    std::uint64_t size = 0;
    std::vector<Configuration> configurations;  // by first_index
    // Packed shapes to configuration.
    std::unordered_map<std::uint64_t, std::uint32_t, Scatter> by_shapes;
  };

  using Counts = std::array<int, kMaxStreets>;

  void add_configurations(Street& street, int suit, Shapes& shapes, const Counts& left) const;
  void add_configuration(Street& street, const Shapes& shapes) const;
  std::uint64_t num_places(Shape shape) const;

  Deck deck_;
  std::array<int, kMaxStreets> cards_per_street_{};
  std::vector<Street> streets_;
  std::array<std::uint8_t, kMaxCards> ranks_{}, suits_{};  // by card, to save divisions
};

}  // namespace regretless
