# SPDX-License-Identifier: MIT
"""A network at the leaves of a batch of turns against the same network in the native solver."""

import numpy as np
import pytest
import torch

from cuda_on_cpu import CpuDevice
from regretless import _native
from regretless.errors import InputError
from regretless.games.spots import make_spot
from regretless.networks.street_network import StreetNetwork
from regretless.networks.street_values import StreetValuesShape
from regretless.notation.cards import parse_cards
from regretless.search.streets.device_rivers import DeviceRivers
from regretless.search.streets.leaves import CutSolver, NetworkValues, StreetLeaves
from regretless.solvers.cuda.batch import SpotBatch
from regretless.solvers.cuda.device import CupyDevice, Device
from regretless.solvers.cuda.leaves import TorchLeaves
from regretless.solvers.problem import CFRConfig

BOARDS = ["Ks7d4c2h", "AhKhQh2c"]
MENU = {"all": {"open": "100%", "raise": "a"}}
POT, STACK = 100, 300


def some_network() -> StreetNetwork:
    shape = StreetValuesShape(bins=16, width=8, hidden=1)
    return StreetNetwork(shape, torch.Generator().manual_seed(3))


def check(device: Device) -> None:
    """The values of both solvers after an iteration, whose average is uniform."""
    games = [make_spot(board, POT, STACK, "random", "random", MENU).game for board in BOARDS]
    cards = np.array([parse_cards(board) for board in BOARDS])
    weights = np.random.default_rng(2).random((2, 2, 1326)).astype(np.float32)
    network = some_network()
    problem = _native.VectorProblem(games[0], merge_suits=False, ends_with_round=True)
    lines = StreetLeaves.of(games[0], problem)
    leaves = TorchLeaves(DeviceRivers(network, (lines.stacks / lines.pots)[None]))
    config = CFRConfig("cfr+", alternating=False)
    batch = SpotBatch(games[0], cards, weights, config, leaves=leaves, device=device)
    batch.step(1)
    found = [device.fetch(batch.values(player)) for player in range(2)]
    for spot, game in enumerate(games):
        ranges = weights[spot].tolist()
        discounts = _native.Discounts("cfr+")
        native = _native.VectorSolver(
            game, discounts, weights=ranges, ends_with_round=True, merge_suits=False
        )
        of_spot = StreetLeaves.of(game, native.problem)
        solver = CutSolver(native, of_spot, NetworkValues(some_network()))
        solver.step()
        for player in range(2):
            expected = solver.beliefs([0])[2 + player][0]
            hands = solver.problem.hands(player)
            most = 1e-3 * np.abs(expected).max()
            assert np.abs(found[player][spot, hands] - expected).max() < most


def test_a_batch_has_the_values_of_the_native_solver() -> None:
    check(CpuDevice())


@pytest.mark.gpu
def test_a_batch_on_cuda_has_the_values_of_the_native_solver() -> None:
    pytest.importorskip("cupy")
    check(CupyDevice())


def test_rivers_are_refused() -> None:
    game = make_spot("Ks7d4c", POT, STACK, "random", "random", {"all": {"open": "a"}}).game
    hands = [np.arange(100)] * 2
    leaves = TorchLeaves(DeviceRivers(some_network(), np.ones((1, 1))))
    cards = np.array([parse_cards("Ks7d4c")])
    with pytest.raises(InputError, match="needs turns"):
        SpotBatch(game, cards, np.ones((1, 2, 100)), hands=hands, leaves=leaves, device=CpuDevice())
