# SPDX-License-Identifier: MIT
"""Many spots of one street, cut where the next one begins, with its network at the leaves.

The tree is fold, call, a bet of the pot and all-in, up to three bets. A CPU solves spot by spot. A
CUDA device solves all at once: amounts are clamped to the stack, so spots of all stacks have the
tree of a deep one.
"""

from typing import Protocol, cast

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.games.spots import begin_at, make_spot
from regretless.networks.street_network import StreetNetwork
from regretless.notation.cards import format_cards, parse_cards
from regretless.search.streets.device_leaves import DeviceLeaves
from regretless.search.streets.leaves import (
    CutSolver,
    NetworkValues,
    StreetLeaves,
    solve_to_leaves,
)
from regretless.search.streets.sights import boards_after, see_boards
from regretless.solvers.cuda.batch import SpotBatch
from regretless.solvers.cuda.device import CupyDevice, Device
from regretless.solvers.cuda.leaves import TorchLeaves
from regretless.solvers.problem import CFRConfig
from regretless.solvers.rivers import DEEP_BOARD, clamped

Floats = NDArray[np.float32]

CUT_MENU = {"all": {"open": "100%,a", "raise": "100%,a"}, "max_raises": 3}
"""The bets of all spots."""
_POT, _DEEP = 2_000, 1_000  # chips, pots


class CutSpots(Protocol):
    """Solves spots to counterfactual values, those of the average strategies."""

    def solve(
        self, boards: NDArray[np.uint8], ranges: Floats, stacks: Floats, iterations: int
    ) -> Floats:
        """Returns values in pots times the weight of the opponent's hands, as `ranges`.

        `boards` [boards, cards], `ranges` [boards, spots, 2, hands], `stacks` [boards, spots] in
        pots.
        """


class NativeCuts:
    """Implements `CutSpots` by the native solver."""

    def __init__(self, network: StreetNetwork) -> None:
        self._answers = NetworkValues(network)

    def solve(
        self, boards: NDArray[np.uint8], ranges: Floats, stacks: Floats, iterations: int
    ) -> Floats:
        found = np.zeros(ranges.shape, np.float32)
        for at in np.ndindex(stacks.shape):
            solver = self.solver(cut_spot(boards[at[0]], float(stacks[at])), ranges[at], iterations)
            for player, (values,) in enumerate(solver.beliefs([0])[2:]):
                found[(*at, player, solver.problem.hands(player))] = values / _POT
        return found

    def solver(self, game: _native.Poker, ranges: Floats, iterations: int) -> CutSolver:
        """Returns a spot with ranges of sum 1, solved."""
        spot = cast(_native.Poker, begin_at(game, weights=ranges.tolist()))
        return solve_to_leaves(spot, self._answers, iterations)


class DeviceCuts:
    """Implements `CutSpots` by batches on a device."""

    def __init__(self, network: StreetNetwork, device: Device, cards: int) -> None:
        """An iteration looks at `cards` of the next cards, which take turns."""
        self.network, self.device, self.cards = network, device, cards
        self._torch = next(network.parameters()).device

    def solve(
        self, boards: NDArray[np.uint8], ranges: Floats, stacks: Floats, iterations: int
    ) -> Floats:
        batch = self.batch(boards, ranges, stacks)
        batch.step(iterations)
        found = [self.device.fetch(batch.values(player)) for player in range(2)]
        del batch
        if self._torch.type == "cuda":
            torch.cuda.empty_cache()  # the memory of its graph, which CuPy could not take
        return np.stack(found, axis=1).astype(np.float32, copy=False).reshape(ranges.shape)

    def batch(self, boards: NDArray[np.uint8], ranges: Floats, stacks: Floats) -> SpotBatch:
        """Returns the spots before their first iteration."""
        game = cut_spot(np.array(parse_cards(DEEP_BOARD)[: boards.shape[1]]), _DEEP)
        problem = _native.VectorProblem(
            game, merge_suits=False, ends_with_round=True, runs_out=False
        )
        lines = StreetLeaves.of(game, problem)
        flat = stacks.reshape(-1)
        paid = np.minimum((lines.pots / _POT - 1) / 2, flat[:, None].astype(np.float64))
        stakes = 1 + 2 * paid
        seen = see_boards(boards_after(boards), self.network.shape.bins, self._torch)
        left = (flat[:, None] - paid) / stakes
        payoffs = problem.arrays()["payoffs"].reshape(-1, 6) / _POT
        return SpotBatch(
            game,
            boards.astype(np.int64),
            ranges.reshape(-1, *ranges.shape[2:]),
            CFRConfig("dcfr", alternating=False),
            which=np.repeat(np.arange(len(boards)), stacks.shape[1]),
            payoffs=clamped(payoffs, flat),
            leaves=TorchLeaves(DeviceLeaves(self.network, seen, left), stakes, self.cards),
            device=self.device,
        )


def make_cut_spots(network: StreetNetwork, device: str, cards: int) -> CutSpots:
    """Returns the solver for the device that the network is on."""
    if device.partition(":")[0] == "cuda":
        return DeviceCuts(network, CupyDevice(device), cards)
    return NativeCuts(network)


def cut_spot(board: NDArray[np.uint8], stack: float) -> _native.Poker:
    """Returns a spot with a stack in pots, in which all hands are alike."""
    text, chips = format_cards(board.tolist()), max(1, round(stack * _POT))
    return make_spot(text, _POT, chips, "random", "random", CUT_MENU).game
