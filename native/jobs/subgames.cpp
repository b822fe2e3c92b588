// SPDX-License-Identifier: MIT
// All games in one compilation: they share trees, and several would take longer on a machine of two cores.
#include "jobs/subgames.h"

#include <limits>
#include <stdexcept>
#include <string>

#include "jobs/subgames_of.h"

namespace regretless {
namespace {

template <class G>
void check(const G& game, const SubgameOptions& options) {
  if (game.num_players() != 2)
    throw std::invalid_argument("subgames are for two players, not " + std::to_string(game.num_players()));
  if (options.threads < 1 || options.threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  if (options.iterations < 1) throw std::invalid_argument("iterations: must be at least 1");
  if (options.warm_start < 0 || options.warm_start >= std::numeric_limits<int>::max() - options.iterations)
    throw std::invalid_argument("warm_start: must be from 0, and less than 2^31 with the iterations");
  options.discounts.check();
  if (options.max_decisions < 0) throw std::invalid_argument("max_decisions: must not be negative");
  if (options.max_bytes < 0) throw std::invalid_argument("max_bytes: must not be negative");
  if (game.num_hands() > 2000)
    throw std::invalid_argument("too many private hands for subgames: " + std::to_string(game.num_hands()));
}

}  // namespace

std::unique_ptr<Subgames> make_subgames(std::shared_ptr<const Poker> game, const SubgameOptions& options) {
  check(*game, options);
  if (game->num_hands() <= 8) return std::make_unique<SubgamesOf<Poker, DenseTree<double, 8>>>(game, options);
  if (game->num_hands() <= kDenseHands) return std::make_unique<SubgamesOf<Poker, DenseTree<double, 0>>>(game, options);
  if (game->rules().num_hole_cards != 2) throw std::invalid_argument("subgames need two hole cards or at most 64 hands");
  return std::make_unique<SubgamesOf<Poker, RankedTree>>(game, options);
}

std::unique_ptr<Subgames> make_subgames(std::shared_ptr<const LiarsDice> game, const SubgameOptions& options) {
  check(*game, options);
  if (game->num_hands() <= 8) return std::make_unique<SubgamesOf<LiarsDice, DenseTree<double, 8>>>(game, options);
  return std::make_unique<SubgamesOf<LiarsDice, DenseTree<double, 0>>>(game, options);
}

std::unique_ptr<Subgames> make_subgames(std::shared_ptr<const TabularGame> game, const SubgameOptions& options) {
  check(*game, options);
  if (game->num_hands() <= 8) return std::make_unique<SubgamesOf<TabularGame, DenseTree<double, 8>>>(game, options);
  return std::make_unique<SubgamesOf<TabularGame, DenseTree<double, 0>>>(game, options);
}

}  // namespace regretless
