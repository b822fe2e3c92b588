# SPDX-License-Identifier: MIT
"""Faults at the n-th change of a file, whoever makes it: Python, SQLite, or the native core.

A library that is loaded before libc counts calls that write, sync, open for writing, rename,
remove and create below one folder, and ends the process at one of them, or lets it fail.
`require_loaded` starts this process anew with it.
"""

import ctypes
import hashlib
import os
import subprocess
import sys
import tempfile
from enum import IntEnum, IntFlag
from pathlib import Path

_SOURCE = Path(__file__).with_suffix(".cpp")
_BUILD = Path(__file__).parents[2] / "build" / "faulty_files"


class How(IntEnum):
    """The fault, as faulty_files.cpp numbers them."""

    OFF = 0
    COUNT = 1
    KILL_BEFORE = 2
    KILL_IN = 3
    """Half of a write is done; other calls are done in full."""
    KILL_AFTER = 4
    FAIL = 5
    FAIL_FROM_THEN_ON = 6
    SHORT_WRITE = 7
    SLOW = 8
    """Every n-th call takes 20 ms; nothing fails."""


class Kind(IntFlag):
    """The calls that are counted."""

    WRITE = 1
    SYNC = 2
    OPEN = 4
    RENAME = 8
    REMOVE = 16
    MAKE = 32
    CUT = 64
    ALL = 127


KILLS = (How.KILL_BEFORE, How.KILL_IN, How.KILL_AFTER)


def library() -> Path:
    """The library, built when it is first needed."""
    path = _BUILD / f"{hashlib.sha256(_SOURCE.read_bytes()).hexdigest()[:16]}.so"
    if not path.exists():
        _BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=_BUILD) as folder:
            made = Path(folder) / path.name
            flags = ["-std=c++20", "-O1", "-fPIC", "-shared", "-U_FORTIFY_SOURCE"]
            command = ["c++", *flags, str(_SOURCE), "-o", str(made), "-ldl"]
            subprocess.run(command, check=True)
            made.replace(path)
    return path


def require_loaded() -> None:
    """Begins this program again with the library, unless it is there."""
    if not hasattr(ctypes.CDLL(None), "faulty_arm"):
        environment = {**os.environ, "LD_PRELOAD": str(library())}
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)


def arm(folder: Path, how: How, number: int = 0, kinds: Kind = Kind.ALL, error: int = 0) -> None:
    """Sets the fault at change `number` below the folder, counted from 0."""
    arm_native = ctypes.CDLL(None).faulty_arm
    arm_native.argtypes = [ctypes.c_char_p, ctypes.c_long, *[ctypes.c_int] * 3]
    arm_native(os.fsencode(folder.resolve()), number, int(how), int(kinds), error)


def let_clock_jump() -> None:
    """Lets the time of day jump by hours and years with every look at it, in this process."""
    ctypes.CDLL(None).faulty_clock(1)


def seen() -> int:
    """Returns how many changes there were since `arm`."""
    count = ctypes.CDLL(None).faulty_seen
    count.restype = ctypes.c_long
    return int(count())
