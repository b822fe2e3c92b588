# SPDX-License-Identifier: MIT
"""Learners on a Ray cluster give the bytes of one process, whoever dies on the way."""

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray")
torch = pytest.importorskip("torch")

import ray  # noqa: E402
from ray.cluster_utils import Cluster as Machines  # noqa: E402

from buffer_copies import assert_same_buffers  # noqa: E402
from regretless.algorithm import Shard  # noqa: E402
from regretless.algorithms import make_algorithm  # noqa: E402
from regretless.cluster import pool as pools  # noqa: E402
from regretless.cluster.connection import Cluster, connected  # noqa: E402
from regretless.cluster.tasks import TaskResult  # noqa: E402
from regretless.errors import InputError  # noqa: E402
from regretless.evaluation.lbr import local_best_response  # noqa: E402
from regretless.games import load_game  # noqa: E402
from regretless.games.encoders import load_encoder  # noqa: E402
from regretless.generation.measured_play import PlayedElsewhere  # noqa: E402
from regretless.inference.network_policy import NetworkPolicy  # noqa: E402
from regretless.matches.bots import BOTS  # noqa: E402
from regretless.matches.match import MatchConfig, play_match  # noqa: E402
from regretless.networks.mlp import MlpShape  # noqa: E402
from regretless.networks.network import Network, network_weights  # noqa: E402
from regretless.recipes.config import ClusterConfig  # noqa: E402
from regretless.training.sweep import sweep, train_task  # noqa: E402
from regretless.watch import Watch  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray

KUHN = Path(__file__).parents[2] / "examples" / "python_game.py"
TASKS = Path(__file__).parent / "doubling.py"
LEARNERS: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    "deep-cfr": ("leduc", "deep-cfr", 2, {"traversals": 200, "block": 25, "steps": 20}),
    "sd-cfr": ("leduc", "sd-cfr", 2, {"traversals": 200, "block": 25, "steps": 20}),
    "nfsp": ("kuhn", "nfsp", 3, {"episodes": 240, "block": 30, "min_transitions": 100}),
    "rebel": (
        "kuhn",
        "rebel",
        2,
        {"games": 24, "flights": 6, "examples": 60, "minibatches": 10, "iterations": 16},
    ),
}


@contextmanager
def machines(*cpus: int) -> Iterator[Machines]:
    """A cluster of several nodes on this machine; the first is the learner's."""
    os.environ["RAY_AUTH_MODE"] = "disabled"
    found = Machines(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "include_dashboard": False, "object_store_memory": 80 << 20},
    )
    try:
        for count in cpus:
            found.add_node(num_cpus=count, object_store_memory=80 << 20)
        found.wait_for_nodes()
        ray.init(address=found.address, log_to_driver=False)
        yield found
    finally:
        ray.shutdown()
        found.shutdown()


@contextmanager
def on_cluster(workers: int, patience: float = 60.0) -> Iterator[tuple[Cluster, list[str]]]:
    """Workers of the cluster that this process is connected to, and the notes about them."""
    notes: list[str] = []
    config = ClusterConfig(name="auto", workers=workers, patience=patience)
    with connected(config, 1, notes.append) as cluster:
        yield cluster, notes


def trained(name: str, cluster: Cluster | None = None, watch: Watch | None = None) -> Any:
    """A learner after its steps, on a cluster or in this process."""
    torch.set_num_threads(1)
    game, algorithm, steps, options = LEARNERS[name]
    learner: Any = make_algorithm(algorithm, load_game(game), seed=3, **options)
    if cluster is not None:
        learner.work_on(cluster.makers)
    learner.step(steps, watch or Watch())
    assert learner.steps_done == steps
    return learner


def assert_same(first: Any, second: Any) -> None:
    left, right = first.state(), second.state()
    assert left.keys() == right.keys()
    for key, array in left.items():
        assert array.tobytes() == right[key].tobytes(), key
    assert_same_buffers(first, second)


def when_shards_are_made(cluster: Cluster, count: int, act: Callable[[], None]) -> Watch:
    """A watch that acts once when so many shards are there."""
    left = [act]

    def look() -> bool:
        if left and cluster.figures().get("cluster/shards", 0) >= count:
            left.pop()()
        return False

    return Watch(look)


@pytest.fixture(scope="module")
def local() -> Iterator[tuple[Cluster, list[str]]]:
    """A cluster on this machine for all quick tests, where most results are files; and its notes.

    Workers take seconds to start, so all tests share them.
    """
    notes: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("regretless.cluster.connection.LARGE_BYTES", 4096)
        with connected(ClusterConfig(name="local", workers=2), 1, notes.append) as cluster:
            yield cluster, notes


def kill_one(cluster: Cluster) -> None:
    os.kill(cluster.processes()[0], signal.SIGKILL)


def test_two_workers_and_a_killed_one_give_the_same_bytes(
    local: tuple[Cluster, list[str]], capfd: pytest.CaptureFixture[str]
) -> None:
    """The small test of the whole: every learner is in the slow one."""
    cluster, notes = local
    watch = when_shards_are_made(cluster, 10, lambda: kill_one(cluster))
    found = trained("deep-cfr", cluster, watch)
    figures = cluster.figures()
    assert_same(found, trained("deep-cfr"))
    assert figures["cluster/shards"] == 2 * 2 * 8 and 1 <= figures["cluster/retries"] <= 2
    assert len(notes) == 1 and "it has died; it is replaced" in notes[0]
    assert capfd.readouterr().out == ""


def test_asynchronous_deep_cfr(local: tuple[Cluster, list[str]]) -> None:
    """The networks of a turn lack one fit at most, and the bytes are those of one process."""
    made: list[Any] = []
    for cluster in (None, local[0]):
        options = {**LEARNERS["sd-cfr"][3], "asynchronous": True}
        learner: Any = make_algorithm("sd-cfr", load_game("leduc"), seed=3, **options)
        if cluster is not None:
            learner.work_on(cluster.makers)
        assert learner.step(2)["staleness"] == 1
        made.append(learner)
    assert_same(*made)
    assert not np.array_equal(made[0].state()["counts"], trained("sd-cfr").state()["counts"])


def test_a_custom_game_and_a_making_that_is_given_up(local: tuple[Cluster, list[str]]) -> None:
    cluster, _ = local
    game, options = load_game(f"{KUHN}:KuhnPoker"), {"traversals": 40, "block": 10, "steps": 2}
    alone, shared = (make_algorithm("sd-cfr", game, seed=1, **options) for _ in range(2))
    shared.work_on(cluster.makers)
    alone.step(1)
    shared.step(1)
    assert_same(alone, shared)
    generator, weights = alone.advantages.generator, alone.advantages.weights()
    makers = cluster.makers(generator, 10)
    shards = Shard(0, 400, 1).split(10)
    making = makers.begin(weights, shards)
    making.take()
    making.close()
    assert not making.left and making not in cluster._pool._makings
    with closing(makers.begin(weights, shards[:2])) as again:
        found = again.take()
    expected = generator.make(weights, shards[0])
    assert all(found[name].tobytes() == expected[name].tobytes() for name in expected)
    makers.close()
    assert not any(makers in each.asked | each.proven for each in cluster._pool._members)


def test_tasks_by_name(local: tuple[Cluster, list[str]]) -> None:
    tasks = {f"task {number}": {"number": number} for number in range(-1, 4)}
    found = dict(local[0].run_tasks(f"{TASKS}:double", tasks))
    assert found == {
        "task -1": TaskResult(None, "-1 is negative"),
        **{f"task {number}": TaskResult(2 * number) for number in range(4)},
    }
    with pytest.raises(InputError, match="there is no module"):
        list(local[0].run_tasks("missing_package:double", tasks))


def test_a_sweep_trains_its_runs_on_workers(
    local: tuple[Cluster, list[str]], tmp_path: Path
) -> None:
    overrides = ("budget.steps=3,6", "checkpoint.every_steps=2")
    for place, run_tasks in (("here", None), ("there", local[0].run_tasks)):
        sweep("kuhn_cfr", *overrides, output=tmp_path / place, run_tasks=run_tasks)
    tables = [sorted((tmp_path / each).rglob("*.safetensors")) for each in ("here", "there")]
    here, there = ({str(p.relative_to(p.parents[2])): p.read_bytes() for p in e} for e in tables)
    assert len(here) >= 2 and here == there
    assert not (tmp_path / "there" / ".sweep").exists()
    again = sweep("kuhn_cfr", *overrides, output=tmp_path / "there", run_tasks=local[0].run_tasks)
    assert again.skipped == 2
    with pytest.raises(InputError, match="do not see this folder"):
        train_task({}, (), str(tmp_path / "elsewhere" / ".sweep"), "token")


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
def test_all_learners_with_one_three_and_dying_workers(name: str) -> None:
    alone = trained(name)
    with machines(1, 1, 2) as nodes:
        for workers in (1, 3):
            with on_cluster(workers) as (cluster, notes):
                assert_same(trained(name, cluster), alone)
                assert cluster.figures()["cluster/retries"] == 0 and not notes
        with on_cluster(3) as (cluster, notes):
            lost = sorted(nodes.worker_nodes, key=str)[0]

            def both() -> None:
                kill_one(cluster)
                nodes.remove_node(lost)

            watch = when_shards_are_made(cluster, 4, both)
            assert_same(trained(name, cluster, watch), alone)
            assert notes and all("replaced" in note for note in notes)


@pytest.mark.slow
def test_a_machine_that_joins_later_is_used() -> None:
    notes: list[str] = []
    with machines(1) as nodes, connected(ClusterConfig(name="auto"), 1, notes.append) as cluster:
        watch = when_shards_are_made(cluster, 1, lambda: nodes.add_node(num_cpus=1) and None)
        rounds = 0
        while rounds < 40 and len(cluster.processes() if rounds else []) < 2:
            found = trained("deep-cfr", cluster, watch)
            rounds += 1
        assert len(cluster.processes()) == 2 and not notes
    assert_same(found, trained("deep-cfr"))


def measured(cluster: Cluster | None = None, watch: Watch | None = None) -> list[Any]:
    """Local best response against networks, and a match of them, on a cluster or here."""
    torch.set_num_threads(1)
    game = load_game("leduc")
    encoder = load_encoder("slots12", game)
    shape = MlpShape(
        inputs=encoder.num_features, widths=(16,), outputs=game.num_actions, head="probabilities"
    )
    networks = [Network(shape, torch.Generator().manual_seed(seed)) for seed in range(3)]
    policy = NetworkPolicy(network_weights(networks), encoder)
    plays = None if cluster is None else PlayedElsewhere(cluster.makers)
    config, players = MatchConfig(200_000, seed=2), [policy, BOTS["pot-odds"](game)]
    return [
        local_best_response(game, policy, 3_000, watch=watch or Watch(), plays=plays),
        play_match(game, players, config, watch=watch or Watch(), plays=plays),
    ]


@pytest.mark.slow
def test_measures_with_one_three_and_dying_workers() -> None:
    alone = measured()
    with machines(1, 1, 2) as nodes:
        for workers in (1, 3):
            with on_cluster(workers) as (cluster, _):
                assert measured(cluster) == alone
        with on_cluster(3) as (cluster, _):
            lost = sorted(nodes.worker_nodes, key=str)[0]

            def both() -> None:
                kill_one(cluster)
                nodes.remove_node(lost)

            assert measured(cluster, when_shards_are_made(cluster, 2, both)) == alone


@pytest.mark.slow
def test_two_hundred_kills() -> None:
    """Random workers die at random instants; no shard is lost, doubled or different."""
    alone = {name: trained(name) for name in LEARNERS}
    random_kills, kills, rounds = random.Random(5), 0, 0
    with connected(ClusterConfig(name="local", workers=3), 1) as cluster:
        while kills < 200:
            next_kill = [time.monotonic() + random_kills.uniform(0, 2)]

            def look(next_kill: list[float] = next_kill) -> bool:
                nonlocal kills
                processes = cluster.processes()
                if time.monotonic() >= next_kill[0] and len(processes) > 1:
                    with suppress(ProcessLookupError):
                        os.kill(random_kills.choice(processes), signal.SIGKILL)
                        kills += 1
                    next_kill[0] = time.monotonic() + random_kills.uniform(0, 2)
                return False

            name = list(LEARNERS)[rounds % len(LEARNERS)]
            assert_same(trained(name, cluster, Watch(look)), alone[name])
            rounds += 1
    print(f"{kills} kills in {rounds} runs")


@pytest.mark.slow
@pytest.mark.usefixtures("local")
def test_workers_that_differ_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With another version, other bytes or too little memory, each with one line."""
    real = pools.facts()
    other = {**real, "same": {**real["same"], "regretless": "0.0.9"}}
    cases: list[tuple[str, str, Any]] = [
        ("regretless is 0.1.0, here 0.0.9", f"{pools.__name__}.facts", lambda: other),
        ("other bytes", f"{pools.__name__}._digest", lambda block: str(time.monotonic())),
        ("of memory are free", "regretless.cluster.connection.WORKER_BYTES", 1 << 60),
    ]
    for text, place, fake in cases:
        with monkeypatch.context() as patch:
            patch.setattr(place, fake)
            with on_cluster(1) as (cluster, notes), pytest.raises(InputError, match="is left"):
                trained("nfsp", cluster)
            assert len(notes) == 1 and text in notes[0] and "not used" in notes[0]


@pytest.mark.slow
@pytest.mark.usefixtures("local")
def test_a_worker_that_hangs_is_replaced() -> None:
    with on_cluster(2, patience=5.0) as (cluster, _):
        watch = when_shards_are_made(
            cluster, 3, lambda: os.kill(cluster.processes()[0], signal.SIGSTOP)
        )
        found = trained("nfsp", cluster, watch)
        assert cluster.figures()["cluster/retries"] >= 1
    assert_same(found, trained("nfsp"))
