# SPDX-License-Identifier: MIT
"""Examples on disk: what a run learned from, a file for each step, to learn from it again."""

from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from regretless.algorithm import Arrays
from regretless.errors import InputError
from regretless.storage.files import WRITING, sync, told_on_failure

_SUFFIX = ".safetensors"


def write_examples(directory: Path, step: int, examples: Arrays) -> None:
    """The examples of one step, in full or not at all; a repeated step replaces its file."""
    target = directory / f"examples_{step:09}{_SUFFIX}"
    aside = directory / f"{WRITING}{target.name}"
    with told_on_failure(target):
        directory.mkdir(parents=True, exist_ok=True)
        save_file({k: np.ascontiguousarray(v) for k, v in examples.items()}, aside)
        sync(aside)
        aside.replace(target)
        sync(directory)


def read_examples(directory: Path) -> Arrays:
    """All examples of a directory, or of a run that recorded them, in their order."""
    inside = directory / "examples"
    files = sorted((inside if inside.is_dir() else directory).glob(f"examples_*{_SUFFIX}"))
    if not files:
        raise InputError(f"{directory}: no examples there; train with record_examples=true")
    columns: dict[str, list[np.ndarray]] = {}
    for file in files:
        try:
            with told_on_failure(file):
                arrays = load_file(file)
        except SafetensorError as error:
            raise InputError(f"{file}: {error}") from None
        if columns and arrays.keys() != columns.keys():
            raise InputError(f"{file}: has other columns than the files before it")
        for name, array in arrays.items():
            columns.setdefault(name, []).append(array)
    try:
        return {name: np.concatenate(parts) for name, parts in columns.items()}
    except ValueError:
        raise InputError(f"{directory}: the files do not fit together") from None
