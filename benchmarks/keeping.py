# SPDX-License-Identifier: MIT
"""Measures of what a learner keeps: rows into a mapped reservoir, minibatches, and checkpoints.

A row is one of a learner of advantages in hold'em: an observation of 64 bytes, a target for each of
six slots, the legal ones as a mask, and a weight: 100 bytes. Where the disk has its part,
seconds are those of the clock. `benchmarks/scripts/large_reservoir.py` measures any
size.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.measure import Measure, rate
from regretless.buffers import Column, Reservoir
from regretless.storage.segments import SegmentStore

COLUMNS = (
    Column("observation", "uint8", (64,)),
    Column("targets", "float32", (6,)),
    Column("legal", "uint64"),
    Column("weight", "float32"),
)
CAPACITY = 1_000_000
BATCH = 1 << 16
MINIBATCH = 4096


def mapped_reservoir(capacity: int, directory: Path, threads: int = 1) -> Reservoir:
    return Reservoir(
        COLUMNS, capacity, seed=1, directory=directory, max_bytes=1 << 40, threads=threads
    )


def add_rows(reservoir: Reservoir, count: int) -> None:
    """So many rows, in batches as self-play brings them."""
    random = np.random.default_rng(reservoir.num_added)
    rows = {
        column.name: random.integers(0, 256, (BATCH, column.num_bytes), np.uint8)
        .view(column.type)
        .reshape(BATCH, *column.shape)
        for column in COLUMNS
    }
    for begin in range(0, count, BATCH):
        left = min(BATCH, count - begin)
        reservoir.add({name: array[:left] for name, array in rows.items()})


def change_share(reservoir: Reservoir, share: float) -> None:
    """Add until about this share of the rows are others, if it is full."""
    before, wanted = reservoir.num_added, share * reservoir.capacity
    add_rows(reservoir, round(wanted * before / reservoir.capacity))


def save_seconds(store: SegmentStore, reservoir: Reservoir) -> float:
    begun = time.perf_counter()
    store.write({"reservoir": reservoir})
    return time.perf_counter() - begun


@contextmanager
def _directory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="regretless-") as name:
        yield Path(name)


def _rows(seconds: float) -> float:
    with _directory() as directory:

        def work() -> int:
            add_rows(mapped_reservoir(CAPACITY, directory), 2 * CAPACITY)
            return 2 * CAPACITY

        return rate(work, seconds, time.perf_counter)


def _minibatches(seconds: float) -> float:
    with _directory() as directory:
        reservoir = mapped_reservoir(CAPACITY, directory)
        add_rows(reservoir, CAPACITY)
        rows = reservoir.sample(0, 0, MINIBATCH)
        steps = iter(range(1 << 40))

        def work() -> int:
            reservoir.sample_into(0, next(steps), rows)
            return 1

        return rate(work, seconds)


def _checkpoints(seconds: float) -> float:
    del seconds  # one of each takes as long as it takes
    with _directory() as directory:
        reservoir, store = mapped_reservoir(CAPACITY, directory), SegmentStore(directory / "saved")
        add_rows(reservoir, CAPACITY)
        first = save_seconds(store, reservoir)
        change_share(reservoir, 0.01)
        return first / save_seconds(store, reservoir)


KEEPING = (
    Measure(
        name="reservoir_rows",
        description="Rows of 100 bytes into a mapped reservoir, until twice its capacity was added",
        unit="rows/s",
        run=_rows,
        floor=2e6,
    ),
    Measure(
        name="reservoir_minibatches",
        description="Minibatches of 4,096 rows from it",
        unit="minibatches/s",
        run=_minibatches,
        floor=500,
    ),
    Measure(
        name="reservoir_checkpoints",
        description="Its first save over one after a hundredth of the rows have changed, in time",
        unit="ratio",
        run=_checkpoints,
        cores=None,
        summary=statistics.median,
    ),
)
