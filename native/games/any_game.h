// SPDX-License-Identifier: MIT
// Every native game behind one type. A job takes an AnyGame and dispatches once, when it is made, to its template for that game.
// A new game is one more alternative here for the game and for its episodes, and one more name in the list if it has public states.
#pragma once
#include <stdexcept>
#include <type_traits>
#include <variant>

#include "games/explicit_game.h"
#include "games/liars_dice.h"
#include "games/poker_episode.h"
#include "games/tabular_game.h"

namespace regretless {

using AnyGame = std::variant<std::shared_ptr<const Poker>, std::shared_ptr<const LiarsDice>, std::shared_ptr<const ExplicitGame>,
                             std::shared_ptr<const TabularGame>>;
using AnyEpisode = std::variant<PokerEpisode, LiarsDiceEpisode, ExplicitEpisode>;

// The games that templates over public states are compiled for.
#define REGRETLESS_PUBLIC_GAMES(each) each(Poker) each(LiarsDice) each(TabularGame)

// Returns call(game) with the shared pointer to the game itself. The call restricts its games by a concept; for any other game
// this throws std::invalid_argument: "`needs`, which NAME does not have".
template <class Call>
auto with_game(const AnyGame& any, std::string_view needs, Call call) {
  using Result = std::invoke_result_t<Call&, const std::shared_ptr<const Poker>&>;  // every call takes poker
  return std::visit(
      [&]<class G>(const std::shared_ptr<const G>& game) -> Result {
        static_assert(EpisodeGame<G> || PublicGame<G>);
        if constexpr (std::invocable<Call&, const std::shared_ptr<const G>&>)
          return call(game);
        else
          throw std::invalid_argument(std::string(needs) + ", which " + std::string(game->name()) + " does not have");
      },
      any);
}

}  // namespace regretless
