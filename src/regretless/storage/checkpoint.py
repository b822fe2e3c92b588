# SPDX-License-Identifier: MIT
"""Checkpoints: the arrays of an algorithm and where its training stood, hashed and in one piece."""

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

FORMAT = "regretless-checkpoint"
VERSION = 1
BUFFERS = "buffer/"
"""How names begin of arrays that may be left out."""


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


def write_checkpoint(target: Path, state: Arrays, record: Record, *, buffers: bool = True) -> None:
    """Write the directory `target`, in full or not at all."""
    kept = {name: array for name, array in state.items() if not name.startswith(BUFFERS)}
    files = {"state.safetensors": kept}
    if buffers and len(kept) < len(state):
        files["buffers.safetensors"] = {k: v for k, v in state.items() if k not in kept}
    with told_on_failure(target), new_directory(target) as directory:
        for name, arrays in files.items():
            _save_arrays(directory / name, arrays)
        write_manifest(directory, _fields(record, has_buffers=buffers))


def read_record(path: Path) -> Record:
    """Where training stood, from an unaltered manifest; its arrays are not looked at."""
    return _record(path, read_manifest(path, FORMAT, VERSION))


def read_checkpoint(path: Path) -> Checkpoint:
    """Everything, after all hashes were found right; DamagedError names the file that is not."""
    fields = read_manifest(path, FORMAT, VERSION)
    verify_files(path, fields)
    state: Arrays = {}
    with told_on_failure(path):
        for name in sorted(fields["files"]):
            try:
                state |= load_file(path / name)
            except SafetensorError as error:
                raise DamagedError(f"{path / name}: {error}") from None
    return Checkpoint(path, _record(path, fields), state)


def _save_arrays(path: Path, arrays: Arrays) -> None:
    # safetensors takes the bytes as they lie in memory, whatever the strides say.
    contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    try:
        save_file(contiguous, path)
    except SafetensorError as error:
        raise InputError(f"{path.parent.parent}: {error}") from None


def _fields(record: Record, *, has_buffers: bool) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "iteration": record.iteration,
        "seconds": record.seconds,
        "measures": dict(record.measures),
        "measured_at": record.measured_at,
        "has_buffers": has_buffers,
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
