# SPDX-License-Identifier: MIT
"""The gate of a value network: spots of the street before it, measured in the exact tree.

Turns are solved with a network of the river at their leaves, flops with one of the turn. Of such a
solve only the strategy of its street is taken. One player is held to it, and the game is solved
again: he plays later streets as well as can be, the other answers everything. What a best response
then wins beyond the value of the game, the mean over both players, is what the strategy loses. The
same is done with the strategy of the exact solve, for comparison.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.evaluation.measures import Measure
from regretless.games.spots import begin_at, make_spot
from regretless.networks.street_values import StreetWeights
from regretless.notation.cards import format_cards
from regretless.search.holdem_search import Solver
from regretless.search.streets.leaves import LeafAnswers, NetworkValues, solve_to_leaves
from regretless.search.streets.random_ranges import RangeDraws, mean_order, random_stacks
from regretless.search.streets.sights import run_out_places
from regretless.watch import UNWATCHED, Watch

_POT = 1_000
_SPOTS = 3  # stream of randomness
_DEPTHS = (100.0, 200.0)
_LEAST = 1e-7  # weight of a hand
_HANDS = 1326
_SMALL = {"open": "100%,a", "raise": "a"}
_Strategies = dict[tuple[int, ...], NDArray[np.float64]]


@dataclass(frozen=True)
class GateSizes:
    """The work of a gate."""

    spots: int = 20
    iterations: int = 200
    """Iterations of the turn with the network at its leaves."""
    exact: int = 300
    """Iterations of a solve to the end of the hand."""
    threads: int = 1
    """Threads of these solves."""


@dataclass(frozen=True)
class GateRow:
    """The losses of the turn strategies of one spot, in % of the pot."""

    spot: str
    stack: float
    """In pots."""
    exact: float
    """The loss of the strategy of the exact solve."""
    network: float


@dataclass(frozen=True)
class _Kind:
    """The spots of a street, and the work for each."""

    street: str
    menu: Mapping[str, Any]
    cards: int
    hands: int
    """Hands of a range: those of most weight."""
    sizes: GateSizes


GATES = {
    "river": _Kind(
        "turn",
        {"all": {"open": "100%,a", "raise": "100%,a"}, "max_raises": 3},
        4,
        1128,
        GateSizes(),
    ),
    "turn": _Kind(
        "flop",
        {"flop": _SMALL, "turn": _SMALL, "river": _SMALL, "max_raises": 2},
        3,
        150,
        GateSizes(spots=5, iterations=100, exact=150),
    ),
}
"""The gates by the street of a network."""


def gate_of(street: str) -> _Kind:
    """Returns the gate of networks of a street; InputError where there is none."""
    if street not in GATES:
        raise InputError(f"a {street} network has no gate: its spots begin before the flop")
    return GATES[street]


def gate_spots(street: str, count: int, seed: int = 0) -> Iterator[_native.Poker]:
    """Yields the spots for networks of a street.

    Boards and stacks are random, and ranges R(S, p) along the mean strength, cut to fewer hands.
    """
    kind = gate_of(street)
    left = 52 - kind.cards
    draws = RangeDraws(left * (left - 1) // 2)
    for number in range(count):
        bits = np.random.Philox(key=[seed, _SPOTS], counter=[0, 0, 0, number])
        random = np.random.Generator(bits)
        board = random.choice(52, kind.cards, replace=False).astype(np.uint8)
        stack = float(random_stacks(random, 1, _DEPTHS)[0])
        ranges = _ranges(random, board, draws, kind.hands)
        text, chips = format_cards(board.tolist()), max(1, round(stack * _POT))
        spot = make_spot(text, _POT, chips, "random", "random", kind.menu)
        yield cast(_native.Poker, begin_at(spot.game, weights=ranges.tolist()))


def _ranges(
    random: np.random.Generator, board: NDArray[np.uint8], draws: RangeDraws, hands: int
) -> NDArray[np.float64]:
    """Returns R(S, p) along the mean place over all run-outs: [2, hands]."""
    order = mean_order(run_out_places(board[None], torch.device("cpu")))[0].numpy()
    ranges = np.zeros((2, _HANDS))
    drawn = np.maximum(draws.ranges(*draws.draw(random, 2)), _LEAST)
    least = np.sort(drawn, axis=1)[:, -hands, None]
    ranges[:, order[_HANDS - draws.hands :]] = np.where(drawn >= least, drawn, 0)
    return ranges


def street_strategies(solver: Solver, player: int) -> _Strategies:
    """Returns the average strategy of a player before public cards, by the slots before it."""
    actors = solver.problem.actors
    return {
        path: solver.strategy(node)
        for path, node in _street_nodes(solver.problem).items()
        if actors[node] == player
    }


def _street_nodes(problem: _native.VectorProblem) -> dict[tuple[int, ...], int]:
    """Returns the decisions before public cards by the slots that lead there."""
    found: dict[tuple[int, ...], int] = {}
    open_nodes: list[tuple[tuple[int, ...], int]] = [((), 0)]
    while open_nodes:
        path, node = open_nodes.pop()
        if problem.actors[node] < 0:
            continue
        found[path] = node
        first, count = int(problem.first_children[node]), int(problem.num_children[node])
        for child in range(first, first + count):
            open_nodes.append(((*path, int(problem.events[child])), child))
    return found


def street_loss(
    game: _native.Poker,
    strategies: tuple[_Strategies, _Strategies],
    iterations: int,
    threads: int = 1,
) -> float:
    """Returns what the strategies of a street lose in the exact tree, in chips.

    Streets after it are solved again, so a loss is that of the street alone.
    """
    gains = 0.0
    for player in range(2):
        solver = _native.VectorSolver(game, _native.Discounts("dcfr"), threads=threads)
        nodes = _street_nodes(solver.problem)
        for path, strategy in strategies[player].items():
            solver.lock(nodes[path], strategy)
        solver.step(iterations)
        gains += solver.best_value(1 - player)
    return gains / 2


def _both(solver: Solver) -> tuple[_Strategies, _Strategies]:
    return street_strategies(solver, 0), street_strategies(solver, 1)


def gate_row(
    game: _native.Poker,
    answers: LeafAnswers,
    sizes: GateSizes,
    watch: Watch = UNWATCHED,
    look: Callable[[float], None] = lambda share: None,
) -> GateRow:
    """Measures one spot; `look` receives the share that is done."""
    exact = _native.VectorSolver(game, _native.Discounts("dcfr"), threads=sizes.threads)
    exact.step(sizes.exact)
    look(1 / 6)
    solved = solve_to_leaves(game, answers, sizes.iterations, watch=watch)
    losses = []
    for share, each in ((1 / 3, exact), (2 / 3, solved)):
        look(share)
        losses.append(street_loss(game, _both(each), sizes.exact, sizes.threads))
    pot = float(sum(game.rules.antes))
    stack = (min(game.rules.stacks) - pot / 2) / pot
    return GateRow(format_cards(game.board), stack, *(100 * each / pot for each in losses))


def gate(
    weights: StreetWeights,
    sizes: GateSizes | None = None,
    *,
    device: str = "cpu",
    watch: Watch = UNWATCHED,
) -> list[GateRow]:
    """Measures a network on random spots."""
    street = weights.shape.street
    sizes = sizes or gate_of(street).sizes
    answers, rows = NetworkValues(weights.build(), device), []
    quiet = replace(watch, tell=lambda what, share: None)
    for number, game in enumerate(gate_spots(street, sizes.spots)):

        def look(share: float, number: int = number) -> None:
            watch.look("measuring", (number + share) / sizes.spots)

        look(0.0)
        rows.append(gate_row(game, answers, sizes, quiet, look))
    return rows


def gate_measures(street: str, rows: Sequence[GateRow], sizes: GateSizes) -> list[Measure]:
    """Returns the figures of the gate of a network of a street, for a bundle."""
    kind = gate_of(street)
    how = (
        f"{len(rows)} random {kind.street}s of {sizes.iterations:,} iterations; the strategy of "
        f"the {kind.street} is held, and later streets are solved again"
    )
    beyond = np.array([row.network - row.exact for row in rows])
    half = 1.96 * beyond.std(ddof=1) / len(rows) ** 0.5 if len(rows) > 1 else np.inf
    mean, unit = float(beyond.mean()), "% of the pot"
    return [
        Measure(
            "gate_loss",
            f"loss of {kind.street}s solved with the network, beyond exact {street}s",
            mean,
            unit,
            how,
            mean - half,
            mean + half,
        ),
        Measure(
            "gate_exact",
            f"loss of {kind.street}s solved with exact {street}s",
            float(np.mean([row.exact for row in rows])),
            unit,
            how,
        ),
    ]
