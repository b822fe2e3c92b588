# SPDX-License-Identifier: MIT
"""metrics.jsonl: one line for each step that was logged, a JSON object with `step` first."""

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from regretless.algorithm import Metrics
from regretless.storage.files import sync, told_on_failure


class MetricsFile:
    """Lines are appended; `cut` takes those back that no checkpoint knows of."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with told_on_failure(path):
            self._file = path.open("a", encoding="utf-8", buffering=1)

    def append(self, step: int, metrics: Metrics) -> None:
        """Figures that are not finite are written as null."""
        row: dict[str, Any] = {"step": step}
        row |= {k: v if math.isfinite(v) else None for k, v in metrics.items()}
        with told_on_failure(self.path):
            self._file.write(json.dumps(row) + "\n")

    def sync(self) -> None:
        with told_on_failure(self.path):
            os.fsync(self._file.fileno())

    def cut(self, last_step: int) -> None:
        """Keep the lines of steps up to `last_step`, as far as they are whole."""
        with told_on_failure(self.path):
            self._file.truncate(_kept_bytes(self.path, last_step))
            sync(self.path.parent)

    def close(self) -> None:
        self._file.close()


def read_metrics(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of the file; a last line that is not whole is left out."""
    with told_on_failure(path), path.open("rb") as file:
        for line in file:
            row = _row(line)
            if row is None:
                return
            yield row


def _kept_bytes(path: Path, last_step: int) -> int:
    kept = 0
    with path.open("rb") as file:
        for line in file:
            row = _row(line)
            if row is None or row["step"] > last_step:
                break
            kept += len(line)
    return kept


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    is_whole = line.endswith(b"\n") and isinstance(row, dict) and isinstance(row.get("step"), int)
    return row if is_whole else None
