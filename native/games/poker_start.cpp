// SPDX-License-Identifier: MIT
#include "games/poker_start.h"

#include <algorithm>
#include <stdexcept>

namespace regretless {
namespace {

constexpr double kMostWeight = 1e100;  // products and sums of them stay finite

// In [0, 1), 53 random bits.
double draw_share(Random& random) { return static_cast<double>(random.bits() >> 11) * 0x1.0p-53; }

}  // namespace

RangeDealer::RangeDealer(const std::vector<CardSet>& hands, CardSet board, const std::vector<std::vector<double>>& weights) {
  if (weights.size() != 2) throw std::invalid_argument("start.weights: must be of two players");
  for (std::size_t player = 0; player < 2; ++player) {
    const std::string place = "start.weights[" + std::to_string(player) + "]: ";
    if (weights[player].size() != hands.size()) throw std::invalid_argument(place + "must be " + std::to_string(hands.size()));
    for (std::size_t h = 0; h < hands.size(); ++h) {
      const double weight = weights[player][h];
      if (!(weight >= 0 && weight <= kMostWeight)) throw std::invalid_argument(place + "must be finite and not negative");
      if (weight > 0 && (hands[h] & board) == 0)
        (player == 0 ? first_ : second_).push_back({static_cast<Hand>(h), hands[h], weight});
    }
  }
  double sum = 0;
  for (const Weighted& hand : first_) sums_.push_back(sum += hand.weight * met_by(hand.cards));
  if (!(sum > 0))
    throw std::invalid_argument(
        "start.weights: every hand of one player shares a card with the board or with every hand of the other");
}

double RangeDealer::met_by(CardSet cards) const {
  double sum = 0;
  for (const Weighted& hand : second_)
    if ((hand.cards & cards) == 0) sum += hand.weight;
  return sum;
}

std::pair<Hand, Hand> RangeDealer::deal(Random& random) const {
  // The last hand of any weight stands for a share that rounding has moved to the very end.
  const double at = draw_share(random) * sums_.back();
  const auto place = std::upper_bound(sums_.begin(), std::lower_bound(sums_.begin(), sums_.end(), sums_.back()), at);
  const Weighted& mine = first_[static_cast<std::size_t>(place - sums_.begin())];
  double left = draw_share(random) * met_by(mine.cards);
  Hand other = -1;
  for (const Weighted& hand : second_) {
    if ((hand.cards & mine.cards) != 0) continue;
    other = hand.hand;
    if ((left -= hand.weight) < 0) break;
  }
  return {mine.hand, other};
}

}  // namespace regretless
