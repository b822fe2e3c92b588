# SPDX-License-Identifier: MIT
"""The options of commands that play or solve on a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from regretless.cli.output import print_note
from regretless.errors import InputError
from regretless.matches.match import Plays
from regretless.options import read_model
from regretless.recipes.config import ClusterConfig

if TYPE_CHECKING:
    from regretless.cluster.connection import Cluster

ClusterName = Annotated[
    str | None,
    typer.Option("--cluster", help="Work on a Ray cluster: local, auto or HOST:PORT."),
]
WorkerCount = Annotated[
    int | None, typer.Option("--workers", min=1, max=10_000, help="Workers of the cluster.")
]


@contextmanager
def cluster_of(name: str | None, workers: int | None, threads: int) -> Iterator["Cluster | None"]:
    """Connects to the cluster of that name; None without a name."""
    if name is None:
        if workers is not None:
            raise InputError("--workers belongs to --cluster")
        yield None
        return
    from regretless.cluster.connection import connected

    config = read_model(ClusterConfig, {"name": name, "workers": workers}, "--cluster: ")
    with connected(config, threads, print_note) as cluster:
        yield cluster


@contextmanager
def played_on(name: str | None, workers: int | None, threads: int) -> Iterator[Plays | None]:
    """Yields who plays on the cluster of that name; None without a name."""
    with cluster_of(name, workers, threads) as cluster:
        if cluster is None:
            yield None
            return
        from regretless.generation.measured_play import PlayedElsewhere

        yield PlayedElsewhere(cluster.makers)
