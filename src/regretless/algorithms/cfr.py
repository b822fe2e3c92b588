# SPDX-License-Identifier: MIT
"""The CFR family: counterfactual regret minimisation and its variants.

CFR (Zinkevich et al. 2007), CFR+ (Tammelin 2014), linear and discounted CFR (Brown and Sandholm
2019), PCFR+ (Farina et al. 2021) and PDCFR+ (Xu et al. 2024). One iteration updates both players
once, by default one after the other (alternating). Native games for two are solved over the public
tree by one of the backends (solvers/backend.py), all other games as explicit trees, for any number
of players.
"""

from typing import Any

from regretless import _native
from regretless.algorithm import Arrays, Solver
from regretless.errors import refusing
from regretless.options import read_options
from regretless.solvers.backend import find_backend, has_public_tree
from regretless.solvers.explicit_solver import IterativeSolver, TreeGame
from regretless.solvers.problem import FamilyConfig


def make(name: str, game: Any, /, **options: Any) -> Solver:
    """Makes the solver for the table of algorithms; one thread solves explicit trees."""
    if has_public_tree(game):
        backend = find_backend(options)
        return backend.make(game, backend.read_config(name, options))
    options.pop("threads", None)
    place = f"algorithm {name!r}"
    return ExplicitCFR(game, read_options(FamilyConfig, place, options, name=name))


def set_up_process(name: str, /, *, seed: int = 0, **options: Any) -> None:
    """Applies the settings of the backend, if the options name a device."""
    if "device" in options:
        backend = find_backend(options)
        backend.set_up_process(backend.read_config(name, options))


class ExplicitCFR(IterativeSolver):
    """Solves an `ExplicitTree`, or a Python game by its tree. One step updates every player once.

    Histories are folded into sequences, which changes nothing but the speed. The average strategy
    of two players in a zero-sum game converges to an equilibrium; in other games only the regrets
    have a guarantee.
    """

    solver: _native.ExplicitCfr

    def __init__(self, game: TreeGame, config: FamilyConfig | None = None) -> None:
        super().__init__(game)
        self.config = config or FamilyConfig()
        options = dict(vars(self.config))
        with refusing():
            self.solver = _native.ExplicitCfr(
                self.tree.sequence_form, options.pop("name"), **options
            )

    def state(self) -> Arrays:
        return self.solver.state()
