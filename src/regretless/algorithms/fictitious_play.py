# SPDX-License-Identifier: MIT
"""Fictitious play with exact best responses, averaged by realisation plans.

Brown 1951; in extensive form Heinrich, Lanctot and Silver 2015 (XFP, Algorithm 1). Deviations: the
uniform strategy that is answered first does not count in the average, and players alternate unless
configured otherwise, as in Brown's paper but not in XFP.
"""

from dataclasses import dataclass

import numpy as np

from regretless import _native
from regretless.algorithm import Arrays
from regretless.solvers.explicit_solver import IterativeSolver, TreeGame


@dataclass(frozen=True)
class FictitiousPlayConfig:
    """Options of the average."""

    is_linear: bool = False
    """Whether response t counts t times in the average, instead of all alike."""
    alternating: bool = True
    """Each player answers the new averages of those before; else all answer the old ones."""


class FictitiousPlay(IterativeSolver):
    """Plays an `ExplicitTree`, or a Python game by its tree. One step updates every player once.

    Converges in two-player zero-sum games, more slowly than the CFR family.
    """

    Config = FictitiousPlayConfig

    solver: _native.FictitiousPlay

    def __init__(self, game: TreeGame, config: FictitiousPlayConfig | None = None) -> None:
        super().__init__(game)
        self.config = config = config or FictitiousPlayConfig()
        self.solver = _native.FictitiousPlay(
            self.tree.sequence_form, is_linear=config.is_linear, alternating=config.alternating
        )

    def state(self) -> Arrays:
        return {
            "iteration": np.array([self.steps_done], dtype=np.int64),
            "average_plans": self.solver.average_plans(),  # [infosets, max_actions]
        }
