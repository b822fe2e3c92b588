# SPDX-License-Identifier: MIT
"""Batches of spots against solves of each spot."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from benchmarks.scripts import cuda_speed
from cuda_on_cpu import CpuDevice
from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.spots import make_spot
from regretless.notation.cards import parse_cards
from regretless.solvers.cuda.batch import SpotBatch
from regretless.solvers.cuda.device import CupyDevice, Device
from regretless.solvers.cuda.engine import Tuning
from regretless.solvers.cuda.leaves import TorchLeaves
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig

POT = 100
MENU = {"all": {"open": "50%", "raise": "a"}}
CHECKED = {"all": {"open": "50%", "raise": "a"}, "river": {"open": "", "raise": ""}}
RIVERS = ["Ks7d4c2h9s", "AhKhQhJh2c", "2c2d2h3s3c"]
TURNS = ["Ks7d4c2h", "AhKhQh2c", "2c2d2h3s"]
CONFIG = CFRConfig("cfr+", merge_suits=False)
CARDS = _native.hand_cards(make_spot(RIVERS[0], POT, 200, "AA", "KK", MENU).game.rules.deck, 2)


def game_of(board: str, menu: Any = MENU) -> Game:
    return make_spot(board, POT, 200, "random", "random", menu).game


def boards_of(names: list[str]) -> NDArray[np.int64]:
    rules = game_of(names[0]).rules
    return np.array([parse_cards(board, rules.deck) for board in names])


def some_weights(hands: int = 1326) -> NDArray[np.float64]:
    weights = np.random.default_rng(5).random((3, 2, hands))
    weights[weights < 0.3] = 0
    return weights


def few_hands(count: int = 40) -> list[NDArray[np.int64]]:
    """Other hands for each player, some of them the same."""
    random = np.random.default_rng(8)
    return [np.sort(random.choice(1326, count, replace=False)) for _ in range(2)]


def every_hand(weights: NDArray[np.float64], hands: list[NDArray[np.int64]]) -> list[list[float]]:
    found = np.zeros((2, 1326))
    for player in range(2):
        found[player, hands[player]] = weights[player]
    return [row.tolist() for row in found]


def check_values(
    batch: SpotBatch,
    names: list[str],
    weights: NDArray[np.float64],
    hands: list[NDArray[np.int64]],
    scales: NDArray[np.float64],
    menu: Any = MENU,
    config: CFRConfig = CONFIG,
) -> list[CFR]:
    """Compares values of averages and of best responses with a native solve of each spot.

    Regrets that are 0 but for rounding part the solvers from the second iteration on.
    """
    most = (1e-5 if batch.engine.iteration == 1 else 3e-3) * POT
    solvers = []
    for row, name in enumerate(names):
        pair = every_hand(weights[row], hands)
        native = CFR(
            game_of(name, menu),
            CFRConfig(config.name, merge_suits=False, weights=pair, alternating=config.alternating),
        )
        native.step(batch.engine.iteration)
        solvers.append(native)
    for player in range(2):
        for is_best in (False, True):
            found = batch.device.fetch(batch.values(player, is_best))
            for row, native in enumerate(solvers):
                root = np.array(native.problem.hands(0)), native.problem.hand_weights(0)
                total = np.array(every_hand(weights[row], hands)[0])[root[0]] @ root[1]
                chips = float(weights[row, player] @ found[row]) / total / scales[row]
                solver = native.solver
                expected = solver.best_value(player) if is_best else solver.value(player)
                assert chips == pytest.approx(expected, abs=most), (row, player, is_best)
    return solvers


def check_rivers(device: Device, count: int) -> None:
    boards, scales = boards_of(RIVERS), np.array([1.0, 2.5, 0.5])
    first = CFR(game_of(RIVERS[0]), CONFIG).problem.arrays()["payoffs"].reshape(-1, 6)
    payoffs, weights = first * scales[:, None, None], some_weights()
    every = [np.arange(1326)] * 2
    blocked = (CARDS[:, :, None] == boards[:, None, None]).any(axis=(2, 3))
    weights[np.repeat(blocked[:, None], 2, axis=1)] = 0
    game = game_of(RIVERS[0])
    tuning = Tuning(4, 1, 64)
    batch = SpotBatch(game, boards, weights, CONFIG, payoffs=payoffs, device=device, tuning=tuning)
    batch.step(count)
    solvers = check_values(batch, RIVERS, weights, every, scales)
    batch.values(0)
    sums = device.fetch(batch.node_sums(0))
    for row, native in enumerate(solvers):
        mine = sums[row][:, :1081]
        shares = mine / np.maximum(mine.sum(axis=0), 1e-30)
        order = batch.hands()[row]
        places = {hand: at for at, hand in enumerate(native.problem.hands(0).tolist())}
        theirs = native.node_strategy(0)
        kept = [(at, places[hand]) for at, hand in enumerate(order.tolist()) if hand in places]
        ours_at, native_at = np.array(kept).T
        assert np.abs(shares[:, ours_at] - theirs[:, native_at]).mean() < 2e-3


def check_turns(device: Device, count: int) -> None:
    """Other hands for both players, boards in another order, and a second beginning."""
    boards, weights, hands = boards_of(TURNS), some_weights(40), few_hands()
    which = np.array([2, 0, 1])
    batch = SpotBatch(
        game_of(TURNS[0]), boards, weights, CONFIG, which=which, hands=hands, device=device
    )
    ones = np.ones(3)
    for more in (1, count):
        batch.step(more)
        check_values(batch, [TURNS[k] for k in which], weights, hands, ones)
    first = device.fetch(batch.values(0))
    batch.begin(weights[::-1].copy(), np.array([1, 1, 2]))
    batch.step(count)
    names = [TURNS[1], TURNS[1], TURNS[2]]
    check_values(batch, names, weights[::-1], hands, ones)
    batch.begin(weights, which)
    batch.step(1 + count)
    assert np.array_equal(first, device.fetch(batch.values(0)))


def check_whole(device: Device, algorithm: str, **options: Any) -> None:
    """A block that does whole iterations of a river, and many blocks: equal bytes."""
    config = CFRConfig(algorithm, merge_suits=False, **options)
    weights, tables = some_weights(300), []
    for tuning in (Tuning(4, 1, 64), Tuning(whole=2, ending_threads=64), Tuning(whole=4)):
        batch = SpotBatch(
            game_of(RIVERS[0]),
            boards_of(RIVERS),
            weights,
            config,
            hands=few_hands(300),
            device=device,
            tuning=tuning,
        )
        batch.step(2)
        batch.step(1)
        tables.append([device.fetch(batch.engine.buffers[name]) for name in ("regrets", "sums")])
    for first, second, third in zip(*tables, strict=True):
        assert np.array_equal(first, second)
        assert np.isclose(first, third, rtol=1e-3, atol=1e-2).mean() > 0.99


class CheckedDown:
    """The exact values of rivers without bets: half the stake for each hand that is beaten."""

    def __init__(self, boards: NDArray[np.int64], hands: NDArray[np.int64]) -> None:
        self.boards, self.hands = boards, hands
        self.matrices: Tensor | None = None

    def prepare(self, layout: Any, sets: NDArray[np.int64], device: torch.device) -> None:
        rows = layout.leaves
        order = layout.arrays["hands_0"].reshape(-1, layout.num_boards, layout.widths[0])
        counts = layout.arrays["boards"].reshape(-1, layout.num_boards, 6)[:, :, 2]
        size = rows.units[0] * 32
        found = np.zeros((len(sets), len(rows.boards), size, size), np.float32)
        cards = CARDS[self.hands]
        meets = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3))
        for spot, which in enumerate(sets.tolist()):
            for at, board in enumerate(rows.boards.tolist()):
                own = order[which, board, : counts[which, board]]
                rank = self._strengths(which, at)[own]
                wins = np.sign(rank[:, None] - rank[None, :]) * meets[np.ix_(own, own)]
                found[spot, at, : len(own), : len(own)] = 0.5 * wins
        self.matrices = torch.as_tensor(found, device=device)

    def _strengths(self, which: int, card: int) -> NDArray[np.int64]:
        root = self.boards[which]
        board = [*root, np.setdiff1d(np.arange(52), root)[card]]
        rules = _native.Showdown.HOLDEM, _native.Deck(13, 4, 0)
        return _native.board_strengths(*rules, board, 2).astype(np.int64)[self.hands]

    def __call__(self, ranges: Tensor, cards: Tensor | None = None) -> Tensor:
        assert self.matrices is not None and cards is None
        # [spots, lines, cards, 2, positions], against the other player's range
        return torch.einsum("scij,slcpj->slcpi", self.matrices, ranges.flip(3))


def check_leaves(device: Device, count: int, alternating: bool) -> None:
    """A turn cut at its rivers, whose leaves are checked down, is a turn without river bets."""
    boards, weights = boards_of(TURNS), some_weights(40)
    hands = few_hands()[:1] * 2
    config = CFRConfig("cfr+", merge_suits=False, alternating=alternating)
    network = CheckedDown(boards, hands[0])
    leaves = TorchLeaves(network)
    batch = SpotBatch(
        game_of(TURNS[0]), boards, weights, config, hands=hands, leaves=leaves, device=device
    )
    for more in (1, count):
        batch.step(more)
        check_values(batch, TURNS, weights, hands, np.ones(3), CHECKED, config)


def test_a_batch_of_rivers() -> None:
    check_rivers(CpuDevice(), 4)


@pytest.mark.parametrize("order", [0, 1, 7])
def test_whole_iterations(order: int) -> None:
    check_whole(CpuDevice(order), "pdcfr+" if order else "dcfr", alternating=order != 7)


def test_a_batch_of_turns() -> None:
    check_turns(CpuDevice(), 9)


@pytest.mark.parametrize("alternating", [True, False])
def test_leaves(alternating: bool) -> None:
    check_leaves(CpuDevice(), 9, alternating)


@pytest.mark.gpu
def test_batches_on_cuda() -> None:
    pytest.importorskip("cupy")
    check_rivers(CupyDevice(), 20)
    check_whole(CupyDevice(), "dcfr")
    check_turns(CupyDevice(), 20)


@pytest.mark.gpu
@pytest.mark.parametrize("alternating", [True, False])
def test_leaves_on_cuda(alternating: bool) -> None:
    pytest.importorskip("cupy")
    check_leaves(CupyDevice(), 20, alternating)


def test_refusals() -> None:
    board, weights = np.array([[0, 1, 2, 3, 4]]), np.ones((1, 2, 1326))
    game = game_of(RIVERS[0])
    for boards, given, options, words in [
        (board[:, :4], weights, {}, "boards"),
        (board * 0, weights, {}, "row 0"),
        (board, weights[:, :1], {}, "weights"),
        (board, -weights, {}, "weights"),
        (board, weights, {"which": np.array([1])}, "which"),
        (board, weights, {"payoffs": np.ones((1, 2, 6))}, "payoffs"),
        (board, weights, {"config": CFRConfig(max_bytes=100_000)}, "tree|MiB"),
    ]:
        with pytest.raises(InputError, match=words):
            SpotBatch(game, boards, given, device=CpuDevice(), **options)


def test_the_script_of_speed_runs() -> None:
    """On a CPU and small spots: the figures mean nothing here."""
    menu = {"all": {"open": "a"}}
    spots = (("river", (RIVERS[0], menu, "QQ+", "JJ+")),)
    tuning = (Tuning(1, 1, 32),)
    plan = cuda_speed.Plan(CpuDevice(), 0.0, tuning, tuning, (1,), spots, (), (), 0.2)
    lines = list(cuda_speed.report(plan))
    assert "river: the same bytes twice: True" in lines
    assert any(line.startswith("1 rivers: ") for line in lines)
