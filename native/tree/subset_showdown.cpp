// SPDX-License-Identifier: MIT
#include "tree/subset_showdown.h"

#include <unordered_map>

#include "threads/lookout.h"

namespace regretless {
namespace {

// The cards of a hand that a mask picks, lowest first.
CardSet pick(CardSet cards, unsigned mask) {
  CardSet picked = 0;
  for (int i = 0; cards != 0; ++i, cards &= cards - 1)
    if ((mask >> i & 1) != 0) picked |= cards & (~cards + 1);
  return picked;
}

Strength hand_strength(const Poker& game, const PokerState& state, CardSet cards) {
  std::array<Card, kMaxHoleCards> hole{};
  return strength(game.rules().showdown, game.rules().deck, {hole.data(), write_cards(cards, hole.data())},
                  {state.board.data(), state.num_board});
}

}  // namespace

SubsetShowdown::SubsetShowdown(const Poker& game, const std::array<RootRange, 2>& ranges, std::array<int, 2> strides)
    : num_cards_(game.rules().num_hole_cards), strides_(strides), tables_(1) {
  for (Player p = 0; p < 2; ++p)
    for (const Hand hand : ranges[p].hands) sides_[p].cards.push_back(game.hand_cards(hand));
  for (Player p = 0; p < 2; ++p) number_sums(p);
}

// A sum is kept for each set of cards that a hand of the player and one of the other hold.
void SubsetShowdown::number_sums(Player player) {
  Side &own = sides_[player], &other = sides_[1 - player];
  const unsigned sets = 1u << num_cards_;
  std::unordered_map<CardSet, std::int32_t> numbers;  // 0 where the other has not been seen to hold them
  for (const CardSet cards : own.cards)
    for (unsigned mask = 0; mask < sets; ++mask) numbers.try_emplace(pick(cards, mask), 0);
  own.num_sums = 1;
  other.writes.resize(other.cards.size());
  other.num_writes.assign(other.cards.size(), 0);
  for (std::size_t o = 0; o < other.cards.size(); ++o) {
    Lookout::look_up();
    for (unsigned mask = 0; mask < sets; ++mask) {
      const auto found = numbers.find(pick(other.cards[o], mask));
      if (found == numbers.end()) continue;
      if (found->second == 0) found->second = own.num_sums++;
      other.writes[o][other.num_writes[o]++] = found->second;
    }
  }
  own.reads.resize(own.cards.size());
  for (std::size_t h = 0; h < own.cards.size(); ++h)
    for (unsigned mask = 0; mask < sets; ++mask) own.reads[h][mask] = numbers.at(pick(own.cards[h], mask));
}

std::int32_t SubsetShowdown::table(const Poker& game, const PokerState& state, const Ending& ending,
                                   const std::array<RootRange, 2>& ranges) {
  if (!ending.is_showdown) return 0;
  const auto [found, is_new] = tables_by_key_.try_emplace(ending.key, static_cast<std::int32_t>(tables_.size()));
  if (!is_new) return found->second;
  auto& orders = tables_.emplace_back();
  for (Player p = 0; p < 2; ++p) {
    std::vector<Strength> strengths(ranges[p].hands.size());
    for (std::size_t h = 0; h < strengths.size(); ++h) {
      Lookout::look_up();
      if (!game.hand_possible(state, ranges[p].hands[h])) continue;
      orders[p].hands.push_back(static_cast<std::int32_t>(h));
      strengths[h] = hand_strength(game, state, sides_[p].cards[h]);
    }
    std::stable_sort(orders[p].hands.begin(), orders[p].hands.end(), [&](auto a, auto b) { return strengths[a] < strengths[b]; });
    for (const std::int32_t h : orders[p].hands) orders[p].strengths.push_back(strengths[h]);
  }
  return found->second;
}

double SubsetShowdown::met(Player player, std::size_t hand, const double* sums) const {
  const auto& reads = sides_[player].reads[hand];
  double total = 0;
  for (unsigned mask = 0; mask < 1u << num_cards_; ++mask)
    total += std::popcount(mask) % 2 == 0 ? sums[reads[mask]] : -sums[reads[mask]];
  return total;
}

void SubsetShowdown::add(Player other, std::int32_t hand, const Real* reach, double* sums) const {
  const Side& side = sides_[other];
  for (int i = 0; i < side.num_writes[hand]; ++i) sums[side.writes[hand][i]] += static_cast<double>(reach[hand]);
}

void SubsetShowdown::values(const TerminalNode& node, Player player, const Real* reach, Real* values) const {
  const Player other = 1 - player;
  const Side& side = sides_[player];
  const auto& payoff = node.payoffs[player];
  std::vector<double> sums(static_cast<std::size_t>(side.num_sums));
  std::fill_n(values, strides_[player], Real{0});
  if (!node.is_showdown) {
    for (std::size_t o = 0; o < sides_[other].cards.size(); ++o) add(other, static_cast<std::int32_t>(o), reach, sums.data());
    for (std::size_t h = 0; h < side.cards.size(); ++h) values[h] = static_cast<Real>(payoff[2] * met(player, h, sums.data()));
    return;
  }
  const Order &own = tables_[node.table][player], &theirs = tables_[node.table][other];
  std::vector<double> paid(own.hands.size());
  std::size_t next = 0;
  const auto add_below = [&](Strength strength, bool with_equal) {
    for (; next < theirs.hands.size() && (theirs.strengths[next] < strength || (with_equal && theirs.strengths[next] == strength));
         ++next)
      add(other, theirs.hands[next], reach, sums.data());
  };
  // A hand wins w B + t (E - B) + l (M - E): B are the weaker hands that it meets, E those and the equal ones, M all.
  for (std::size_t first = 0, last = 0; first < own.hands.size(); first = last) {
    const Strength strength = own.strengths[first];
    while (last < own.hands.size() && own.strengths[last] == strength) ++last;
    add_below(strength, false);
    for (std::size_t i = first; i < last; ++i) paid[i] = (payoff[2] - payoff[1]) * met(player, own.hands[i], sums.data());
    add_below(strength, true);
    for (std::size_t i = first; i < last; ++i) paid[i] += (payoff[1] - payoff[0]) * met(player, own.hands[i], sums.data());
  }
  for (; next < theirs.hands.size(); ++next) add(other, theirs.hands[next], reach, sums.data());
  for (std::size_t i = 0; i < own.hands.size(); ++i)
    values[own.hands[i]] = static_cast<Real>(paid[i] + payoff[0] * met(player, own.hands[i], sums.data()));
}

std::vector<std::int8_t> SubsetShowdown::matchups(std::int32_t table) const {
  const auto &own = sides_[0].cards, &other = sides_[1].cards;
  std::vector<std::int8_t> all(own.size() * other.size(), kCannotMeet);
  const auto meet = [&](std::size_t h, std::size_t o, std::int8_t sign) {
    if ((own[h] & other[o]) == 0) all[h * other.size() + o] = sign;
  };
  if (table == kNoShowdown) {
    for (std::size_t h = 0; h < own.size(); ++h)
      for (std::size_t o = 0; o < other.size(); ++o) meet(h, o, 0);
    return all;
  }
  const auto& [mine, theirs] = tables_[table];
  for (std::size_t i = 0; i < mine.hands.size(); ++i)
    for (std::size_t j = 0; j < theirs.hands.size(); ++j) {
      const Strength a = mine.strengths[i], b = theirs.strengths[j];
      meet(static_cast<std::size_t>(mine.hands[i]), static_cast<std::size_t>(theirs.hands[j]),
           static_cast<std::int8_t>((a > b) - (a < b)));
    }
  return all;
}

}  // namespace regretless
