# SPDX-License-Identifier: MIT
"""A directory that appears whole or not at all: written aside, synced, renamed."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from regretless.errors import InputError


@contextlib.contextmanager
def new_directory(path: Path) -> Iterator[Path]:
    """Yield an empty directory beside `path` that takes its place if the block ends well.

    What was at `path` is removed only after the new directory is there; the caller has made sure
    that it may be.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    try:
        fresh = aside / "new"
        fresh.mkdir()
        yield fresh
        _sync_tree(fresh)
        if path.exists():
            path.rename(aside / "old")
        fresh.rename(path)
        _sync(path.parent)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    finally:
        if not path.exists() and (aside / "old").exists():
            (aside / "old").rename(path)
        shutil.rmtree(aside, ignore_errors=True)


def _sync_tree(folder: Path) -> None:
    for each in sorted(folder.iterdir()):
        _sync(each)
    _sync(folder)


def _sync(path: Path) -> None:
    if path.is_dir() and not hasattr(os, "O_DIRECTORY"):
        return  # a system that cannot sync directories
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
