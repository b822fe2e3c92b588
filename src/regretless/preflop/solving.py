# SPDX-License-Identifier: MIT
"""PCFR+ over classes of hands before the flop, and the exact best response to its strategy.

Classes lose nothing: hands of one class differ in the names of suits alone. What a class meets of
another is weighted by the pairs of hands without a common card. Each iteration updates one seat
after the other by regrets that are never negative, with the last ones as a guess of the next
(Farina, Kroer and Sandholm 2021); the average weighs iterations by their square.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.preflop.matchups import COMBOS, NUM_CLASSES, load_matchups
from regretless.preflop.tree import BIG_BLIND, SMALL_BLIND, PreflopSpot, PreflopTree, make_tree

Floats = NDArray[np.float64]

EXACT_TARGET, FLOP_TARGET = 3e-8, 1e-5  # big blinds: by default, without and with flops
DEFAULT_ITERATIONS = 20_000
_MEASURE_EVERY = 50  # iterations
_NUM_DEALS = 1326 * 1225  # ordered pairs of hands


@dataclass
class Walk:
    """Reaches down and values up a tree, for vectors over classes."""

    tree: PreflopTree
    pairs: Floats = field(init=False)  # [classes, classes]
    shares: Floats = field(init=False)  # [classes, classes]: pairs times equity

    def __post_init__(self) -> None:
        matchups = load_matchups()
        self.pairs = matchups.pairs.astype(np.float64)
        self.shares = matchups.pairs * matchups.equities

    def reaches(self, strategy: Floats) -> Floats:
        """[2, nodes + 1, classes] of a strategy [decisions, actions, classes]; the last is none."""
        tree = self.tree
        reaches = np.ones((2, tree.num_nodes + 1, NUM_CLASSES))
        for level in tree.levels:
            nodes, children = tree.decision_nodes[level], tree.children[level]
            seat = tree.decisions[level.start].seat
            reaches[seat, children] = reaches[seat, nodes][:, None] * strategy[level]
            reaches[1 - seat, children] = reaches[1 - seat, nodes][:, None]
        return reaches

    def values(self, seat: int, reaches: Floats, strategy: Floats, best: bool = False) -> Floats:
        """[nodes + 1, classes]: cfvs of a seat that plays the strategy, or best, in big blinds."""
        tree = self.tree
        values = np.zeros((tree.num_nodes + 1, NUM_CLASSES))
        others = reaches[1 - seat, tree.ending_nodes]  # [endings, classes]
        won, lost = tree.won[seat][:, None], tree.lost[seat][:, None]
        values[tree.ending_nodes] = others @ self.pairs * lost + others @ self.shares.T * (
            won - lost
        )
        legal = tree.legal[:, :, None]
        for level in reversed(tree.levels):
            after = values[tree.children[level]]  # [decisions, actions, classes]
            if tree.decisions[level.start].seat != seat:
                found = after.sum(axis=1)
            elif best:
                found = np.where(legal[level], after, -np.inf).max(axis=1)
            else:
                found = (strategy[level] * after).sum(axis=1)
            values[tree.decision_nodes[level]] = found
        return values

    def value(self, values: Floats) -> float:
        """What values [nodes + 1, classes] say of the root: big blinds on average."""
        return float(values[0].sum() / _NUM_DEALS)


@dataclass
class PreflopSolver:
    """Regrets, their last change and sums of the average, [decisions, actions, classes]."""

    tree: PreflopTree
    walk: Walk = field(init=False)
    iterations: int = 0
    regrets: Floats = field(init=False)
    guesses: Floats = field(init=False)
    sums: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.walk = Walk(self.tree)
        self.regrets = np.zeros((*self.tree.children.shape, NUM_CLASSES))
        self.guesses = np.zeros_like(self.regrets)
        self.sums = np.zeros_like(self.regrets)

    def step(self) -> None:
        """One iteration: an update of each seat."""
        tree = self.tree
        self.iterations += 1
        for seat in (SMALL_BLIND, BIG_BLIND):
            strategy = _normalize(np.maximum(self.regrets + self.guesses, 0), tree)
            reaches = self.walk.reaches(strategy)
            values = self.walk.values(seat, reaches, strategy)
            for level in tree.levels[seat != SMALL_BLIND :: 2]:  # the small blind is first
                nodes, children = tree.decision_nodes[level], tree.children[level]
                regrets = values[children] - values[nodes][:, None]
                self.guesses[level] = regrets * tree.legal[level][:, :, None]
                self.regrets[level] = np.maximum(self.regrets[level] + self.guesses[level], 0)
                own = reaches[seat, nodes][:, None] * strategy[level]
                self.sums[level] += self.iterations**2 * own

    def average(self) -> Floats:
        """The average strategy, [decisions, actions, classes]."""
        return _normalize(self.sums, self.tree)


def _normalize(weights: Floats, tree: PreflopTree) -> Floats:
    """Shares of the legal actions; all alike where there is no weight."""
    totals = weights.sum(axis=1, keepdims=True)
    legal = tree.legal[:, :, None]
    even = legal / legal.sum(axis=1, keepdims=True)
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1), even)


@dataclass(frozen=True)
class PreflopSolution:
    """A strategy with what it is worth."""

    spot: PreflopSpot
    tree: PreflopTree
    iterations: int
    strategy: Floats  # [decisions, actions, classes]
    value: float  # of the small blind, in big blinds; the big blind gets the opposite
    exploitability: float  # big blinds
    action_values: Floats  # [decisions, actions, classes]: big blinds on average, nan if never
    ranges: Floats  # [decisions, classes]: the actor's reach
    frequencies: Floats  # [decisions]: share of all deals that come there
    class_values: Floats  # [2, classes]: big blinds of each seat with each class

    @property
    def is_exact(self) -> bool:
        """Whether no flop is seen with chips left, so that nothing is left out."""
        return not self.tree.sees_flop.any()

    def totals(self, decision: int) -> Floats:
        """[actions]: the share of the actor's hands that come there and choose each."""
        weights = self.ranges[decision] * COMBOS
        total = weights.sum()
        shares: Floats = self.strategy[decision] @ weights / (total if total > 0 else 1)
        return shares[: len(self.tree.decisions[decision].actions)]


Progress = Callable[[int, float], None]  # iterations, exploitability


def solve_preflop(
    spot: PreflopSpot,
    *,
    target: float | None = None,
    iterations: int = DEFAULT_ITERATIONS,
    progress: Progress | None = None,
) -> PreflopSolution:
    """An equilibrium of two players before the flop, to a target or so many iterations.

    `target` is an exploitability in big blinds; by default 3e-8, or 1e-5 where a flop
    is seen. Exact where play ends with a fold or all-in; where a flop is seen, hands are valued by
    their equity, as if nobody bet any more.
    """
    if target is not None and not target >= 0:
        raise InputError(f"target: must not be negative, not {target!r}")
    if not 1 <= iterations <= 10**9:
        raise InputError(f"iterations: must be 1 to a billion, not {iterations!r}")
    solver = PreflopSolver(make_tree(spot.game()))
    if target is None:
        target = FLOP_TARGET if solver.tree.sees_flop.any() else EXACT_TARGET
    while True:
        for _ in range(min(_MEASURE_EVERY, iterations - solver.iterations)):
            solver.step()
        strategy = solver.average()
        exploitability = find_exploitability(solver.walk, strategy)
        if progress is not None:
            progress(solver.iterations, exploitability)
        if exploitability <= target or solver.iterations >= iterations:
            return _tell(spot, solver, strategy, exploitability)


def find_exploitability(walk: Walk, strategy: Floats) -> float:
    """What best responses gain on average over both seats, in big blinds."""
    reaches = walk.reaches(strategy)
    best = [walk.value(walk.values(seat, reaches, strategy, best=True)) for seat in (0, 1)]
    return max(0.0, sum(best) / 2)


def _tell(
    spot: PreflopSpot, solver: PreflopSolver, strategy: Floats, exploitability: float
) -> PreflopSolution:
    tree, walk = solver.tree, solver.walk
    reaches = walk.reaches(strategy)
    values = np.stack([walk.values(seat, reaches, strategy) for seat in (0, 1)])
    seats = np.array([each.seat for each in tree.decisions])
    others = reaches[1 - seats, tree.decision_nodes]  # [decisions, classes]
    own = reaches[seats, tree.decision_nodes]
    met = others @ walk.pairs  # [decisions, classes]
    after = values[seats[:, None], tree.children]  # [decisions, actions, classes]
    is_met = (met > 0)[:, None] & tree.legal[:, :, None]
    action_values = np.where(is_met, after / np.where(met > 0, met, 1)[:, None], np.nan)
    return PreflopSolution(
        spot,
        tree,
        solver.iterations,
        strategy,
        walk.value(values[SMALL_BLIND]),
        exploitability,
        action_values,
        own,
        (own * met).sum(axis=1) / _NUM_DEALS,
        values[:, 0] / walk.pairs.sum(axis=1),
    )
