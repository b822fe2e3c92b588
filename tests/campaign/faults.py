# SPDX-License-Identifier: MIT
"""Faults of disk, clock, memory, descriptors and surroundings: one line, nothing half-written."""

import contextlib
import errno
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from command_lines import Outcome
from faulty_files import How, Kind, arm, let_clock_jump, require_loaded
from kills import baseline
from turn import Turn
from victims import Victim, in_child, prepare, result_of, victims

# What a broken disk refuses: the error, the calls that have it, and whether it stays.
BROKEN = {
    "full disk": (errno.ENOSPC, Kind.WRITE | Kind.OPEN | Kind.MAKE, How.FAIL_FROM_THEN_ON),
    "quota": (errno.EDQUOT, Kind.WRITE | Kind.OPEN | Kind.MAKE, How.FAIL_FROM_THEN_ON),
    "full disk, once": (errno.ENOSPC, Kind.WRITE | Kind.OPEN | Kind.MAKE, How.FAIL),
    "bad sector": (errno.EIO, Kind.WRITE | Kind.SYNC | Kind.CUT, How.FAIL),
    "read-only from now on": (errno.EROFS, Kind.ALL, How.FAIL_FROM_THEN_ON),
    "no descriptor": (errno.EMFILE, Kind.OPEN, How.FAIL),
    "no permission": (errno.EACCES, Kind.OPEN | Kind.RENAME | Kind.MAKE, How.FAIL),
    "half a write": (0, Kind.WRITE, How.SHORT_WRITE),
}
# Nothing can be removed then; the next writer does it.
UNTIDY = ("read-only from now on", "descriptors")
# What else may be missing: a limit of the process, or a small disk.
LIMITS = ("file size", "memory", "descriptors", "small disk")
# Faults that must not show: whatever is done ends as without them.
HARMLESS = ("slow disk", "clock that jumps")


def run(turn: Turn) -> None:
    require_loaded()
    draw = turn.random()
    if turn.number % 4 == 3:
        return surroundings(turn, draw)
    every = [each for each in victims() if each.is_command]
    victim = every[(turn.number // 4 * 3 + turn.number % 4) % len(every)]
    prepare(victim)
    folder = turn.folder / "work"
    changes, _, whole = baseline(victim, folder)
    if whole is None:
        return turn.find(f"{victim.name} fails", "it fails without any fault", victim.name)
    while turn.left() > 0:
        kind = draw.choice((*BROKEN, *BROKEN, *LIMITS, *HARMLESS))
        with disk(folder, kind, draw) as is_there:
            if is_there:
                strike(turn, victim, kind, draw, changes, whole)
    return None


def strike(
    turn: Turn, victim: Victim, kind: str, draw: random.Random, changes: int, whole: Any
) -> None:
    """One fault, a look at what it left, and the same work again without it."""
    folder, number = turn.folder / "work", draw.randrange(changes)
    plan = (victim.name, kind, number)

    def act() -> None:
        if kind in BROKEN:
            error, kinds, how = BROKEN[kind]
            arm(folder, how, number, kinds, error)
        elif kind == "slow disk":
            arm(folder, How.SLOW, draw.randrange(4))
        elif kind == "clock that jumps":
            let_clock_jump()
        else:
            set_limit(kind, draw)
        victim.work(folder)

    status, said = in_child(act)
    turn.count("faults")
    turn.count(f"faults: {kind}")
    turn.count("one clear line", status != 0)
    if status != 0 and kind in HARMLESS:
        turn.find(f"{kind}: {victim.name} fails", said[-600:], plan)
    elif status != 0 and (problem := judged(status, said, kind)):
        turn.find(f"{kind}: {problem}", said[-600:], plan)
    left_aside = [str(each) for each in folder.rglob(".writing-*")]
    if left_aside and kind not in UNTIDY:
        turn.find(f"{kind}: half-written files", str(left_aside)[:300], plan)
    if kind == "small disk":
        with contextlib.suppress(OSError):
            subprocess.run(["mount", "-o", "remount,size=2g", str(folder)], check=False)
    left, why = result_of(victim, folder)
    if left is None:
        turn.find(f"{victim.name} fails after {kind}", why[:600], plan)
    elif left != whole:
        turn.find(f"{victim.name} ends otherwise after {kind}", "another result", plan)


def judged(status: int, said: str, kind: str) -> str | None:
    """Returns what is wrong with the end of a command, as `Outcome.problem` does."""
    if status < 0:
        return f"ended by signal {-status}" if status != -9 or "no end" in said else "killed"
    if not said.startswith("CommandError: status 2"):
        return "not refused in one line" if kind != "memory" else _memory(said)
    return None if said.count("\nerror: ") + said.count(": error: ") == 1 else "more than one line"


def _memory(said: str) -> str | None:
    """Allows that the small rest of memory fails in the code of the test itself."""
    return None if "MemoryError" in said or "status 1" in said else "not refused in one line"


def set_limit(kind: str, draw: random.Random) -> None:
    if kind == "file size":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        most = draw.choice((0, 1, 100, 1000, 10_000, 100_000))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    elif kind == "memory":
        now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        most = now + draw.choice((0, 1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 26))
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    elif kind == "descriptors":
        most = draw.choice((3, 4, 5, 6, 8, 10, 16))
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextlib.contextmanager
def disk(folder: Path, kind: str, draw: random.Random) -> Iterator[bool]:
    """A fresh folder, on a small disk of its own where that is the fault and may be made."""
    folder.mkdir()
    is_mounted = False
    if kind == "small disk":
        size = draw.choice((4, 8, 16, 32, 64, 128, 512))
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "none", str(folder)]
        done = shutil.which("mount") and subprocess.run(command, capture_output=True, check=False)
        is_mounted = bool(done and done.returncode == 0)
    try:
        yield is_mounted or kind != "small disk"
    finally:
        if is_mounted:
            subprocess.run(["umount", "-l", str(folder)], check=False)
        shutil.rmtree(folder, ignore_errors=True)


# Surroundings: a command in a process of its own, as it is started by strange shells and services.

COMMANDS = (
    ["games"],
    ["games", "--json"],
    ["--version"],
    ["equity", "AsKs", "QQ"],
    ["equity", "AsKs", "±"],
    ["solve", "kuhn", "--iterations", "5", "--bundle", "bundle"],
    ["match", "random", "caller", "--hands", "50", "--phh", "h.phhs"],
    ["train", "kuhn_cfr", "budget.steps=3", "output=run"],
    ["preflop", "--stack", "5"],
    ["bundle", "list"],
    ["nonsense"],
)
ENVIRONMENT: dict[str, tuple[str | None, ...]] = {
    "LC_ALL": ("C", "POSIX", "C.UTF-8", "de_DE.ISO-8859-1", "tr_TR.UTF-8", "nonsense", "", None),
    "PYTHONUTF8": ("0", "1", None),
    "PYTHONIOENCODING": ("ascii", "latin-1", None),
    "HOME": (None, "", "/nonexistent", "/dev/null"),
    "TERM": (None, "", "dumb", "nonsense", "xterm-256color"),
    "COLUMNS": (None, "1", "0", "-5", "x", "100000"),
    "LINES": (None, "0", "x"),
    "TMPDIR": (None, "/nonexistent", "/dev/null"),
    "NO_COLOR": (None, "", "1"),
    "FORCE_COLOR": (None, "1"),
    "REGRETLESS_UNIT": (None, "chips", "nonsense", ""),
    "TZ": (None, "nonsense", "Pacific/Kiritimati"),
    "OMP_NUM_THREADS": ("1", "x", "0"),
    "USER": (None, "\udcff"),
}
STREAMS = ("open", "closed", "broken pipe", "/dev/full")


def surroundings(turn: Turn, draw: random.Random) -> None:
    while turn.left() > 0:
        folder = turn.folder / "work"
        folder.mkdir()
        arguments = draw.choice(COMMANDS)
        given = {"PATH": os.environ["PATH"]}
        for name, values in ENVIRONMENT.items():
            if (value := draw.choice((None, *values))) is not None:
                given[name] = value
        streams = [draw.choice(STREAMS) if draw.random() < 0.4 else "open" for _ in range(2)]
        outcome = started(arguments, folder, given, streams)
        turn.count("faults")
        turn.count("faults: surroundings")
        if outcome.status == -signal.SIGPIPE and "broken pipe" in streams:
            pass
        elif streams[1] == "open" and outcome.problem:
            turn.find(f"surroundings: {outcome.problem}", outcome.errors[-600:], (arguments, given))
        elif outcome.status not in (0, 1, 2, 120):
            turn.find(f"surroundings: status {outcome.status}", str(streams), (arguments, given))
        shutil.rmtree(folder)


def started(
    arguments: list[str], folder: Path, given: dict[str, str], streams: list[str]
) -> Outcome:
    """Runs a command with this environment and these ends of stdout and stderr."""
    files = [(folder.parent / name).open("w+b") for name in ("out", "err")]

    def connect() -> None:
        for number, (end, file) in enumerate(zip(streams, files, strict=True), 1):
            os.dup2(_end(end, file.fileno()), number)
            if end == "closed":
                os.close(number)

    start = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "regretless", *arguments],
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env=given,
        preexec_fn=connect,
    )
    try:
        status: int | None = child.wait(90)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        status = None
    texts = []
    for file in files:
        file.seek(0)
        texts.append(file.read().decode(errors="replace"))
        file.close()
    return Outcome(tuple(arguments), status, *texts, time.perf_counter() - start)


def _end(name: str, file: int) -> int:
    if name == "/dev/full":
        return os.open("/dev/full", os.O_WRONLY)
    if name == "broken pipe":
        reader, writer = os.pipe()
        os.close(reader)
        return writer
    return file
