// SPDX-License-Identifier: MIT
#include "cards/canonical.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "cards/hands.h"

namespace regretless {
namespace {

constexpr int kMaxRanks = 13;
constexpr int kMaxDealt = kMaxHoleCards + kMaxBoardCards;

int cards_of(std::uint16_t shape, int street) { return shape >> (3 * street) & 7; }

// Binomials of large n, as multisets of places need; k is 1 to 4.
constexpr std::uint64_t choose_many(std::uint64_t n, int k) {
  if (n < static_cast<std::uint64_t>(k)) return 0;
  if (k == 1) return n;
  const std::uint64_t pairs = n * (n - 1) / 2;
  if (k == 2) return pairs;
  const std::uint64_t triples = pairs * (n - 2) / 3;
  return k == 3 ? triples : triples * (n - 3) / 4;
}

// The largest n with choose_many(n, k) <= index, below limit.
std::uint64_t highest_member(std::uint64_t index, int k, std::uint64_t limit) {
  std::uint64_t low = static_cast<std::uint64_t>(k) - 1, high = limit;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (choose_many(middle, k) <= index ? low : high) = middle;
  }
  return low;
}

// A sorting network: after these exchanges, four numbers ascend.
constexpr std::pair<int, int> kSortFour[] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}};

using RanksByStreet = std::array<std::uint32_t, CanonicalIndex::kMaxStreets>;

// The place of a suit among all of its shape: each street is a subset of the ranks that earlier
// streets left over.
std::uint64_t place_of(const RanksByStreet& ranks, int num_ranks, int num_streets) {
  std::uint64_t place = 0, stride = 1;
  std::uint32_t used = 0;
  for (int street = 0; street < num_streets; ++street) {
    const std::uint32_t dealt = ranks[street];
    if (dealt == 0) continue;
    int k = 0;
    for (std::uint32_t rest = dealt; rest != 0; rest &= rest - 1) {
      const std::uint32_t below = (rest & -rest) - 1;
      place += stride * choose(std::popcount(below & ~used), ++k);
    }
    stride *= choose(num_ranks - std::popcount(used), k);
    used |= dealt;
  }
  return place;
}

RanksByStreet ranks_at(std::uint64_t place, std::uint16_t shape, int num_ranks, int num_streets) {
  RanksByStreet ranks{};
  std::uint32_t left = (1u << num_ranks) - 1;
  for (int street = 0; street < num_streets; ++street) {
    const int k = cards_of(shape, street);
    const std::uint32_t ways = choose(std::popcount(left), k);
    CardSet chosen = subset_at(static_cast<std::uint32_t>(place % ways), k);
    place /= ways;
    for (std::uint32_t rest = left; chosen != 0; rest &= rest - 1, chosen >>= 1)
      if ((chosen & 1) != 0) ranks[street] |= rest & -rest;
    left &= ~ranks[street];
  }
  return ranks;
}

std::uint64_t pack(const std::array<std::uint16_t, CanonicalIndex::kMaxSuits>& shapes) {
  std::uint64_t packed = 0;
  for (const std::uint16_t shape : shapes) packed = packed << 16 | shape;
  return packed;
}

}  // namespace

CanonicalIndex::CanonicalIndex(std::span<const int> cards_per_street, const Deck& deck) : deck_(deck) {
  if (cards_per_street.empty() || cards_per_street.size() > kMaxStreets)
    throw std::invalid_argument("a canonical index needs 1 to 5 streets");
  if (deck.num_suits > kMaxSuits || deck.num_ranks > kMaxRanks)
    throw std::invalid_argument("a canonical index needs a deck of at most 4 suits and 13 ranks");
  Counts left{};
  int num_cards = 0;
  for (std::size_t street = 0; street < cards_per_street.size(); ++street) {
    left[street] = cards_per_street[street];
    num_cards += left[street];
    if (left[street] < 1 || left[street] > kMaxChoose) throw std::invalid_argument("a street deals 1 to 7 cards");
    if (num_cards > std::min(kMaxDealt, deck.num_cards()))
      throw std::invalid_argument("the streets deal more than 10 cards, or more than the deck");
    Shapes shapes{};
    streets_.push_back({.num_cards = num_cards, .configurations = {}, .by_shapes = {}});
    add_configurations(streets_.back(), kMaxSuits - deck.num_suits, shapes, left);
  }
  cards_per_street_ = left;
  for (int card = 0; card < deck.num_cards(); ++card) {
    ranks_[card] = static_cast<std::uint8_t>(deck.rank(static_cast<Card>(card)));
    suits_[card] = static_cast<std::uint8_t>(deck.suit(static_cast<Card>(card)));
  }
}

// Deals what is left to the suits from this one on, in all ways that keep the shapes ascending.
void CanonicalIndex::add_configurations(Street& street, int suit, Shapes& shapes, const Counts& left) const {
  if (suit == kMaxSuits) {
    if (std::ranges::all_of(left, [](int cards) { return cards == 0; })) add_configuration(street, shapes);
    return;
  }
  const Shape least = suit > 0 ? shapes[suit - 1] : Shape{0};
  Counts dealt{};
  for (;;) {
    Shape shape = 0;
    Counts rest = left;
    int num_cards = 0;
    for (int t = 0; t < kMaxStreets; ++t) {
      shape = static_cast<Shape>(shape | dealt[t] << (3 * t));
      rest[t] -= dealt[t];
      num_cards += dealt[t];
    }
    if (shape >= least && num_cards <= deck_.num_ranks) {
      shapes[suit] = shape;
      add_configurations(street, suit + 1, shapes, rest);
    }
    int t = 0;
    while (t < kMaxStreets && dealt[t] == left[t]) dealt[t++] = 0;
    if (t == kMaxStreets) return;
    ++dealt[t];
  }
}

void CanonicalIndex::add_configuration(Street& street, const Shapes& shapes) const {
  Configuration configuration{.shapes = shapes, .members = {}, .strides = {}, .first_index = street.size};
  std::uint64_t stride = 1, ways = 1;
  for (int suit = 0; suit < kMaxSuits; ++suit) {
    const bool repeats = suit > 0 && shapes[suit] == shapes[suit - 1];
    const int member = repeats ? configuration.members[suit - 1] + 1 : 0;
    if (!repeats) stride *= ways;
    configuration.members[suit] = member;
    configuration.strides[suit] = stride;
    ways = choose_many(num_places(shapes[suit]) + member, member + 1);
  }
  street.by_shapes[pack(shapes)] = static_cast<std::uint32_t>(street.configurations.size());
  street.configurations.push_back(configuration);
  street.size += stride * ways;
}

std::uint64_t CanonicalIndex::num_places(Shape shape) const {
  std::uint64_t places = 1;
  int left = deck_.num_ranks;
  for (int street = 0; street < kMaxStreets; ++street) {
    const int k = cards_of(shape, street);
    places *= choose(left, k);
    left -= k;
  }
  return places;
}

int CanonicalIndex::street_of(std::size_t num_cards) const {
  for (int street = 0; street < num_streets(); ++street)
    if (streets_[street].num_cards == static_cast<int>(num_cards)) return street;
  return -1;
}

std::uint64_t CanonicalIndex::index(std::span<const Card> cards) const {
  const int last = street_of(cards.size());
  std::array<RanksByStreet, kMaxSuits> ranks{};
  Shapes shapes{};
  std::size_t dealt = 0;
  for (int street = 0; street <= last; ++street)
    for (int i = 0; i < cards_per_street_[street]; ++i) {
      const Card card = cards[dealt++];
      const int suit = suits_[card];
      ranks[suit][street] |= 1u << ranks_[card];
      shapes[suit] = static_cast<Shape>(shapes[suit] + (1 << (3 * street)));
    }

  // By shape, then by place. A place is below 13!, so 48 bits hold it.
  constexpr int kPlaceBits = 48;
  std::array<std::uint64_t, kMaxSuits> suits;
  for (int suit = 0; suit < kMaxSuits; ++suit)
    suits[suit] = std::uint64_t{shapes[suit]} << kPlaceBits | place_of(ranks[suit], deck_.num_ranks, last + 1);
  for (const auto& [low, high] : kSortFour) std::tie(suits[low], suits[high]) = std::minmax({suits[low], suits[high]});
  for (int suit = 0; suit < kMaxSuits; ++suit) shapes[suit] = static_cast<Shape>(suits[suit] >> kPlaceBits);

  const Street& street = streets_[last];
  const Configuration& found = street.configurations[street.by_shapes.at(pack(shapes))];
  std::uint64_t index = found.first_index;
  for (int suit = 0; suit < kMaxSuits; ++suit) {
    const std::uint64_t place = suits[suit] & ((std::uint64_t{1} << kPlaceBits) - 1);
    const int member = found.members[suit];
    index += found.strides[suit] * choose_many(place + member, member + 1);
  }
  return index;
}

void CanonicalIndex::cards(int street, std::uint64_t index, Card* out) const {
  const auto& configurations = streets_[street].configurations;
  const Configuration& found =
      *std::prev(std::ranges::upper_bound(configurations, index, {}, [](const Configuration& c) { return c.first_index; }));
  index -= found.first_index;

  std::array<CardSet, kMaxStreets> dealt{};
  for (int i = kMaxSuits - 1; i >= kMaxSuits - deck_.num_suits; --i) {
    const int member = found.members[i];
    const std::uint64_t multiset = index / found.strides[i];
    const std::uint64_t highest = highest_member(multiset, member + 1, num_places(found.shapes[i]) + member);
    index -= found.strides[i] * choose_many(highest, member + 1);
    const RanksByStreet ranks = ranks_at(highest - member, found.shapes[i], deck_.num_ranks, street + 1);
    for (int s = 0; s <= street; ++s)
      for (std::uint32_t rest = ranks[s]; rest != 0; rest &= rest - 1)
        dealt[s] |= bit(deck_.card(std::countr_zero(rest), i - (kMaxSuits - deck_.num_suits)));
  }
  for (const CardSet cards : dealt) out = write_cards(cards, out);
}

}  // namespace regretless
