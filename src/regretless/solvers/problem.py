# SPDX-License-Identifier: MIT
"""The problem of every solver of the CFR family: a public tree, and a member of the family."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.games import Game, with_hands

NAMES = tuple(_native.cfr_family())
NODES_AT_ONCE = 20_000_000
"""Nodes that may be touched between two looks at a watch."""


@dataclass(frozen=True)
class FamilyConfig:
    """The member of the family; exponents that are None are its own."""

    name: str = "cfr+"
    """One of cfr, cfr+, linear, dcfr, pcfr+, pdcfr+."""
    alpha: float | None = None
    """After iteration t a positive regret is multiplied by t^alpha / (t^alpha + 1)."""
    beta: float | None = None
    """After iteration t a negative regret is multiplied by t^beta / (t^beta + 1)."""
    gamma: float | None = None
    """Iteration t counts t^gamma in the average strategy."""
    alternating: bool = True
    """Each player answers the new strategies of those before; else all answer the old ones."""


@dataclass(frozen=True)
class CFRConfig(FamilyConfig):
    """The member of the family and the public tree."""

    threads: int = 1
    """Used below public chance nodes; the number does not change the result."""
    merge_suits: bool = True
    """Solve public cards that are equal up to suit isomorphism only once."""
    max_bytes: int = 1 << 36
    """The most memory that a problem may take."""
    precision: int | None = None
    """Bits of a number in the tables of hold'em: 32, or 16. None uses 16 where 32 would take more
    than 2 GiB or `max_bytes`. Small games always have 64."""
    board: tuple[int, ...] = ()
    """Public cards of the root; empty for the beginning of the game."""
    weights: tuple[Sequence[float], Sequence[float]] | None = None
    """Weight of every hand of each player at the root; None for the weights of the game."""


def make_vector_solver(game: Game, config: CFRConfig) -> _native.VectorSolver:
    """Makes the native solver with its problem."""
    native = with_hands(game, "a solver over public states")
    discounts = make_discounts(config)
    with refusing(native.name):
        return _native.VectorSolver(
            native,
            discounts,
            threads=config.threads,
            precision=config.precision or 0,
            **_root(config),
        )


def planned_size(game: _native.Poker | _native.LiarsDice, config: CFRConfig) -> _native.SolveSize:
    """The size of the native solver before anything is built; infosets are not counted."""
    discounts = make_discounts(config)
    with refusing(game.name):
        return _native.planned_size(
            game, discounts, precision=config.precision or 0, **_root(config)
        )


def make_problem(game: Game, config: CFRConfig) -> _native.VectorProblem:
    """The problem alone: public tree, ranges and showdowns."""
    native = with_hands(game, "a problem over public states")
    with refusing(native.name):
        return _native.VectorProblem(native, **_root(config))


def _root(config: CFRConfig) -> dict[str, Any]:
    weights = config.weights or ((), ())
    return {
        "board": list(config.board),
        "weights": [list(weights[0]), list(weights[1])],
        "merge_suits": config.merge_suits,
        "max_bytes": config.max_bytes,
    }


def nodes_touched(problem: _native.VectorProblem) -> int:
    """Nodes of one iteration: decisions and endings times the hands of each player."""
    num_nodes = int(np.count_nonzero(problem.actors != _native.CHANCE))
    return num_nodes * sum(len(problem.hands(player)) for player in range(2))


def make_discounts(config: FamilyConfig) -> _native.Discounts:
    """The member of the family, with the exponents of the config."""
    if config.name not in NAMES:
        problem = f"unknown member {config.name!r} of the CFR family"
        raise InputError.unknown(problem, config.name, NAMES)
    discounts = _native.Discounts(config.name)
    for key in ("alpha", "beta", "gamma"):
        exponent = vars(config)[key]
        if exponent is None:
            continue
        if math.isnan(exponent):
            raise InputError(f"{key}: must be a number, not {exponent}")
        setattr(discounts, key, exponent)
    discounts.alternating = config.alternating
    return discounts
