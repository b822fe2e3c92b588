# SPDX-License-Identifier: MIT
"""What solving a public tree will take of memory and time, told and checked before it begins."""

from dataclasses import dataclass
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.options import read_options
from regretless.runs.room import free_memory, size_text
from regretless.solvers.problem import CFRConfig, planned_size

_SPARE = 1.1  # times the tree and the tables: sizes are rounded, and measures take some
_ENTRIES_A_SECOND = 3e8  # that one thread goes through, roughly (docs/algorithms/cfr.md)
_LEAST_SECONDS = 0.1  # an iteration whose time is worth telling


@dataclass(frozen=True)
class SolvePlan:
    """What a solver needs, and what there is."""

    size: _native.SolveSize
    free: int | None
    """Bytes of memory; None: not known."""
    most: int
    """Bytes that the solver may take."""
    iteration_seconds: float
    """A rough guess."""

    def __str__(self) -> str:
        free = "" if self.free is None else f" ({size_text(self.free)} free)"
        seconds = self.iteration_seconds
        time = f", about {seconds:.1f} s an iteration" if seconds >= _LEAST_SECONDS else ""
        return (
            f"{self.size.decisions:,} decision nodes, {self.size.entries:,} entries, memory "
            f"{size_text(self.size.bytes)} in {self.size.precision} bits{free}{time}"
        )


def plan_room(
    name: str, game: _native.Poker | _native.LiarsDice, options: dict[str, Any]
) -> SolvePlan:
    """Of a member of the CFR family; InputError if there is not enough memory for it."""
    free = free_memory()
    most = CFRConfig.max_bytes if free is None else int(free / _SPARE)
    most = options.get("max_bytes", most)
    known = {key: value for key, value in options.items() if key not in ("device", "max_bytes")}
    if "device" in options:
        known.pop("precision", None)  # of torch: it has another meaning
    place = f"algorithm {name!r}"
    config = read_options(CFRConfig, place, known, name=name, max_bytes=most)
    size = planned_size(game, config)
    if size.bytes > most:
        room = most if free is None or most < int(free / _SPARE) else free
        word = "allowed" if room == most else "free"
        smaller = ["fewer sizes (--bets, --raises)", "a later street", "narrower ranges"]
        if size.precision == 32:
            smaller.insert(0, "--precision 16")
        raise InputError(
            f"{game.name}: solving takes {size_text(_SPARE * size.bytes)} of memory in "
            f"{size.precision} bits, of which {size_text(room)} are {word}; "
            f"{', '.join(smaller[:-1])} or {smaller[-1]} make it smaller"
        )
    return SolvePlan(size, free, most, size.entries / _ENTRIES_A_SECOND / config.threads)
