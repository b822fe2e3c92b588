# SPDX-License-Identifier: MIT
"""Every algorithm on Kuhn poker: it resumes from a checkpoint to the byte, and it converges."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from buffer_copies import assert_same_buffers, copy_buffers
from regretless.algorithm import Algorithm, Arrays, ExactMeasures, LearnsFromExamples, size_of
from regretless.algorithms import ALGORITHMS, make_algorithm, make_solver, set_up_process
from regretless.buffers import buffers_of
from regretless.errors import InputError
from regretless.evaluation.measures import Exact, Subject
from regretless.explicit.native_adapter import NativeGame
from regretless.games import load_game
from regretless.runs import Record, read_checkpoint, write_checkpoint
from regretless.storage.segments import SegmentStore
from regretless.watch import Watch

KUHN = Path(__file__).parents[2] / "examples" / "python_game.py"
_NOT_NATIVE = ("fictitious-play", "sequence-form", "street-values")  # the last: of hold'em
CASES = [
    *((name, False) for name in ALGORITHMS if name not in _NOT_NATIVE),
    *((name, True) for name, row in ALGORITHMS.items() if row.games == "any"),
]
# Steps and exploitability of the strategy then, in antes; q-learning has no such promise.
BOUNDS = {
    "cfr": (1000, 0.005),
    "cfr+": (1000, 0.0005),
    "linear": (1000, 0.001),
    "dcfr": (1000, 0.0005),
    "pcfr+": (1000, 0.0005),
    "pdcfr+": (1000, 0.0005),
    "fictitious-play": (2000, 0.02),
    "sequence-form": (1, 1e-9),
    "mccfr": (200_000, 0.005),
    "mccfr-outcome": (200_000, 0.02),
    "rl-cfr": (200, 0.01),
    "q-learning": (20, 1.0),
    "rebel": (40, 0.1),
    "deep-cfr": (16, 0.1),
    "sd-cfr": (16, 0.1),
    "nfsp": (80, 0.15),
}
LEARNERS = ("deep-cfr", "sd-cfr", "nfsp")  # what they know exactly is what their policy tells
_NETWORKS: dict[str, Any] = {
    "traversals": 150,
    "widths": (32,),
    "steps": 40,
    "batch": 256,
    "learning_rate": 0.03,
}

OPTIONS: dict[str, dict[str, Any]] = {
    "rebel": {
        "depth": 1,
        "iterations": 32,
        "games": 64,
        "examples": 256,
        "width": 32,
        "minibatches": 40,
        "learning_rate": 3e-3,
        "replay": 8192,
        "play_iterations": 16,
        "average": 0.9,
    },
    "deep-cfr": {
        **_NETWORKS,
        "strategy_every": 8,
        "strategy_steps": 200,
        "strategy_batch": 256,
        "strategy_rate": 0.01,
    },
    "sd-cfr": _NETWORKS,
    "nfsp": {
        "huber": 100.0,
        "capacity": 10_000,
        "batch": 512,
        "best_response_steps": 16,
        "best_response_rate": 3e-3,
        "average_rate": 3e-3,
        "average_capacity": 20_000,
        "average_power": 1.0,
    },
}
# A block of traversals takes three, a round of hands some, and one of subgames some seventy; what
# is begun is lost.
LOOKS = {"deep-cfr": 5, "sd-cfr": 5, "nfsp": 4, "rebel": 200}

# Of one step: a traversal for each player, 1,000 of them, or 2,000 episodes of 3 or 4 nodes.
NODES = {
    "mccfr": (9, 12),
    "mccfr-outcome": (6, 8),
    "rl-cfr": (6_000, 8_000),
    "q-learning": (6_000, 8_000),
    "rebel": (50_000, 500_000),  # 256 subgames or a few more
    "deep-cfr": (2 * 150 * 4, 2 * 150 * 7),
    "sd-cfr": (2 * 150 * 4, 2 * 150 * 7),
    "nfsp": (512 * 3, 512 * 4),
}


def make(name: str, is_explicit: bool) -> Algorithm:
    game: Any = load_game("kuhn")
    options = OPTIONS.get(name, {})
    set_up_process(name, **options)
    return make_algorithm(name, NativeGame(game) if is_explicit else game, seed=5, **options)


def exploitability(algorithm: Algorithm) -> float:
    (found,) = Exact()(Subject.of(algorithm, load_game("kuhn")))
    return found.value


def assert_same(left: Arrays, right: Arrays) -> None:
    assert left.keys() == right.keys()
    for name, array in left.items():
        assert array.dtype == right[name].dtype and array.shape == right[name].shape, name
        assert array.tobytes() == right[name].tobytes(), name


@pytest.mark.parametrize(("name", "is_explicit"), CASES)
def test_resumes_to_the_byte(name: str, is_explicit: bool, tmp_path: Path) -> None:
    steady, stopped, resumed = (make(name, is_explicit) for _ in range(3))
    stopped.step(3)
    store = SegmentStore(tmp_path / "segments")
    saved = store.write(buffers_of(stopped))
    write_checkpoint(tmp_path / "step", stopped.state(), Record(stopped.steps_done), saved)
    checkpoint = read_checkpoint(tmp_path / "step")
    assert_same(checkpoint.state, stopped.state())
    store.restore(checkpoint.buffers, buffers_of(resumed))
    resumed.restore(checkpoint.state)
    assert resumed.steps_done == checkpoint.record.step == 3
    steady.step(3)
    assert steady.step(4) == resumed.step(4)
    assert steady.steps_done == resumed.steps_done == 7
    assert_same(steady.state(), resumed.state())
    assert_same_buffers(steady, resumed)
    assert exploitability(steady) == exploitability(resumed)


@pytest.mark.parametrize(("name", "is_explicit"), CASES)
def test_counts_nodes(name: str, is_explicit: bool) -> None:
    """One step on Kuhn poker visits its 9 public decisions and endings in a sweep for each of 2
    players, with 3 hands or as 6 pairs of hands."""
    algorithm = make(name, is_explicit)
    nodes = algorithm.step()["nodes"]
    if is_explicit:
        assert nodes == 9 * 6 * 2
    elif not ALGORITHMS[name].samples:
        assert nodes == 9 * 3 * 2
    else:
        least, most = NODES[name]
        assert least <= nodes <= most
    assert nodes < algorithm.step()["nodes"]


@pytest.mark.parametrize(("name", "is_explicit"), CASES)
def test_converges(name: str, is_explicit: bool) -> None:
    algorithm = make(name, is_explicit)
    steps, bound = BOUNDS[name]
    before = exploitability(algorithm)
    algorithm.step(steps)
    assert 0 <= exploitability(algorithm) <= min(bound, before)
    if isinstance(algorithm, ExactMeasures):
        assert np.isfinite(algorithm.values()).all()


@pytest.mark.parametrize(("name", "is_explicit"), CASES)
def test_says_what_it_takes_and_whether_it_can_play(name: str, is_explicit: bool) -> None:
    algorithm = make(name, is_explicit)
    assert isinstance(algorithm, ExactMeasures) == (name not in LEARNERS)
    assert isinstance(algorithm, LearnsFromExamples) == (name == "rebel")
    assert algorithm.no_policy() is None
    assert not isinstance(algorithm, ExactMeasures) or algorithm.no_exact() is None
    takes = algorithm.takes()
    algorithm.step(3)
    state = algorithm.state()
    counted = takes.state if takes.grows_to is None else max(takes.state, takes.grows_to)
    # Counters and the moments of an optimiser, which begin with the first step, are small.
    assert size_of(state) <= 3 * counted + 40_000
    if not ALGORITHMS[name].samples and not is_explicit:
        assert size_of(state) == takes.state + 8


@pytest.mark.parametrize(("name", "is_explicit"), CASES)
def test_stopped_within_a_step_goes_on_to_the_same_bytes(name: str, is_explicit: bool) -> None:
    """A watch that lets each call do a little: the calls together are the steps."""
    steady, stopped = make(name, is_explicit), make(name, is_explicit)
    steady.step(5)
    calls = 0
    while stopped.steps_done < 5:
        looks = iter([False] * (LOOKS.get(name, 1) if calls % 2 else 1))
        watch = Watch(lambda looks=looks: next(looks, True))  # type: ignore[misc]
        stopped.step(5 - stopped.steps_done, watch)
        resumed = make(name, is_explicit)
        copy_buffers(stopped, resumed)
        resumed.restore(stopped.state())
        stopped = resumed
        calls += 1
        assert calls < 100
    assert name not in LOOKS or calls > 5
    assert_same(steady.state(), stopped.state())


def test_games_that_an_algorithm_is_not_for() -> None:
    three, own = load_game("kuhn", players=3), load_game(f"{KUHN}:KuhnPoker")
    for name, row in ALGORITHMS.items():
        if row.games == "public":
            with pytest.raises(InputError, match="native games"):
                make_solver(name, own)
            with pytest.raises(InputError, match="two players"):
                make_solver(name, three)
