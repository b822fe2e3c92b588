# SPDX-License-Identifier: MIT
"""Fictitious play with exact best responses, averaged by realisation plans.

Brown 1951; in extensive form Heinrich, Lanctot and Silver 2015 (XFP, Algorithm 1). Deviations: the
uniform strategy that is answered first does not count in the average, and players alternate unless
told otherwise, as in Brown's paper but not in XFP.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, Metrics
from regretless.evaluation.exploitability import Exploitability, exploitability
from regretless.games.explicit_tree import ExplicitTree, explicit_tree, strategy_by_name
from regretless.games.python_game import PythonGame
from regretless.options import read_options
from regretless.policy import TablePolicy, tree_policy


@dataclass(frozen=True)
class FictitiousPlayConfig:
    """How responses are averaged."""

    is_linear: bool = False
    """Whether response t counts t times in the average, instead of all alike."""
    alternates: bool = True
    """Whether each player already answers the new averages of those before."""


class FictitiousPlay:
    """Plays an `ExplicitTree`, or a Python game by its tree. One step updates every player once.

    Needs perfect recall. Converges in two-player zero-sum games, more slowly than the CFR family.
    """

    def __init__(
        self,
        game: ExplicitTree | PythonGame[Any, Any],
        config: FictitiousPlayConfig | None = None,
    ) -> None:
        self.game = game
        self.tree = explicit_tree(game)
        self.config = config = config or FictitiousPlayConfig()
        self._play = _native.FictitiousPlay(
            self.tree.sequence_form, is_linear=config.is_linear, alternates=config.alternates
        )

    @property
    def iteration(self) -> int:
        return self._play.iteration

    def step(self, count: int = 1) -> Metrics:
        self._play.step(count)
        return {"nodes": float(self.iteration * self.tree.nodes_touched)}

    def average_strategy(self) -> NDArray[np.float64]:
        """The average strategy, uniform where it never comes.  [infosets, max_actions]"""
        return self._play.average_strategy()

    def evaluate(self) -> Exploitability:
        """All figures of the average strategy at once, in payoff units."""
        return exploitability(self.tree, self.average_strategy())

    def exploitability(self) -> float:
        return self.evaluate().exploitability

    def best_response_gains(self) -> list[float]:
        return list(self.evaluate().gains)

    def values(self) -> list[float]:
        return list(self.evaluate().values)

    def num_infosets(self) -> int:
        return self.tree.num_infosets

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        return strategy_by_name(self.tree, self.average_strategy())

    def policy(self) -> TablePolicy:
        return tree_policy(self.game, self.tree, self.average_strategy())

    def state(self) -> Arrays:
        return {
            "iteration": np.array([self.iteration], dtype=np.int64),
            "average_plans": self._play.average_plans(),  # [infosets, max_actions]
        }

    def restore(self, state: Arrays) -> None:
        self._play.restore(int(state["iteration"][0]), state["average_plans"])


def make(
    name: str,
    game: ExplicitTree | PythonGame[Any, Any],
    /,
    *,
    threads: int = 1,
    seed: int = 0,
    **options: Any,
) -> FictitiousPlay:
    """For the table of algorithms; one thread does it, and nothing is random."""
    return FictitiousPlay(game, read_options(FictitiousPlayConfig, name, options))
