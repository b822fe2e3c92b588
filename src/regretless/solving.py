# SPDX-License-Identifier: MIT
"""Running an algorithm until a budget is spent, with a measure of how far it got."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from regretless.algorithm import Algorithm
from regretless.errors import InputError

_CHUNK_SECONDS = 0.1
_MEASURE_SHARE = 0.1  # of the time, at most, goes into measuring


@dataclass(frozen=True)
class Budget:
    """What ends a run: the first of these to be reached."""

    iterations: int | None = None
    target: float | None = None
    """Exploitability, in units of the game."""
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is None and self.target is None and self.seconds is None:
            raise InputError("a budget needs iterations, a target or seconds")
        for key in ("iterations", "target", "seconds"):
            value = getattr(self, key)
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise InputError(f"{key}: must be positive, not {value}")


@dataclass(frozen=True)
class Progress:
    """How far a run got."""

    iteration: int
    seconds: float
    exploitability: float
    """As last measured, after `measured_at` iterations."""
    measured_at: int

    @property
    def rate(self) -> float:
        """Iterations per second of solving and measuring."""
        return self.iteration / self.seconds if self.seconds > 0 else 0.0


def run(
    algorithm: Algorithm, budget: Budget, report: Callable[[Progress], None] = lambda _: None
) -> Progress:
    """Step until the budget is spent. The final measure is of the final strategy."""
    start = time.perf_counter()
    first = algorithm.iteration
    chunk, measuring, exploitability, measured_at = 1, 0.0, math.inf, first - 1
    while True:
        done = algorithm.iteration - first
        left = math.inf if budget.iterations is None else budget.iterations - done
        begun = time.perf_counter()
        algorithm.step(int(min(chunk, left)))
        elapsed = time.perf_counter() - start
        chunk = _next_chunk(chunk, time.perf_counter() - begun)
        done = algorithm.iteration - first
        is_over = (budget.iterations is not None and done >= budget.iterations) or (
            budget.seconds is not None and elapsed >= budget.seconds
        )
        if is_over or measuring <= _MEASURE_SHARE * elapsed:
            begun = time.perf_counter()
            exploitability, measured_at = algorithm.exploitability(), algorithm.iteration
            measuring += time.perf_counter() - begun
        is_reached = (
            budget.target is not None
            and measured_at == algorithm.iteration
            and exploitability <= budget.target
        )
        elapsed = time.perf_counter() - start
        progress = Progress(algorithm.iteration, elapsed, exploitability, measured_at)
        report(progress)
        if is_over or is_reached:
            return progress


def _next_chunk(chunk: int, seconds: float) -> int:
    """Grow gently: a target must not be overshot by much."""
    if seconds > _CHUNK_SECONDS:
        return max(1, int(chunk * _CHUNK_SECONDS / seconds))
    return max(chunk + 1, min(int(chunk * 1.25), 1 << 20))
