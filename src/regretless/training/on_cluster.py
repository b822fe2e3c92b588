# SPDX-License-Identifier: MIT
"""The shards of a learner, made on the cluster of its config."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

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


def scaling_text(figures: Metrics, steps: int, seconds: float, left: int) -> str | None:
    """Returns how long so many steps that are `left` take with 1, 4, 16 and 64 workers.

    The estimate is from the first `steps`, which took so many seconds: the time of the workers is
    divided, the rest of the time stays. None without a cluster.
    """
    if not figures:
        return None
    mine = max(seconds - figures["cluster/waited_seconds"], 0.0) / steps
    theirs, shards = figures["cluster/made_seconds"] / steps, figures["cluster/shards"] / steps
    times = [
        f"{workers}: {duration_text(left * (mine + theirs / min(workers, max(shards, 1))))}"
        for workers in (1, 4, 16, 64)
    ]
    network = size_text(figures["cluster/received_bytes"] / steps)
    each = f"{shards:,.0f} shards and {network} from the workers a step"
    return f"time by workers {', '.join(times)}; {each}"
