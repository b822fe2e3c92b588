# SPDX-License-Identifier: MIT
"""Measures: a rate of regretless, the rates of its peers, and the rate to reach."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Peer:
    """One measure of a peer, run by `benchmarks/peers/measure_<name>.py`."""

    name: str
    measure: str
    target: float | None = None
    """The ratio of our rate to the peer's that we want to reach."""


@dataclass(frozen=True)
class Work:
    """The least that one unit of a measure asks of the machine."""

    bytes: float
    """Those that are read and written."""
    memory: int
    """Bytes that they are spread over: what fits a cache moves faster."""
    operations: float = 0
    """Additions, multiplications and comparisons in single precision."""


@dataclass(frozen=True)
class Measure:
    """Something we measure about ourselves."""

    name: str
    description: str
    unit: str
    run: Callable[[float], float]
    """Works for that many seconds, after a warm-up, and returns the rate."""
    peers: tuple[Peer, ...] = ()
    work: Callable[[], Work] | None = None
    """Returns what one unit asks, where it can be counted: for the share of the machine's limit."""
    floor: float | None = None
    """The rate that must be reached."""
    goal: float | None = None
    """The rate that should be reached."""
    cores: int | None = 1
    """That it is kept on; None: as many as there are."""
    summary: Callable[[Iterable[float]], float] = max
    """Returns the best rate of the repeats, as noise only slows down."""


def rate(
    work: Callable[[], int], seconds: float, clock: Callable[[], float] = time.process_time
) -> float:
    """Units of work per second, by default of CPU time: other processes then change little."""
    work()
    done, start = 0, clock()
    while (elapsed := clock() - start) < seconds:
        done += work()
    return done / elapsed


@contextmanager
def torch_threads(threads: int) -> Iterator[None]:
    """PyTorch with so many threads, and then with as many as before."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
