# SPDX-License-Identifier: MIT
"""The library: bundles, runs and .onnx files of the given directories, and what ships.

Clients name an entry by its id and never by a path. Opening one runs no code of its own.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

from regretless import _native
from regretless.bundles.bundle import MANIFEST, Bundle
from regretless.bundles.onnx_file import OnnxFile, names_onnx, open_onnx
from regretless.bundles.shipped import shipped_names, strategy_directory
from regretless.errors import InputError
from regretless.explorer.nodes import SolvedTree
from regretless.games import Game
from regretless.games.face import rules_record
from regretless.policies.policy import Needs, Policy, Probabilities
from regretless.runs.run_record import RunRecord, find_bundle, is_run, read_run
from regretless.seats.checkpoints import strategy_at
from regretless.seats.strategies import Strategy, find_strategy, onnx_strategy
from regretless.web.errors import NotFoundError

Kind = Literal["bundle", "run", "onnx"]

_T = TypeVar("_T")
_DEPTH = 3  # of directories below those given that are looked into
_SKIPPED = (".", "_")  # names that begin so are not looked at


@dataclass(frozen=True)
class Entry:
    """Something in the library."""

    id: str
    """Its name in addresses; it stays the same while the server runs."""
    kind: Kind
    name: str
    """For people: the name of its directory or file."""
    path: Path
    is_shipped: bool = False


@dataclass(frozen=True)
class Opened:
    """A strategy that is open; whoever asks it holds the lock, since policies keep scratch."""

    entry: Entry
    strategy: Strategy
    lock: threading.Lock

    @cached_property
    def policy(self) -> "LockedPolicy":
        """What takes the lock itself, the same object each time."""
        return LockedPolicy(self.strategy.policy, self.lock)


@dataclass(frozen=True, eq=False)
class LockedPolicy:
    """A policy that any thread may ask; one asks at a time."""

    policy: Policy
    lock: threading.Lock

    @property
    def name(self) -> str:
        return self.policy.name

    @property
    def needs(self) -> Needs:
        return self.policy.needs

    def __call__(self, questions: _native.Questions) -> Probabilities:
        with self.lock:
            return self.policy(questions)


class Library:
    """What there is. Any thread may use it."""

    def __init__(self, directories: tuple[Path, ...], *, most: int = 2000, opened: int = 8) -> None:
        self.directories, self.most, self.most_opened = directories, most, opened
        self._lock = threading.Lock()
        self._ids: dict[Path, str] = {}
        self._known: dict[str, Entry] = {}
        self._kept: OrderedDict[tuple[str, str], tuple[Any, Any]] = OrderedDict()

    def entries(self) -> list[Entry]:
        """Everything, what ships first; read anew each time, since runs come and go."""
        found = [*self._shipped()]
        for path, kind in self._found():
            if len(found) >= self.most:
                break
            found.append(Entry(self.id_of(path), kind, path.name, path))
        self._known = {each.id: each for each in found}
        return found

    def entry(self, id: str) -> Entry:
        """NotFoundError if there is none of this id."""
        found = self._known.get(id)
        if found is not None and found.path.exists():
            return found
        for each in self.entries():
            if each.id == id:
                return each
        raise NotFoundError(f"nothing in the library has the id {id[:80]!r}")

    def bundle(self, id: str) -> Bundle | None:
        """The bundle of an entry, as it says of itself; None: a file, or a run that has not ended.

        Nothing but its shape is checked.
        """
        entry = self.entry(id)
        return None if entry.kind == "onnx" else find_bundle(entry.path)

    def onnx(self, id: str) -> OnnxFile | None:
        entry = self.entry(id)
        return open_onnx(entry.path) if entry.kind == "onnx" else None

    def run(self, id: str) -> RunRecord | None:
        """The curves of a run; None: it is none."""
        entry = self.entry(id)
        return read_run(entry.path) if entry.kind == "run" else None

    def opened(self, id: str, purpose: str = "ask") -> Opened:
        """A strategy, checked and open, kept for the next one who asks for the same purpose."""
        entry = self.entry(id)
        return self._keep(
            entry, purpose, lambda: Opened(entry, self.fresh(entry), threading.Lock())
        )

    def opened_for(self, id: str, game: Game, purpose: str = "ask") -> Opened:
        """For this game: a .onnx file also plays games like its own (docs/onnx.md)."""
        opened = self.opened(id, purpose)
        rules = rules_record(game)
        if opened.entry.kind != "onnx" or rules == rules_record(opened.strategy.game):
            return opened

        def make() -> Opened:
            strategy = onnx_strategy(open_onnx(opened.entry.path), game)
            return Opened(opened.entry, strategy, threading.Lock())

        return self._keep(opened.entry, f"{purpose} {rules}", make)

    def opened_at(self, id: str, step: int) -> Opened:
        """The strategy of a run after a step that it has kept."""
        entry = self.entry(id)
        if entry.kind != "run":
            raise InputError(f"{entry.name}: only runs have checkpoints")
        return self._keep(
            entry,
            f"step {step}",
            lambda: Opened(entry, self._fresh_at(entry, step), threading.Lock()),
        )

    def solved(self, id: str) -> SolvedTree:
        """Of a bundle of a spot or of a small game, whose nodes can be looked at."""
        entry = self.entry(id)
        bundle = self.bundle(id)
        if bundle is None:
            raise InputError(f"{entry.name}: there is no bundle to look into")
        return self._keep(entry, "solved", lambda: SolvedTree.of_bundle(bundle))

    def kept(self, id: str, purpose: str, make: Callable[[], _T]) -> _T:
        """What was made of an entry for this purpose, made anew when its files have changed."""
        return self._keep(self.entry(id), purpose, make)

    def _keep(self, entry: Entry, purpose: str, make: Callable[[], _T]) -> _T:
        """What was made before, if its files have not changed since; else made anew and kept."""
        stamp, key = _stamp(entry.path), (entry.id, purpose)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept[0] == stamp:
                self._kept.move_to_end(key)
                found: _T = kept[1]
                return found
        made = make()
        with self._lock:
            self._kept[key] = (stamp, made)
            self._kept.move_to_end(key)
            while len(self._kept) > self.most_opened:
                self._kept.popitem(last=False)
        return made

    def fresh(self, entry: Entry) -> Strategy:
        """The strategy of an entry, for one user alone."""
        if entry.kind == "run" and find_bundle(entry.path) is None:
            _check_names(entry)
        return find_strategy(entry.path)

    def _fresh_at(self, entry: Entry, step: int) -> Strategy:
        _check_names(entry)
        return strategy_at(entry.path, step)

    def _shipped(self) -> Iterator[Entry]:
        for name in shipped_names():
            path = strategy_directory(name)
            if path is not None and (path / MANIFEST).exists():
                yield Entry(name, "bundle", name, path, is_shipped=True)

    def _found(self) -> Iterator[tuple[Path, Kind]]:
        seen: set[Path] = set()
        for directory in self.directories:
            for path, kind in _walk(directory, _DEPTH):
                if (real := path.resolve()) not in seen:
                    seen.add(real)
                    yield path, kind

    def id_of(self, path: Path) -> str:
        """What a path is or will be called: by its name, numbered where that is taken."""
        real = path.resolve()
        with self._lock:
            if real not in self._ids:
                stem = re.sub(r"[^A-Za-z0-9._-]+", "-", real.name).strip("-.")[:60] or "entry"
                taken = {*self._ids.values(), *shipped_names()}
                number, id = 2, stem
                while id in taken:
                    number, id = number + 1, f"{stem}-{number}"
                self._ids[real] = id
            return self._ids[real]


def _walk(path: Path, depth: int) -> Iterator[tuple[Path, Kind]]:
    """What is in a directory, in the order of names."""
    if path.is_file():
        if names_onnx(path):
            yield path, "onnx"
    elif is_run(path):
        yield path, "run"
    elif (path / MANIFEST).is_file():
        yield path, "bundle"
    elif depth >= 0 and path.is_dir():
        try:
            children = sorted(path.iterdir())
        except OSError:
            return
        for child in children:
            if not child.name.startswith(_SKIPPED) and not child.is_symlink():
                yield from _walk(child, depth - 1)


def _check_names(entry: Entry) -> None:
    """A run is restored only if nothing of it would be run as code."""
    record = read_run(entry.path)
    for what, name in (("a game", record.game), ("an algorithm", record.algorithm)):
        if ":" in name or "/" in name:
            raise InputError(f"{entry.name}: a run of {what} that is no known name")


def _stamp(path: Path) -> tuple[int, ...]:
    """Changes when what an entry plays does."""
    files = [path, path / MANIFEST, path / "bundle" / MANIFEST, path / "checkpoints"]
    return tuple(each.stat().st_mtime_ns if each.exists() else 0 for each in files)
