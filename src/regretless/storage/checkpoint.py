# SPDX-License-Identifier: MIT
"""Checkpoints: the arrays of an algorithm and where its training stood, hashed and in one piece."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from regretless.algorithm import Arrays, Metrics
from regretless.errors import InputError
from regretless.storage.files import new_directory, told_on_failure
from regretless.storage.manifest import DamagedError, read_manifest, verify_files, write_manifest
from regretless.storage.segments import SavedBuffer

FORMAT = "regretless-checkpoint"
VERSION = 2


@dataclass(frozen=True)
class Record:
    """Where training stood."""

    iteration: int
    seconds: float = 0.0
    """Of training, over all sittings."""
    measures: Metrics = field(default_factory=dict)
    """As last taken, `measured_at` steps from the beginning."""
    measured_at: int = -1

    @property
    def exploitability(self) -> float | None:
        """Of just this strategy, if it was measured."""
        return self.measures.get("exploitability") if self.measured_at == self.iteration else None


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint as read back: unaltered."""

    path: Path
    record: Record
    state: Arrays
    buffers: Mapping[str, SavedBuffer] = field(default_factory=dict)
    """What is in the segments beside it; these are not looked at."""


def write_checkpoint(
    target: Path, state: Arrays, record: Record, buffers: Mapping[str, SavedBuffer] | None = None
) -> None:
    """Write the directory `target`, in full or not at all; the buffers' pieces are on disk."""
    with told_on_failure(target), new_directory(target) as directory:
        _save_arrays(directory / "state.safetensors", state)
        write_manifest(directory, _fields(record, buffers or {}))


def read_facts(path: Path) -> tuple[Record, Mapping[str, SavedBuffer]]:
    """Where training stood and what buffers were saved, from an unaltered manifest alone."""
    fields = _read_fields(path)
    return _record(path, fields), _buffers(path, fields)


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
    return Checkpoint(path, _record(path, fields), state, _buffers(path, fields))


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
        "format": FORMAT,
        "version": VERSION,
        "iteration": record.iteration,
        "seconds": record.seconds,
        "measures": dict(record.measures),
        "measured_at": record.measured_at,
        "buffers": {name: saved.fields() for name, saved in buffers.items()},
    }


def _record(path: Path, fields: dict[str, Any]) -> Record:
    try:
        return Record(
            iteration=int(fields["iteration"]),
            seconds=float(fields["seconds"]),
            measures={str(key): float(value) for key, value in fields["measures"].items()},
            measured_at=int(fields["measured_at"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DamagedError(f"{path}: the manifest is not that of a checkpoint") from None


def _buffers(path: Path, fields: dict[str, Any]) -> Mapping[str, SavedBuffer]:
    try:
        return {str(name): SavedBuffer.read(each) for name, each in fields["buffers"].items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DamagedError(f"{path}: the manifest is not that of a checkpoint") from None
