# SPDX-License-Identifier: MIT
"""The CFR family: counterfactual regret minimisation and its variants.

CFR (Zinkevich et al. 2007), CFR+ (Tammelin 2014), linear and discounted CFR (Brown and Sandholm
2019), PCFR+ (Farina et al. 2021) and PDCFR+ (Xu et al. 2024). One iteration updates both players
once, by default one after the other (alternating). Native games for two are solved over the public
tree by one of the backends (solvers/backend.py), all other games as explicit trees.
"""

from typing import Any

from regretless.algorithm import Solver
from regretless.algorithms import explicit_cfr
from regretless.solvers.backend import find_backend, has_public_tree


def make(name: str, game: Any, /, *, seed: int = 0, **options: Any) -> Solver:
    """Makes the solver for the table of algorithms; nothing is random, so the seed is not used."""
    if not has_public_tree(game):
        return explicit_cfr.make(name, game, **options)
    backend = find_backend(options)
    return backend.make(game, backend.read_config(name, options))


def set_up_process(name: str, /, *, seed: int = 0, **options: Any) -> None:
    """Applies the settings of the backend, if the options name a device."""
    if "device" in options:
        backend = find_backend(options)
        backend.set_up_process(backend.read_config(name, options))
