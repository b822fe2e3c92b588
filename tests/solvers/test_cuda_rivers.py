# SPDX-License-Identifier: MIT
"""A batch of rivers against solves of each spot."""

import numpy as np
import pytest

from benchmarks.scripts import cuda_speed
from cuda_on_cpu import CpuDevice
from regretless.errors import InputError
from regretless.games.spots import make_spot
from regretless.notation.cards import parse_cards
from regretless.solvers.cuda.device import CupyDevice, Device
from regretless.solvers.cuda.engine import Tuning
from regretless.solvers.cuda.rivers import RiverBatch
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig

POT = 100
MENU = {"all": {"open": "50%", "raise": "a"}}
BOARDS = ["Ks7d4c2h9s", "AhKhQhJh2c", "2c2d2h3s3c"]
CONFIG = CFRConfig("cfr+", merge_suits=False)


def check_rivers(device: Device, count: int) -> None:
    spot = make_spot(BOARDS[0], POT, 200, "random", "random", MENU)
    boards = np.array([parse_cards(board, spot.game.rules.deck) for board in BOARDS])
    weights = np.random.default_rng(5).random((3, 2, 1326))
    weights[weights < 0.3] = 0
    scales = np.array([1.0, 2.5, 0.5])
    first = CFR(spot.game, CONFIG).problem.arrays()["payoffs"].reshape(-1, 6)
    payoffs = first * scales[:, None, None]
    batch = RiverBatch(
        spot.game,
        boards,
        weights,
        CONFIG,
        payoffs=payoffs,
        device=device,
        tuning=Tuning(4, 1, 64),
    )
    batch.step(count)
    found = [batch.values(player, is_best) for player in range(2) for is_best in (False, True)]
    sums = np.asarray(batch.engine.device.read(batch.node_sums(0).reshape(-1), 0, 3 * 2 * 1088))
    for row, name in enumerate(BOARDS):
        single = make_spot(name, POT, 200, "random", "random", MENU).game
        pair = (batch.weights[row, 0].tolist(), batch.weights[row, 1].tolist())
        native = CFR(single, CFRConfig("cfr+", merge_suits=False, weights=pair))
        native.step(count)
        total = batch.weights[row, 0][native.problem.hands(0)] @ native.problem.hand_weights(0)
        for which, (player, is_best) in enumerate([(0, False), (0, True), (1, False), (1, True)]):
            chips = float(batch.weights[row, player] @ found[which][row]) / total / scales[row]
            solver = native.solver
            expected = solver.best_value(player) if is_best else solver.value(player)
            assert chips == pytest.approx(expected, abs=1e-3 * POT), (name, player, is_best)
        mine = sums.reshape(3, 2, 1088)[row][:, :1081]
        shares = mine / np.maximum(mine.sum(axis=0), 1e-30)
        order = batch.hands()[row]
        places = {hand: at for at, hand in enumerate(native.problem.hands(0).tolist())}
        theirs = native.node_strategy(0)
        kept = [(at, places[hand]) for at, hand in enumerate(order.tolist()) if hand in places]
        ours_at, native_at = np.array(kept).T
        assert np.abs(shares[:, ours_at] - theirs[:, native_at]).mean() < 2e-3


def test_a_batch_of_rivers() -> None:
    check_rivers(CpuDevice(), 4)


@pytest.mark.gpu
def test_a_batch_of_rivers_on_cuda() -> None:
    pytest.importorskip("cupy")
    check_rivers(CupyDevice(), 20)


def test_refusals() -> None:
    spot = make_spot(BOARDS[0], POT, 200, "random", "random", MENU)
    board, weights = np.array([[0, 1, 2, 3, 4]]), np.ones((1, 2, 1326))
    narrow = make_spot(BOARDS[0], POT, 200, "AA", "random", MENU)
    turn = make_spot(BOARDS[0][:8], POT, 200, "random", "random", MENU)
    for game, boards, given, words in [
        (spot.game, board[:, :4], weights, "boards"),
        (spot.game, board * 0, weights, "row 0"),
        (spot.game, board, weights[:, :1], "weights"),
        (spot.game, board, -weights, "weights"),
        (narrow.game, board, weights, "all hands"),
        (turn.game, board, weights, "all hands"),
    ]:
        with pytest.raises(InputError, match=words):
            RiverBatch(game, boards, given, device=CpuDevice())


def test_the_script_of_speed_runs() -> None:
    """On a CPU and small spots: the figures mean nothing here."""
    menu = {"all": {"open": "a"}}
    spots = (("river", (BOARDS[0], menu, "QQ+", "JJ+")),)
    tuning = (Tuning(1, 1, 32),)
    plan = cuda_speed.Plan(CpuDevice(), 0.0, tuning, (1,), spots, 0.2)
    lines = list(cuda_speed.report(plan))
    assert "river: the same bytes twice: True" in lines
    assert any(line.startswith("1 rivers: ") for line in lines)
