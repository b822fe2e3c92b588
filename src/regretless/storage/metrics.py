# SPDX-License-Identifier: MIT
"""metrics.jsonl: one line for each step that was logged, a JSON object with `step` first."""

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from regretless.algorithm import Metrics
from regretless.errors import InputError
from regretless.storage.files import sync, told_on_failure

DAMAGED = "metrics.damaged"
"""Where damaged lines go."""


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

    def cut(self, last_step: int) -> list[int]:
        """Keep the lines of steps up to `last_step`; the numbers of damaged ones among them.

        Those are moved to another file. What comes after the last good line is not damage: it was
        written after the checkpoint, or torn by a crash.
        """
        with told_on_failure(self.path):
            lines = self.path.read_bytes().splitlines(keepends=True)
            is_kept = [
                (row := _row(each)) is not None and row["step"] <= last_step for each in lines
            ]
            end = max((number for number, kept in enumerate(is_kept, 1) if kept), default=0)
            damaged = [number for number in range(1, end) if not is_kept[number - 1]]
            if damaged:
                self._set_aside([lines[number - 1] for number in damaged])
                self._replace([line for line, kept in zip(lines, is_kept, strict=True) if kept])
            else:
                self._file.truncate(sum(map(len, lines[:end])))
            sync(self.path.parent)
        return damaged

    def close(self) -> None:
        self._file.close()

    def _set_aside(self, lines: list[bytes]) -> None:
        with self.path.with_name(DAMAGED).open("ab") as file:
            file.writelines(lines)
            os.fsync(file.fileno())

    def _replace(self, lines: list[bytes]) -> None:
        """All lines by others, in one instant."""
        aside = self.path.with_suffix(".writing")
        aside.write_bytes(b"".join(lines))
        sync(aside)
        self._file.close()
        aside.replace(self.path)
        self._file = self.path.open("a", encoding="utf-8", buffering=1)


def read_metrics(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of the file; a last line that is not whole is left out, another is an InputError."""
    with told_on_failure(path), path.open("rb") as file:
        damaged = 0
        for number, line in enumerate(file, 1):
            if damaged:
                raise InputError(
                    f"{path}: line {damaged}: damaged, not a JSON object with a step; "
                    "`regretless resume` sets it aside"
                )
            if (row := _row(line)) is None:
                damaged = number
            else:
                yield row


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_whole = line.endswith(b"\n") and isinstance(row, dict) and isinstance(row.get("step"), int)
    return row if is_whole else None
