# SPDX-License-Identifier: MIT
"""Files and directories that are either there in full or not at all."""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from regretless.errors import InputError

WRITING = ".writing-"
"""How names begin of what was being written; after a crash it may be removed."""


@contextlib.contextmanager
def told_on_failure(path: Path) -> Iterator[None]:
    """Whatever the system refuses becomes one line that names the place."""
    try:
        yield
    except OSError as error:
        place = error.filename if isinstance(error.filename, str) else path
        raise InputError(f"{place}: {error.strerror or error}") from None


@contextlib.contextmanager
def new_directory(target: Path) -> Iterator[Path]:
    """A directory to fill, which becomes `target` in one instant when everything is on disk."""
    aside = target.parent / f"{WRITING}{target.name}"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    try:
        yield aside
        for path in (*aside.iterdir(), aside):
            sync(path)
        if target.exists():
            shutil.rmtree(target)
        aside.rename(target)
        sync(target.parent)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def write_file(target: Path, text: str) -> None:
    """A text file, replaced in one instant."""
    aside = target.parent / f"{WRITING}{target.name}"
    aside.write_text(text, encoding="utf-8")
    sync(aside)
    aside.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the list of files of a directory, is on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def file_hash(path: Path) -> str:
    """SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
