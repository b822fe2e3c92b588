# SPDX-License-Identifier: MIT
"""ReBeL: what its parts promise, and that it learns with the network really at the leaves."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from buffer_copies import assert_same_buffers, copy_buffers

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # small networks are not worth more

from regretless.algorithms import make_algorithm  # noqa: E402
from regretless.algorithms.rebel import ReBeL, ReBeLConfig  # noqa: E402
from regretless.buffers import buffers_of  # noqa: E402
from regretless.errors import InputError  # noqa: E402
from regretless.evaluation.measures import Subject, make_measurer  # noqa: E402
from regretless.games import load_game  # noqa: E402
from regretless.networks.belief_network import ValueNetwork  # noqa: E402
from regretless.networks.beliefs import BeliefValuesShape  # noqa: E402
from regretless.recipes.config import make_config  # noqa: E402
from regretless.runs.room import Room  # noqa: E402
from regretless.runs.run import Run  # noqa: E402
from regretless.search.leaf_values import ZeroLeaves  # noqa: E402
from regretless.search.profile_table import SearchProfileTable  # noqa: E402
from regretless.search.subgames import SearchConfig, make_subgames  # noqa: E402
from regretless.training.loop import train  # noqa: E402
from regretless.training.preparation import restored  # noqa: E402
from regretless.watch import UNWATCHED  # noqa: E402

SMALL = {
    "depth": 1,
    "iterations": 32,
    "games": 64,
    "examples": 256,
    "width": 32,
    "minibatches": 20,
    "replay": 8192,
    "play_iterations": 32,
}


def small(game: str = "kuhn", seed: int = 0, **options: Any) -> ReBeL:
    return ReBeL(load_game(game), ReBeLConfig(**{**SMALL, **options}), seed=seed)


def test_values_of_the_network_sum_to_zero() -> None:
    shape = BeliefValuesShape(features=5, hands=6, width=16)
    network = ValueNetwork(shape, torch.Generator().manual_seed(1))
    torch.nn.init.normal_(network.output.weight, generator=torch.Generator().manual_seed(2))
    ranges = torch.rand(7, 2, 6)
    ranges /= ranges.sum(2, keepdim=True)
    values = network(network.embed(torch.rand(7, 5)), ranges)
    won = (values * ranges).sum((1, 2))
    assert values.abs().max() > 0.1
    assert won.abs().max() < 1e-5


def test_a_player_with_little_time_searches_less_and_says_so() -> None:
    algorithm = small(play_iterations=4096)
    algorithm.step()
    begun = time.perf_counter()
    (found,) = make_measurer("exact", {})(
        Subject.of(algorithm, algorithm.game), UNWATCHED.ending_at(begun + 1.0)
    )
    assert time.perf_counter() - begun < 5  # a search of 4,096 iterations takes half a minute
    assert "iterations, not of 4,096" in found.how
    searched = algorithm.player().config.iterations
    assert 64 <= searched < 4096 and algorithm.policy().name == f"rebel, {searched:,} iterations"
    assert small(play_iterations=64).short_search() is None


@pytest.mark.parametrize("change", ["layers", "width"])
def test_a_checkpoint_of_another_network_is_one_clear_line(tmp_path: Path, change: str) -> None:
    algorithm: dict[str, Any] = {"name": "rebel", **SMALL}
    settings = {"game": "kuhn", "budget": {"steps": 1}, "output": str(tmp_path / "run")}
    run = Run.new(make_config({**settings, "algorithm": algorithm}, "test"), "run")
    train(run)
    changed = make_config({**settings, "algorithm": {**algorithm, change: 4}}, "test")
    with pytest.raises(
        InputError, match=r"checkpoint of step 1: was trained with another algorithm"
    ):
        restored(Run(run.path, changed))


def test_bfloat16_answers_nearly_the_same() -> None:
    shape = BeliefValuesShape(features=5, hands=6, width=16, hidden=3)
    exact, rough = (ValueNetwork(shape, torch.Generator().manual_seed(1)) for _ in range(2))
    rough.products = torch.bfloat16
    ranges = torch.full((7, 2, 6), 1 / 6)
    features = torch.rand(7, 5, generator=torch.Generator().manual_seed(2))
    for network in (exact, rough):
        torch.nn.init.normal_(network.output.weight, generator=torch.Generator().manual_seed(3))
    left = exact(exact.embed(features), ranges)
    right = rough(rough.embed(features), ranges)
    assert right.dtype == torch.float32
    assert 0 < (left - right).abs().max() < 0.02 * left.abs().max()
    assert small(precision="bfloat16").step(2)["loss"] > 0


def test_a_seed_fixes_everything_and_threads_change_nothing() -> None:
    one, two = small("leduc", depth="round", flights=3), None
    two = small("leduc", depth="round", flights=3, threads=3)
    other = small("leduc", depth="round", flights=3, seed=1)
    first, second, third = one.step(2), two.step(2), other.step(2)
    assert first == second != third
    left, right = one.state(), two.state()
    assert all(left[name].tobytes() == right[name].tobytes() for name in left)
    assert_same_buffers(one, two)


@pytest.mark.slow
def test_learns_kuhn_with_the_network_at_the_leaves() -> None:
    algorithm = small(iterations=64, minibatches=60, learning_rate=3e-3, layers=3)
    before = algorithm.exploitability()
    algorithm.step(30)
    assert algorithm.exploitability() < 0.05 < before
    search = SearchConfig(iterations=32, depth=1)
    without = SearchProfileTable(algorithm.game, search, lambda _: ZeroLeaves())
    assert without.exploitability() > 0.1


def test_the_player_is_a_policy_that_covers_the_game() -> None:
    algorithm = small()
    algorithm.step()
    table = algorithm.policy().table
    assert len(table.keys) == algorithm.num_infosets() == 12
    assert np.allclose(table.probabilities.sum(axis=1), 1)


def test_frozen_validation_sets_are_not_trained_on() -> None:
    algorithm = small(validation=16)
    metrics = algorithm.step(4)
    assert {"loss_on_epoch_1", "loss_on_epoch_4"} <= metrics.keys()
    made = len(algorithm.take_examples()["features"])
    assert algorithm.replay.num_added == made - 2 * 16
    before = algorithm.holdouts.sets[4]["values"].copy()
    algorithm.step(4)
    np.testing.assert_array_equal(algorithm.holdouts.sets[4]["values"], before)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth: must be a number of decisions, 'round' or 'end'"),
        ({"depth": "street"}, "depth"),
        ({"games": 0}, "games: must be at least 1"),
        ({"exploration": 1.5}, "exploration: must be at most 1"),
        ({"cfr": "cfr++"}, "unknown member"),
        ({"device": "cuda:99"}, "cuda:99"),
        ({"widht": 3}, "did you mean 'width'"),
    ],
)
def test_bad_options_are_one_clear_line(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        make_algorithm("rebel", load_game("kuhn"), **options)
    assert "\n" not in str(raised.value)


def test_three_players_are_refused() -> None:
    with pytest.raises(InputError, match="two players"):
        make_algorithm("rebel", load_game("kuhn", players=3))


def test_examples_can_be_recorded_and_learned_from_offline(tmp_path: Path) -> None:
    settings = {
        "game": "kuhn",
        "algorithm": {"name": "rebel", **SMALL},
        "budget": {"steps": 3},
        "record_examples": True,
        "output": str(tmp_path / "played"),
    }
    train(Run.new(make_config(settings, "test"), "played"))
    assert len(list((tmp_path / "played" / "examples").iterdir())) == 3
    offline = {
        **settings,
        "record_examples": False,
        "examples_from": str(tmp_path / "played"),
        "output": str(tmp_path / "offline"),
    }
    progress = train(Run.new(make_config(offline, "test"), "offline"))
    assert progress.is_finished and progress.record.exploitability is not None
    leduc = {**offline, "game": "leduc", "output": str(tmp_path / "leduc")}
    with pytest.raises(InputError, match="another game"):
        train(Run.new(make_config(leduc, "test"), "x"))
    tables = {**settings, "algorithm": "cfr", "output": str(tmp_path / "tables")}
    with pytest.raises(InputError, match="has no examples"):
        train(Run.new(make_config(tables, "test"), "tables"))


@pytest.mark.gpu
def test_a_cuda_device_learns_too() -> None:
    algorithm = small(device="cuda", iterations=64, minibatches=60, flights=4, threads=4)
    algorithm.step(30)
    assert algorithm.exploitability() < 0.1


def test_a_warm_start_begins_with_the_given_strategies() -> None:
    """Whatever is answered is what iteration 1 plays, level after level."""
    job = make_subgames(
        load_game("leduc"), SearchConfig(iterations=3, depth="round", warm_start=10)
    )
    random = np.random.default_rng(3)
    stop = np.zeros(1, np.int32)
    first = np.ones(1, np.int32)
    job.begin(stop, np.ones((1, 2, 6)), stop, first, np.zeros(1, np.uint64), keeps_strategies=True)
    assert job.ask() is None
    given: list[np.ndarray] = []
    while (questions := job.ask_strategies()) is not None:
        decisions, ranges = questions
        assert np.allclose(ranges.sum(axis=2), 1)
        answer = random.random((len(decisions), job.num_slots, 6)).astype(np.float32)
        rows = answer * job.states.legal(decisions)[:, :, None]
        given += list(rows / rows.sum(axis=1, keepdims=True))
        job.answer_strategies(answer)
    while (leaves := job.ask()) is not None:
        job.answer(np.zeros_like(leaves[1]))
    played = job.stop_strategies(0)
    outline = [row for row in job.outline(0) if row[2] >= 0]
    assert len(outline) == len(given)
    # Both come breadth first: levels of decisions are stretches of the outline.
    for (_, actions, _, _, offset, _), strategy in zip(outline, given, strict=True):
        mine = played[offset : offset + actions * 6].reshape(actions, 6)
        wanted = strategy[strategy.sum(axis=1) > 0]
        assert np.allclose(mine, wanted, atol=1e-6)
    with pytest.raises(ValueError, match="answer_strategies: expected shape"):
        job.answer_strategies(np.zeros((1, 3, 6), np.float32))


def test_learns_with_a_policy_network_and_resumes() -> None:
    steady, resumed = small(warm_start=5), small(warm_start=5)
    steady.step(2)
    resumed.restore(steady.state())
    copy_buffers(steady, resumed)
    metrics = steady.step(2)
    assert metrics == resumed.step(2)
    assert 0 <= metrics["policy_loss"] < 1
    assert steady.exploitability() == resumed.exploitability()


def _run(path: Path, *overrides: str) -> Run:
    tree = {
        "game": "kuhn",
        "algorithm": {"name": "rebel", **SMALL, "warm_start": 5, "replay": 500},
        "budget": {"steps": 3},
        "checkpoint": {"every_steps": 1, "keep": 2},
    }
    return Run(path, make_config(tree, "test", overrides))


def _files(run: Run) -> dict[str, bytes]:
    states = {path.name: (path / "state.safetensors").read_bytes() for path in run.checkpoints()}
    return {**states, **{path.name: path.read_bytes() for path in run.segments.path.iterdir()}}


def test_a_run_stopped_and_resumed_keeps_the_same_rows(tmp_path: Path) -> None:
    steady, stopped = tmp_path / "steady", tmp_path / "stopped"
    train(_run(steady))
    train(_run(stopped, "budget.steps=1"))
    for steps in (2, 3):
        train(Run.existing(stopped, (f"budget.steps={steps}",)))
    assert _files(_run(steady)) == _files(_run(stopped))
    algorithm, _ = restored(_run(steady))
    latest = _run(steady).latest(buffers=buffers_of(algorithm))
    assert latest is not None and latest.buffers.keys() == {"values", "strategies"}
    assert isinstance(algorithm, ReBeL) and algorithm.replay.size == 500


def test_a_run_goes_on_without_its_rows(tmp_path: Path) -> None:
    run = _run(tmp_path / "run", "budget.steps=1", "checkpoint.buffers=false")
    train(run)
    assert not run.segments.path.exists()
    progress = train(Run.existing(run.path, ("budget.steps=2", "checkpoint.buffers=true")))
    assert progress.is_finished and progress.record.step == 2
    latest = run.latest()
    assert latest is not None and latest.buffers["values"].num_added < 2 * 256


def test_a_replay_without_room_is_refused_before_anything_starts(tmp_path: Path) -> None:
    """It is empty when the run begins, and counted as full."""
    run = _run(tmp_path / "run", "algorithm.replay=2000000")
    for room in (Room(memory=1 << 27, disk=1 << 40), Room(memory=1 << 40, disk=1 << 27)):
        with pytest.raises(InputError, match="of memory" if room.memory == 1 << 27 else "of disk"):
            train(run, room=lambda _, room=room: room)  # type: ignore[misc]
    assert not run.path.exists()
