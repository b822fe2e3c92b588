// SPDX-License-Identifier: MIT
#include "bindings.h"

#include "cards/class_orders.h"
#include "cards/class_wins.h"
#include "cards/equity.h"
#include "cards/hands.h"
#include "cards/range_shares.h"

namespace regretless {
namespace {

using Cards = ArrayIn<Card, 2>;       // [hands, num_hole]
using Weights = ArrayIn<double, 1>;  // [hands]

WeightedHands to_hands(const Cards& cards, const Weights& weights, const Deck& deck) {
  WeightedHands player;
  for (std::size_t i = 0; i < cards.shape(0); ++i) {
    const std::span<const Card> hand{cards.data() + i * cards.shape(1), cards.shape(1)};
    for (const Card card : hand)
      if (card >= deck.num_cards()) throw nb::value_error("a card is not in the deck");
    player.hands.push_back(card_set(hand));
  }
  player.weights = copied(weights);
  return player;
}

Matchup make_matchup(Showdown rule, const Deck& deck, const std::vector<std::pair<Cards, Weights>>& players,
                     const std::vector<Card>& board, const std::vector<Card>& dead) {
  std::vector<WeightedHands> hands;
  for (const auto& [cards, weights] : players) {
    if (cards.shape(1) != players[0].first.shape(1)) throw nb::value_error("all hands have the same size");
    hands.push_back(to_hands(cards, weights, deck));
  }
  const int num_hole = players.empty() ? 0 : static_cast<int>(players[0].first.shape(1));
  return {rule, deck, num_hole, std::move(hands), board, dead};
}

std::vector<std::uint32_t> class_wins_unlocked(std::uint64_t first, std::uint64_t count) {
  nb::gil_scoped_release release;
  return class_wins(first, count);
}

// [classes, classes, classes] each
auto class_orders_unlocked(std::uint64_t first, std::uint64_t count) {
  ClassOrders orders;
  {
    nb::gil_scoped_release release;
    orders = class_orders(first, count);
  }
  constexpr std::size_t n = kNumClasses;
  return std::make_tuple(to_array(std::move(orders.strict), {n, n, n}), to_array(std::move(orders.tied_above), {n, n, n}),
                         to_array(std::move(orders.tied_below), {n, n, n}));
}

// [players, (wins, ties, meets), hands]
ArrayOut<double, 3> shares_of(Showdown rule, const Deck& deck, const std::vector<Card>& board, const Weights& first,
                              const Weights& second) {
  CardSet seen = 0;
  for (const Card card : board) {
    if (card >= deck.num_cards() || (seen >> card & 1) != 0) throw nb::value_error("a board has distinct cards of the deck");
    seen |= bit(card);
  }
  const std::size_t hands = num_hands(deck, 2);
  auto out = new_array<double, 3>({2, 3, hands});
  nb::gil_scoped_release release;
  const auto shares = range_shares(rule, deck, board, {span_of(first), span_of(second)});
  double* to = out.data();
  for (const RangeShares& each : shares)
    for (const auto* numbers : {&each.wins, &each.ties, &each.meets}) to = std::copy(numbers->begin(), numbers->end(), to);
  return out;
}

}  // namespace

void bind_equity(nb::module_& m) {
  m.def("range_shares", &shares_of, "rule"_a, "deck"_a, "board"_a, "first"_a, "second"_a,
        "Shares of every hand of two cards against the other's range, weights [hands] each, on a board of 3 to 5 cards: float64 "
        "[players, "
        "(wins, ties, meets), hands], the weight that it beats, ties with and can meet.");
  nb::class_<Equity>(m, "Equity", "The share of the pot that each player wins on average.")
      .def_ro("equities", &Equity::equities, "[players], sum 1.")
      .def_ro("wins", &Equity::wins, "[players], chance of being the only winner.")
      .def_ro("ties", &Equity::ties, "[players], chance of being one of several winners.")
      .def_ro("standard_errors", &Equity::standard_errors, "[players], 0 if exact.")
      .def_ro("samples", &Equity::samples, "0 if exact.");

  nb::class_<Matchup>(m, "Matchup", "Who holds what before the board is complete.")
      .def_static("of", &make_matchup, "rule"_a, "deck"_a, "players"_a, "board"_a, "dead"_a,
                  "players: for each, hands [hands, num_hole] and weights [hands].");

  const nb::call_guard<nb::gil_scoped_release> release_gil;
  nb::class_<ExactEquity>(m, "ExactEquity", "Equity over all deals and boards, in chunks.")
      .def(nb::init<Matchup>(), "matchup"_a, release_gil)
      .def_prop_ro("num_evaluations", &ExactEquity::num_evaluations)
      .def_prop_ro("num_chunks", &ExactEquity::num_chunks)
      .def("run", exclusive(&ExactEquity::run), "chunks"_a, "threads"_a, release_gil, "The next chunks.")
      .def("result", exclusive(&ExactEquity::result), "The equity over the chunks run so far.");

  nb::class_<SampledEquity>(m, "SampledEquity", "Equity from random deals, in chunks.")
      .def(nb::init<Matchup, std::uint64_t, std::uint64_t>(), "matchup"_a, "samples"_a, "seed"_a, release_gil)
      .def_prop_ro("num_chunks", &SampledEquity::num_chunks)
      .def("run", exclusive(&SampledEquity::run), "chunks"_a, "threads"_a, release_gil, "The next chunks.")
      .def("result", exclusive(&SampledEquity::result), "The equity over the chunks run so far.");

  m.def("num_canonical_boards", &num_canonical_boards, "Boards of five cards up to a renaming of suits.");
  m.def(
      "class_wins",
      [](std::uint64_t first, std::uint64_t count) { return to_rows(class_wins_unlocked(first, count), kNumClasses); }, "first"_a,
      "count"_a,
      "Deals [classes, classes] in which one class of hold'em hands beats another over these canonical boards and all that "
      "renamings of suits make of them; classes by their places in a chart, row by row from AA.");
  m.def("class_orders", &class_orders_unlocked, "first"_a, "count"_a,
        "Deals [classes, classes, classes] of three hold'em hands over these canonical boards and all that renamings of suits make "
        "of them, in three arrays: the first beats the second, which beats the third; the first two are equal and beat the third; "
        "they are equal and lose to the third.");
}

}  // namespace regretless
