# SPDX-License-Identifier: MIT
"""Counterfactual regret minimisation over an explicit tree, for any number of players.

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
from regretless.options import read_options
from regretless.solvers.explicit_solver import NODES_AT_ONCE, ExplicitSolver, TreeGame
from regretless.watch import UNWATCHED, Watch


@dataclass(frozen=True)
class ExplicitCFRConfig:
    """The member of the family; exponents that are None are its own."""

    name: str = "cfr+"
    """cfr, cfr+, linear, dcfr, pcfr+ or pdcfr+."""
    alpha: float | None = None
    """A positive regret is multiplied by t^alpha / (t^alpha + 1) after iteration t."""
    beta: float | None = None
    """A negative regret is multiplied by t^beta / (t^beta + 1) after iteration t."""
    gamma: float | None = None
    """Iteration t counts t^gamma in the average strategy."""
    alternating: bool = True
    """Each player answers the new strategies of those before; else all answer the old ones."""


class ExplicitCFR(ExplicitSolver):
    """Solves an `ExplicitTree`, or a Python game by its tree. One step updates every player once.

    The average strategy of two players in a zero-sum game converges to an equilibrium; in other
    games only the regrets have a guarantee.
    """

    def __init__(self, game: TreeGame, config: ExplicitCFRConfig | None = None) -> None:
        super().__init__(game)
        self.config = config = config or ExplicitCFRConfig()
        try:
            self._solver = _native.ExplicitCfr(
                self.tree.sequence_form,
                config.name,
                alpha=config.alpha,
                beta=config.beta,
                gamma=config.gamma,
                alternating=config.alternating,
            )
        except ValueError as error:
            raise InputError(str(error)) from None

    @property
    def steps_done(self) -> int:
        return self._solver.iteration

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        for piece in watch.pieces(count, NODES_AT_ONCE // self.tree.nodes_touched):
            self._solver.step(piece)
        return {"nodes": float(self.steps_done * self.tree.nodes_touched)}

    def average_strategy(self) -> NDArray[np.float64]:
        return self._solver.average_strategy()

    def state(self) -> Arrays:
        return self._solver.state()

    def restore(self, state: Arrays) -> None:
        arrays = dict(state)
        iteration = int(arrays.pop("iteration")[0])
        self._solver.restore(iteration, **arrays)


def make(
    name: str,
    game: TreeGame,
    /,
    *,
    threads: int = 1,
    seed: int = 0,
    **options: Any,
) -> ExplicitCFR:
    """For the table of algorithms; one thread does it, and nothing is random."""
    return ExplicitCFR(
        game, read_options(ExplicitCFRConfig, f"algorithm {name!r}", options, name=name)
    )
