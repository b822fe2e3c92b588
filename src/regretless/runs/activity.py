# SPDX-License-Identifier: MIT
"""activity.json: what a run is doing now, for others to read while it trains."""

import contextlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from regretless.storage.files import told_on_failure
from regretless.watch import UNWATCHED, Watch

ACTIVITY = "activity.json"
_EVERY_SECONDS = 0.5
_WIDTH = 400  # bytes: each line covers the one before
_MOST_TEXT = 80  # characters
_KINDS: dict[str, type | tuple[type, ...]] = {
    "what": str,
    "detail": str,
    "share": (int, float, type(None)),
    "step": int,
    "seconds": (int, float),
}
_MEASURES = {
    "exact": "the exploitability",
    "lbr": "by local best response",
    "baselines": "by matches against bots",
}


class Activity:
    """Open while a run trains, and removed at its end; written at most twice a second.

    After a kill or an error it stays: the last bundle of the run may be missing.
    """

    def __init__(self, path: Path, seconds: Callable[[], float] = lambda: 0.0) -> None:
        """`seconds` returns how long the run has trained."""
        self.seconds = seconds
        self._path = path / ACTIVITY
        self._what, self._step, self._written = "", 0, 0.0
        with told_on_failure(self._path):
            self._file = self._path.open("wb", buffering=0)

    def begin(self, what: str, step: int) -> None:
        """Notes what is done from now on."""
        self._what, self._step = what, step
        self._write("", None)

    def begin_measure(self, name: str, step: int) -> None:
        """Notes that a measure is taken."""
        self.begin(f"measuring {_MEASURES.get(name, name)}", step)

    def watching(self, watch: Watch) -> Watch:
        """Returns the watch, whose progress is noted here, too."""
        if watch is UNWATCHED:
            return watch

        def tell(what: str, share: float | None) -> None:
            watch.tell(what, share)
            self._write(what, share)

        return replace(watch, tell=tell)

    def _write(self, detail: str, share: float | None) -> None:
        now = time.monotonic()
        if now - self._written < _EVERY_SECONDS:
            return
        self._written = now
        row = {"what": self._what, "detail": detail[:_MOST_TEXT], "share": share}
        text = json.dumps({**row, "step": self._step, "seconds": round(self.seconds(), 1)})
        with contextlib.suppress(OSError):  # nothing depends on it
            os.pwrite(self._file.fileno(), text.encode().ljust(_WIDTH - 1) + b"\n", 0)

    def __enter__(self) -> "Activity":
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if error is None:
            with contextlib.suppress(OSError):
                self._path.unlink()


def read_activity(path: Path) -> dict[str, Any] | None:
    """Returns what a run in a directory noted last; None if there is nothing to be read."""
    try:
        row = json.loads((path / ACTIVITY).read_bytes()[:_WIDTH])
    except (OSError, ValueError):
        return None
    if not isinstance(row, dict) or row.keys() != _KINDS.keys():
        return None
    return row if all(isinstance(row[key], kind) for key, kind in _KINDS.items()) else None
