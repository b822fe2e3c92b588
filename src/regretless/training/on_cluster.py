# SPDX-License-Identifier: MIT
"""The shards of a learner, made on the cluster of its config."""

import contextlib
from collections.abc import Callable, Iterator

from regretless.algorithm import Algorithm, Metrics
from regretless.errors import InputError
from regretless.recipes.config import RunConfig
from regretless.runs.room import size_text
from regretless.training.forecast import duration_text


@contextlib.contextmanager
def shards_made(
    config: RunConfig, algorithm: Algorithm, note: Callable[[str], None]
) -> Iterator[Callable[[], Metrics]]:
    """Has a learner work on a cluster, if the config has one; yields the metrics of the workers."""
    if config.cluster is None:
        yield Metrics
        return
    from regretless.generation.makers import MakesShards

    if not isinstance(algorithm, MakesShards):
        name = config.algorithm.name
        raise InputError(f"cluster: algorithm {name!r} makes no shards that could be shared out")
    from regretless.cluster.connection import connected

    threads = config.algorithm.options.get("threads", 1)
    with connected(config.cluster, threads, note) as cluster:
        algorithm.work_on(cluster.makers)
        yield cluster.figures


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
