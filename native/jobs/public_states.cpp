// SPDX-License-Identifier: MIT
#include "jobs/public_states.h"

#include "jobs/public_states_of.h"

namespace regretless {

void PublicStates::check(std::int32_t state) const {
  if (state < 0 || state >= size()) throw std::invalid_argument("no public state " + std::to_string(state));
}

std::shared_ptr<PublicStates> make_public_states(const AnyGame& any, const std::vector<int>& board) {
  const auto make = [&]<PublicGame G>(std::shared_ptr<const G> game) -> std::shared_ptr<PublicStates> {
    if (game->num_players() != 2)
      throw std::invalid_argument("subgames are for two players, not " + std::to_string(game->num_players()));
    if (game->num_hands() > 2000)
      throw std::invalid_argument("subgames are for at most 2,000 hands, not " + std::to_string(game->num_hands()));
    return std::make_shared<PublicStatesOf<G>>(game, board);
  };
  return with_game(any, "subgames need public states apart from hands", make);
}

}  // namespace regretless
