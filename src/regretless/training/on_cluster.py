# SPDX-License-Identifier: MIT
"""The shards of a learner, made on the cluster of its config."""

import contextlib
from collections.abc import Callable, Iterator

from regretless.algorithm import Algorithm, Metrics
from regretless.errors import InputError
from regretless.recipes.config import RunConfig


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
