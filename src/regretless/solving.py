# SPDX-License-Identifier: MIT
"""Running a solver until a budget is spent, with a measure of how far it got."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from regretless.algorithm import Solver
from regretless.errors import InputError, TooLargeError

_CHUNK_SECONDS = 0.1
_MOST_ITERATIONS = 1 << 62
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
        for key, value in vars(self).items():
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise InputError(f"{key}: must be positive, not {value}")
        if self.iterations is not None and self.iterations > _MOST_ITERATIONS:
            raise InputError(f"iterations: must be at most {_MOST_ITERATIONS:,}")


@dataclass(frozen=True)
class Solved:
    """How far a solver got."""

    iterations: int
    seconds: float
    exploitability: float
    """As last measured, after `measured_at` iterations."""
    measured_at: int
    nodes: int | None = None
    """Touched so far, if the algorithm counts them."""

    @property
    def rate(self) -> float:
        """Iterations per second of solving and measuring."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0


def run(
    solver: Solver, budget: Budget, report: Callable[[Solved], None] = lambda _: None
) -> Solved:
    """Step until the budget is spent. The final measure is of the final strategy.

    A solver whose step is several iterations says so by the metric `iterations`. A game too large
    to measure has an exploitability of NaN, and then there can be no target.
    """
    start = time.perf_counter()
    measure = _Measure(solver, budget)
    chunk, steps, iterations = 1, 0, 0
    while True:
        if budget.iterations is not None and steps:
            chunk = min(chunk, math.ceil((budget.iterations - iterations) * steps / iterations))
        begun = time.perf_counter()
        metrics = solver.step(chunk)
        steps += chunk
        iterations = int(metrics.get("iterations", solver.steps_done))
        chunk = _next_chunk(chunk, time.perf_counter() - begun)
        elapsed = time.perf_counter() - start
        is_over = (budget.iterations is not None and iterations >= budget.iterations) or (
            budget.seconds is not None and elapsed >= budget.seconds
        )
        is_reached = measure.take(iterations, elapsed, is_over)
        elapsed = time.perf_counter() - start
        nodes = int(metrics["nodes"]) if "nodes" in metrics else None
        solved = Solved(iterations, elapsed, measure.exploitability, measure.taken_at, nodes)
        report(solved)
        if is_over or is_reached:
            return solved


class _Measure:
    """Takes the exploitability now and then, so that it does not cost much."""

    def __init__(self, solver: Solver, budget: Budget) -> None:
        self.solver = solver
        self.target = budget.target
        self.exploitability = math.nan
        self.taken_at = 0
        self.seconds = 0.0
        self.is_possible = True

    def take(self, iterations: int, elapsed: float, is_last: bool) -> bool:
        """Measure if it is time or the last chance; whether the target is reached."""
        is_due = is_last or self.seconds <= _MEASURE_SHARE * elapsed
        if not is_due or not self.is_possible:
            return False
        begun = time.perf_counter()
        try:
            self.exploitability = self.solver.exploitability()
        except TooLargeError:
            if self.target is not None:
                raise
            self.is_possible = False
        self.taken_at = iterations
        self.seconds += time.perf_counter() - begun
        return self.target is not None and self.exploitability <= self.target


def _next_chunk(chunk: int, seconds: float) -> int:
    """Grow gently: a target must not be overshot by much."""
    if seconds > _CHUNK_SECONDS:
        return max(1, int(chunk * _CHUNK_SECONDS / seconds))
    return max(chunk + 1, min(int(chunk * 1.25), 1 << 20))
