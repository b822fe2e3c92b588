# SPDX-License-Identifier: MIT
"""Fictitious play with exact best responses, averaged by realisation plans.

Brown 1951; in extensive form Heinrich, Lanctot and Silver 2015 (XFP, Algorithm 1). Deviations: the
uniform strategy that is answered first does not count in the average, and players alternate unless
configured otherwise, as in Brown's paper but not in XFP.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, Metrics
from regretless.options import read_options
from regretless.solvers.explicit_solver import NODES_AT_ONCE, ExplicitSolver, TreeGame
from regretless.watch import UNWATCHED, Watch


@dataclass(frozen=True)
class FictitiousPlayConfig:
    """Options of the average."""

    is_linear: bool = False
    """Whether response t counts t times in the average, instead of all alike."""
    alternating: bool = True
    """Each player answers the new averages of those before; else all answer the old ones."""


class FictitiousPlay(ExplicitSolver):
    """Plays an `ExplicitTree`, or a Python game by its tree. One step updates every player once.

    Converges in two-player zero-sum games, more slowly than the CFR family.
    """

    def __init__(self, game: TreeGame, config: FictitiousPlayConfig | None = None) -> None:
        super().__init__(game)
        self.config = config = config or FictitiousPlayConfig()
        self._play = _native.FictitiousPlay(
            self.tree.sequence_form, is_linear=config.is_linear, alternating=config.alternating
        )

    @property
    def steps_done(self) -> int:
        return self._play.iteration

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        for piece in watch.pieces(count, NODES_AT_ONCE // self.tree.nodes_touched):
            self._play.step(piece)
        return {"nodes": float(self.steps_done * self.tree.nodes_touched)}

    def average_strategy(self) -> NDArray[np.float64]:
        return self._play.average_strategy()

    def state(self) -> Arrays:
        return {
            "iteration": np.array([self.steps_done], dtype=np.int64),
            "average_plans": self._play.average_plans(),  # [infosets, max_actions]
        }

    def restore(self, state: Arrays) -> None:
        self._play.restore(int(state["iteration"][0]), state["average_plans"])


def make(
    name: str,
    game: TreeGame,
    /,
    *,
    threads: int = 1,
    seed: int = 0,
    **options: Any,
) -> FictitiousPlay:
    """For the table of algorithms; one thread does it, and nothing is random."""
    return FictitiousPlay(game, read_options(FictitiousPlayConfig, f"algorithm {name!r}", options))
