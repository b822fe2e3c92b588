# SPDX-License-Identifier: MIT
"""Room: the memory and disk that a run needs, and that the machine has."""

import resource
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from regretless.algorithm import Takes
from regretless.buffers import Buffer
from regretless.errors import InputError
from regretless.recipes.config import RunConfig
from regretless.storage.segments import LOG_SHARE

_SMALL = 1 << 20  # manifests, metrics, events


@dataclass(frozen=True)
class Room:
    """Bytes of memory and of disk; None: not known."""

    memory: int | None
    disk: int | None


def machine_room(path: Path) -> Room:
    """Free memory now, and free space on the disk where `path` is or will be."""
    while not path.exists() and path != path.parent:
        path = path.parent
    try:
        disk = shutil.disk_usage(path).free
    except OSError:
        disk = None
    return Room(free_memory(), disk)


def needed_room(
    takes: Takes, config: RunConfig, buffers: Mapping[str, Buffer] | None = None
) -> Room:
    """In memory the state, a copy for saving, what steps take, and full buffers; on disk the newest
    checkpoints, the best one and one that is being written, as if they shared no rows of buffers.
    Tables that grow will take more."""
    kept = list((buffers or {}).values())
    rows = sum(each.num_bytes for each in kept) if config.checkpoint.buffers else 0
    memory = 2 * takes.state + takes.working + sum(each.memory_bytes for each in kept) + _SMALL
    saved = takes.state + int(rows * (1 + LOG_SHARE))
    live = sum(each.disk_bytes for each in kept)
    return Room(memory, saved * (config.checkpoint.keep + 2) + live + _SMALL)


def check_room(path: Path, needed: Room, free: Room) -> None:
    """InputError with a suggestion if a run at `path` cannot fit."""
    if needed.memory and free.memory is not None and needed.memory > free.memory:
        raise InputError(
            f"{path}: training takes about {size_text(needed.memory)} of memory, of which "
            f"{size_text(free.memory)} are free; a smaller game, menu or buffer would fit"
        )
    if needed.disk and free.disk is not None and needed.disk > free.disk:
        raise InputError(
            f"{path}: the checkpoints take about {size_text(needed.disk)} of disk, of which "
            f"{size_text(free.disk)} are free; try checkpoint.keep=1 or another disk: output=..."
        )


def free_memory() -> int | None:
    """Bytes that this program may still take: of the machine, its group (a container) and what one
    process is allowed; None: not known."""
    found = (
        _kib("meminfo", "MemAvailable"),
        _free_of_group(Path("/sys/fs/cgroup")),
        _free_of_process(),
    )
    return min((each for each in found if each is not None), default=None)


def _kib(file: str, name: str) -> int | None:
    """The bytes that a line of a file in /proc gives in KiB; None: there is no such line."""
    try:
        lines = Path("/proc", file).read_text(encoding="ascii").splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def _pages(column: int) -> int | None:
    """The bytes of a column of /proc/self/statm; None: not known."""
    try:
        counts = Path("/proc/self/statm").read_text(encoding="ascii").split()
        return int(counts[column]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return None


def _free_of_group(group: Path) -> int | None:
    """Files that are cached and can be dropped count as free."""
    try:
        most = int((group / "memory.max").read_text(encoding="ascii"))  # `max` is no number
        used = int((group / "memory.current").read_text(encoding="ascii"))
        stat = dict(
            line.split() for line in (group / "memory.stat").read_text("ascii").splitlines()
        )
    except (OSError, ValueError):
        return None
    return max(0, most - used + int(stat.get("inactive_file", 0)))


def _free_of_process() -> int | None:
    """Bytes that `ulimit -v` leaves."""
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    taken = _pages(0)
    return None if most == resource.RLIM_INFINITY or taken is None else max(0, most - taken)


def peak_memory() -> int:
    """The most bytes of memory that this program has held at once.

    Linux counts them from the start of the program (VmHWM). `ru_maxrss` is for other systems: on
    Linux a program inherits it from the one that started it.
    """
    found = _kib("self/status", "VmHWM")
    if found is not None:
        return found
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def used_memory() -> int:
    """Bytes that this program has taken so far; 0: not known."""
    return _pages(1) or 0


def size_text(number: float) -> str:
    """Bytes for a reader."""
    units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    while number >= 1024 and len(units) > 1:
        number /= 1024
        units.pop(0)
    return f"{number:.3g} {units[0]}"
