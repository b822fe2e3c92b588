# SPDX-License-Identifier: MIT
"""Preflop play over the 169 classes of starting hands, solved by PCFR+ of the core.

Classes lose nothing: hands of one class differ in the names of suits alone. A pair of classes is
weighted by its pairs of hands without a common card, so the betting is a `TabularGame` with pair
weights, solved as any other public tree (Farina, Kroer and Sandholm 2021).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.preflop.matchups import COMBOS, NUM_CLASSES, load_matchups
from regretless.preflop.tree import (
    BIG_BLIND,
    SEAT_NAMES,
    SMALL_BLIND,
    Decision,
    PreflopSpot,
    PreflopTree,
    make_tree,
)

Floats = NDArray[np.float64]

EXACT_TARGET, FLOP_TARGET = 3e-8, 1e-5  # big blinds: by default, without and with flops
DEFAULT_ITERATIONS = 20_000
_MEASURE_EVERY = 50  # iterations
_NUM_DEALS = 1326 * 1225  # ordered pairs of hands
PLAYERS = (SMALL_BLIND, BIG_BLIND)  # the seats of the players of the game: the small blind is first


def preflop_game(tree: PreflopTree) -> _native.TabularGame:
    """The betting as a game in big blinds; its nodes are those of the tree.

    With the equity e of a pair, an ending pays won e + lost (1 - e): an offset of the mean of won
    and lost, and half their difference times 2 e - 1, the one table of the game.
    """
    matchups = load_matchups()
    weights = matchups.pairs / matchups.pairs.max()
    actors = np.full(tree.num_nodes, _native.TERMINAL, np.int8)
    first_children = np.zeros(tree.num_nodes, np.int32)
    num_children = np.zeros(tree.num_nodes, np.int32)
    slots = np.full(tree.num_nodes, -1, np.int32)
    tables = np.full(tree.num_nodes, -1, np.int32)
    scales, offsets = np.zeros(tree.num_nodes), np.zeros(tree.num_nodes)
    for decision in tree.decisions:
        node, children = decision.node, decision.children
        actors[node] = PLAYERS.index(decision.seat)
        first_children[node], num_children[node] = children.start, len(children)
        slots[list(children)] = range(len(children))
    won, lost = tree.won[SMALL_BLIND], tree.lost[SMALL_BLIND]
    tables[tree.ending_nodes] = 0
    scales[tree.ending_nodes], offsets[tree.ending_nodes] = (won - lost) / 2, (won + lost) / 2
    return _native.TabularGame(
        name="preflop",
        unit=1.0,
        action_names=[str(slot) for slot in range(tree.most_actions)],
        actors=actors,
        first_children=first_children,
        num_children=num_children,
        slots=slots,
        stakes=np.ones(tree.num_nodes),
        features=np.zeros((tree.num_nodes, 1), np.float32),
        pair_weights=weights,
        tables=tables,
        scales=scales,
        payoffs=(weights * (2 * matchups.equities - 1))[None],
        offsets=offsets,
    )


def node_values(tree: PreflopTree, strategy: Floats) -> tuple[Floats, Floats]:
    """Reaches, and cfvs in big blinds times pairs of hands, of both seats.  [2, nodes, classes]"""
    matchups = load_matchups()
    reaches = np.ones((2, tree.num_nodes, NUM_CLASSES))
    values = np.zeros_like(reaches)
    played = [(each, list(each.children)) for each in tree.decisions]
    for (decision, children), rows in zip(played, strategy, strict=True):
        reaches[:, children] = reaches[:, [decision.node]]
        reaches[decision.seat, children] *= rows[: len(children)]
    for seat in (0, 1):
        others = reaches[1 - seat, tree.ending_nodes]  # [endings, classes]
        won, lost = tree.won[seat][:, None], tree.lost[seat][:, None]
        shares = others @ (matchups.pairs * matchups.equities).T
        values[seat, tree.ending_nodes] = others @ matchups.pairs * lost + shares * (won - lost)
    for (decision, children), rows in zip(reversed(played), strategy[::-1], strict=True):
        after = values[:, children]  # [2, actions, classes], a copy
        after[decision.seat] *= rows[: len(children)]
        values[:, decision.node] = after.sum(axis=1)
    return reaches, values


@dataclass(frozen=True)
class PreflopSolution:
    """A strategy with its values."""

    spot: PreflopSpot
    tree: PreflopTree
    iterations: int
    strategy: Floats  # [decisions, actions, classes]
    value: float  # of the small blind, in big blinds; the big blind gets the opposite
    exploitability: float  # big blinds
    action_values: Floats  # [decisions, actions, classes]: expected big blinds, nan if unreached
    ranges: Floats  # [decisions, classes]: the actor's reach
    frequencies: Floats  # [decisions]: share of all deals that reach the decision
    class_values: Floats  # [2, classes]: big blinds of each seat with each class

    unit = "bb"

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.tree.decisions

    @property
    def names(self) -> tuple[str, ...]:
        """The position of each seat."""
        return SEAT_NAMES

    def line_text(self, decision: int) -> str:
        """`SB raise 2.5, BB all-in`; empty before anything was done."""
        line = self.tree.decisions[decision].line
        return ", ".join(f"{SEAT_NAMES[PLAYERS[i % 2]]} {each}" for i, each in enumerate(line))

    @property
    def is_exact(self) -> bool:
        """Whether no flop is seen with chips left, so that all values are exact."""
        return not self.tree.sees_flop.any()

    def totals(self, decision: int) -> Floats:
        """The share of the actor's hands at a decision that choose each action: [actions]."""
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
    """Finds an equilibrium of two players before the flop.

    Ends at the `target`, an exploitability in big blinds (default 3e-8, or 1e-5 where a flop is
    seen), or after the iterations. Exact where play ends with a fold or all-in; where a flop is
    seen, hands are valued by their equity, as if both checked to the end.
    """
    if target is not None and not target >= 0:
        raise InputError(f"target: must not be negative, not {target!r}")
    if not 1 <= iterations <= 10**9:
        raise InputError(f"iterations: must be 1 to a billion, not {iterations!r}")
    tree = make_tree(spot.game())
    solver = _native.VectorSolver(preflop_game(tree), _native.Discounts("pcfr+"))
    if target is None:
        target = FLOP_TARGET if tree.sees_flop.any() else EXACT_TARGET
    while True:
        solver.step(min(_MEASURE_EVERY, iterations - solver.iteration))
        exploitability = max(0.0, sum(solver.best_value(player) for player in (0, 1)) / 2)
        if progress is not None:
            progress(solver.iteration, exploitability)
        if exploitability <= target or solver.iteration >= iterations:
            return _solution(spot, tree, solver, exploitability)


def _solution(
    spot: PreflopSpot, tree: PreflopTree, solver: _native.VectorSolver, exploitability: float
) -> PreflopSolution:
    strategy = np.zeros((len(tree.decisions), tree.most_actions, NUM_CLASSES))
    for number, decision in enumerate(tree.decisions):
        strategy[number, : len(decision.actions)] = solver.strategy(decision.node)
    (reaches, values), pairs = node_values(tree, strategy), load_matchups().pairs
    seats, nodes = np.array([(each.seat, each.node) for each in tree.decisions]).T
    own = reaches[seats, nodes]  # [decisions, classes]
    met = reaches[1 - seats, nodes] @ pairs
    action_values = np.full(strategy.shape, np.nan)
    for decision, weights, of in zip(tree.decisions, met, action_values, strict=True):
        after = values[decision.seat, list(decision.children)]
        np.divide(after, weights, out=of[: len(after)], where=weights > 0)
    return PreflopSolution(
        spot=spot,
        tree=tree,
        iterations=solver.iteration,
        strategy=strategy,
        value=float(values[SMALL_BLIND, 0].sum() / _NUM_DEALS),
        exploitability=exploitability,
        action_values=action_values,
        ranges=own,
        frequencies=(own * met).sum(axis=1) / _NUM_DEALS,
        class_values=values[:, 0] / pairs.sum(axis=1),
    )
