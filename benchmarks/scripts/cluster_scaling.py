# SPDX-License-Identifier: MIT
"""Shards a second with more and more workers of one machine, beside this process without Ray.

    python -m benchmarks.scripts.cluster_scaling --workers 1,2,4,8,14 --json scaling.json

Traversals are those of configs/hunl_deep_cfr.yaml, hands those of configs/nlhe_2_nfsp_short.yaml,
both on the CPU in single precision and with new networks. `cluster_model.py` reads the file and
predicts larger clusters.
"""

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from benchmarks.machine import describe_machine
from regretless.algorithm import Shard
from regretless.algorithms import make_algorithm
from regretless.cluster.connection import connected
from regretless.cluster.wire import pack, pack_weights
from regretless.games import load_game
from regretless.generation.makers import MakersHere
from regretless.recipes.config import ClusterConfig, read_config

CONFIGS = Path(__file__).parents[2] / "configs"
ON_CPU = {"device": "cpu", "precision": "float32", "threads": 1}


@dataclass(frozen=True)
class Reading:
    """The speed of one kind of shard."""

    name: str
    shard_seconds: float
    """Seconds of one shard in this process, without Ray."""
    shard_bytes: int
    weights_bytes: int
    learner_seconds: float
    """Seconds in which the learner adds the rows of a shard to its buffers."""
    rates: dict[int, float]
    """Shards a second by workers; 0: this process without Ray."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", default="1,2", help="numbers of workers")
    parser.add_argument("--seconds", type=float, default=20.0, help="least time of each reading")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    workers = [int(each) for each in arguments.workers.split(",")]
    readings = [measure(name, workers, arguments.seconds) for name in ("traversals", "hands")]
    for reading in readings:
        show(reading)
    if arguments.json:
        found = {"machine": describe_machine(), "readings": [asdict(each) for each in readings]}
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def measure(name: str, workers: list[int], seconds: float) -> Reading:
    learner, generator, weights, size = LEARNERS[name]()
    here = MakersHere(generator)

    def shards(count: int) -> list[Shard]:
        return Shard(0, count * size, iteration=1).split(size)

    columns = here.begin(weights, shards(1)).take()  # what is made once is not measured
    alone, count = 0.0, 0
    begun = time.perf_counter()
    while (alone := time.perf_counter() - begun) < seconds:
        here.begin(weights, shards(1)).take()
        count += 1
    rates = {0: count / alone}
    for number in workers:
        with connected(ClusterConfig(name="local", workers=number), 1) as cluster:
            makers = cluster.makers(generator, size)
            warm = makers.begin(weights, shards(4 * number))
            for _ in range(4 * number):
                warm.take()
            goal = max(8, int(seconds * number * rates[0])) + 2 * number
            begun, making = time.perf_counter(), makers.begin(weights, shards(goal))
            for _ in range(goal):
                making.take()
            rates[number] = goal / (time.perf_counter() - begun)
    packed = pack(None, columns)
    begun = time.perf_counter()
    learner(columns)
    adding = time.perf_counter() - begun
    return Reading(name, alone / count, packed.nbytes, pack_weights(weights).nbytes, adding, rates)


def show(reading: Reading) -> None:
    alone = reading.rates[0]
    print(
        f"{reading.name}: {reading.shard_seconds:.3f} s and {reading.shard_bytes:,} bytes a shard, "
        f"weights {reading.weights_bytes:,} bytes, {reading.learner_seconds:.4f} s to keep a shard"
    )
    for number, rate in reading.rates.items():
        who = f"{number} workers" if number else "no Ray"
        print(f"  {who:>10}  {rate:7.2f} shards/s  {rate / alone / max(number, 1):6.1%} of linear")


def _traversals() -> tuple[Any, Any, Any, int]:
    learner: Any = _learner("hunl_deep_cfr", capacity=100_000, strategy_capacity=100_000)
    advantages = learner.advantages
    return (
        lambda columns: advantages.add(0, columns),
        advantages.generator,
        advantages.weights(),
        256,
    )


def _hands() -> tuple[Any, Any, Any, int]:
    learner: Any = _learner("nlhe_2_nfsp_short", asynchronous=False, tables=2048)
    return learner._keep, learner.generator, learner.weights(), 4096


def _learner(recipe: str, **options: Any) -> Any:
    config = read_config(CONFIGS / f"{recipe}.yaml")
    game = load_game(config.game.name, **config.game.options)
    chosen = {**config.algorithm.options, **ON_CPU, **options}
    return make_algorithm(config.algorithm.name, game, seed=1, **chosen)


LEARNERS = {"traversals": _traversals, "hands": _hands}


if __name__ == "__main__":
    main()
