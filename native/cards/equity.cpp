// SPDX-License-Identifier: MIT
#include "cards/equity.h"

#include <cmath>
#include <numeric>

namespace regretless {

Equity summarize(const Outcomes& outcomes, int num_players, std::uint64_t samples) {
  const double total = std::accumulate(outcomes.begin(), outcomes.end(), 0.0);
  if (!(total > 0)) throw std::invalid_argument("no deal is possible: the players' hands always share a card");
  Equity equity{.equities = {}, .wins = {}, .ties = {}, .standard_errors = {}, .samples = samples};
  for (int player = 0; player < num_players; ++player) {
    double share = 0, square = 0, tie = 0;
    for (std::size_t winners = 1; winners < outcomes.size(); ++winners) {
      if ((winners >> player & 1) == 0) continue;
      const double part = 1.0 / std::popcount(winners), weight = outcomes[winners] / total;
      share += part * weight;
      square += part * part * weight;
      if (!std::has_single_bit(winners)) tie += weight;
    }
    const double variance = std::max(0.0, square - share * share);
    equity.equities.push_back(share);
    equity.wins.push_back(outcomes[std::size_t{1} << player] / total);
    equity.ties.push_back(tie);
    equity.standard_errors.push_back(samples == 0 ? 0.0 : std::sqrt(variance / static_cast<double>(samples)));
  }
  return equity;
}

}  // namespace regretless
