// SPDX-License-Identifier: MIT
#include "observe/canonical_cards.h"

namespace regretless {
namespace {

// add(field) for the hole cards, then for the board of each street.
template <class Add>
void for_each_field(const PokerRules& rules, Add add) {
  const int cards = rules.deck.num_cards();
  add({.name = "hole cards", .count = rules.num_hole_cards, .width = cards});
  for (int street = 0; street < rules.num_streets; ++street)
    add({.name = "board of street " + std::to_string(street), .count = rules.board_cards[street], .width = cards});
}

}  // namespace

CanonicalCards::CanonicalCards(const PokerRules& rules) : rules_(rules), num_board_cards_(rules.num_board_cards()) {
  for (int c = 0; c < rules.deck.num_cards(); ++c) {
    ranks_[c] = static_cast<std::uint8_t>(rules.deck.rank(static_cast<Card>(c)));
    suits_[c] = static_cast<std::uint8_t>(rules.deck.suit(static_cast<Card>(c)));
  }
  for (int street = 0, at = 0; street < rules.num_streets; ++street)
    for (int i = 0; i < rules.board_cards[street]; ++i) board_streets_[at++] = static_cast<std::uint8_t>(street);
}

void CanonicalCards::add_cards(RowLayout& layout) const {
  for_each_field(rules_, [&](Field field) { layout.add(std::move(field)); });
}

void CanonicalCards::add_cards_and_ranks(RowLayout& layout) const {
  const int ranks = rules_.deck.num_ranks;
  for_each_field(rules_, [&](Field field) {
    if (field.count == 0) return;
    const std::string name = "ranks by place of the " + field.name;
    layout.add(std::move(field));
    layout.add_again({.name = name, .width = ranks, .stride = ranks, .divisor = rules_.deck.num_suits}, layout.next_feature());
  });
}

CanonicalCards::Suits CanonicalCards::suits(const PokerState& state, std::span<const Card> hole) const {
  std::array<std::uint64_t, 4> held{}, shown{};  // ranks as bits, 16 for each street
  for (const Card card : hole) held[suits_[card]] |= std::uint64_t{1} << ranks_[card];
  for (int i = 0; i < state.num_board; ++i)
    shown[suits_[state.board[i]]] |= std::uint64_t{1} << (48 - 16 * board_streets_[i] + ranks_[state.board[i]]);
  Suits suits{};
  const int num_suits = rules_.deck.num_suits;
  for (int s = 0; s < num_suits; ++s)  // as many suits go before s as hold more, or as much with a lower number
    for (int other = 0; other < num_suits; ++other) {
      const bool is_more = held[other] > held[s] || (held[other] == held[s] && shown[other] > shown[s]);
      const bool is_equal = held[other] == held[s] && shown[other] == shown[s];
      suits[s] = static_cast<std::uint8_t>(suits[s] + (is_more || (is_equal && other < s)));
    }
  return suits;
}

void CanonicalCards::write(RowWriter& out, const PokerState& state, std::span<const Card> hole, const Suits& suits) const {
  const auto write_cards = [&](std::span<const Card> cards) {
    std::array<std::uint8_t, kMaxHoleCards> renamed;
    static_assert(kMaxHoleCards >= kMaxBoardCards);
    for (std::size_t i = 0; i < cards.size(); ++i)
      renamed[i] = static_cast<std::uint8_t>(ranks_[cards[i]] * rules_.deck.num_suits + suits[suits_[cards[i]]]);
    out.sorted_marks({renamed.data(), cards.size()});
  };
  write_cards(hole);
  for_each_street(rules_, state, write_cards);
  out.no_marks(static_cast<std::size_t>(num_board_cards_ - state.num_board));
}

}  // namespace regretless
