# SPDX-License-Identifier: MIT
"""The forecast of a run: memory and disk before it begins, time as soon as steps have shown it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from regretless.algorithm import Takes
from regretless.recipes.config import BudgetConfig, Schedule
from regretless.runs.room import Room, size_text, used_memory


@dataclass(frozen=True)
class Forecast:
    """The memory and disk that a run needs, and what is free."""

    needed: Room
    """A lower bound, the memory of the program so far included; tables that grow take more."""
    free: Room
    grows_to: float | None
    """Bytes of memory that tables may grow to, infinite where that cannot be counted; None: none
    grows."""

    @classmethod
    def of(cls, more: Room, free: Room, takes: Takes) -> "Forecast":
        """Returns the forecast of an algorithm that needs so much room more."""
        memory = more.memory or 0
        grows_to = None if takes.grows_to is None else 2 * takes.grows_to  # a copy is saved
        if grows_to is not None and grows_to <= memory:
            grows_to = None
        return cls(replace(more, memory=memory + used_memory()), free, grows_to)

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
        """Returns numbers and texts."""
        is_counted = self.grows_to is not None and self.grows_to < math.inf
        return {
            "memory_bytes": self.needed.memory,
            "memory_free_bytes": self.free.memory,
            "disk_bytes": self.needed.disk,
            "disk_free_bytes": self.free.disk,
            "grows": self.grows_to is not None,
            "grows_to_bytes": int(self.grows_to or 0) if is_counted else None,
        }


@dataclass(frozen=True)
class Pace:
    """The speed of the first steps of a run."""

    probe_seconds: ClassVar[float] = 0.2
    """Seconds of stepping that are enough for an estimate."""

    step_seconds: float
    schedules: Mapping[str, Schedule]
    """When each measure is taken."""
    measure_seconds: Mapping[str, float]
    """The duration of each measure that was taken already."""

    def text(self, budget: BudgetConfig) -> str:
        """Returns the time that the budget needs, for a reader."""
        seconds = self.seconds(budget)
        if seconds is None:
            return "time unknown (until the target is reached)"
        measuring = " and measuring" if self._leaves_out_measuring(budget) else ""
        ending = " or less" if budget.target is not None else ""
        return f"time about {duration_text(seconds)}{measuring}{ending}"

    def seconds(self, budget: BudgetConfig) -> float | None:
        """Returns the seconds until the budget is spent; None if only a target ends the run."""
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
        """Tests whether the time of a measure that goes by steps is not known yet."""
        if budget.steps is None or self.seconds(budget) == budget.seconds:
            return False
        return any(
            schedule.every_steps is not None and name not in self.measure_seconds
            for name, schedule in self.schedules.items()
        )


def _size(number: int | None) -> str:
    return "?" if number is None else size_text(number)


def duration_text(seconds: float) -> str:
    """Returns a time for a reader, such as `4.6 min`."""
    for name, size in (("h", 3600), ("min", 60)):
        if seconds >= 1.5 * size:
            number = seconds / size
            return f"{number:.1f} {name}" if number < 10 else f"{number:,.0f} {name}"
    return f"{max(seconds, 1):.0f} s"
