# SPDX-License-Identifier: MIT
"""A run: one directory with its config, metrics, TensorBoard events and checkpoints."""

import contextlib
import fcntl
import os
import re
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Literal, NoReturn

from regretless.algorithm import Arrays
from regretless.buffers import Buffer
from regretless.errors import InputError
from regretless.notation.text_file import read_text
from regretless.recipes.config import (
    MAY_CHANGE,
    RunConfig,
    config_difference,
    config_text,
    is_sealed,
    read_config,
    sealed,
)
from regretless.runs.activity import ACTIVITY
from regretless.runs.checkpoint import (
    Checkpoint,
    Record,
    amend_record,
    read_checkpoint,
    read_facts,
    write_checkpoint,
)
from regretless.runs.run_record import BUNDLE, CONFIG, LOCK, METRICS, is_run, read_run
from regretless.storage.files import (
    WRITING,
    remove_directory,
    remove_leftovers,
    told_on_failure,
    write_file,
)
from regretless.storage.manifest import DamagedError
from regretless.storage.segments import SavedBuffer, SegmentStore

_STEP = "step_"
_STEP_NAME = re.compile(r"step_[0-9]{8,18}")
_MOST_RUNS = 1000
_RUNS = Path("runs")
_LOCKS = Path("/proc/locks")
_RECENT_SECONDS = 60.0
Tell = Callable[[str], None]
RunStatus = Literal["running", "done", "stopped"]


@dataclass(frozen=True, repr=False)
class Run:
    """A run's directory and config. Nothing is written before `opened`."""

    path: Path
    config: RunConfig

    def __repr__(self) -> str:
        return f"<Run {self.path}: {self.config.algorithm.name} on {self.config.game.name}>"

    def _repr_html_(self) -> str:
        """The last row of metrics, for a notebook; the line above before there is one."""
        return (
            read_run(self.path)._repr_html_() if self.metrics_path.is_file() else escape(repr(self))
        )

    @classmethod
    def new(cls, config: RunConfig, name: str) -> "Run":
        """A run in a directory of its own: that of the config, else the next free `runs/name-001`.

        InputError if there is something already. Another process may take the name before this
        run is begun; `claimed_run` holds it.
        """
        if config.output is None:
            free = (path for path in _run_paths(_RUNS, name) if not path.exists())
            return cls(next(free, None) or _all_taken(_RUNS, name), config)
        path = Path(config.output)
        if not _is_free(path):
            hint = f"; `regretless resume {path}` goes on with it" if is_run(path) else ""
            raise InputError(f"output: {path} is there already{hint}")
        return cls(path, config)

    @classmethod
    def existing(cls, path: str | Path, overrides: tuple[str, ...] = ()) -> "Run":
        """A run that was begun before; InputError if the directory is none."""
        path = Path(path)
        if not is_run(path):
            raise InputError(f"{path}: no run (there is no config.yaml)")
        run = cls(path, read_config(path / CONFIG))
        run._check_unaltered()
        if not overrides:
            return run
        config = read_config(path / CONFIG, overrides)
        _check_same_work(run.config, config)
        return cls(path, config)

    @property
    def metrics_path(self) -> Path:
        return self.path / METRICS

    @property
    def events_path(self) -> Path:
        return self.path / "tensorboard"

    @property
    def checkpoints_path(self) -> Path:
        return self.path / "checkpoints"

    @cached_property
    def segments(self) -> SegmentStore:
        """The rows of buffers, for all checkpoints."""
        return SegmentStore(self.checkpoints_path / "segments")

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Make the directory if it is new, and keep it from other processes meanwhile.

        The config comes first: what is there without one may be begun again.
        """
        missing = [each for each in (self.path, *self.path.parents) if not each.exists()]
        with told_on_failure(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / LOCK).open("w", encoding="utf-8")
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InputError(f"{self.path}: another process is training this run") from None
            if is_run(self.path):
                _check_same_work(read_config(self.path / CONFIG), self.config)
            try:
                with told_on_failure(self.path):
                    write_file(self.path / CONFIG, sealed(config_text(self.config)))
            except InputError:
                self._unmake(missing)
                raise
            with told_on_failure(self.path):
                self.checkpoints_path.mkdir(exist_ok=True)
                self._remove_leftovers()
            yield

    def _unmake(self, directories: list[Path]) -> None:
        """Leave nothing of a run that could not be begun."""
        if not is_run(self.path):
            with contextlib.suppress(OSError):
                (self.path / LOCK).unlink()
                for each in directories:
                    each.rmdir()

    def _remove_leftovers(self) -> None:
        """Removes files that an earlier process was writing when it was killed."""
        for directory, names, _ in os.walk(self.path):
            names[:] = [name for name in names if not name.startswith(WRITING)]
            remove_leftovers(Path(directory))

    def _check_unaltered(self) -> None:
        """InputError if config.yaml was changed, with the change if that is known.

        Overrides are no such change: the file is sealed anew with them.
        """
        file = self.path / CONFIG
        if is_sealed(read_text(file)):
            return
        saved = list(self.records().values())
        if not saved:
            raise InputError(f"{file}: was changed, and no checkpoint says what it was")
        difference = config_difference(saved[-1].config, config_text(self.config))
        if difference is not None:
            raise InputError(
                f"{file}: was changed after step {saved[-1].step:,} was saved: {difference}; "
                "put it back, and give changes to `regretless resume`, as in budget.steps=99"
            )

    def checkpoints(self) -> list[Path]:
        """All of them, oldest first, damaged ones included."""
        found = self.checkpoints_path.glob(f"{_STEP}*")
        return sorted((each for each in found if _STEP_NAME.fullmatch(each.name)), key=_step)

    def is_finished(self) -> bool | None:
        """By the newest checkpoint whose manifest is whole; None: there is none.

        A run that was killed after its last checkpoint is not: its bundle may be missing.
        """
        records = list(self.records().values())
        if not records:
            return None
        return records[-1].is_last(self.config.budget) and not (self.path / ACTIVITY).exists()

    def save(
        self, state: Arrays, record: Record, buffers: Mapping[str, Buffer] | None = None
    ) -> Path:
        """Write a checkpoint, of buffers only what is new, and drop what need not be kept."""
        path = self._checkpoint_path(record.step)
        saved = self.segments.write(buffers or {}) if self.config.checkpoint.buffers else {}
        write_checkpoint(path, state, record, saved)
        self.tidy()
        return path

    def amend(self, record: Record) -> None:
        """Replaces the record of the step that was saved last."""
        amend_record(self._checkpoint_path(record.step), record)
        self.tidy()

    def latest(
        self, tell: Tell = lambda _: None, buffers: Mapping[str, Buffer] | None = None
    ) -> Checkpoint | None:
        """The newest checkpoint that is unaltered; None: the run has none yet.

        `tell` is called with a line about each damaged one; InputError if all of them are. The
        rows of the checkpoint fill `buffers`; buffers that it has not saved stay as they are.
        """
        for path in reversed(self.checkpoints()):
            try:
                checkpoint = read_checkpoint(path)
                self.segments.restore(checkpoint.buffers, buffers or {})
                return checkpoint
            except DamagedError as error:
                tell(f"{error}; trying the checkpoint before it")
        if count := len(self.checkpoints()):
            raise InputError(
                f"{self.path}: all {count} checkpoints are damaged; remove "
                f"{self.checkpoints_path} to begin the run again"
            )
        return None

    def at(self, step: int) -> Checkpoint:
        """The checkpoint of a step; InputError if it is damaged or not kept."""
        path = self._checkpoint_path(step)
        if path not in self.checkpoints():
            steps = ", ".join(f"{_step(each):,}" for each in self.checkpoints()) or "none"
            raise InputError(f"{self.path}: no checkpoint of step {step:,} is kept; of {steps}")
        return read_checkpoint(path)

    def records(self) -> dict[Path, Record]:
        """The record of each checkpoint whose manifest is whole, oldest first."""
        return {path: record for path, (record, _) in self._facts().items()}

    def tidy(self) -> None:
        """Drops all checkpoints but the newest and the best, then the segments of no other.

        Also done when a run goes on: a kill may have come before the end of a save.
        """
        facts, newest = self._facts(), self.checkpoints()[-self.config.checkpoint.keep :]
        best = _best(facts)
        kept = {*newest, *([best] if best else [])}
        saved = [each for path in kept & facts.keys() for each in facts[path][1].values()]
        with told_on_failure(self.checkpoints_path):
            for path in self.checkpoints():
                if path not in kept:
                    remove_directory(path)
            self.segments.sweep(saved)

    def set_aside_after(self, step: int) -> None:
        """Rename the checkpoints of later steps, which are damaged: they are written anew."""
        for path in self.checkpoints():
            if _step(path) > step:
                aside = path.with_name(f"damaged_{path.name}")
                with told_on_failure(path):
                    shutil.rmtree(aside, ignore_errors=True)
                    path.rename(aside)

    def best(self) -> Path | None:
        """The checkpoint with the least exploitability among those that were measured."""
        return _best(self._facts())

    def _facts(self) -> "dict[Path, _Facts]":
        """Records and buffers of the checkpoints whose manifest is whole."""
        found = {}
        for path in self.checkpoints():
            with contextlib.suppress(InputError):
                found[path] = read_facts(path)
        return found

    def _checkpoint_path(self, step: int) -> Path:
        return self.checkpoints_path / f"{_STEP}{step:08d}"


_Facts = tuple[Record, Mapping[str, SavedBuffer]]


def _best(facts: dict[Path, _Facts]) -> Path | None:
    values = {path: record.exploitability for path, (record, _) in facts.items()}
    measured = [(value, path) for path, value in values.items() if value is not None]
    return min(measured)[1] if measured else None


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.removeprefix(_STEP))


def _is_free(path: Path) -> bool:
    """Nothing is there, or only what is left of a run that was killed before it had a config."""
    with told_on_failure(path):
        if not path.is_dir():
            return not path.exists() and not path.is_symlink()
        names = {each.name for each in path.iterdir()}
        if (path / "checkpoints").is_dir() and not any((path / "checkpoints").iterdir()):
            names.discard("checkpoints")
        return names <= {LOCK, f"{WRITING}{CONFIG}.0"}


@contextlib.contextmanager
def claimed_run(config: RunConfig, name: str) -> Iterator[Run]:
    """A new run whose directory no other process can take; if nothing is begun in it, it goes."""
    if config.output is not None:
        yield Run.new(config, name)
        return
    is_first = not _RUNS.exists()
    path = claim_path(_RUNS, name)
    try:
        yield Run(path, config)
    finally:
        with contextlib.suppress(OSError):  # something is in it
            path.rmdir()
            if is_first:
                _RUNS.rmdir()


def claim_path(parent: Path, name: str, without: Collection[str] = ()) -> Path:
    """Makes the next free directory `name-001`, none of `without`; to make it is to own it."""
    for path in (each for each in _run_paths(parent, name) if each.name not in without):
        with told_on_failure(path), contextlib.suppress(FileExistsError):
            path.mkdir(parents=True)
            return path
    return _all_taken(parent, name)


def _run_paths(parent: Path, name: str) -> Iterator[Path]:
    return (parent / f"{name}-{number:03d}" for number in range(1, _MOST_RUNS))


def _all_taken(parent: Path, name: str) -> NoReturn:
    raise InputError(f"{parent}: {name}-001 to -{_MOST_RUNS - 1} are taken; give output=...")


def run_status(path: Path) -> RunStatus:
    """The status by the lock that a training process holds, and by the newest checkpoint.

    A run without a checkpoint is done if it has a bundle.
    """
    if _is_held(path / LOCK, path / METRICS):
        return "running"
    is_finished: bool | None = None
    with contextlib.suppress(InputError):  # such as a config that was changed
        is_finished = Run.existing(path).is_finished()
    if is_finished is None:
        is_finished = (path / BUNDLE).is_dir()
    return "done" if is_finished else "stopped"


def _is_held(lock: Path, metrics: Path) -> bool:
    """Whether a process holds the lock; without /proc/locks, whether metrics are recent."""
    try:
        inode = lock.stat().st_ino
    except OSError:
        return False
    try:
        held = _LOCKS.read_text()
    except OSError:
        try:
            return time.time() - metrics.stat().st_mtime < _RECENT_SECONDS
        except OSError:
            return False
    rows = (line.split() for line in held.splitlines() if "FLOCK" in line)
    return any(row[-3].rsplit(":", 1)[-1] == str(inode) for row in rows)


def _check_same_work(before: RunConfig, after: RunConfig) -> None:
    """A resumed run may end elsewhere and look at itself more often, but does the same steps."""
    for key in RunConfig.model_fields:
        if key not in MAY_CHANGE and getattr(before, key) != getattr(after, key):
            raise InputError(f"{key}: cannot change when a run is resumed; train a new one")
