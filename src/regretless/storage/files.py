# SPDX-License-Identifier: MIT
"""Files and directories that exist in full or not at all, and plain files from a stranger."""

import contextlib
import ctypes
import errno
import fcntl
import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path

from regretless.errors import InputError

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2  # of linux/fcntl.h and linux/fs.h
_RENAME_SWAP = 2  # of macOS's stdio.h

WRITING = ".writing-"
"""Prefix of the names of unfinished files; after a crash these may be removed."""
_NEW, _OLD = "new", "old"


@contextlib.contextmanager
def told_on_failure(path: Path) -> Iterator[None]:
    """Turns an error of the system into an InputError of one line that names the place."""
    try:
        yield
    except OSError as error:
        place = error.filename if isinstance(error.filename, str) else path
        raise InputError(f"{place}: {error.strerror or error}") from None


def require_writable(target: Path) -> None:
    """InputError if nothing can be written there: before hours of work, not after them."""
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            target.lstat()  # whose name may be too long
        above = next(each for each in target.absolute().parents if each.exists())
        tempfile.TemporaryFile(dir=above).close()  # without a name, which a kill would leave
    except OSError as error:
        raise InputError(f"{target}: {error.strerror or error}") from None


def require_place(target: Path) -> None:
    """InputError if a file cannot be written there; its directory must exist."""
    with told_on_failure(target):
        target.parent.stat()
    require_writable(target)


def require_file_place(target: Path) -> None:
    """InputError if `write_file` could not write there: it replaces no device and no pipe."""
    require_place(target)
    with told_on_failure(target):
        _require_file(target)


def _require_file(target: Path) -> None:
    if target.exists() and not target.is_file():  # a device would be replaced by a file
        raise OSError(errno.EINVAL, "is there and is no file", str(target))


@contextlib.contextmanager
def new_directory(target: Path) -> Iterator[Path]:
    """A directory to fill, which takes the place of `target` when everything is on disk.

    What was there is removed only after that; the caller has made sure that it may be. Where the
    system can exchange two directories, there is always one or the other. Elsewhere a kill between
    two renames leaves the old one aside, and the next writer puts it back. Each writer removes what
    killed ones have left, and keeps its own by a lock that ends with it.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(target.parent, of=target.name)
    aside = Path(tempfile.mkdtemp(prefix=f"{WRITING}{target.name}.", dir=target.parent))
    fresh, old = aside / _NEW, aside / _OLD
    try:
        lock = os.open(aside, os.O_RDONLY)
    except OSError:
        aside.rmdir()
        raise
    try:
        _is_locked(lock)
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
        os.close(lock)


def _exchange(first: Path, second: Path) -> bool:
    """Let two directories change places in one instant; False where the system cannot."""
    system, names = ctypes.CDLL(None, use_errno=True), [os.fsencode(first), os.fsencode(second)]
    result: int = -1
    if hasattr(system, "renameat2"):  # Linux
        result = system.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE)
    elif hasattr(system, "renamex_np"):  # macOS
        result = system.renamex_np(*names, _RENAME_SWAP)
    return result == 0


def remove_leftovers(directory: Path, of: str | None = None) -> None:
    """Remove what writers that were killed have left in a directory, of one name or of all.

    A directory stays while its writer lives. Files are removed only where all are asked for; the
    caller has made sure that no process writes any.
    """
    for path in sorted(directory.iterdir()):
        name, dot, _ = path.name.removeprefix(WRITING).rpartition(".")
        if not path.name.startswith(WRITING) or not dot or of not in (None, name):
            continue
        if path.is_dir() and not path.is_symlink():
            _remove_leftover(path, directory / name)
        elif of is None:
            path.unlink(missing_ok=True)


def _remove_leftover(aside: Path, target: Path) -> None:
    with contextlib.suppress(FileNotFoundError):  # others may be at it, too
        lock = os.open(aside, os.O_RDONLY)
        try:
            if _is_locked(lock):
                if (aside / _OLD).is_dir() and not target.exists():
                    (aside / _OLD).rename(target)
                shutil.rmtree(aside)
        finally:
            os.close(lock)


def _is_locked(handle: int) -> bool:
    """Whether a lock could be had; where the system has none for directories, none ever is."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def write_file(target: Path, text: str) -> None:
    """A text file, replaced in one instant."""
    write_bytes(target, [text.encode()])
    sync(target.parent)


def write_bytes(target: Path, parts: Iterable[bytes | memoryview], writer: int = 0) -> None:
    """A file of these parts, replaced in one instant when all of them have come.

    Its directory is not yet synced. Threads that may write the same file at once have different
    `writer`s.
    """
    _require_file(target)
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
    finally:
        aside.unlink(missing_ok=True)


def remove_directory(target: Path) -> None:
    """Removes a directory in one instant; leftovers after a crash may be removed."""
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


def open_plain(path: Path) -> tuple[BufferedReader, int]:
    """The file, open for reading, and its size; InputError if it is a link or no plain file."""
    try:
        if stat.S_ISLNK(os.lstat(path).st_mode):
            raise InputError(f"{path}: a link, not a plain file")
        # Without O_NONBLOCK a pipe would make us wait for its other end.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise InputError(f"{path}: not a plain file")
    return os.fdopen(descriptor, "rb"), status.st_size


def read_plain(path: Path, most_bytes: int) -> bytes:
    """All of a file that must not be larger than `most_bytes`."""
    file, size = open_plain(path)
    with file:
        if size > most_bytes:
            raise InputError(f"{path}: {size:,} bytes, more than the {most_bytes:,} allowed")
        return file.read(most_bytes)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal digits."""
    file, _ = open_plain(path)
    with file:
        return hashlib.file_digest(file, "sha256").hexdigest()
