# SPDX-License-Identifier: MIT
"""What a run will take: memory and disk before it begins, time as soon as steps have shown it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from regretless.algorithm import Takes
from regretless.buffers import Buffer
from regretless.recipes.config import BudgetConfig, RunConfig, Schedule
from regretless.runs.room import Room, needed_room, size_text, used_memory


@dataclass(frozen=True)
class Forecast:
    """What a run needs, and what there is."""

    needed: Room
    """At least, with what the program has taken already; tables that grow take more."""
    free: Room
    grows_to: float | None
    """Bytes of memory that tables may grow to, infinite where that cannot be counted; None: none
    grows."""

    def __str__(self) -> str:
        parts = [
            f"memory {_size(self.needed.memory)} ({_size(self.free.memory)} free)",
            f"disk {_size(self.needed.disk)} ({_size(self.free.disk)} free)",
        ]
        if self.grows_to is not None:
            most = f", to {size_text(self.grows_to)} at most" if self.grows_to < math.inf else ""
            parts.insert(1, f"its tables grow{most}")
        return "; ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """As numbers and texts."""
        is_counted = self.grows_to is not None and self.grows_to < math.inf
        return {
            "memory_bytes": self.needed.memory,
            "memory_free_bytes": self.free.memory,
            "disk_bytes": self.needed.disk,
            "disk_free_bytes": self.free.disk,
            "grows": self.grows_to is not None,
            "grows_to_bytes": int(self.grows_to or 0) if is_counted else None,
        }


def foresee(
    takes: Takes, config: RunConfig, free: Room, buffers: Mapping[str, Buffer] | None = None
) -> Forecast:
    """From what an algorithm says that it takes."""
    more = needed_room(takes, config, buffers)
    needed = replace(more, memory=(more.memory or 0) + used_memory())
    grows_to = None if takes.grows_to is None else 2 * takes.grows_to  # a copy is saved
    if grows_to is not None and grows_to <= (more.memory or 0):
        grows_to = None
    return Forecast(needed, free, grows_to)


@dataclass(frozen=True)
class Pace:
    """How fast a run has begun."""

    probe_seconds: ClassVar[float] = 0.2
    """Of stepping that tell enough."""

    step_seconds: float
    schedules: Mapping[str, Schedule]
    """Of the measures."""
    measure_seconds: Mapping[str, float]
    """Of the measures that were taken already."""

    def text(self, budget: BudgetConfig) -> str:
        """How long it will take."""
        seconds = self.seconds(budget)
        if seconds is None:
            return "time unknown (until the target is reached)"
        measuring = " and measuring" if self._leaves_out_measuring(budget) else ""
        ending = " or less" if budget.target is not None else ""
        return f"time about {_duration(seconds)}{measuring}{ending}"

    def seconds(self, budget: BudgetConfig) -> float | None:
        """Until the budget is spent; None: only a target ends the run."""
        times = [budget.seconds] if budget.seconds is not None else []
        if budget.steps is not None:
            measuring = sum(
                self.measure_seconds.get(name, 0.0) * budget.steps / schedule.every_steps
                for name, schedule in self.schedules.items()
                if schedule.every_steps is not None
            )
            times.append(budget.steps * self.step_seconds + measuring)
        return min(times) if times else None

    def _leaves_out_measuring(self, budget: BudgetConfig) -> bool:
        """Whether a measure that goes by steps has not been taken, so that its time is unknown."""
        if budget.steps is None or self.seconds(budget) == budget.seconds:
            return False
        return any(
            schedule.every_steps is not None and name not in self.measure_seconds
            for name, schedule in self.schedules.items()
        )


def _size(number: int | None) -> str:
    return "?" if number is None else size_text(number)


def _duration(seconds: float) -> str:
    for name, size in (("h", 3600), ("min", 60)):
        if seconds >= 1.5 * size:
            number = seconds / size
            return f"{number:.1f} {name}" if number < 10 else f"{number:,.0f} {name}"
    return f"{max(seconds, 1):.0f} s"
