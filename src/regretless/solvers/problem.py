# SPDX-License-Identifier: MIT
"""What every solver of the CFR family is given: which member of it, on which public tree."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game, with_hands

NAMES = tuple(_native.cfr_family())
NODES_AT_ONCE = 20_000_000
"""Nodes that may be touched between two looks at a watch."""


@dataclass(frozen=True)
class CFRConfig:
    """Which member of the family, and on what."""

    name: str = "cfr+"
    """One of cfr, cfr+, linear, dcfr, pcfr+, pdcfr+."""
    alpha: float | None = None
    """After iteration t a positive regret is multiplied by t^alpha / (t^alpha + 1)."""
    beta: float | None = None
    """The same for a negative regret."""
    gamma: float | None = None
    """Iteration t counts t^gamma in the average strategy."""
    alternating: bool = True
    """The second player answers the first one's new strategy; else both answer the old ones."""
    threads: int = 1
    """Used below public chance nodes; the number does not change the result."""
    merge_suits: bool = True
    """Solve public cards that a renaming of suits makes equal only once."""
    max_bytes: int = 1 << 36
    """Refuse problems that would take more memory."""
    precision: int | None = None
    """Bits of a number in the tables of hold'em: 32, or 16 with a scale for each node; none: 16
    only where 32 would take more than `max_bytes`. Small games always have 64."""
    board: tuple[int, ...] = ()
    """Public cards of the root, for games that begin with some; none: where the game begins."""
    weights: tuple[Sequence[float], Sequence[float]] | None = None
    """Weight of every hand of each player at the root; none: as the game says."""


def make_vector_solver(game: Game, config: CFRConfig) -> _native.VectorSolver:
    """The native solver, with the problem that it solves."""
    weights = config.weights or ((), ())
    try:
        return _native.VectorSolver(
            with_hands(game, "a solver over public states"),
            make_discounts(config),
            threads=config.threads,
            board=list(config.board),
            weights=[list(weights[0]), list(weights[1])],
            merges_suits=config.merge_suits,
            max_bytes=config.max_bytes,
            precision=config.precision or 0,
        )
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{game.name}: {error}") from None


def planned_size(game: _native.Poker | _native.LiarsDice, config: CFRConfig) -> _native.SolveSize:
    """What the native solver will take, before anything of it is made; infosets are not counted."""
    weights = config.weights or ((), ())
    try:
        return _native.planned_size(
            game,
            make_discounts(config),
            board=list(config.board),
            weights=[list(weights[0]), list(weights[1])],
            merges_suits=config.merge_suits,
            max_bytes=config.max_bytes,
            precision=config.precision or 0,
        )
    except ValueError as error:
        raise InputError(f"{game.name}: {error}") from None


def make_problem(game: Game, config: CFRConfig) -> _native.VectorProblem:
    """The problem alone: public tree, ranges and showdowns."""
    weights = config.weights or ((), ())
    try:
        return _native.VectorProblem(
            with_hands(game, "a problem over public states"),
            board=list(config.board),
            weights=[list(weights[0]), list(weights[1])],
            merges_suits=config.merge_suits,
            max_bytes=config.max_bytes,
        )
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{game.name}: {error}") from None


def nodes_touched(problem: _native.VectorProblem) -> int:
    """In one iteration: decisions and endings times the hands that each player may hold there."""
    num_nodes = int(np.count_nonzero(problem.actors != _native.CHANCE))
    return num_nodes * sum(len(problem.hands(player)) for player in range(2))


def state_bytes(solver: _native.VectorSolver, config: CFRConfig) -> int:
    """What the tables take as they are saved: regrets, sums and, if there are any, predictions."""
    num_tables = 3 if make_discounts(config).predicts else 2
    return 8 * num_tables * solver.size.entries


def make_discounts(config: CFRConfig) -> _native.Discounts:
    """The member of the family, with its exponents where the config says others."""
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
    discounts.alternates = config.alternating
    return discounts
