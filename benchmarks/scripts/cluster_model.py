# SPDX-License-Identifier: MIT
"""A discrete-event model of a run on a cluster of up to a thousand workers, and its picture.

    python -m benchmarks.scripts.cluster_model scaling.json --picture cluster_scaling.png

It reads the figures of `cluster_scaling.py`. Workers make shards one after the other; a result
crosses the network of its machine and that of the learner, which unpacks it, keeps its rows and
hands out the next shard. An iteration ends with its last shard; then the learner fits. The model
has three learners: one, several that share the rows and average their gradients, and one whose rows
stay in reservoirs of the workers, which send minibatches.
"""

import argparse
import heapq
import json
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

WORKERS = (1, 2, 4, 8, 14, 16, 32, 64, 128, 256, 512, 1024)


@dataclass(frozen=True)
class Work:
    """An iteration of a learner."""

    shards: int
    shard_seconds: float
    """Seconds of one shard on one worker."""
    spread: float = 0.1
    """Standard deviation of that time, as a share of it."""
    shard_bytes: float = 0.0
    weights_bytes: float = 0.0
    keep_seconds: float = 0.0
    """Seconds in which the learner unpacks a shard and keeps its rows."""
    fit_seconds: float = 0.0
    """Seconds in which the learner fits, after the last shard."""
    fit_bytes: float = 0.0
    """Bytes of all minibatches of a fit."""
    overhead_seconds: float = 0.0
    """Seconds of a call of a worker, beside the shard."""


@dataclass(frozen=True)
class Network:
    """Machines and the network between them."""

    workers_per_machine: int = 14
    bytes_per_second: float = 1.25e9  # 10 Gbit/s
    latency: float = 0.0005
    in_flight: int = 2
    learners: int = 1
    """Learners that share the rows; each has a network of its own."""
    keeps_rows: bool = False
    """Whether rows stay with the workers, which send minibatches."""


def iteration_seconds(work: Work, workers: int, network: Network, seed: int = 0) -> float:
    """Returns the seconds from the first shard to the end of the fit."""
    draws = random.Random(seed)
    machines = -(-workers // network.workers_per_machine)
    start = network.latency + machines * work.weights_bytes / network.bytes_per_second
    ready = [(start, number) for number in range(workers)]
    heapq.heapify(ready)
    arrivals = []
    for _ in range(work.shards):
        now, number = heapq.heappop(ready)
        spread = max(0.1, draws.gauss(1.0, work.spread))
        now += work.overhead_seconds + work.shard_seconds * spread
        heapq.heappush(ready, (now, number))
        arrivals.append(now)
    if network.keeps_rows:
        return max(arrivals) + max(work.fit_seconds, work.fit_bytes / network.bytes_per_second)
    wire = [0.0] * network.learners
    kept = [0.0] * network.learners
    for number, arrival in enumerate(sorted(arrivals)):
        mine = number % network.learners
        wire[mine] = max(wire[mine], arrival) + work.shard_bytes / network.bytes_per_second
        kept[mine] = max(kept[mine], wire[mine] + network.latency) + work.keep_seconds
    return max(kept) + work.fit_seconds / network.learners


def throughput(work: Work, workers: int, network: Network) -> float:
    """Returns shards a second, the fits included."""
    return work.shards / iteration_seconds(work, workers, network)


def read(path: Path) -> dict[str, dict[str, Any]]:
    found = json.loads(path.read_text(encoding="utf-8"))
    return {each["name"]: each for each in found["readings"]}


def measured_work(reading: dict[str, Any], shards: int, fit_seconds: float = 0.0) -> Work:
    """Returns the work that was measured; the overhead of a call is that of one worker."""
    rates = {int(workers): rate for workers, rate in reading["rates"].items()}
    overhead = max(0.0, 1 / rates[1] - reading["shard_seconds"]) if 1 in rates else 0.0
    return Work(
        shards,
        reading["shard_seconds"],
        shard_bytes=reading["shard_bytes"],
        weights_bytes=reading["weights_bytes"],
        keep_seconds=reading["learner_seconds"],
        fit_seconds=fit_seconds,
        overhead_seconds=overhead,
    )


def compare(reading: dict[str, Any]) -> list[tuple[int, float, float]]:
    """Returns workers, measured and predicted shards a second."""
    rows = []
    for text, rate in reading["rates"].items():
        if (workers := int(text)) > 0:
            work = replace(measured_work(reading, 400 * workers), keep_seconds=0.0)
            rows.append((workers, rate, throughput(work, workers, Network())))
    return rows


def draw(readings: dict[str, dict[str, Any]], path: Path) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(readings), figsize=(5.5 * len(readings), 4), squeeze=False)
    for axis, (name, reading) in zip(axes[0], readings.items(), strict=True):
        for label, network in NETWORKS.items():
            work = measured_work(reading, 4096)
            rates = [throughput(work, workers, network) for workers in WORKERS]
            axis.plot(WORKERS, rates, label=label)
        rates = {int(k): v for k, v in reading["rates"].items() if int(k) > 0}
        axis.plot(list(rates), list(rates.values()), "ko", label="measured")
        axis.plot(WORKERS, [w * reading["rates"]["0"] for w in WORKERS], "k:", label="linear")
        axis.set(xscale="log", yscale="log", xlabel="workers", ylabel="shards a second", title=name)
        axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


NETWORKS = {
    "one learner, 10 Gbit/s": Network(),
    "one learner, 100 Gbit/s": Network(bytes_per_second=1.25e10),
    "8 learners, 10 Gbit/s each": Network(learners=8),
    "rows stay with the workers": Network(keeps_rows=True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figures", type=Path, help="the file of cluster_scaling.py")
    parser.add_argument("--picture", type=Path)
    arguments = parser.parse_args()
    readings = read(arguments.figures)
    for name, reading in readings.items():
        print(name)
        for workers, rate, predicted in compare(reading):
            print(
                f"  {workers:4} workers: measured {rate:8.2f}, predicted {predicted:8.2f} shards/s "
                f"({predicted / rate - 1:+.0%})"
            )
        work = measured_work(reading, 4096)
        for label, network in NETWORKS.items():
            rates = [throughput(work, workers, network) for workers in WORKERS]
            full = next(
                (w for w, r in zip(WORKERS, rates, strict=True) if r < 0.5 * w * rates[0]), None
            )
            where = (
                f"half of linear at {full} workers"
                if full
                else "more than half of linear throughout"
            )
            print(f"  {label}: {max(rates):,.0f} shards/s at most, {where}")
    if arguments.picture:
        draw(readings, arguments.picture)


if __name__ == "__main__":
    main()
