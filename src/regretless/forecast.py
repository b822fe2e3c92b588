# SPDX-License-Identifier: MIT
"""What a run will take of memory, disk and time, told before it begins."""

import math
import time
from dataclasses import dataclass

from regretless.algorithm import Algorithm
from regretless.buffers import buffers_of
from regretless.config import BudgetConfig, RunConfig
from regretless.errors import InputError
from regretless.storage.room import Room, needed_room, size_text

_PROBE_SECONDS = 0.2


@dataclass(frozen=True)
class Forecast:
    """What a run needs, and what there is."""

    needed: Room
    """At least; tables that grow take more."""
    free: Room
    grows_to: float | None
    """Bytes of memory that tables may grow to, infinite if nobody can count; None: none grows."""
    seconds: float | None
    """Until the budget is spent; None: only a target ends the run."""
    has_target: bool
    """Whether it may end sooner."""
    leaves_out_measuring: bool = False
    """Whether the seconds are of the steps alone."""

    def __str__(self) -> str:
        parts = [
            f"memory {_size(self.needed.memory)} ({_size(self.free.memory)} free)",
            f"disk {_size(self.needed.disk)} ({_size(self.free.disk)} free)",
            f"time {self._time()}",
        ]
        if self.grows_to is not None:
            most = f", to {size_text(self.grows_to)} at most" if self.grows_to < math.inf else ""
            parts.insert(1, f"its tables grow{most}")
        return "; ".join(parts)

    def _time(self) -> str:
        if self.seconds is None:
            return "unknown (until the target is reached)"
        measuring = " and measuring" if self.leaves_out_measuring else ""
        return f"about {_duration(self.seconds)}{measuring}{' or less' if self.has_target else ''}"


def foresee(probe: Algorithm, config: RunConfig, free: Room) -> Forecast:
    """By `probe`, which takes a few steps and is of no use afterwards.

    An algorithm whose tables grow has a method `most_bytes`, which gives None if nobody can count.
    One that `searches` takes so long to measure that it is not done for the sake of a forecast.
    """
    needed = needed_room(probe.state(), config, buffers_of(probe))
    grows_to = None
    if hasattr(probe, "most_bytes"):
        most = probe.most_bytes()
        with_copy = math.inf if most is None else 2 * most
        grows_to = with_copy if with_copy > (needed.memory or 0) else None
    has_target = config.budget.target is not None
    seconds, searches = _seconds(probe, config), getattr(probe, "searches", False)
    leaves_out = searches and config.evaluate.every_steps is not None
    return Forecast(needed, free, grows_to, seconds, has_target, leaves_out)


def _seconds(probe: Algorithm, config: RunConfig) -> float | None:
    budget = config.budget
    times = [budget.seconds] if budget.seconds is not None else []
    if budget.steps is not None:
        times.append(budget.steps * _step_seconds(probe, budget) + _measuring(probe, config))
    return min(times) if times else None


def _step_seconds(probe: Algorithm, budget: BudgetConfig) -> float:
    """Of the last and longest of several chunks: the first steps warm up."""
    chunk, spent = 1, 0.0
    while True:
        begun = time.perf_counter()
        probe.step(chunk)
        seconds = time.perf_counter() - begun
        spent += seconds
        if spent >= _PROBE_SECONDS or probe.iteration >= (budget.steps or 0):
            return seconds / chunk
        chunk *= 2


def _measuring(probe: Algorithm, config: RunConfig) -> float:
    """Seconds that go into measuring, where that goes by steps."""
    every, steps = config.evaluate.every_steps, config.budget.steps
    if every is None or steps is None or getattr(probe, "searches", False):
        return 0.0
    begun = time.perf_counter()
    try:
        probe.exploitability()
    except InputError:
        return 0.0
    return (time.perf_counter() - begun) * steps / every


def _size(number: int | None) -> str:
    return "?" if number is None else size_text(number)


def _duration(seconds: float) -> str:
    for name, size in (("h", 3600), ("min", 60)):
        if seconds >= 1.5 * size:
            number = seconds / size
            return f"{number:.1f} {name}" if number < 10 else f"{number:,.0f} {name}"
    return f"{max(seconds, 1):.0f} s"
