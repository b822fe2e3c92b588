# SPDX-License-Identifier: MIT
"""Networks at the leaves of spots on the kernels against the same networks in the native solver."""

from typing import Any

import numpy as np
import pytest
import torch

from cuda_on_cpu import CpuDevice
from regretless.errors import InputError
from regretless.games.spots import make_spot
from regretless.networks.street_network import StreetNetwork
from regretless.networks.street_values import StreetValuesShape
from regretless.notation.cards import parse_cards
from regretless.search.streets.cut_spots import CUT_MENU, DeviceCuts, NativeCuts
from regretless.search.streets.device_leaves import DeviceLeaves
from regretless.search.streets.sights import boards_after, see_boards
from regretless.solvers.cuda.batch import SpotBatch
from regretless.solvers.cuda.device import CupyDevice, Device
from regretless.solvers.cuda.engine import BEFORE
from regretless.solvers.cuda.leaves import TorchLeaves

TURNS, FLOP = ["Ks7d4c2h", "AhKhQh2c"], ["Th9h5c"]
DEEP = 300.0  # pots: nothing is clamped
CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def some_network(street: Any, device: torch.device = CPU) -> StreetNetwork:
    shape = StreetValuesShape(street=street, bins=16, width=8, hidden=1)
    network = StreetNetwork(shape, torch.Generator().manual_seed(3))
    with torch.no_grad():
        network.output.weight.mul_(30)
    return network.eval().requires_grad_(False).to(device)


def spots(boards: list[str], stacks: list[float]) -> tuple[Any, Any, Any]:
    """Boards, ranges and stacks; all boards have the same stacks."""
    cards = np.array([parse_cards(board) for board in boards], np.uint8)
    random = np.random.default_rng(2)
    ranges = random.random((len(boards), len(stacks), 2, 1326)).astype(np.float32)
    held = np.array([(low, high) for high in range(52) for low in range(high)])
    for board, row in zip(cards, ranges, strict=True):
        row[..., np.isin(held, board).any(axis=1)] = 0
    ranges /= ranges.sum(axis=3, keepdims=True)
    return cards, ranges, np.tile(np.array(stacks, np.float32), (len(boards), 1))


def check(device: Device, street: Any, boards: list[str], on: torch.device = CPU) -> None:
    """The values after an iteration, whose average is uniform: of a deep stack, the same tree."""
    given = spots(boards, [DEEP, DEEP])
    found = DeviceCuts(some_network(street, on), device, 99).solve(*given, 1)
    expected = NativeCuts(some_network(street)).solve(*given, 1)
    assert np.abs(found - expected).max() < 1e-3 * np.abs(expected).max()
    won = (found * given[1]).sum(axis=3)
    assert np.abs(won.sum(axis=2)).max() < 1e-3 * np.abs(won).max() > 0


def check_strategies(device: Device, on: torch.device = CPU) -> None:
    """The strategy at the root after a few iterations."""
    cards, ranges, stacks = spots(TURNS, [DEEP])
    batch = DeviceCuts(some_network("river", on), device, 48).batch(cards, ranges, stacks)
    batch.step(4)
    sums, hands = device.fetch(batch.node_sums(0)), batch.hands()
    answers = NativeCuts(some_network("river"))
    for number, board in enumerate(TURNS):
        game = make_spot(board, 2000, int(DEEP * 2000), "random", "random", CUT_MENU).game
        solver = answers.solver(game, ranges[number, 0], 4)
        own = hands[number, hands[number] >= 0]
        found = sums[number, :, : len(own)] / sums[number, :, : len(own)].sum(axis=0)
        order = np.searchsorted(solver.problem.hands(0), own)
        np.testing.assert_allclose(found, solver.strategy(0)[:, order], atol=1e-3)


def test_turns_have_the_values_of_the_native_solver() -> None:
    check(CpuDevice(), "river", TURNS)


def test_flops_have_the_values_of_the_native_solver() -> None:
    check(CpuDevice(), "turn", FLOP)


def test_turns_have_the_strategies_of_the_native_solver() -> None:
    check_strategies(CpuDevice())


@pytest.mark.gpu
def test_spots_on_cuda_are_those_of_the_native_solver() -> None:
    pytest.importorskip("cupy")
    cuda = torch.device("cuda")
    check(CupyDevice(), "river", TURNS, cuda)
    check(CupyDevice(), "turn", FLOP, cuda)
    check_strategies(CupyDevice(), cuda)


def test_values_of_all_stacks_add_up_to_zero() -> None:
    """Also of those that are all-in after a bet, and of values that looked at some cards a time."""
    cards, ranges, stacks = spots(TURNS[:1], [0.1, 1.7, 30.0])
    values = DeviceCuts(some_network("river"), CpuDevice(), 8).solve(cards, ranges, stacks, 7)
    won = (values * ranges).sum(axis=3)
    assert np.abs(won.sum(axis=2)).max() < 1e-5 and np.abs(won).max() > 0.01
    blocked = ranges == 0
    assert not values[blocked].any() and (values[~blocked] != 0).mean() > 0.99
    assert np.isfinite(values).all() and np.abs(values[0, 0]).max() < 0.7


def test_cards_take_turns() -> None:
    """All cards are looked at, as often, and together they count as if all were looked at."""
    cards, ranges, stacks = spots(TURNS[:1], [4.0])
    batch = DeviceCuts(some_network("river"), CpuDevice(), 8).batch(cards, ranges, stacks)
    leaves = batch.engine.leaves
    assert isinstance(leaves, TorchLeaves)
    for player in range(2):
        batch.engine.spread(player, BEFORE)
    leaves.ask()
    whole, total = leaves._answers.clone(), 0
    for _ in range(6):
        leaves.ask(is_whole=False)
        seen = leaves._answers.abs().sum((0, 1, 3, 4)) > 0
        assert seen.sum() == 8
        total = total + leaves._answers / 6
    torch.testing.assert_close(total, whole, rtol=1e-4, atol=1e-7)


def test_refusals() -> None:
    game = make_spot("Ks7d4c", 100, 300, "random", "random", {"all": {"open": "a"}}).game
    cards = np.array([parse_cards("Ks7d4c")])
    seen = see_boards(boards_after(cards.astype(np.uint8))[:2], 16, CPU)
    hands = [np.arange(100)] * 2
    leaves = TorchLeaves(DeviceLeaves(some_network("turn"), seen, np.ones((1, 1))))
    with pytest.raises(InputError, match="all hands"):
        SpotBatch(game, cards, np.ones((1, 2, 100)), hands=hands, leaves=leaves, device=CpuDevice())
    given = spots(TURNS, [2.0])
    with pytest.raises(InputError, match="no values of turns"):
        NativeCuts(some_network("river")).solve(*spots(FLOP, [2.0]), 1)
    solver = DeviceCuts(some_network("river"), CpuDevice(), 8)
    batch = solver.batch(*given)
    with pytest.raises(InputError, match="stand together"):
        batch.begin(np.ones((2, 2, 1326)), which=np.array([1, 0]))
