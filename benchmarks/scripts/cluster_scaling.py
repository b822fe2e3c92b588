# SPDX-License-Identifier: MIT
"""Shards a second with more and more workers of one machine, beside this process without Ray.

    python -m benchmarks.scripts.cluster_scaling --workers 1,2,4,8,14 --json scaling.json
    python -m benchmarks.scripts.cluster_scaling --overhead 5 --minutes 4

Traversals are those of configs/hunl_deep_cfr.yaml, hands those of configs/nlhe_2_nfsp_short.yaml,
both on the CPU in single precision and with new networks, whatever torch is installed. All readings
together end after the minutes that are given; a machine with 16 cores is for 14 workers, the
learner and the system. `cluster_model.py` reads the file and predicts larger clusters. With
`--overhead` this process and one worker take turns for so many rounds, and the ratio is printed.
"""

import argparse
import json
import time
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
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
_START = 30.0  # seconds in which a cluster of one machine starts and makes its first shards
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
    parser.add_argument("--minutes", type=float, default=8.0, help="time of all readings together")
    parser.add_argument("--overhead", type=int, default=0, help="rounds of one worker and none")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    end = time.perf_counter() + 60 * arguments.minutes
    workers = [int(each) for each in arguments.workers.split(",")]
    if arguments.overhead:
        compare_one(arguments.overhead, end)
        return
    works = [Work.of(name) for name in LEARNERS]
    seconds = _seconds(end - _START * len(workers), len(works) * (1 + len(workers)))
    for work in works:
        work.rates[0] = work.rate(MakersHere(work.generator), 1, seconds)
    for place, number in enumerate(workers):  # one start of Ray for both kinds of shards
        with connected(ClusterConfig(name="local", workers=number), 1) as cluster:
            for work in works:
                with closing(cluster.makers(work.generator, work.size)) as makers:
                    work.rate(makers, number, 0.0)  # waits for the workers
                    later = len(workers) - place - 1
                    left = len(works) * later + len(works) - works.index(work)
                    seconds = _seconds(end - _START * later, left)
                    work.rates[number] = work.rate(makers, number, seconds)
        for work in works:
            print(f"{work.name}, {number} workers: {work.rates[number]:.2f} shards/s", flush=True)
    readings = [work.reading() for work in works]
    for reading in readings:
        show(reading)
    if arguments.json:
        found = {"machine": describe_machine(), "readings": [asdict(each) for each in readings]}
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _seconds(end: float, readings: int) -> float:
    """The seconds of each of so many readings until the end, two at least."""
    return max(2.0, (end - time.perf_counter()) / readings)


class Work:
    """One kind of shard, and what was measured of it."""

    def __init__(self, name: str, keep: Any, generator: Any, weights: Any, size: int) -> None:
        self.name, self._keep, self.generator = name, keep, generator
        self._weights, self.size = weights, size
        self.rates: dict[int, float] = {}
        self._columns = generator.make(weights, self._shards(1)[0])  # what is made once

    @classmethod
    def of(cls, name: str) -> "Work":
        return cls(name, *LEARNERS[name]())

    def rate(self, makers: Any, workers: int, seconds: float) -> float:
        """Shards a second, after the first one or two of every worker."""
        most = int(4 * workers * seconds * max(self.rates.get(0, 50.0), 1.0)) + 4 * workers
        with closing(makers.begin(self._weights, self._shards(most))) as making:
            for _ in range(2 * workers if workers > 1 else 1):
                making.take()
            begun, count = time.perf_counter(), 0
            while making.left and time.perf_counter() - begun < seconds:
                making.take()
                count += 1
            return count / (time.perf_counter() - begun)

    def reading(self) -> Reading:
        packed = pack(None, self._columns)
        self._keep(self._columns)  # the first rows take new memory
        begun = time.perf_counter()
        self._keep(self._columns)
        adding = time.perf_counter() - begun
        sizes = packed.nbytes, pack_weights(self._weights).nbytes
        return Reading(self.name, 1 / self.rates[0], *sizes, adding, self.rates)

    def _shards(self, count: int) -> list[Shard]:
        return Shard(0, count * self.size, iteration=1).split(self.size)


def compare_one(rounds: int, end: float) -> None:
    """Prints the speed of one worker as a share of this process, which take turns."""
    works = [Work.of(name) for name in LEARNERS]
    seconds = _seconds(end - _START, 2 * rounds * len(works))
    with connected(ClusterConfig(name="local", workers=1), 1) as cluster:
        for work in works:
            ratios = []
            with closing(cluster.makers(work.generator, work.size)) as makers:
                work.rate(makers, 1, 0.0)  # waits for the worker
                for _ in range(rounds):
                    alone = work.rate(MakersHere(work.generator), 1, seconds)
                    ratios.append(work.rate(makers, 1, seconds) / alone)
            parts = ", ".join(f"{ratio:.1%}" for ratio in ratios)
            print(f"{work.name}: one worker has {median(ratios):.1%} of no Ray ({parts})")


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
