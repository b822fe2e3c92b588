# SPDX-License-Identifier: MIT
"""Many river spots of one betting tree, solved by the CPU spot by spot, or by a GPU at once.

The tree is fold, call, a bet of the pot and all-in, up to five bets. Amounts are clamped to the
stack, so spots of all stacks have the tree of a deep one and differ in its payoffs.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.equities import RULES
from regretless.games.spots import make_spot
from regretless.notation.cards import format_cards
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig, make_problem

Floats = NDArray[np.float32]

_MENU = {"all": {"open": "100%,a", "raise": "100%,a"}, "max_raises": 5}
HANDS = 1326
LEFT = 1081
"""Hands that a river leaves."""
_POT = 2_000  # chips
_DEEP = 1_000  # pots: five bets of the pot are no all-in
DEEP_BOARD = "2c3d5h8sKc"
"""The board of the deep spot; any would do."""


class RiverSolver(Protocol):
    """Solves rivers of hold'em to counterfactual values."""

    def solve(
        self, boards: NDArray[np.int64], ranges: Floats, stacks: Floats, iterations: int
    ) -> Floats:
        """Returns values in pots times the weight of the opponent's hands: [spots, 2, 1326].

        `boards` are [spots, 5], `ranges` [spots, 2, 1326], above 0 for every hand that the board
        leaves, `stacks` [spots] in pots. What a hand has paid before counts, so the values of both
        players add up to 0; hands that the board blocks have 0.
        """


class NativeRivers:
    """Implements `RiverSolver` by the native solver, a spot for each thread at a time."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def solve(
        self, boards: NDArray[np.int64], ranges: Floats, stacks: Floats, iterations: int
    ) -> Floats:
        def solve(spot: int) -> Floats:
            return _solved(boards[spot], ranges[spot], float(stacks[spot]), iterations)

        if self.threads == 1:
            return np.stack([solve(spot) for spot in range(len(boards))])
        with ThreadPoolExecutor(self.threads) as pool:
            return np.stack(list(pool.map(solve, range(len(boards)))))


def _solved(board: NDArray[np.int64], ranges: Floats, stack: float, iterations: int) -> Floats:
    """Returns the values of one spot: [2, 1326]."""
    weights = (ranges[0].tolist(), ranges[1].tolist())
    spot = _spot(format_cards(board.tolist()), max(1, round(stack * _POT)))
    solver = CFR(spot, CFRConfig("dcfr", weights=weights, precision=32)).solver
    solver.step(iterations)
    found, values = solver.beliefs([0]), np.zeros(ranges.shape, np.float32)
    for player in range(2):
        values[player, solver.problem.hands(player)] = found[2 + player][0] / _POT
    return values


class CudaRivers:
    """Implements `RiverSolver` by batches on a CUDA device."""

    def __init__(self, device: str, spots_at_once: int) -> None:
        from regretless.solvers.cuda.device import CupyDevice

        self.device, self.spots_at_once = CupyDevice(device), spots_at_once
        self.game = deep_game()
        problem = make_problem(self.game, CFRConfig("dcfr"))
        self._payoffs = problem.arrays()["payoffs"].reshape(-1, 6) / _POT

    def solve(
        self, boards: NDArray[np.int64], ranges: Floats, stacks: Floats, iterations: int
    ) -> Floats:
        parts = [
            self._solve(boards[at], ranges[at], stacks[at], iterations)
            for first in range(0, len(boards), self.spots_at_once)
            for at in [slice(first, first + self.spots_at_once)]
        ]
        return np.concatenate(parts)

    def _solve(
        self, boards: NDArray[np.int64], ranges: Floats, stacks: Floats, iterations: int
    ) -> Floats:
        from regretless.solvers.cuda.batch import SpotBatch

        every, which = np.unique(boards, axis=0, return_inverse=True)
        batch = SpotBatch(
            self.game,
            every,
            ranges,
            which=which.reshape(-1),
            payoffs=clamped(self._payoffs, stacks),
            device=self.device,
        )
        batch.step(iterations)
        found = [self.device.fetch(batch.values(player)) for player in range(2)]
        return np.stack(found, axis=1).astype(np.float32, copy=False)


def make_river_solver(device: str, spots_at_once: int, threads: int) -> RiverSolver:
    """Returns the solver for a device: on CUDA many spots at once, else one for each thread."""
    if device.partition(":")[0] == "cuda":
        return CudaRivers(device, spots_at_once)
    return NativeRivers(threads)


def clamped(payoffs: NDArray[np.float64], stacks: Floats) -> NDArray[np.float64]:
    """Returns payoffs in pots [spots, ...] where nobody can pay more than his stack.

    Each has paid half of the pot before.
    """
    most = 0.5 + stacks.astype(np.float64).reshape(-1, *[1] * payoffs.ndim)
    return np.clip(payoffs[None], -most, most)


def deep_game() -> _native.Poker:
    """Returns the spot whose tree all others have."""
    return _spot(DEEP_BOARD, _DEEP * _POT)


def _spot(board: str, stack: int) -> _native.Poker:
    return make_spot(board, _POT, stack, "random", "random", _MENU).game


def river_places(boards: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Returns the place of every hand on full boards in the order of strength: [boards, hands].

    A place is the number of weaker hands plus that of hands not stronger, so ties share one; it is
    -1 for hands that the board blocks.
    """
    rule = RULES["holdem"]
    strengths = np.stack(
        [_native.board_strengths(rule.showdown, rule.deck, board, 2) for board in boards.tolist()]
    )
    order = np.argsort(strengths, axis=1, kind="stable")
    ranked = np.take_along_axis(strengths, order, axis=1)
    blocked = HANDS - LEFT  # first, with strength 0
    is_first = np.ones(ranked.shape, np.bool_)
    is_first[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
    at = np.broadcast_to(np.arange(HANDS), ranked.shape)
    weaker = np.maximum.accumulate(np.where(is_first, at, 0), axis=1)
    is_last = np.roll(is_first, -1, axis=1)
    ends = np.where(is_last, at + 1, HANDS)[:, ::-1]
    not_stronger = np.minimum.accumulate(ends, axis=1)[:, ::-1]
    sums = np.where(at < blocked, -1, weaker + not_stronger - 2 * blocked)
    places = np.empty(ranked.shape, np.int16)
    np.put_along_axis(places, order, sums.astype(np.int16), axis=1)
    return places
