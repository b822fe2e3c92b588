# SPDX-License-Identifier: MIT
"""Files and directories that are either there in full or not at all."""

import contextlib
import ctypes
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from regretless.errors import InputError

_IS_LINUX = sys.platform == "linux"
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2  # of linux/fcntl.h and linux/fs.h

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


def require_writable(target: Path) -> None:
    """InputError if nothing can be written there; said before hours of work, not after them."""
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            target.lstat()  # whose name may be too long
        above = next(each for each in target.absolute().parents if each.exists())
        with tempfile.TemporaryDirectory(prefix=WRITING, dir=above):
            pass
    except OSError as error:
        raise InputError(f"{target}: {error.strerror or error}") from None


@contextlib.contextmanager
def new_directory(target: Path) -> Iterator[Path]:
    """A directory to fill, which takes the place of `target` when everything is on disk.

    What was there is removed only after that; the caller has made sure that it may be. Where the
    system can exchange two directories, there is always one or the other.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f"{WRITING}{target.name}.", dir=target.parent))
    fresh, old = aside / "new", aside / "old"
    try:
        fresh.mkdir()
        yield fresh
        for path in (*fresh.iterdir(), fresh):
            sync(path)
        if not (target.exists() and _exchange(fresh, target)):
            if target.exists():
                target.rename(old)
            fresh.rename(target)
        sync(target.parent)
    finally:
        if not target.exists() and old.exists():
            old.rename(target)
        shutil.rmtree(aside, ignore_errors=True)


def _exchange(first: Path, second: Path) -> bool:
    """Let two directories change places in one instant; False where the system cannot."""
    exchange = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if _IS_LINUX else None
    if exchange is None:
        return False
    result: int = exchange(
        _AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE
    )
    return result == 0


def write_file(target: Path, text: str) -> None:
    """A text file, replaced in one instant."""
    write_bytes(target, [text.encode()])
    sync(target.parent)


def write_bytes(target: Path, parts: Iterable[bytes | memoryview], writer: int = 0) -> None:
    """A file of these parts, replaced in one instant; its directory is not yet synced.

    Threads that may write the same file at once have different `writer`s.
    """
    aside = target.parent / f"{WRITING}{target.name}.{writer}"
    try:
        with aside.open("wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
            if sys.platform == "linux":  # memory is for what will be read, as a mapped buffer is
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        aside.replace(target)
    except OSError:
        aside.unlink(missing_ok=True)
        raise


def remove_directory(target: Path) -> None:
    """It is gone in one instant; what is left of it after a crash may be removed."""
    aside = target.parent / f"{WRITING}{target.name}.old"
    target.rename(aside)
    shutil.rmtree(aside)


def sync(path: Path) -> None:
    """Wait until a file, or the list of files of a directory, is on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
