# SPDX-License-Identifier: MIT
"""Checkpoints: the arrays of an algorithm and the progress of training, hashed, in one piece."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, TypeAdapter
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from regretless.algorithm import Arrays, Metrics
from regretless.errors import InputError
from regretless.evaluation.measures import Measure
from regretless.recipes.config import BudgetConfig
from regretless.runs.metrics import as_json
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
_Figure = Annotated[float, BeforeValidator(lambda each: math.nan if each is None else each)]


@dataclass(frozen=True)
class Unmeasured:
    """A step that was saved before it was measured."""

    measures: tuple[str, ...]
    """Names of those to be taken."""
    row: dict[str, _Figure]
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


_RECORD = TypeAdapter(Record)
_BUFFERS = TypeAdapter(dict[str, SavedBuffer])


def write_checkpoint(
    target: Path, state: Arrays, record: Record, buffers: Mapping[str, SavedBuffer] | None = None
) -> None:
    """Write the directory `target`, in full or not at all; the buffers' pieces are on disk."""
    with told_on_failure(target), new_directory(target) as directory:
        save_arrays(directory / "state.safetensors", state)
        write_manifest(directory, _fields(record, buffers or {}))


def amend_record(path: Path, record: Record) -> None:
    """Replaces the record of a checkpoint, whose arrays stay."""
    fields = read_manifest(path, FORMAT, VERSION)
    _, buffers = _parse(path, fields)
    with told_on_failure(path):
        amend_manifest(path, {**fields, **_fields(record, buffers)})


def read_facts(path: Path) -> tuple[Record, Mapping[str, SavedBuffer]]:
    """The record and the saved buffers, from an unaltered manifest alone."""
    return _parse(path, read_manifest(path, FORMAT, VERSION))


def read_checkpoint(path: Path) -> Checkpoint:
    """All but the rows of buffers, after the hashes were found right.

    DamagedError names the file that is not whole.
    """
    fields = read_manifest(path, FORMAT, VERSION)
    state = load_arrays(path, fields)
    record, buffers = _parse(path, fields)
    return Checkpoint(path, record, state, buffers)


def load_arrays(path: Path, fields: dict[str, Any]) -> Arrays:
    """Returns the arrays in the files of a manifest, after the hashes were found right."""
    verify_files(path, fields)
    arrays: Arrays = {}
    with told_on_failure(path):
        for name in sorted(fields["files"]):
            try:
                arrays |= load_file(path / name)
            except SafetensorError as error:
                raise DamagedError(f"{path / name}: {error}") from None
    return arrays


def save_arrays(path: Path, arrays: Arrays) -> None:
    # safetensors takes the bytes as they lie in memory, whatever the strides say.
    contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    try:
        save_file(contiguous, path)
    except SafetensorError as error:
        raise InputError(f"{path.parent.parent}: {error}") from None


def _fields(record: Record, buffers: Mapping[str, SavedBuffer]) -> dict[str, Any]:
    fields = asdict(record)
    if record.unmeasured is not None:
        fields["unmeasured"]["row"] = as_json(record.unmeasured.row)
    return {
        **fields,
        "format": FORMAT,
        "version": VERSION,
        "taken": {
            key: {"step": each["step"], **each["measure"]} for key, each in fields["taken"].items()
        },
        "buffers": {name: asdict(saved) for name, saved in buffers.items()},
    }


def _parse(path: Path, fields: dict[str, Any]) -> tuple[Record, Mapping[str, SavedBuffer]]:
    try:
        taken = {key: {**each, "measure": each} for key, each in fields["taken"].items()}
        record = _RECORD.validate_python({**fields, "taken": taken})
        return record, _BUFFERS.validate_python(fields["buffers"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DamagedError(f"{path}: the manifest is not that of a checkpoint") from None
