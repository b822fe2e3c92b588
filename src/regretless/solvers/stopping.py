# SPDX-License-Identifier: MIT
"""Running a solver until a budget is spent, with measures of its exploitability."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from regretless.algorithm import EvaluatesProfile, Metrics, Solver
from regretless.errors import InputError, TooLargeError
from regretless.watch import UNWATCHED, Stopped, Watch

_CHUNK_SECONDS = 0.1
_MOST_ITERATIONS = 1 << 62
_MEASURE_SHARE = 0.1  # of the time, at most, goes into measures that need not be taken
_LEAST_SECONDS = 0.2  # that such a measure may take in any case
_LAST_SECONDS = 10.0  # that the last measure may take once a signal has come
_MOST_RESERVE = 0.3  # of the seconds of a budget, kept for the last measure
_OVER_TIME = 0.1  # of the seconds of a budget, that the last measure may take beyond them
_LEAST_OVER_TIME = 1.0  # seconds
_LEAST_MEASURED = 4  # iterations: measures before say little of how exploitability will fall


@dataclass(frozen=True)
class Budget:
    """Limits of a run, of which the first to be reached ends it."""

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

    def share(self, iterations: int, seconds: float) -> float | None:
        """The share of the iterations or seconds that is used up; None with a target alone."""
        spent = ((iterations, self.iterations), (seconds, self.seconds))
        return max((done / most for done, most in spent if most), default=None)

    def is_spent(self, iterations: int, seconds: float) -> bool:
        """Tests whether the iterations or the seconds are used up."""
        return (self.iterations is not None and iterations >= self.iterations) or (
            self.seconds is not None and seconds >= self.seconds
        )


@dataclass(frozen=True)
class Solved:
    """The progress of a solver."""

    iterations: int
    seconds: float
    exploitability: float
    """The last measure, taken after `measured_at` iterations; NaN without one."""
    measured_at: int
    nodes: int | None = None
    """Nodes touched so far, if the algorithm counts them."""
    values: list[float] | None = None
    """Expected payoffs of the players, in units, if the measure has them."""
    is_cut: bool = False
    """Whether the last measure was broken off or left out: it would have taken too long."""
    seconds_left: float | None = None
    """Estimated time until the budget is spent; None where it cannot be known yet."""

    @property
    def rate(self) -> float:
        """Iterations per second of solving and measuring."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0


def run(
    solver: Solver,
    budget: Budget,
    report: Callable[[Solved], None] = lambda _: None,
    *,
    watch: Watch = UNWATCHED,
    measure_unit: int = 1,
) -> Solved:
    """Runs a solver until the budget is spent or `watch` stops it, and returns the result.

    The target is tested after 1, 4, 9, 16 ... times `measure_unit` iterations, so without `seconds`
    the result does not depend on the clock. With `seconds`, time is left for the final measure, as
    long as the last one took; the measure is cut where all together takes a tenth more, or a second
    if that is more. After a stop the final measure may take ten seconds. A solver with several
    iterations per step reports the metric `iterations`. A game too large to measure has an
    exploitability of NaN and can have no target.
    """
    start = time.perf_counter()
    measure = _Measure(solver, budget, watch, start)
    inner = measure.inner
    metrics: Metrics = {}
    chunk, steps, iterations = 1, 0, 0
    while True:
        goal = _next_measure(iterations, measure_unit)
        if budget.iterations is not None:
            goal = min(goal, budget.iterations)
        if steps:
            chunk = min(chunk, max(1, math.ceil((goal - iterations) * steps / iterations)))
        begun, before = time.perf_counter(), solver.steps_done
        metrics |= solver.step(chunk, inner)
        done = solver.steps_done - before
        steps += done
        iterations = int(metrics.get("iterations", solver.steps_done))
        chunk = _next_chunk(chunk, time.perf_counter() - begun)
        elapsed = time.perf_counter() - start
        is_stopped = watch.should_stop()
        is_spent = done == 0 or budget.is_spent(iterations, elapsed + measure.reserve)
        if is_spent or is_stopped:
            measure.take_last(iterations, is_hurried=is_stopped)
            is_reached = False
        else:
            is_reached = iterations >= goal and measure.take(iterations, elapsed)
            if watch.should_stop() and not is_reached:
                measure.take_last(iterations, is_hurried=True)
        elapsed = time.perf_counter() - start
        is_stopped = watch.should_stop() and not (is_spent or is_reached)
        nodes = int(metrics["nodes"]) if "nodes" in metrics else None
        solved = Solved(
            iterations,
            elapsed,
            measure.exploitability,
            measure.taken_at,
            nodes,
            measure.values,
            measure.is_cut,
            _seconds_left(budget, measure.curve, iterations, elapsed),
        )
        report(solved)
        if is_spent or is_reached or is_stopped:
            return solved


class _Measure:
    """Takes the exploitability when it must be known, and else so that it does not cost much."""

    def __init__(self, solver: Solver, budget: Budget, watch: Watch, start: float) -> None:
        """`start` is the moment at which the time of the budget begins."""
        self.solver, self.watch = solver, watch
        self.most_seconds, self.end = budget.seconds, start + (budget.seconds or math.inf)
        self.inner = replace(watch, should_stop=lambda: watch.should_stop() or self.is_late())
        self.target = budget.target
        self.is_free = budget.target is None or budget.seconds is not None  # to leave some out
        self.exploitability = math.nan
        self.curve: list[tuple[int, float]] = []  # iterations and exploitability
        self.values: list[float] | None = None
        self.taken_at = 0
        self.seconds = 0.0  # of all measures so far
        self.expected = 0.0  # seconds of the next one, at least
        self.is_possible = True
        self.is_cut = False

    @property
    def reserve(self) -> float:
        """Seconds of the budget that are kept for the last measure."""
        seconds = self.most_seconds
        return 0.0 if seconds is None else min(self.expected, _MOST_RESERVE * seconds)

    def is_late(self) -> bool:
        """Whether the last measure is due."""
        return time.perf_counter() >= self.end - self.reserve

    def _over_time(self) -> float:
        """Seconds that the last measure may take."""
        if self.most_seconds is None:
            return math.inf
        over = max(_OVER_TIME * self.most_seconds, _LEAST_OVER_TIME)
        return max(self.end + over - time.perf_counter(), _LEAST_SECONDS)

    def take(self, iterations: int, elapsed: float) -> bool:
        """Measure on the way, if that is worth it; whether the target is reached."""
        if not self.is_free:
            self._take(iterations, self.watch)
        else:
            allowed = max(_MEASURE_SHARE * elapsed - self.seconds, _LEAST_SECONDS)
            is_cheap = self.seconds <= _MEASURE_SHARE * elapsed and self.expected <= allowed
            if is_cheap:
                self._take(iterations, self.inner.ending_at(time.perf_counter() + allowed))
        return (
            self.target is not None
            and self.taken_at == iterations
            and self.exploitability <= self.target
        )

    def take_last(self, iterations: int, is_hurried: bool) -> None:
        """The measure of what was reached; in a hurry or over time only if it is not too long."""
        if self.taken_at == iterations and not math.isnan(self.exploitability):
            return
        watch, most = self.watch, self._over_time()
        if is_hurried:  # it has said that we should stop
            watch, most = Watch(tell=self.watch.tell), _LAST_SECONDS
        if self.expected <= most:
            self._take(iterations, watch.ending_at(time.perf_counter() + most))
        self.is_cut = self.is_possible and self.taken_at != iterations

    def _take(self, iterations: int, watch: Watch) -> None:
        if not self.is_possible:
            return
        begun = time.perf_counter()
        try:
            if isinstance(self.solver, EvaluatesProfile):  # all figures come at once
                with watch.over("measuring"):
                    profile = self.solver.evaluate()
                self.exploitability, self.values = profile.exploitability, profile.values
            else:
                self.exploitability = self.solver.exploitability(watch)
            self.taken_at = iterations
            self.curve.append((iterations, self.exploitability))
        except TooLargeError:
            if self.target is not None:
                raise
            self.is_possible = False
        except Stopped:
            self.expected = 2 * (time.perf_counter() - begun)
        else:
            self.expected = time.perf_counter() - begun
        self.seconds += time.perf_counter() - begun


def _seconds_left(
    budget: Budget, curve: list[tuple[int, float]], iterations: int, elapsed: float
) -> float | None:
    """The time until the first limit, if exploitability goes on falling like a power.

    The power is that between the last measure and the one at about half as many iterations.
    """
    each = elapsed / iterations if iterations else math.inf
    ends = [] if budget.seconds is None else [budget.seconds - elapsed]
    if budget.iterations is not None:
        ends.append((budget.iterations - iterations) * each)
    last, found = curve[-1] if curve else (0, math.nan)
    before, more = next((row for row in reversed(curve) if 2 * row[0] <= last), (0, math.nan))
    if budget.target is not None and found <= budget.target:
        return 0.0
    if budget.target is not None and before >= _LEAST_MEASURED and 0 < found < more:
        power = math.log(more / found) / math.log(last / before)
        ends.append((last * (found / budget.target) ** min(1 / power, 10.0) - iterations) * each)
    elif budget.seconds is None and budget.target is not None:
        return None  # the number of iterations is only a bound
    return max(min(ends), 0.0) if ends else None


def _next_measure(iterations: int, unit: int) -> int:
    """The first of 1, 4, 9, 16 ... units beyond so many iterations.

    Where a measure costs about as much as two iterations, these cost as much as is lost by going
    on beyond a target.
    """
    return unit * (math.isqrt(iterations // unit) + 1) ** 2


def _next_chunk(chunk: int, seconds: float) -> int:
    """A number of steps after which progress is reported."""
    if seconds > _CHUNK_SECONDS:
        return max(1, int(chunk * _CHUNK_SECONDS / seconds))
    return min(2 * chunk, 1 << 20)
