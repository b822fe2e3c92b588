// SPDX-License-Identifier: MIT
#include "jobs/subgames_of.h"

namespace regretless {

std::unique_ptr<Subgames> make_subgames(std::shared_ptr<const Poker> game, const SubgameOptions& options) {
  check_subgames(*game, options);
  if (game->num_hands() <= 8) return std::make_unique<SubgamesOf<Poker, DenseTree<double, 8>>>(game, options);
  if (game->num_hands() <= kDenseHands) return std::make_unique<SubgamesOf<Poker, DenseTree<double, 0>>>(game, options);
  if (game->rules().num_hole_cards != 2) throw std::invalid_argument("subgames need two hole cards or at most 64 hands");
  return std::make_unique<SubgamesOf<Poker, RankedTree>>(game, options);
}

}  // namespace regretless
