# SPDX-License-Identifier: MIT
"""A finished or running run, read from the files of its directory without touching it."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from regretless.bundles.bundle import MANIFEST, Bundle, open_bundle
from regretless.bundles.shipped import strategy_directory
from regretless.errors import InputError
from regretless.notation.text_file import read_yaml
from regretless.pictures.result_table import ResultTable, Tabular, facts_html
from regretless.runs.metrics import read_metrics

CONFIG, METRICS, BUNDLE, LOCK = "config.yaml", "metrics.jsonl", "bundle", "lock"
AXES = {
    "iterations": ("train/iterations", "step"),
    "nodes touched": ("train/nodes",),
    "seconds": ("time/seconds",),
}
"""The axes that a measure can be drawn against, and the metrics for each, the best first."""


class Point(NamedTuple):
    """One figure of a curve."""

    where: float
    value: float
    low: float
    """The lower end of the interval; the value itself where there is none ..."""
    high: float
    """... and the upper end."""


@dataclass(frozen=True, repr=False)
class RunRecord(Tabular):
    """The config and the metrics of a run."""

    path: Path
    game: str
    algorithm: str
    metrics: list[dict[str, Any]]
    """One mapping for each line: `step`, `time/seconds`, `eval/exploitability` and so on."""
    setup: str = ""
    """The config without its seed and its directory: equal texts, equal setups."""
    seed: int = 0

    def __repr__(self) -> str:
        figures = f"{len(self.metrics):,} rows of metrics"
        return f"<RunRecord {self.name}: {self.algorithm} on {self.game}, {figures}>"

    def table(self) -> ResultTable:
        """A row for each step that was logged, a column for each metric."""
        return ResultTable.of_rows(self.metrics, f"{self.name}: {self.algorithm} on {self.game}")

    def _repr_html_(self) -> str:
        last = self.metrics[-1] if self.metrics else {}
        return facts_html(f"{self.name}: {self.algorithm} on {self.game}", last)

    @property
    def name(self) -> str:
        return self.path.resolve().name

    def curve(self, measure: str, axis: str) -> list[Point]:
        """The values of a measure along an axis of `AXES`."""
        points = []
        for row in self.metrics:
            where = next((row[key] for key in AXES[axis] if _is_finite(row.get(key))), None)
            if where is not None and _is_finite(row.get(measure)):
                value = row[measure]
                ends = [row.get(f"{measure}/{end}") for end in ("low", "high")]
                low, high = ends if all(map(_is_finite, ends)) else (value, value)
                points.append(Point(*map(float, (where, value, low, high))))
        return points


def is_run(path: Path) -> bool:
    """Whether a directory holds a run."""
    return (path / CONFIG).is_file()


def read_run(path: str | Path, tell: Callable[[str], None] = lambda _: None) -> RunRecord:
    """The run in a directory; InputError if there is none.

    `tell` is called with a line about each damaged row.
    """
    path = Path(path)
    if not is_run(path):
        raise InputError(f"{path}: not a run: there is no {CONFIG}")
    config = read_yaml(path / CONFIG)
    return RunRecord(
        path,
        game=_name_in(config, "game", path),
        algorithm=_name_in(config, "algorithm", path),
        metrics=list(read_metrics(path / METRICS, tell)),
        setup=json.dumps(
            {key: value for key, value in config.items() if key not in ("seed", "output")},
            sort_keys=True,
            default=str,
        ),
        seed=config.get("seed", 0),
    )


def find_bundle(path: Path, *, verify: bool = True) -> Bundle | None:
    """The bundle in a directory, or the one that the run in it left; None: it has not ended."""
    if (path / MANIFEST).exists() or not is_run(path):
        return open_bundle(path, verify=verify)
    if not (path / BUNDLE).is_dir():
        return None
    return open_bundle(path / BUNDLE, verify=verify)


def require_bundle(path: str | Path, *, verify: bool = True) -> Bundle:
    """The bundle of a directory or a shipped name; InputError for a run that has none yet."""
    found = find_bundle(strategy_directory(path) or Path(path), verify=verify)
    if found is None:
        raise InputError(f"{path}: the run has no bundle yet")
    return found


def _is_finite(value: Any) -> bool:
    """A number of JSON may have more digits than a float can hold."""
    if isinstance(value, int):
        return abs(value) < 1 << 1000
    return isinstance(value, float) and math.isfinite(value)


def _name_in(config: Any, section: str, path: Path) -> str:
    row = config.get(section) if isinstance(config, dict) else None
    name = row.get("name") if isinstance(row, dict) else row
    if not isinstance(name, str):
        raise InputError(f"{path / CONFIG}: {section}.name: missing")
    return name
