# SPDX-License-Identifier: MIT
"""The shards of a learner, made on the cluster of its config."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regretless.algorithm import Algorithm, Metrics
from regretless.errors import InputError
from regretless.matches.match import Plays
from regretless.recipes.config import RunConfig
from regretless.runs.room import size_text
from regretless.training.forecast import duration_text

if TYPE_CHECKING:
    from regretless.generation.makers import MakesShards


@dataclass(frozen=True)
class Workers:
    """The cluster of a run; without one, nobody plays elsewhere and there are no figures."""

    figures: Callable[[], Metrics] = Metrics
    """Returns the metrics of the workers."""
    plays: Plays | None = None
    """Plays the matches and local best responses of the run's measures."""


@contextmanager
def shards_made(
    config: RunConfig, algorithm: Algorithm, note: Callable[[str], None]
) -> Iterator[Workers]:
    """Has a learner work on the cluster of its config, if there is one."""
    if config.cluster is None:
        yield Workers()
        return
    learner = _sharing(config, algorithm)
    from regretless.cluster.connection import connected
    from regretless.generation.measured_play import PlayedElsewhere

    with connected(config.cluster, _threads(config), note) as cluster:
        learner.work_on(cluster.makers)
        yield Workers(cluster.figures, PlayedElsewhere(cluster.makers, plays_here=True))


def _sharing(config: RunConfig, algorithm: Algorithm) -> "MakesShards":
    from regretless.generation.makers import MakesShards

    if not isinstance(algorithm, MakesShards):
        name = config.algorithm.name
        raise InputError(f"cluster: algorithm {name!r} makes no shards that could be shared out")
    return algorithm


def _threads(config: RunConfig) -> int:
    return int(config.algorithm.options.get("threads", 1))


def cluster_forecast(config: RunConfig, algorithm: Algorithm) -> str | None:
    """Returns what each worker of a run needs, and the time by workers; None without a cluster.

    A part of a shard is made here to find that out; fits of networks come on top.
    """
    if config.cluster is None:
        return None
    learner = _sharing(config, algorithm)
    from regretless.cluster.connection import WORKER_BYTES, placed
    from regretless.generation.makers import Makers, ProbingMakers

    probes, device = list[ProbingMakers](), config.cluster.device

    def probing(generator: Any, largest: int) -> Makers:
        probes.append(ProbingMakers(placed(generator, device), largest))
        return probes[0]

    learner.work_on(probing)
    threads = _threads(config)
    with _torch_threads(threads):
        algorithm.step(1)
    cost = probes[0].cost
    assert cost is not None
    processors = "a processor" if threads == 1 else f"{threads} processors"
    shards, at_once = learner.shards_per_step
    memory = size_text(WORKER_BYTES + cost.memory_bytes)
    network = f"{size_text(cost.columns_bytes)} a shard to the learner"
    weights = f"{size_text(cost.weights_bytes)} of weights to each machine"
    steps = config.budget.steps or 1
    times = _times(lambda workers: steps * shards * cost.seconds / min(workers, at_once))
    whole = "the run" if config.budget.steps else "a step"
    return (
        f"each worker needs {processors}, {memory} of memory and no disk, and sends "
        f"{network}; {weights} a fit; {shards:,} shards a step, {at_once:,} at once, about "
        f"{cost.seconds:.2g} s each; shards of {whole} by workers {times}, fits not counted"
    )


@contextmanager
def _torch_threads(threads: int) -> Iterator[None]:
    """Gives torch as many threads as a worker has."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _times(seconds: Callable[[int], float]) -> str:
    return ", ".join(f"{workers}: {duration_text(seconds(workers))}" for workers in (1, 4, 16, 64))


def scaling_text(figures: Metrics, steps: int, seconds: float, left: int) -> str | None:
    """Returns how long so many steps that are `left` take with 1, 4, 16 and 64 workers.

    The estimate is from the first `steps`, which took so many seconds: the time of the workers is
    divided, the rest of the time stays. None without a cluster.
    """
    if not figures:
        return None
    mine = max(seconds - figures["cluster/waited_seconds"], 0.0) / steps
    theirs, shards = figures["cluster/made_seconds"] / steps, figures["cluster/shards"] / steps
    times = _times(lambda workers: left * (mine + theirs / min(workers, max(shards, 1))))
    network = size_text(figures["cluster/received_bytes"] / steps)
    each = f"{shards:,.0f} shards and {network} from the workers a step"
    return f"time by workers {times}; {each}"
