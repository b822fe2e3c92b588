# SPDX-License-Identifier: MIT
"""The parts of a cluster that need no Ray: results, tasks, workers, addresses, a saved run."""

import json
import socket
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from regretless.algorithm import Shard  # noqa: E402
from regretless.algorithms import make_algorithm  # noqa: E402
from regretless.cli.session import progress_line  # noqa: E402
from regretless.cluster import connection  # noqa: E402
from regretless.cluster.large_results import (  # noqa: E402
    LargeResults,
    remove_result,
    result_of,
)
from regretless.cluster.tasks import Task, TaskGenerator, TaskResult  # noqa: E402
from regretless.cluster.wire import pack, pack_shard, pack_weights, unpack  # noqa: E402
from regretless.cluster.worker import Worker, kind_of  # noqa: E402
from regretless.custom_code import code_sha256  # noqa: E402
from regretless.errors import ClusterError, InputError  # noqa: E402
from regretless.games import load_game  # noqa: E402
from regretless.generation.makers import MakersHere  # noqa: E402
from regretless.recipes.config import BudgetConfig, ClusterConfig, make_config  # noqa: E402
from regretless.runs import Run  # noqa: E402
from regretless.runs.checkpoint import Record  # noqa: E402
from regretless.training import loop  # noqa: E402
from regretless.training.on_cluster import Workers  # noqa: E402
from regretless.training.preparation import run_forecast  # noqa: E402
from regretless.web.runs.run_curves import all_measures  # noqa: E402

TASKS = Path(__file__).parent / "doubling.py"
KUHN = Path(__file__).parents[2] / "examples" / "python_game.py"


def test_a_large_result_is_a_file_that_is_read_once(tmp_path: Path) -> None:
    large = LargeResults(str(tmp_path), 1000)
    small = pack(0.5, {"rows": np.arange(10)})
    assert large.sent(small) is small and result_of(small)[0] == 0.5
    columns = {"rows": np.arange(1000), "weights": np.ones(3, np.float32)}
    whole = pack(1.5, columns)
    sent = large.sent(whole)
    assert sent.nbytes < 1000 and len(list(tmp_path.iterdir())) == 1
    seconds, found, size = result_of(sent)
    assert (seconds, size) == (1.5, whole.nbytes) and not list(tmp_path.iterdir())
    assert all((found[name] == columns[name]).all() for name in columns)
    with pytest.raises(InputError, match=r"\.block"):
        result_of(sent)


def test_a_damaged_or_unwanted_file_is_removed(tmp_path: Path) -> None:
    large = LargeResults(str(tmp_path), 0)
    sent = large.sent(pack(1.0, {"rows": np.arange(10)}))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    with pytest.raises(InputError, match="damaged"):
        result_of(sent)
    assert not list(tmp_path.iterdir())
    remove_result(large.sent(pack(1.0, {})))
    remove_result(pack(1.0, {}))
    assert not list(tmp_path.iterdir())


def test_tasks_return_values_or_the_line_of_an_error() -> None:
    generator = TaskGenerator.of(f"{TASKS}:double")
    again = TaskGenerator.from_spec(json.loads(json.dumps(generator.spec())))
    for number, expected in ((3, TaskResult(6)), (-1, TaskResult(None, "-1 is negative"))):
        task = Task("one", json.dumps({"number": number}))
        assert TaskResult.from_columns(again.make({}, task)) == expected
    assert task.head(1) is None
    wrong = {**generator.spec(), "sha256": "0" * 64}
    with pytest.raises(InputError, match="other code than the learner's"):
        TaskGenerator.from_spec(wrong)
    with pytest.raises(InputError, match="there is no module 'missing_package'"):
        TaskGenerator.of("missing_package.tasks:double")


def test_a_worker_makes_and_forgets_custom_games(tmp_path: Path) -> None:
    learner: Any = make_algorithm(
        "deep-cfr", load_game(f"{KUHN}:KuhnPoker"), seed=1, traversals=8, widths=(8,)
    )
    generator, weights = learner.advantages.generator, learner.advantages.weights()
    worker, spec = Worker(torch.get_num_threads(), str(tmp_path), 0), generator.spec()
    assert kind_of(generator) == ("TraversalGenerator", "")
    worker.learn(1, *kind_of(generator), json.dumps(spec))
    shard, block = Shard(0, 8, 1), pack_weights(weights)
    _, found, _ = result_of(worker.make(1, 1, block, pack_shard(shard)))
    expected = MakersHere(generator).begin(weights, [shard]).take()
    assert pack(None, found).tobytes() == pack(None, expected).tobytes()
    worker.forget(1)
    with pytest.raises(KeyError):
        worker.make(1, 1, block, pack_shard(shard))
    for key, value, why in (
        ("sha256", "0" * 64, "other code than the learner's"),
        ("name", f"{tmp_path}/none.py:Game", "there is no file"),
        ("name", "missing_package:Game", "there is no module"),
    ):
        origin = {**spec["game"]["origin"], key: value}
        with pytest.raises(InputError, match=why):
            worker.learn(2, *kind_of(generator), json.dumps(changed(spec, origin)))


def changed(spec: dict[str, Any], origin: dict[str, Any]) -> dict[str, Any]:
    return {**spec, "game": {**spec["game"], "origin": origin}}


class Numbers:
    """A generator of custom code."""

    def make(self, weights: Any, shard: Shard) -> dict[str, Any]:
        return {"numbers": np.arange(shard.first, shard.end)}

    @classmethod
    def from_spec(cls, spec: Any) -> "Numbers":
        return cls()


def test_a_generator_of_custom_code_goes_by_its_source_and_hash() -> None:
    kind, sha256 = kind_of(Numbers())
    assert kind == f"{__name__}:Numbers" and sha256 == code_sha256(f"{__file__}:Numbers")
    worker = Worker(torch.get_num_threads())
    worker.learn(1, kind, sha256, "{}")
    block = worker.make(1, 1, pack_weights({}), pack_shard(Shard(2, 3)))
    assert unpack(block)[1]["numbers"].tolist() == [2, 3, 4]
    with pytest.raises(InputError, match="other code"):
        worker.learn(1, kind, "0" * 64, "{}")


def test_an_address_where_nobody_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One line within seconds, before Ray tries for a minute."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        name = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(InputError, match=f"cluster: nobody answers at {name}: "):
        connection._connect(None, ClusterConfig(name=name), 1)
    monkeypatch.setenv("RAY_ADDRESS", name)
    with pytest.raises(InputError, match=f"nobody answers at {name}"):
        connection._connect(None, ClusterConfig(name="auto"), 1)
    monkeypatch.delenv("RAY_ADDRESS")
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "ray_current_cluster").write_text(f"{name}\n")
    with pytest.raises(InputError, match=f"nobody answers at {name}"):
        connection._connect(None, ClusterConfig(name="auto"), 1)


class FailingMaking:
    """Shards of this process, until a worker is lost once too often."""

    def __init__(self, making: Any, left: list[int]) -> None:
        self._making, self._left = making, left

    def __getattr__(self, name: str) -> Any:
        return getattr(self._making, name)

    def take(self, watch: Any) -> Any:
        self._left[0] -= 1
        if self._left[0] < 0:
            raise ClusterError("cluster: a shard was lost 5 times")
        return self._making.take(watch)


class FailingMakers(MakersHere):
    def __init__(self, generator: Any, left: list[int]) -> None:
        super().__init__(generator)
        self._left = left

    def begin(self, weights: Any, shards: Any) -> Any:
        return FailingMaking(super().begin(weights, shards), self._left)


LEARNERS: dict[str, dict[str, Any]] = {
    "deep-cfr": {"traversals": 40, "block": 10, "steps": 5, "strategy_steps": 5, "widths": [8]},
    "nfsp": {"episodes": 40, "block": 10, "min_transitions": 20, "widths": [8], "batch": 16},
    "rebel": {"games": 8, "flights": 4, "examples": 20, "minibatches": 5, "iterations": 8},
}


@pytest.mark.parametrize("name", LEARNERS)
def test_a_run_whose_cluster_fails_is_saved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shards before the failure are not made again, and the result is the same."""
    tree = {"game": "kuhn", "algorithm": {"name": name, **LEARNERS[name]}, "budget": {"steps": 3}}
    tree["evaluate"] = {"measures": []}
    config, left = make_config(tree, "test"), [10]

    @contextmanager
    def fails(config: Any, algorithm: Any, note: Any) -> Any:
        algorithm.work_on(lambda generator, largest: FailingMakers(generator, left))
        yield Workers()

    whole = Run(tmp_path / "whole", config)
    loop.train(whole)
    run = Run(tmp_path / "run", config)
    with monkeypatch.context() as patch:
        patch.setattr(loop, "shards_made", fails)
        with pytest.raises(InputError, match="lost 5 times; the run is saved"):
            loop.train(run)
    assert run.checkpoints() and loop.train(run).is_finished
    first, second = whole.latest(), run.latest()
    assert first is not None and second is not None
    for key, array in first.state.items():
        assert array.tobytes() == second.state[key].tobytes(), key


@pytest.mark.parametrize("name", LEARNERS)
def test_the_forecast_says_what_a_worker_needs(name: str, tmp_path: Path) -> None:
    options = {"name": name, **LEARNERS[name]}
    tree = {"game": "kuhn", "algorithm": options, "budget": {"steps": 30}, "cluster": "local"}
    notes: list[str] = []
    run_forecast(Run(tmp_path / "run", make_config(tree, "test")), tell=notes.append)
    (text,) = [each for each in notes if "each worker needs" in each]
    shards = {"deep-cfr": "8 shards a step, 4", "nfsp": "4 shards a step, 4"}
    assert "a processor, 60" in text and "of weights to each machine a fit" in text
    assert shards.get(name, "12 shards a step, 4") + " at once" in text
    assert "shards of the run by workers 1: " in text and not (tmp_path / "run").exists()


def test_workers_in_the_line_of_progress_and_on_the_page() -> None:
    figures = {"cluster/workers": 3.0, "cluster/shards_per_second": 1.234, "cluster/retries": 2.0}
    record = Record(step=5, seconds=2.0)
    progress = loop.Progress(record, 1.0, False, {}, figures | {"train/staleness": 1.0})
    line = progress_line(progress, BudgetConfig(steps=10))
    assert "3 workers, 1.23 shards/s, 2 made again, staleness 1" in line
    alone = progress_line(loop.Progress(record, 1.0, False, {}), BudgetConfig(steps=10))
    assert "workers" not in alone and "   " in alone
    row = {**figures, "train/staleness": 1.0, "time/steps_per_second": 1.0, "step": 5}
    shown: Any = SimpleNamespace(metrics=[row], game="leduc")
    groups = {each.name: each.group for each in all_measures([shown])}
    assert {name for name, group in groups.items() if group == "cluster"} >= set(figures)
