# SPDX-License-Identifier: MIT
"""Examples on disk: what a run learned from, a directory for each step, to learn from it again."""

from pathlib import Path

import numpy as np

from regretless.algorithm import Arrays
from regretless.errors import InputError
from regretless.runs.checkpoint import load_arrays, save_arrays
from regretless.storage.files import new_directory, remove_directory, told_on_failure
from regretless.storage.manifest import NAME, read_manifest, write_manifest

FORMAT, VERSION = "regretless-examples", 1
_STEP = "step_"
_FILE = "examples.safetensors"


def write_examples(directory: Path, step: int, examples: Arrays) -> None:
    """The examples of one step, in full or not at all; a repeated step replaces what it left."""
    target = directory / f"{_STEP}{step:09}"
    with told_on_failure(target), new_directory(target) as folder:
        save_arrays(folder / _FILE, examples)
        write_manifest(folder, {"format": FORMAT, "version": VERSION, "step": step})


def cut_examples(directory: Path, last_step: int) -> None:
    """Take back those of later steps, which will be made again."""
    with told_on_failure(directory):
        for folder in directory.glob(f"{_STEP}*"):
            step = folder.name.removeprefix(_STEP)
            if step.isdecimal() and int(step) > last_step:
                remove_directory(folder)


def read_examples(directory: Path) -> Arrays:
    """All examples of a directory, or of a run that recorded them, in their order.

    InputError names what was altered or is not finite.
    """
    inside = directory / "examples"
    folders = sorted((inside if inside.is_dir() else directory).glob(f"{_STEP}*"))
    if not folders:
        raise InputError(f"{directory}: no examples there; train with record_examples=true")
    columns: dict[str, list[np.ndarray]] = {}
    for folder in folders:
        arrays = _read(folder)
        if columns and arrays.keys() != columns.keys():
            raise InputError(f"{folder}: has other columns than those before it")
        for name, array in arrays.items():
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise InputError(f"{folder}: column {name!r} has numbers that are not finite")
            columns.setdefault(name, []).append(array)
    try:
        return {name: np.concatenate(parts) for name, parts in columns.items()}
    except ValueError:
        raise InputError(f"{directory}: the files do not fit together") from None


def _read(folder: Path) -> Arrays:
    """The examples of one step, every byte as it was written."""
    fields = read_manifest(folder, FORMAT, VERSION)
    name = _STEP + str(fields.get("step")).zfill(9)
    if folder.name != name or fields["files"].keys() != {_FILE}:
        raise InputError(f"{folder / NAME}: of another step, or does not list {_FILE} alone")
    return load_arrays(folder, fields)
