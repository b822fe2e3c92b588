# SPDX-License-Identifier: MIT
"""Checkpoints: the arrays of an algorithm and the progress of training, hashed, in one piece."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from regretless.algorithm import Arrays, Metrics
from regretless.errors import InputError
from regretless.evaluation.measures import Measure
from regretless.recipes.config import BudgetConfig
from regretless.storage.files import new_directory, told_on_failure
from regretless.storage.manifest import (
    DamagedError,
    amend_manifest,
    read_manifest,
    verify_files,
    write_manifest,
)
from regretless.storage.segments import SavedBuffer

FORMAT = "regretless-checkpoint"
VERSION = 2


@dataclass(frozen=True)
class Unmeasured:
    """A step that was saved before it was measured."""

    measures: tuple[str, ...]
    """Names of those to be taken."""
    row: Metrics
    """The rest of the row of metrics."""


@dataclass(frozen=True)
class Taken:
    """A figure, and the step whose strategy it was taken of."""

    step: int
    measure: Measure

    def seen_from(self, step: int) -> Measure:
        """The figure; it says where it was taken if that was another step."""
        if step == self.step:
            return self.measure
        return replace(self.measure, how=f"{self.measure.how}, at step {self.step:,}")


@dataclass(frozen=True)
class Record:
    """The progress of training."""

    step: int
    seconds: float = 0.0
    """Seconds of training, over all starts of the program."""
    measures: Metrics = field(default_factory=dict)
    """The figures that were taken last, `measured_at` steps from the beginning."""
    measured_at: int = -1
    taken: dict[str, Taken] = field(default_factory=dict)
    """The newest figure of every measure, by its key."""
    best: float | None = None
    """The best value so far of the figure that `bundle.best` names."""
    unmeasured: Unmeasured | None = None
    """Measures still to be taken at this step, which then has no row in the metrics yet."""
    work: dict[str, str] = field(default_factory=dict)
    """Hashes of the parts of the config that say what the steps are."""
    config: str = ""
    """The whole config as YAML."""

    @property
    def exploitability(self) -> float | None:
        """The exploitability of exactly this strategy, if it was measured."""
        return self.measures.get("exploitability") if self.measured_at == self.step else None

    @property
    def logged_step(self) -> int:
        """The last step whose row is in the metrics."""
        return self.step if self.unmeasured is None else self.step - 1

    def has_spent(self, budget: BudgetConfig) -> bool:
        """Whether one of the limits is reached."""
        exploitability = self.exploitability
        return (
            (budget.steps is not None and self.step >= budget.steps)
            or (budget.seconds is not None and self.seconds >= budget.seconds)
            or (
                budget.target is not None
                and exploitability is not None
                and exploitability <= budget.target
            )
        )

    def is_last(self, budget: BudgetConfig) -> bool:
        """Whether nothing is left to be done."""
        return self.has_spent(budget) and self.unmeasured is None


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint as read back: unaltered."""

    path: Path
    record: Record
    state: Arrays
    buffers: Mapping[str, SavedBuffer] = field(default_factory=dict)
    """The buffers, whose rows are in segments beside it and have not been read."""


def write_checkpoint(
    target: Path, state: Arrays, record: Record, buffers: Mapping[str, SavedBuffer] | None = None
) -> None:
    """Write the directory `target`, in full or not at all; the buffers' pieces are on disk."""
    with told_on_failure(target), new_directory(target) as directory:
        _save_arrays(directory / "state.safetensors", state)
        write_manifest(directory, _fields(record, buffers or {}))


def amend_record(path: Path, record: Record) -> None:
    """Replaces the record of a checkpoint, whose arrays stay."""
    fields = _read_fields(path)
    _, buffers = _parse(path, fields)
    with told_on_failure(path):
        amend_manifest(path, {**fields, **_fields(record, buffers)})


def read_facts(path: Path) -> tuple[Record, Mapping[str, SavedBuffer]]:
    """The record and the saved buffers, from an unaltered manifest alone."""
    return _parse(path, _read_fields(path))


def read_checkpoint(path: Path) -> Checkpoint:
    """All but the rows of buffers, after the hashes were found right.

    DamagedError names the file that is not whole.
    """
    fields = _read_fields(path)
    verify_files(path, fields)
    state: Arrays = {}
    with told_on_failure(path):
        for name in sorted(fields["files"]):
            try:
                state |= load_file(path / name)
            except SafetensorError as error:
                raise DamagedError(f"{path / name}: {error}") from None
    record, buffers = _parse(path, fields)
    return Checkpoint(path, record, state, buffers)


def _save_arrays(path: Path, arrays: Arrays) -> None:
    # safetensors takes the bytes as they lie in memory, whatever the strides say.
    contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    try:
        save_file(contiguous, path)
    except SafetensorError as error:
        raise InputError(f"{path.parent.parent}: {error}") from None


def _read_fields(path: Path) -> dict[str, Any]:
    fields = read_manifest(path, FORMAT, VERSION)
    if fields["version"] < VERSION:
        raise InputError(f"{path}: version {fields['version']}; this program reads {VERSION}")
    return fields


def _fields(record: Record, buffers: Mapping[str, SavedBuffer]) -> dict[str, Any]:
    return {
        **asdict(record),
        "format": FORMAT,
        "version": VERSION,
        "taken": {key: {"step": it.step, **asdict(it.measure)} for key, it in record.taken.items()},
        "unmeasured": _unmeasured_fields(record.unmeasured),
        "buffers": {name: saved.fields() for name, saved in buffers.items()},
    }


def _parse(path: Path, fields: dict[str, Any]) -> tuple[Record, Mapping[str, SavedBuffer]]:
    try:
        record = Record(
            step=int(fields["step"]),
            seconds=float(fields["seconds"]),
            measures={str(key): float(value) for key, value in fields["measures"].items()},
            measured_at=int(fields["measured_at"]),
            taken={str(key): _taken(each) for key, each in fields["taken"].items()},
            best=None if fields["best"] is None else float(fields["best"]),
            unmeasured=_unmeasured(fields["unmeasured"]),
            work={str(key): str(value) for key, value in fields["work"].items()},
            config=str(fields["config"]),
        )
        saved = fields["buffers"].items()
        return record, {str(name): SavedBuffer.read(each) for name, each in saved}
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise DamagedError(f"{path}: the manifest is not that of a checkpoint") from None


def _taken(fields: dict[str, Any]) -> Taken:
    return Taken(int(fields["step"]), Measure(**{k: v for k, v in fields.items() if k != "step"}))


def _unmeasured_fields(unmeasured: Unmeasured | None) -> dict[str, Any] | None:
    """Figures that are not finite are written as null, as in the metrics."""
    if unmeasured is None:
        return None
    row = {k: v if math.isfinite(v) else None for k, v in unmeasured.row.items()}
    return {"measures": list(unmeasured.measures), "row": row}


def _unmeasured(fields: dict[str, Any] | None) -> Unmeasured | None:
    if fields is None:
        return None
    row = {str(k): math.nan if v is None else float(v) for k, v in fields["row"].items()}
    return Unmeasured(tuple(map(str, fields["measures"])), row)
