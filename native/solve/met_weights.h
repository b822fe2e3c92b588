// SPDX-License-Identifier: MIT
// The weight of the opponent's hands that a hand can meet.
#pragma once
#include <limits>

#include "tree/showdown.h"

namespace regretless {

template <class Real>
inline constexpr double kLeastMet = 64.0 * std::numeric_limits<Real>::epsilon();  // of a range; what is met less often is noise

// For each hand of `me` the weight of the other's hands that it meets, from the other's reach [hands]: pair by pair.
template <class G, class Number>
std::vector<double> met_by_pairs(const G& game, const std::array<RootRange, 2>& ranges, Player me, const Number* reach) {
  const auto &mine = ranges[me].hands, &his = ranges[1 - me].hands;
  std::vector<double> met(mine.size());
  for (std::size_t h = 0; h < mine.size(); ++h)
    for (std::size_t o = 0; o < his.size(); ++o)
      met[h] += (me == 0 ? pair_weight(game, mine[h], his[o]) : pair_weight(game, his[o], mine[h])) * reach[o];
  return met;
}

template <class G, class Number>
std::vector<double> met_weights(const G& game, const std::array<RootRange, 2>& ranges, Player me, const Number* reach) {
  return met_by_pairs(game, ranges, me, reach);
}

// For two hole cards: all, less those that share the one card or the other; one that shares both is taken off twice.
template <class Number>
std::vector<double> met_weights(const Poker& game, const std::array<RootRange, 2>& ranges, Player me, const Number* reach) {
  if (game.rules().num_hole_cards != 2) return met_by_pairs(game, ranges, me, reach);
  const auto &mine = ranges[me].hands, &his = ranges[1 - me].hands;
  std::array<double, kMaxCards> by_card{};
  std::vector<double> same(static_cast<std::size_t>(game.num_hands())), met(mine.size());
  double all = 0;
  for (std::size_t o = 0; o < his.size(); ++o) {
    all += same[his[o]] = reach[o];
    for (CardSet rest = game.hand_cards(his[o]); rest != 0; rest &= rest - 1) by_card[std::countr_zero(rest)] += reach[o];
  }
  for (std::size_t h = 0; h < mine.size(); ++h) {
    met[h] = all + same[mine[h]];
    for (CardSet rest = game.hand_cards(mine[h]); rest != 0; rest &= rest - 1) met[h] -= by_card[std::countr_zero(rest)];
  }
  return met;
}

}  // namespace regretless
