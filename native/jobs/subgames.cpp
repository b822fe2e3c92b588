// SPDX-License-Identifier: MIT
// All games in one compilation: they share trees, and several would take longer on a machine of two cores.
#include "jobs/subgames.h"

#include "jobs/subgames_of.h"

namespace regretless {
namespace {

void check(const SubgameOptions& options) {
  if (options.threads < 1 || options.threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  if (options.iterations < 1) throw std::invalid_argument("iterations: must be at least 1");
  if (options.warm_start < 0 || options.warm_start >= std::numeric_limits<int>::max() - options.iterations)
    throw std::invalid_argument("warm_start: must be from 0, and less than 2^31 with the iterations");
  options.discounts.check();
  if (options.max_decisions < 0) throw std::invalid_argument("max_decisions: must not be negative");
  if (options.max_bytes < 0) throw std::invalid_argument("max_bytes: must not be negative");
}

}  // namespace

std::unique_ptr<Subgames> make_subgames(std::shared_ptr<PublicStates> any, const SubgameOptions& options) {
  check(options);
  const auto make = [&]<PublicGame G>(std::shared_ptr<const G> game) -> std::unique_ptr<Subgames> {
    const auto states = std::static_pointer_cast<PublicStatesOf<G>>(any);
    if (game->num_hands() <= 8) return std::make_unique<SubgamesOf<G, DenseTree<double, 8>>>(states, options);
    if constexpr (std::is_same_v<G, Poker>)
      if (game->num_hands() > kDenseHands) {
        if (game->hand_size() != 2) throw std::invalid_argument("subgames need two hole cards or at most 64 hands");
        return std::make_unique<SubgamesOf<Poker, RankedTree>>(states, options);
      }
    return std::make_unique<SubgamesOf<G, DenseTree<double, 0>>>(states, options);
  };
  return with_game(any->game(), "subgames need public states apart from hands", make);
}

}  // namespace regretless
