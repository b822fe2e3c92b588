# SPDX-License-Identifier: MIT
"""The machine that measures: what it is, and how a measurement keeps to some of its cores."""

import contextlib
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from regretless import _native
from regretless.levels import chosen_level


def describe_machine() -> dict[str, Any]:
    """The processor, the cores this process may use, the system, and how the core is compiled."""
    return {
        "cpu": _cpu_model(),
        "level": _native.level(),
        "tuned": chosen_level() == "native",  # compiled for this very processor
        "compiler": _native.compiler(),
        "cores": len(available_cores()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def available_cores() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


@contextlib.contextmanager
def pinned_to(num_cores: int | None) -> Iterator[None]:
    """Keep this thread, and the processes it starts, on the last cores where the system can."""
    if num_cores is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-num_cores:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _cpu_model() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or "unknown"
