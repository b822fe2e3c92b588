# SPDX-License-Identifier: MIT
"""The status of a run, read from outside without touching it."""

import contextlib
import time
from pathlib import Path
from typing import Literal

from regretless.errors import InputError
from regretless.runs.run import Run
from regretless.runs.run_record import BUNDLE, LOCK, METRICS

RunStatus = Literal["running", "done", "stopped"]

_LOCKS = Path("/proc/locks")
_RECENT_SECONDS = 60.0


def run_status(path: Path) -> RunStatus:
    """The status by the lock that a training process holds, and by the newest checkpoint.

    A run without a checkpoint is done if it has a bundle.
    """
    if _is_held(path / LOCK, path / METRICS):
        return "running"
    is_finished: bool | None = None
    with contextlib.suppress(InputError):  # such as a config that was changed
        is_finished = Run.existing(path).is_finished()
    if is_finished is None:
        is_finished = (path / BUNDLE).is_dir()
    return "done" if is_finished else "stopped"


def _is_held(lock: Path, metrics: Path) -> bool:
    """Whether a process holds the lock; without /proc/locks, whether metrics are recent."""
    try:
        inode = lock.stat().st_ino
    except OSError:
        return False
    try:
        held = _LOCKS.read_text()
    except OSError:
        try:
            return time.time() - metrics.stat().st_mtime < _RECENT_SECONDS
        except OSError:
            return False
    rows = (line.split() for line in held.splitlines() if "FLOCK" in line)
    return any(row[-3].rsplit(":", 1)[-1] == str(inode) for row in rows)
