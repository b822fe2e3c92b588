# SPDX-License-Identifier: MIT
"""Files that may come from a stranger: plain ones only, no links, never more than announced."""

import hashlib
import os
import stat
from io import BufferedReader
from pathlib import Path

from regretless.errors import InputError

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe must not make us wait for its other end
    | getattr(os, "O_BINARY", 0)
)


def open_plain(path: Path) -> tuple[BufferedReader, int]:
    """The file, open for reading, and its size; InputError if it is a link or no plain file."""
    try:
        if stat.S_ISLNK(os.lstat(path).st_mode):
            raise InputError(f"{path}: a link, not a plain file")
        descriptor = os.open(path, _FLAGS)
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
