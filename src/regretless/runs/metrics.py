# SPDX-License-Identifier: MIT
"""metrics.jsonl: one line for each step that was logged, a JSON object with `step` first."""

import json
import math
import os
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from regretless.algorithm import Metrics
from regretless.storage.files import sync, told_on_failure, write_bytes

DAMAGED = "metrics.damaged"
"""The file that damaged lines are moved to."""


class MetricsFile:
    """Lines are appended; `cut` takes those back that no checkpoint knows of."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with told_on_failure(path):
            self._file = path.open("a", encoding="utf-8", buffering=1)

    def append(self, step: int, metrics: Metrics) -> None:
        """Figures that are not finite are written as null."""
        with told_on_failure(self.path):
            self._file.write(json.dumps({"step": step, **as_json(metrics)}) + "\n")

    def sync(self) -> None:
        with told_on_failure(self.path):
            os.fsync(self._file.fileno())

    def cut(self, last_step: int) -> list[int]:
        """Keep the lines of steps up to `last_step`; the numbers of damaged ones among them.

        Those are moved to another file. What comes after the last good line is not damage: it was
        written after the checkpoint, or torn by a crash.
        """
        with told_on_failure(self.path):
            lines = _lines(self.path)
            steps = [None if row is None else row["step"] for row in map(_row, lines)]
            kept = _ascending([it if it is not None and it <= last_step else None for it in steps])
            end = max(kept, default=-1) + 1
            damaged = [number for number in range(1, end) if number - 1 not in kept]
            if damaged:
                with self.path.with_name(DAMAGED).open("ab") as file:
                    file.writelines(lines[number - 1] for number in damaged)
                    os.fsync(file.fileno())
                self._file.close()
                write_bytes(self.path, [lines[index] for index in sorted(kept)])
                self._file = self.path.open("a", encoding="utf-8", buffering=1)
            else:
                self._file.truncate(sum(map(len, lines[:end])))
            sync(self.path.parent)
        return damaged

    def close(self) -> None:
        self._file.close()


def as_json(metrics: Metrics) -> dict[str, float | None]:
    """Figures for JSON; null stands for those that are not finite."""
    return {key: each if math.isfinite(each) else None for key, each in metrics.items()}


def read_metrics(
    path: Path, tell: Callable[[str], None] = lambda _: None
) -> Iterator[dict[str, Any]]:
    """The rows of the file. Damaged ones are left out, and `tell` is called with a line about each.

    A last line that is not whole is no damage: it is being written.
    """
    with told_on_failure(path):
        lines = _lines(path)
    rows = [_row(line) for line in lines]
    kept = _ascending([None if row is None else row["step"] for row in rows])
    for number, row in enumerate(rows, 1):
        if number - 1 in kept and row is not None:
            yield row
        elif number < len(rows) or lines[-1].endswith(b"\n"):
            tell(f"{path}: line {number} is damaged and left out")


def _lines(path: Path) -> list[bytes]:
    """With their ends; only a newline is one."""
    with path.open("rb") as file:
        return list(file)


def _ascending(steps: Sequence[int | None]) -> set[int]:
    """The indices of the most steps that ascend: a damaged one costs itself and no other."""
    ends: list[int] = []  # the least step that ends an ascent of each length ...
    indices: list[int] = []  # ... and where it is
    before: dict[int, int | None] = {}
    for index, step in enumerate(steps):
        if step is not None:
            place = bisect_left(ends, step)
            before[index] = indices[place - 1] if place else None
            if place == len(ends):
                ends.append(step)
                indices.append(index)
            elif step < ends[place]:
                ends[place], indices[place] = step, index
    found: set[int] = set()
    last = indices[-1] if indices else None
    while last is not None:
        found.add(last)
        last = before[last]
    return found


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_whole = line.endswith(b"\n") and isinstance(row, dict) and isinstance(row.get("step"), int)
    return row if is_whole else None
