# SPDX-License-Identifier: MIT
"""The torch solver against the native kernel: iterations, measures, batches, resuming, refusals."""

import subprocess
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from regretless.algorithms import make_algorithm
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.games.spots import make_spot
from regretless.solvers.native_cfr import CFR
from regretless.solvers.problem import CFRConfig
from regretless.solvers.torch_cfr import TorchCFR

ALGORITHMS = ["cfr", "cfr+", "dcfr", "pdcfr+"]
SMALL = ["kuhn", "leduc", "leduc whole", "liars-dice-1x4f"]
SPOTS = {
    "river": ("Ks7d4c2h9s", "22+,A2s+,KTs+,QTs+,JTs", "22+,A5s+,KTo+,QJs"),
    "turn": ("Ks7s4s2d", "TT+,AKs,76s,AQs", "99-66,AKo,KQs,AJs"),  # three suits, two alike
}
PROBLEMS = [*SMALL, "liars-dice-2x3f", *SPOTS]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@cache
def problem(name: str) -> tuple[Game, dict[str, Any]]:
    if name not in SPOTS:
        return load_game(name.removesuffix(" whole")), {"merge_suits": not name.endswith(" whole")}
    menu = {"all": {"open": "50%,a", "raise": "2.5x"}}
    spot = make_spot(SPOTS[name][0], 100, 200, *SPOTS[name][1:], menu)
    weights = tuple(each.weights.tolist() for each in spot.ranges)
    return spot.game, {"board": spot.board, "weights": weights}


def make_pair(
    what: str, precision: str = "float64", device: str = "cpu", **options: Any
) -> tuple[CFR, TorchCFR]:
    game, more = problem(what)
    config = CFRConfig(**options, **more)
    return CFR(game, config), TorchCFR(game, config, precision=precision, device=device)


def strategies(solver: CFR | TorchCFR) -> NDArray[np.float64]:
    """The average strategy of all decision nodes, one after the other, as native code takes it."""
    nodes = np.flatnonzero(solver.problem.actors >= 0).tolist()
    return np.concatenate([solver.node_strategy(node).ravel() for node in nodes])


def native_tables(solver: TorchCFR, fill: float = 0) -> NDArray[np.float64]:
    """The state as the native solver tells it; what stands for no possible hand is filled."""
    state, native = solver.state(), solver.problem
    actors, sweeps = native.actors.tolist(), solver._tables._sweeps
    parts = []
    for name in state:
        if name == "iteration":
            continue
        player = int(name[-1])
        for node, actor in enumerate(actors):
            if actor == player:
                rows = state[name][sweeps.action_rows(player, node), 0]  # [actions, hands]
                rows = np.where(native.hands_possible(node, player), rows, fill)
                parts.append(rows.ravel())
    return np.concatenate(parts).astype(np.float64)


def step_difference(native: CFR, ours: TorchCFR) -> float:
    """Compares all tables after one iteration, in units of their largest entry."""
    native.solver.restore(ours.steps_done, native_tables(ours))
    native.step(1)
    ours.step(1)
    found = native_tables(ours, fill=np.nan)
    is_hand = ~np.isnan(found)
    expected, found = native.state()["tables"][is_hand], found[is_hand]
    return float(np.abs(expected - found).max() / np.abs(expected).max())


def gains_of(native: CFR) -> list[float]:
    """The gain of each player's best response, in units."""
    best = [native.solver.best_value(player) / native.game.unit for player in range(2)]
    return [b - value for b, value in zip(best, native.values(), strict=True)]


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", SMALL)
def test_iterations_equal_native(name: str, algorithm: str, alternating: bool) -> None:
    native, ours = make_pair(name, name=algorithm, alternating=alternating)
    for count, most in ((10, 1e-9), (40, 1e-6)):  # rounding grows where regrets nearly tie
        native.step(count)
        ours.step(count)
        assert np.abs(strategies(native) - strategies(ours)).max() < most
    assert ours.values() == pytest.approx(native.values(), abs=1e-9)
    assert ours.subgame_gains()[0] == pytest.approx(gains_of(native), abs=1e-9)


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_one_iteration_from_the_same_state(name: str, algorithm: str, alternating: bool) -> None:
    """Also where exact ties let longer runs part: Liar's Dice, single precision in spots."""
    native, ours = make_pair(name, name=algorithm, alternating=alternating)
    ours.step(20)
    assert step_difference(native, ours) < (1e-12 if name not in SPOTS else 1e-6)


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_merged_suits_do_not_drift(precision: str) -> None:
    """Hands that a renaming of suits exchanges stay equal to the last bit before the board."""
    _, ours = make_pair("leduc", precision, name="linear")
    ours.step(500)
    decisions = np.flatnonzero(ours.problem.actors >= 0).tolist()
    before = [node for node in decisions if all(ours.problem.hands_possible(node, 0))]
    assert len(before) == 6
    for node in before:
        strategy = ours.node_strategy(node)  # [actions, hands], suit beside suit
        assert np.array_equal(strategy[:, 0::2], strategy[:, 1::2])


@pytest.mark.parametrize("name", PROBLEMS)
def test_measures_equal_native(name: str) -> None:
    native, ours = make_pair(name, name="cfr+")
    ours.step(50)
    unit, most = ours.game.unit, 1e-9 if name not in SPOTS else 1e-4  # chips, of a pot of 100
    profile = strategies(ours)
    values = np.array(native.problem.values_of(profile)) / unit
    gains = np.array(native.problem.best_values_against(profile)) / unit - values
    assert np.abs(ours.subgame_values()[0] - values).max() < most
    assert np.abs(ours.subgame_gains()[0] - gains).max() < most
    assert ours.exploitability() == pytest.approx(gains.mean(), abs=most)
    native.solver.restore(50, native_tables(ours))
    assert np.abs(ours.hand_values(0)[0] - native.solver.hand_values(0)).max() < most
    assert ours.num_infosets() == native.num_infosets()


@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc whole", "liars-dice-1x4f", "river"])
def test_single_precision(name: str) -> None:
    native, ours = make_pair(name, precision="float32", name="cfr+")
    native.step(50)
    ours.step(50)
    most = 1e-5 if name not in SPOTS else 1e-3  # chips, of a pot of 100
    assert ours.values() == pytest.approx(native.values(), abs=most)
    assert ours.exploitability() == pytest.approx(native.exploitability(), abs=most)


def test_strategy_by_name() -> None:
    native, ours = make_pair("leduc", name="cfr")
    native.step(10)
    ours.step(10)
    expected, found = native.strategy(), ours.strategy()
    assert expected.keys() == found.keys() and len(found) == 936
    assert all(np.allclose(expected[key], found[key], atol=1e-9) for key in expected)


def random_weights(game: Game, batch: int) -> NDArray[np.float64]:
    weights = np.random.default_rng(7).random((batch, 2, game.num_hands))
    return np.where(weights < 0.1, 0, weights)


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr"])
@pytest.mark.parametrize("name", ["leduc", "river"])
def test_batch_equals_single_solves(name: str, algorithm: str) -> None:
    game, options = problem(name)
    weights = random_weights(game, 8)
    if name in SPOTS:
        weights *= np.array(options["weights"]) > 0
    config = CFRConfig(name=algorithm, board=options.get("board", ()))
    batch = TorchCFR(game, config, precision="float64", batch_weights=weights)
    batch.step(30)
    values, gains = batch.subgame_values(), batch.subgame_gains()
    assert values.shape == gains.shape == (8, 2)
    most = 1e-9 if name not in SPOTS else 1e-2  # native spots are in single precision
    for b in range(8):
        pair = (weights[b, 0].tolist(), weights[b, 1].tolist())
        single = CFR(game, CFRConfig(name=algorithm, board=config.board, weights=pair))
        single.step(30)
        assert values[b] == pytest.approx(single.values(), abs=most)
        assert gains[b] == pytest.approx(gains_of(single), abs=most)
        held = np.isin(batch.problem.hands(0), single.problem.hands(0))
        mix, expected = batch.node_strategies(0)[b][:, held], single.node_strategy(0)
        assert np.abs(mix - expected).max() < max(most, 1e-6)


def test_batch_shares_suits_only_where_all_subgames_do() -> None:
    game = load_game("leduc")
    even = np.ones((3, 2, 6))
    assert TorchCFR(game, batch_weights=even).problem.size.nodes == 240
    even[1, 0, 0] = 0.5
    assert TorchCFR(game, batch_weights=even).problem.size.nodes == 465


def test_payoff_scales() -> None:
    game = load_game("leduc")
    solver = TorchCFR(
        game,
        CFRConfig(name="dcfr"),
        precision="float64",
        batch_weights=np.ones((3, 2, 6)),
        payoff_scales=[1, 4, 0.5],
    )
    solver.step(20)
    values = solver.subgame_values()
    assert np.array_equal(values, values[0] * np.array([[1], [4], [0.5]]))
    assert np.array_equal(solver.node_strategies(0)[1], solver.node_strategies(0)[0])


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr", "pdcfr+"])
def test_resumed_equals_never_stopped(algorithm: str, alternating: bool) -> None:
    config = CFRConfig(name=algorithm, alternating=alternating)
    whole, first, second = (TorchCFR(load_game("leduc"), config) for _ in range(3))
    whole.step(40)
    first.step(15)
    first.exploitability()  # measuring changes nothing
    second.restore(first.state())
    second.step(25)
    expected, found = whole.state(), second.state()
    assert expected.keys() == found.keys() and second.steps_done == 40
    assert all(np.array_equal(expected[key], found[key]) for key in expected)
    with pytest.raises(InputError, match="another problem"):
        TorchCFR(load_game("kuhn"), config).restore(whole.state())


def test_refusals() -> None:
    kuhn = load_game("kuhn")
    for options, words in [
        ({"device": "tpu"}, "tpu"),
        ({"device": "cuda:99"}, "cuda:99"),
        ({"precision": "float16"}, "float16"),
        ({"batch_weights": np.ones((2, 2, 4))}, r"batch_weights.*\[2, 2, 4\]"),
        ({"batch_weights": -np.ones((2, 2, 3))}, "negative"),
        ({"batch_weights": [[[1, 0, 0], [1, 0, 0]]]}, "shares a card"),
        ({"payoff_scales": [1, 2]}, "payoff_scales"),
    ]:
        with pytest.raises(InputError, match=words):
            TorchCFR(kuhn, **options)
    with pytest.raises(InputError, match="MiB"):
        TorchCFR(kuhn, CFRConfig(max_bytes=1 << 20), batch_weights=np.ones((20_000, 2, 3)))


def test_made_by_name() -> None:
    made = make_algorithm("cfr+", load_game("kuhn"), device="cpu", precision="float64")
    assert isinstance(made, TorchCFR)
    made.step(100)
    assert made.exploitability() < 2e-3
    with pytest.raises(InputError, match="device"):
        make_algorithm("cfr+", load_game("kuhn", players=3), device="cpu")


def test_without_torch() -> None:
    script = (
        "import sys; sys.modules['torch'] = None\n"
        "from regretless.cli import main\n"
        "sys.argv = ['regretless', 'solve', 'kuhn', '--device', 'cpu']; main()"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr.startswith("error: ") and "regretless[torch]" in result.stderr


@pytest.mark.gpu
@pytest.mark.parametrize("name", PROBLEMS)
def test_cuda_equals_native(name: str) -> None:
    native, ours = make_pair(name, device="cuda", name="cfr+")
    ours.step(20)
    assert step_difference(native, ours) < (1e-9 if name not in SPOTS else 1e-6)
    native.solver.restore(21, native_tables(ours))
    assert ours.exploitability() == pytest.approx(native.exploitability(), abs=1e-4)
