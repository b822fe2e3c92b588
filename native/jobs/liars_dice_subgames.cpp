// SPDX-License-Identifier: MIT
#include "jobs/subgames_of.h"

namespace regretless {

std::unique_ptr<Subgames> make_subgames(std::shared_ptr<const LiarsDice> game, const SubgameOptions& options) {
  check_subgames(*game, options);
  if (game->num_hands() <= 8) return std::make_unique<SubgamesOf<LiarsDice, DenseTree<double, 8>>>(game, options);
  return std::make_unique<SubgamesOf<LiarsDice, DenseTree<double, 0>>>(game, options);
}

}  // namespace regretless
