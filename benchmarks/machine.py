# SPDX-License-Identifier: MIT
"""The machine that measures: what it is, what a core can do, and how work keeps to some cores."""

import contextlib
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Work
from regretless import _native
from regretless.levels import chosen_level

SECONDS = 0.1
SIDE = 64  # of a matrix


def describe_machine() -> dict[str, Any]:
    """The processor, the cores this process may use, the system, and how the core is compiled."""
    return {
        "cpu": _cpu_model(),
        "level": _native.level(),
        "tuned": chosen_level() == "native",  # compiled for this very processor
        "compiler": _native.compiler(),
        "cores": len(available_cores()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def available_cores() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


@contextlib.contextmanager
def pinned_to(num_cores: int | None) -> Iterator[None]:
    """Keep this thread, and the processes it starts, on the last cores where the system can."""
    if num_cores is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-num_cores:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _cpu_model() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or "unknown"


@dataclass(frozen=True)
class Share:
    """The share of a limit that a measure reaches."""

    limit: str
    """`bandwidth` or `arithmetic`: the one that it comes nearer to."""
    share: float


def share_of_limit(rate: float, work: Work) -> Share:
    """Returns what a rate of such work is of what one core could do if only one limit held."""
    shares = [Share("bandwidth", rate * work.bytes / bandwidth(work.memory))]
    if work.operations:
        shares.append(Share("arithmetic", rate * work.operations / arithmetic()))
    return max(shares, key=lambda each: each.share)


@cache
def bandwidth(memory: int) -> float:
    """Returns the bytes per second of CPU time that a core reads and writes in so much memory."""
    array = np.ones(max(memory // 4, 1024), np.float32)
    return _best(lambda: np.multiply(array, np.float32(1), out=array)) * 2 * array.nbytes


@cache
def arithmetic() -> float:
    """Returns the operations per second of CPU time of products of matrices.

    Larger ones are shared out over threads, which wait for each other on one core.
    """
    matrix, product = np.ones((SIDE, SIDE), np.float32), np.empty((SIDE, SIDE), np.float32)
    return _best(lambda: np.matmul(matrix, matrix, out=product)) * 2 * SIDE**3


def _best(run: Callable[[], object]) -> float:
    """Returns runs per second of CPU time, the best of several."""
    best = 0.0
    for _ in range(5):
        count, start = 0, time.process_time()
        while (elapsed := time.process_time() - start) < SECONDS or not count:
            for _ in range(4):
                run()
            count += 4
        best = max(best, count / elapsed)
    return best
