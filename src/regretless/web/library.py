# SPDX-License-Identifier: MIT
"""The library: bundles, runs and .onnx files of the served directories, and the shipped bundles.

Clients name an entry by its id and never by a path. Opening an entry runs no code of its own.
"""

import functools
import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

from regretless import _native
from regretless.bundles.bundle import MANIFEST, Bundle
from regretless.bundles.onnx_file import OnnxFile, names_onnx, open_onnx
from regretless.bundles.shipped import shipped_names, strategy_directory
from regretless.errors import InputError
from regretless.explorer.nodes import SolvedTree
from regretless.games import Game
from regretless.games.face import rules_record
from regretless.policies.policy import Policy, Probabilities
from regretless.runs.run_record import RunRecord, find_bundle, is_run, read_run
from regretless.seats.strategies import Strategy, find_strategy, onnx_strategy
from regretless.web.entry_facts import EntryFacts, entry_facts
from regretless.web.errors import NotFoundError
from regretless.web.kept import Kept
from regretless.web.named_places import NamedPlaces

Kind = Literal["bundle", "run", "onnx"]

_T = TypeVar("_T")


@dataclass(frozen=True)
class Entry:
    """A bundle, a run or a file."""

    id: str  # the name in addresses; it stays the same while the server runs
    kind: Kind
    name: str  # the name of the directory or file
    path: Path
    is_shipped: bool = False


@dataclass(frozen=True)
class Opened:
    """An open strategy. Asking its policy takes the lock, since policies keep scratch memory."""

    entry: Entry
    strategy: Strategy
    lock: threading.Lock = field(default_factory=threading.Lock)

    @functools.cached_property
    def policy(self) -> "LockedPolicy":
        """The policy that takes the lock itself, the same object each time."""
        return LockedPolicy(self.strategy.policy, self.lock)


class LockedPolicy:
    """A policy for any number of threads, one at a time."""

    def __init__(self, policy: Policy, lock: threading.Lock) -> None:
        self.policy, self.lock = policy, lock
        self.name, self.needs = policy.name, policy.needs

    def __call__(self, questions: _native.Questions) -> Probabilities:
        with self.lock:
            return self.policy(questions)


class Library:
    """All entries. Any thread may use it."""

    def __init__(self, directories: tuple[Path, ...], *, most: int = 2000, opened: int = 8) -> None:
        self.most = most
        self._places = NamedPlaces(directories, shipped_names)
        self._known: dict[str, Entry] = {}
        self._kept = Kept(opened)
        self._facts = Kept(most)

    def entries(self) -> list[Entry]:
        """All entries, shipped bundles first. The directories are read each time."""
        found = []
        for name in shipped_names():
            path = strategy_directory(name)
            if path is not None and (path / MANIFEST).exists():
                found.append(Entry(name, "bundle", name, path, is_shipped=True))
        places: Iterator[tuple[Path, Kind]] = self._places.find(_kind)
        room = max(0, self.most - len(found))
        for path, kind in itertools.islice(places, room):
            found.append(Entry(self.id_of(path), kind, path.name, path))
        self._known = {each.id: each for each in found}
        return found

    def entry(self, id: str) -> Entry:
        """The entry of an id, or NotFoundError."""
        found = self._known.get(id)
        if found is not None and found.path.exists():
            return found
        for each in self.entries():
            if each.id == id:
                return each
        raise NotFoundError(f"nothing in the library has the id {id[:80]!r}")

    def facts(self, entry: Entry) -> EntryFacts:
        """The facts of an entry, read again when its files have changed."""
        make = functools.partial(entry_facts, entry.path, entry.kind)
        return self._facts.get(entry.path, make, _stamp(entry.path))

    def read_facts(self) -> None:
        """Reads the facts of all entries, so that the first who asks does not wait for them."""
        for each in self.entries():
            self.facts(each)

    def bundle(self, id: str) -> Bundle | None:
        """The bundle of an entry, not yet verified; None for a file or a run without a bundle."""
        entry = self.entry(id)
        return None if entry.kind == "onnx" else find_bundle(entry.path)

    def onnx(self, id: str) -> OnnxFile | None:
        entry = self.entry(id)
        return open_onnx(entry.path) if entry.kind == "onnx" else None

    def run(self, id: str) -> RunRecord | None:
        """The record of a run; None for other entries."""
        entry = self.entry(id)
        return read_run(entry.path) if entry.kind == "run" else None

    def opened(self, id: str, purpose: str = "ask", step: int | None = None) -> Opened:
        """The strategy of an entry, or of a run at a kept step; verified, and cached by purpose."""
        entry = self.entry(id)
        key = purpose if step is None else f"{purpose} at {step}"
        return self.kept(entry, key, lambda: Opened(entry, self.fresh(entry, step)))

    def opened_for(self, id: str, game: Game, purpose: str = "ask") -> Opened:
        """The strategy for this game: a .onnx file also plays similar games (docs/onnx.md)."""
        opened, rules = self.opened(id, purpose), rules_record(game)
        entry = opened.entry
        if entry.kind != "onnx" or rules == rules_record(opened.strategy.game):
            return opened

        def make() -> Opened:
            return Opened(entry, onnx_strategy(open_onnx(entry.path), game))

        return self.kept(entry, f"{purpose} {rules}", make)

    def solved(self, id: str) -> SolvedTree:
        """The nodes of a bundle of a spot or of a small game."""
        entry = self.entry(id)
        bundle = self.bundle(id)
        if bundle is None:
            raise InputError(f"{entry.name}: there is no bundle to look into")
        return self.kept(entry, "solved", lambda: SolvedTree.of_bundle(bundle))

    def kept(self, entry: Entry, purpose: str, make: Callable[[], _T]) -> _T:
        """A cached result of `make`, made again when the files of the entry have changed."""
        return self._kept.get((entry.id, purpose), make, _stamp(entry.path))

    def fresh(self, entry: Entry, step: int | None = None) -> Strategy:
        """The strategy of an entry, opened for one user alone."""
        if step is not None and entry.kind != "run":
            raise InputError(f"{entry.name}: only runs have checkpoints")
        if entry.kind == "run" and (step is not None or find_bundle(entry.path) is None):
            self.check_names(entry)
        return find_strategy(entry.path, step=step)

    def check_names(self, entry: Entry) -> None:
        """Refuses a run whose game or algorithm is custom code."""
        record = read_run(entry.path)
        for what, name in (("a game", record.game), ("an algorithm", record.algorithm)):
            if ":" in name or "/" in name:
                raise InputError(f"{entry.name}: a run of {what} that is no known name")

    def id_of(self, path: Path) -> str:
        """The id that a path has or will have."""
        return self._places.id_of(path)


def _kind(path: Path) -> Kind | None:
    if path.is_file():
        return "onnx" if names_onnx(path) else None
    if is_run(path):
        return "run"
    return "bundle" if (path / MANIFEST).is_file() else None


def _stamp(path: Path) -> tuple[int, ...]:
    """Times that change when the strategy of an entry changes."""
    files = [path, path / MANIFEST, path / "bundle" / MANIFEST, path / "checkpoints"]
    return tuple(each.stat().st_mtime_ns if each.exists() else 0 for each in files)
