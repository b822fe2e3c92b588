// SPDX-License-Identifier: MIT
#include "bindings.h"

#include <nanobind/operators.h>

#include "cards/canonical.h"
#include "cards/hands.h"
#include "cards/win_signs.h"

namespace regretless {
namespace {

// Checks.

void require(bool ok, const std::string& problem) {
  if (!ok) throw std::invalid_argument(problem);
}

void check_card(const Deck& deck, int card) {
  require(card >= 0 && card < deck.num_cards(),
          "card " + std::to_string(card) + " is not in a deck of " + std::to_string(deck.num_cards()) + " cards");
}

void check_all_cards(const Deck& deck, std::span<const Card> cards) {
  Card highest = 0;
  for (const Card card : cards) highest = std::max(highest, card);
  if (!cards.empty()) check_card(deck, highest);
}

std::vector<Card> checked_cards(const Deck& deck, const std::vector<int>& cards, CardSet& seen) {
  std::vector<Card> checked;
  for (const int card : cards) {
    check_card(deck, card);
    checked.push_back(static_cast<Card>(card));
    require(!share_card(seen, bit(checked.back())), "card " + std::to_string(card) + " is there twice");
    seen |= bit(checked.back());
  }
  return checked;
}

void check_row_is_distinct(std::span<const Card> row) {
  require(std::popcount(card_set(row)) == static_cast<int>(row.size()), "a row holds a card twice");
}

void check_num_hole(const Deck& deck, int num_hole) {
  require(num_hole >= 1 && num_hole <= std::min(kMaxHoleCards, deck.num_cards()),
          "a hand has 1 to 5 cards, and no more than the deck");
}

std::span<const Card> row_of(const ArrayIn<Card, 2>& cards, std::size_t row) {
  return {cards.data() + row * cards.shape(1), cards.shape(1)};
}

std::span<const Card> all_of(const ArrayIn<Card, 2>& cards) { return {cards.data(), cards.size()}; }

// Decks.

Deck make_deck(int num_ranks, int num_suits, int lowest_rank) {
  require(
      num_ranks >= 1 && num_suits >= 1 && num_ranks <= kMaxCards && num_suits <= kMaxCards && num_ranks * num_suits <= kMaxCards,
      "a deck has 1 to 52 cards");
  require(lowest_rank >= 0 && lowest_rank + num_ranks <= 13, "the ranks of a deck lie from 0 (deuce) to 12 (ace)");
  return {static_cast<std::uint8_t>(num_ranks), static_cast<std::uint8_t>(num_suits), static_cast<std::uint8_t>(lowest_rank)};
}

void bind_deck(nb::module_& m) {
  nb::class_<Deck>(m, "Deck", "Cards rank * num_suits + suit, lowest rank first.")
      .def(
          "__init__",
          [](Deck* self, int num_ranks, int num_suits, int lowest_rank) {
            new (self) Deck(make_deck(num_ranks, num_suits, lowest_rank));
          },
          "num_ranks"_a = 13, "num_suits"_a = 4, "lowest_rank"_a = 0)
      .def_ro("num_ranks", &Deck::num_ranks)
      .def_ro("num_suits", &Deck::num_suits)
      .def_ro("lowest_rank", &Deck::lowest_rank)
      .def_prop_ro("num_cards", &Deck::num_cards)
      .def(
          "rank", [](const Deck& deck, int card) { return check_card(deck, card), deck.rank(static_cast<Card>(card)); }, "card"_a)
      .def(
          "suit", [](const Deck& deck, int card) { return check_card(deck, card), deck.suit(static_cast<Card>(card)); }, "card"_a)
      .def(
          "card",
          [](const Deck& deck, int rank, int suit) {
            require(rank >= 0 && rank < deck.num_ranks && suit >= 0 && suit < deck.num_suits, "the deck has no such rank and suit");
            return static_cast<int>(deck.card(rank, suit));
          },
          "rank"_a, "suit"_a)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Deck& deck) { return deck.num_ranks << 16 | deck.num_suits << 8 | deck.lowest_rank; })
      .def("__repr__", [](const Deck& deck) {
        return "Deck(num_ranks=" + std::to_string(deck.num_ranks) + ", num_suits=" + std::to_string(deck.num_suits) +
               ", lowest_rank=" + std::to_string(deck.lowest_rank) + ")";
      });
}

// Strengths.

Strength strength_of(Showdown rule, const Deck& deck, const std::vector<int>& hole, const std::vector<int>& board) {
  check_showdown(rule, deck, static_cast<int>(hole.size()), static_cast<int>(board.size()));
  CardSet seen = 0;
  const std::vector<Card> hole_cards = checked_cards(deck, hole, seen);
  return strength(rule, deck, hole_cards, checked_cards(deck, board, seen));
}

ArrayOut<Strength, 1> strengths_of(Showdown rule, const Deck& deck, ArrayIn<Card, 2> cards, int num_hole) {
  const int num_board = static_cast<int>(cards.shape(1)) - num_hole;
  check_showdown(rule, deck, num_hole, num_board);
  auto out = new_array<Strength>({cards.shape(0)});
  nb::gil_scoped_release release;
  check_all_cards(deck, all_of(cards));
  strengths(rule, deck, cards.data(), cards.shape(0), num_hole, num_board, out.data());
  return out;
}

ArrayOut<Strength, 1> strengths_on(Showdown rule, const Deck& deck, const std::vector<int>& board, int num_hole) {
  check_showdown(rule, deck, num_hole, static_cast<int>(board.size()));
  CardSet seen = 0;
  const std::vector<Card> cards = checked_cards(deck, board, seen);
  auto out = new_array<Strength>({num_hands(deck, num_hole)});
  nb::gil_scoped_release release;
  board_strengths(rule, deck, cards, num_hole, out.data());
  return out;
}

ArrayOut<std::int8_t, 2> win_signs(ArrayIn<std::int16_t, 2> places) {
  const std::size_t boards = places.shape(0), hands = places.shape(1);
  require(boards <= 127, "at most 127 boards");
  auto out = new_array<std::int8_t, 2>({hands, hands});
  nb::gil_scoped_release release;
  std::fill_n(out.data(), hands * hands, std::int8_t{0});
  for (std::size_t b = 0; b < boards; ++b) add_win_signs({places.data() + b * hands, hands}, out.data());
  return out;
}

void bind_strength(nb::module_& m) {
  nb::enum_<Showdown>(m, "Showdown", "The rule by which hands are compared.")
      .value("HOLDEM", Showdown::kHoldem, "The best five of hole and board cards (5, 6 or 7 in all).")
      .value("SHORT_DECK", Showdown::kShortDeck, "Hold'em with 36 cards; a flush beats a full house.")
      .value("OMAHA", Showdown::kOmaha, "Two of 4 or 5 hole cards and three board cards.")
      .value("PAIR", Showdown::kPair, "One hole card: a pair with the board, else its rank.");
  nb::enum_<Category>(m, "Category", "The name of a poker hand.")
      .value("HIGH_CARD", Category::kHighCard)
      .value("PAIR", Category::kPair)
      .value("TWO_PAIR", Category::kTwoPair)
      .value("TRIPS", Category::kTrips)
      .value("STRAIGHT", Category::kStraight)
      .value("FLUSH", Category::kFlush)
      .value("FULL_HOUSE", Category::kFullHouse)
      .value("QUADS", Category::kQuads)
      .value("STRAIGHT_FLUSH", Category::kStraightFlush);

  m.def("strength", &strength_of, "rule"_a, "deck"_a, "hole"_a, "board"_a,
        "The strength of one hand on one board; the larger wins, equal ones split.");
  m.def("strengths", &strengths_of, "rule"_a, "deck"_a, "cards"_a.noconvert(), "num_hole"_a,
        "Strengths [hands] of rows of hole and board cards [hands, cards]. The cards of a row must "
        "be\n"
        "distinct, which is not checked.");
  m.def("board_strengths", &strengths_on, "rule"_a, "deck"_a, "board"_a, "num_hole"_a,
        "Strengths of every hand, by hand index, on one board; 0 where the board holds a card of "
        "it.");
  m.def(
      "win_signs", &win_signs, "places"_a,
      "On how many boards the hand of a column beats that of a row, less those where it loses: [hands, hands], from the places in "
      "the order of strength [boards, hands], negative where a board blocks a hand.");
  m.def(
      "category",
      [](Showdown rule, Strength strength) {
        require(rule != Showdown::kPair, "the pair rule has no categories");
        require(strength >> 26 < kNumCategories, "not a strength: " + std::to_string(strength));
        return category(rule, strength);
      },
      "rule"_a, "strength"_a, "The name of a strength.");
}

// Hands.

ArrayOut<Card, 2> hand_cards(const Deck& deck, int num_hole) {
  check_num_hole(deck, num_hole);
  auto out = new_array<Card>({num_hands(deck, num_hole), static_cast<std::size_t>(num_hole)});
  nb::gil_scoped_release release;
  std::ranges::copy(HandTable(deck, num_hole).all_cards(), out.data());
  return out;
}

ArrayOut<std::uint32_t, 1> hand_index(const Deck& deck, ArrayIn<Card, 2> cards) {
  check_num_hole(deck, static_cast<int>(cards.shape(1)));
  auto out = new_array<std::uint32_t>({cards.shape(0)});
  nb::gil_scoped_release release;
  check_all_cards(deck, all_of(cards));
  for (std::size_t row = 0; row < cards.shape(0); ++row) {
    check_row_is_distinct(row_of(cards, row));
    out.data()[row] = subset_index(card_set(row_of(cards, row)));
  }
  return out;
}

ArrayOut<bool, 1> hands_possible(const Deck& deck, int num_hole, const std::vector<int>& dead) {
  check_num_hole(deck, num_hole);
  CardSet dead_set = 0;
  checked_cards(deck, dead, dead_set);
  auto out = new_array<bool>({num_hands(deck, num_hole)});
  nb::gil_scoped_release release;
  const HandTable hands(deck, num_hole);
  std::ranges::transform(hands.sets(), out.data(), [&](CardSet hand) { return !share_card(hand, dead_set); });
  return out;
}

void bind_hands(nb::module_& m) {
  m.def(
      "num_hands", [](const Deck& deck, int num_hole) { return check_num_hole(deck, num_hole), num_hands(deck, num_hole); },
      "deck"_a, "num_hole"_a, "The number of hands of num_hole cards in the deck.");
  m.def("hand_cards", &hand_cards, "deck"_a, "num_hole"_a, "The cards [hands, num_hole] of every hand, ascending in each.");
  m.def("hand_index", &hand_index, "deck"_a, "cards"_a.noconvert(),
        "The hand index [hands] of rows of cards [hands, num_hole] in any order.");
  m.def("hands_possible", &hands_possible, "deck"_a, "num_hole"_a, "dead"_a,
        "Whether each hand [hands] holds none of the dead cards.");
}

// Canonical indices.

ArrayOut<std::uint64_t, 1> canonical_indices(const CanonicalIndex& canonical, ArrayIn<Card, 2> cards) {
  require(canonical.street_of(cards.shape(1)) >= 0, "no street ends at " + std::to_string(cards.shape(1)) + " cards");
  auto out = new_array<std::uint64_t>({cards.shape(0)});
  nb::gil_scoped_release release;
  check_all_cards(canonical.deck(), all_of(cards));
  for (std::size_t row = 0; row < cards.shape(0); ++row) {
    check_row_is_distinct(row_of(cards, row));
    out.data()[row] = canonical.index(row_of(cards, row));
  }
  return out;
}

void check_street(const CanonicalIndex& canonical, int street) {
  require(street >= 0 && street < canonical.num_streets(), "there is no street " + std::to_string(street));
}

ArrayOut<Card, 2> canonical_cards(const CanonicalIndex& canonical, int street, ArrayIn<std::uint64_t, 1> indices) {
  check_street(canonical, street);
  const auto width = static_cast<std::size_t>(canonical.num_cards(street));
  auto out = new_array<Card>({indices.shape(0), width});
  nb::gil_scoped_release release;
  for (std::size_t row = 0; row < indices.shape(0); ++row) {
    const std::uint64_t index = indices.data()[row];
    require(index < canonical.size(street),
            "index " + std::to_string(index) + " is not below " + std::to_string(canonical.size(street)));
    canonical.cards(street, index, out.data() + row * width);
  }
  return out;
}

void bind_canonical(nb::module_& m) {
  nb::class_<CanonicalIndex>(m, "CanonicalIndex", "Dense numbers for deals, equal when suits are renamed or a street is reordered.")
      .def(
          "__init__",
          [](CanonicalIndex* self, const std::vector<int>& cards_per_street, const Deck& deck) {
            new (self) CanonicalIndex(cards_per_street, deck);
          },
          "cards_per_street"_a, "deck"_a = kDeck52)
      .def_prop_ro("num_streets", &CanonicalIndex::num_streets)
      .def(
          "num_cards", [](const CanonicalIndex& self, int street) { return check_street(self, street), self.num_cards(street); },
          "street"_a, "Cards dealt up to and including a street.")
      .def(
          "size", [](const CanonicalIndex& self, int street) { return check_street(self, street), self.size(street); }, "street"_a,
          "The number of indices of a street.")
      .def("index", &canonical_indices, "cards"_a.noconvert(),
           "The index [deals] of rows of cards [deals, cards] in the order of the streets; the "
           "number of cards\nnames the street.")
      .def("cards", &canonical_cards, "street"_a, "indices"_a.noconvert(),
           "One deal [deals, cards] for each index [deals] of a street.");
}

}  // namespace

void bind_cards(nb::module_& m) {
  bind_deck(m);
  bind_strength(m);
  bind_hands(m);
  bind_canonical(m);
}

}  // namespace regretless
