# SPDX-License-Identifier: MIT
"""The memory and time of solving a public tree, known and checked before anything is built."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from regretless.algorithms import check_common
from regretless.errors import InputError
from regretless.games import Game
from regretless.runs.room import free_memory, size_text
from regretless.solvers.backend import PlannedSize, backend_name, find_backend
from regretless.solvers.problem import CFRConfig

_SPARE = 1.1  # times the planned bytes: sizes are rounded, and measures take some
_LEAST_SECONDS = 0.1  # a shorter iteration is not mentioned
_ITERATIONS_TO_ONE, _FALL = 100, 0.6  # of DCFR to 1 % of the pot; to e % e^-0.6 times as many


@dataclass(frozen=True)
class SolveForecast:
    """The memory and time of a solve."""

    decisions: int
    entries: int
    memory_bytes: int
    bits: int
    """Bits of a number in the tables."""
    free_bytes: int | None
    """Free memory of this machine; None if unknown."""
    allowed_bytes: int
    iteration_seconds: float
    """A rough guess."""
    seconds: float | None
    """Time until the budget is spent, a rough guess; None if only a target of a game ends it."""

    def __str__(self) -> str:
        free = "" if self.free_bytes is None else f" ({size_text(self.free_bytes)} free)"
        seconds = self.iteration_seconds
        time = f", about {seconds:.1f} s an iteration" if seconds >= _LEAST_SECONDS else ""
        return (
            f"{self.decisions:,} decision nodes, {self.entries:,} entries, memory "
            f"{size_text(self.memory_bytes)} in {self.bits} bits{free}{time}"
        )


def forecast_solve(
    name: str,
    game: Game,
    options: Mapping[str, Any],
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    percent: float | None = None,
) -> SolveForecast:
    """Plans a solver of the CFR family; InputError if memory does not suffice.

    The budget is for `seconds`; `percent` is the target of a spot, in % of the pot. The backend
    that will hold the tables plans them, and no device is needed. Without an option `max_bytes`, a
    solver may take the free memory of this machine, or on a device the default.
    """
    check_common(name, options)
    free = free_memory()
    allowed = CFRConfig.max_bytes if free is None else int(free / _SPARE)
    is_elsewhere = options.get("device", "cpu") != "cpu"
    most = options.get("max_bytes", CFRConfig.max_bytes if is_elsewhere else allowed)
    backend = find_backend(options)
    size = backend.plan(game, backend.read_config(name, {**options, "max_bytes": most}))
    if size.bytes > most:
        is_free = free is not None and most >= int(free / _SPARE)
        room = f"{size_text(free or 0)} are free" if is_free else f"{size_text(most)} are allowed"
        raise _too_large(game, size, size.bytes, room, has_16_bits=backend_name(options) != "torch")
    if is_elsewhere and size.host_bytes > allowed:
        raise _too_large(game, size, size.host_bytes, f"{size_text(allowed)} are free")
    each = size.iteration_seconds
    times = [] if seconds is None else [seconds]
    times += [] if iterations is None else [iterations * each]
    times += [] if percent is None else [seconds_to(percent, each)]
    return SolveForecast(
        decisions=size.decisions,
        entries=size.entries,
        memory_bytes=size.bytes,
        bits=size.bits,
        free_bytes=free,
        allowed_bytes=most,
        iteration_seconds=each,
        seconds=min(times) if times else None,
    )


def seconds_to(percent: float, iteration_seconds: float) -> float:
    """The time until DCFR has solved a spot to a target in % of the pot: a rough guess.

    A measure takes about as long as an iteration, and comes after 1, 4, 9, 16 ... of them.
    """
    iterations: float = _ITERATIONS_TO_ONE * percent**-_FALL
    return (iterations + math.sqrt(iterations)) * iteration_seconds


def _too_large(
    game: Game, size: PlannedSize, needed: int, room: str, has_16_bits: bool = False
) -> InputError:
    smaller = ["fewer sizes (--bets, --raises)", "a later street", "narrower ranges"]
    if has_16_bits and size.bits == 32:
        smaller.insert(0, "--precision 16")
    return InputError(
        f"{game.name}: solving takes {size_text(_SPARE * needed)} of memory in "
        f"{size.bits} bits, of which {room}; "
        f"{', '.join(smaller[:-1])} or {smaller[-1]} make it smaller"
    )
