# SPDX-License-Identifier: MIT
"""Limits of one core, measured beside the work: bandwidth of memory, and arithmetic."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchmarks.measure import Work

SECONDS = 0.1


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
    """Returns the operations per second of CPU time of a product of matrices."""
    matrix, product = np.ones((512, 512), np.float32), np.empty((512, 512), np.float32)
    return _best(lambda: np.matmul(matrix, matrix, out=product)) * 2 * 512**3


def _best(run: Callable[[], object]) -> float:
    """Returns runs per second of CPU time, the best of several."""
    best = 0.0
    for _ in range(5):
        count, start = 0, time.process_time()
        while (elapsed := time.process_time() - start) < SECONDS or not count:
            run()
            count += 1
        best = max(best, count / elapsed)
    return best
