# SPDX-License-Identifier: MIT
"""AIVAT: unbiased estimates of winnings with less variance.

N. Burch, M. Schmid, M. Moravcik, D. Morrill and M. Bowling, AIVAT: A New Variance Reduction
Technique for Agent Evaluation in Imperfect Information Games, AAAI 2018. At every event whose
probabilities are known (cards, and the decisions of policies that we asked ourselves), the value
that it led to less the mean value over all that might have happened is luck. Its expectation is 0
whatever the value function says, so taking it off leaves the expectation of the result as it is;
the better the values, the less is left of its variance.

Values are learned from a pilot, a match of the same policies on other deals, so that no deal has a
part in the values by which it is judged. Deviations: no imaginary observations (means over the
hands that a player might have held); the values of hold'em are those of `runout_values`.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from regretless.algorithm import Shard
from regretless.errors import InputError, TooLargeError
from regretless.games.face import Game, face
from regretless.matches.match import MatchConfig, PlayedDeals, play_deals
from regretless.matches.runout_values import RunoutValues
from regretless.matches.tree_values import TreeValues
from regretless.policies.policy import HasStandIn, Policy
from regretless.watch import UNWATCHED, Watch

_FIRST_PILOT_DEAL = 1 << 40  # far beyond any match


def value_function(
    game: Game, config: MatchConfig, watch: Watch = UNWATCHED
) -> TreeValues | RunoutValues:
    """The best there is for a game; InputError if there is none."""
    try:
        return TreeValues(game)
    except TooLargeError as too_large:
        poker = face(game).poker
        if poker is None:
            raise InputError(f"no AIVAT: {too_large}") from None
    return RunoutValues(poker, config, watch)


def match_luck(
    game: Game,
    policies: Sequence[Policy],
    config: MatchConfig,
    known: Sequence[bool] | None = None,
    watch: Watch = UNWATCHED,
) -> Callable[[PlayedDeals], NDArray[np.float64]]:
    """Play the pilot and learn the values: the luck in pieces of this match, for `play_match`.

    `known` says for each policy whether its answers are what it plays by, as those of a search are
    not.
    """
    values = value_function(game, config, watch)
    deals = Shard(_FIRST_PILOT_DEAL, values.pilot_deals)
    # Any values leave the mean of the luck at 0, so the pilot of a slow policy may be another's.
    pilots = [each.stand_in if isinstance(each, HasStandIn) else each for each in policies]
    values.learn(play_deals(game, pilots, config, deals, with_probabilities=True, watch=watch))
    return lambda piece: values.luck(piece, known or [True] * len(policies))
