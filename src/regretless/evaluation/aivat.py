# SPDX-License-Identifier: MIT
"""AIVAT: what policies won, freed of the luck that can be told from merit.

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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.evaluation.intervals import Moments
from regretless.evaluation.matches import (
    MatchConfig,
    MatchCount,
    MatchResult,
    PlayedDeals,
    play_deals,
    played,
)
from regretless.evaluation.runout_values import RunoutValues
from regretless.evaluation.seatings import by_policy
from regretless.evaluation.tree_values import TreeValues
from regretless.games import Game
from regretless.policy import Policy

_FIRST_PILOT_DEAL = 1 << 40  # far beyond any match


class ValueFunction(Protocol):
    """Tells the luck of episodes by what it holds histories to be worth."""

    pilot_deals: int
    """How many deals it wants to learn from."""

    def learn(self, pilot: PlayedDeals) -> None:
        """Improve the values by deals that were played."""

    def luck(self, piece: PlayedDeals, known: Sequence[bool]) -> NDArray[np.float64]:
        """What each seat got beyond its due, [episodes, seats] in units; 0 on average.

        The decisions of a policy count only if it is `known` how it decides.
        """


def value_function(game: Game, config: MatchConfig) -> ValueFunction:
    """The best there is for a game; InputError if there is none."""
    try:
        return TreeValues(game)
    except InputError as too_large:
        if not isinstance(game, _native.Poker):
            raise InputError(f"no AIVAT: {too_large}") from None
    return RunoutValues(game, config)


@dataclass(frozen=True)
class Aivat:
    """A match that is counted both plainly and freed of luck."""

    game: Game
    policies: Sequence[Policy]
    config: MatchConfig
    values: ValueFunction
    known: Sequence[bool]
    """For each policy, whether its answers are what it plays by, as those of a search are not."""

    @classmethod
    def prepare(
        cls,
        game: Game,
        policies: Sequence[Policy],
        config: MatchConfig,
        known: Sequence[bool] | None = None,
    ) -> "Aivat":
        """Play the pilot and learn the values."""
        values = value_function(game, config)
        deals = range(_FIRST_PILOT_DEAL, _FIRST_PILOT_DEAL + values.pilot_deals)
        values.learn(play_deals(game, policies, config, deals, with_probabilities=True))
        return cls(game, policies, config, values, known or [True] * len(policies))

    def pieces(self) -> Iterator[tuple[PlayedDeals, NDArray[np.float64]]]:
        """The match with the payoffs that luck had no part in, [episodes, seats] in units."""
        for piece in played(self.game, self.policies, self.config, with_probabilities=True):
            payoffs = piece.steps.payoffs / self.game.unit
            yield piece, payoffs - self.values.luck(piece, self.known)


class AivatCount:
    """Adds up such a match."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self.plain = MatchCount(game, names)
        self.moments = Moments(len(names))

    def add(self, piece: PlayedDeals, payoffs: NDArray[np.float64]) -> None:
        self.plain.add(piece)
        self.moments.add(by_policy(payoffs) / len(self.plain.names))

    def result(self) -> MatchResult:
        plain = self.plain.result()
        players = tuple(
            replace(player, aivat=self.moments.estimate(i))
            for i, player in enumerate(plain.players)
        )
        return replace(plain, players=players)


def play_aivat(
    game: Game,
    policies: Sequence[Policy],
    config: MatchConfig,
    known: Sequence[bool] | None = None,
) -> MatchResult:
    """As `play_match`, with the estimates of AIVAT beside the plain ones."""
    count = AivatCount(game, [policy.name for policy in policies])
    for piece, payoffs in Aivat.prepare(game, policies, config, known).pieces():
        count.add(piece, payoffs)
    return count.result()
