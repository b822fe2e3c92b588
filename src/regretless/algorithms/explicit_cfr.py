# SPDX-License-Identifier: MIT
"""Counterfactual regret minimisation over a game written out in full, for any number of players.

Zinkevich et al. 2007 (cfr), Tammelin 2014 (cfr+), Brown and Sandholm 2019 (linear, dcfr), Farina et
al. 2021 (pcfr+), Xu et al. 2024 (pdcfr+). Histories are folded into sequences, which changes
nothing but the speed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, Metrics
from regretless.errors import InputError
from regretless.evaluation.exploitability import Exploitability, exploitability
from regretless.games.explicit_tree import ExplicitTree, explicit_tree, strategy_by_name
from regretless.games.python_game import PythonGame
from regretless.options import read_options
from regretless.policy import TablePolicy, tree_policy


@dataclass(frozen=True)
class ExplicitCFRConfig:
    """Which member of the family; exponents that are None are those of the variant."""

    variant: str = "cfr+"
    """cfr, cfr+, linear, dcfr, pcfr+ or pdcfr+."""
    alpha: float | None = None
    """A positive regret is multiplied by t^alpha / (t^alpha + 1) after iteration t."""
    beta: float | None = None
    """The same for a negative regret."""
    gamma: float | None = None
    """Iteration t counts t^gamma in the average strategy."""
    alternates: bool = True
    """Whether each player already answers the new strategies of those before."""


class ExplicitCFR:
    """Solves an `ExplicitTree`, or a Python game by its tree. One step updates every player once.

    Needs perfect recall. The average strategy of two players in a zero-sum game converges to an
    equilibrium; in other games only the regrets have a guarantee.
    """

    def __init__(
        self,
        game: ExplicitTree | PythonGame[Any, Any],
        config: ExplicitCFRConfig | None = None,
    ) -> None:
        self.game = game
        self.tree = explicit_tree(game)
        self.config = config = config or ExplicitCFRConfig()
        form = self.tree.sequence_form
        try:
            self._solver = _native.ExplicitCfr(
                form,
                config.variant,
                alpha=config.alpha,
                beta=config.beta,
                gamma=config.gamma,
                alternates=config.alternates,
            )
        except ValueError as error:
            raise InputError(str(error)) from None

    @property
    def iteration(self) -> int:
        return self._solver.iteration

    def step(self, count: int = 1) -> Metrics:
        self._solver.step(count)
        return {"nodes": float(self.iteration * self.tree.nodes_touched)}

    def average_strategy(self) -> NDArray[np.float64]:
        """The average strategy, uniform where it never comes.  [infosets, max_actions]"""
        return self._solver.average_strategy()

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
        return self._solver.state()

    def restore(self, state: Arrays) -> None:
        arrays = dict(state)
        iteration = int(arrays.pop("iteration")[0])
        self._solver.restore(iteration, **arrays)


def make(
    name: str,
    game: ExplicitTree | PythonGame[Any, Any],
    /,
    *,
    threads: int = 1,
    seed: int = 0,
    **options: Any,
) -> ExplicitCFR:
    """For the table of algorithms; one thread does it, and nothing is random."""
    return ExplicitCFR(game, read_options(ExplicitCFRConfig, name, options, variant=name))
