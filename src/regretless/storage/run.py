# SPDX-License-Identifier: MIT
"""A run: one directory with its config, metrics, TensorBoard events and checkpoints."""

import contextlib
import fcntl
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from regretless.algorithm import Arrays
from regretless.buffers import Buffer
from regretless.config import WORK, RunConfig, config_text, read_config
from regretless.errors import InputError
from regretless.storage.checkpoint import (
    Checkpoint,
    Record,
    amend_record,
    read_checkpoint,
    read_facts,
    write_checkpoint,
)
from regretless.storage.files import WRITING, remove_directory, told_on_failure, write_file
from regretless.storage.manifest import DamagedError
from regretless.storage.segments import SavedBuffer, SegmentStore

_STEP = "step_"
_STEP_NAME = re.compile(r"step_[0-9]{8,18}")
_MOST_RUNS = 1000
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Run:
    """Where a run is, and its config. Nothing is written before `opened`."""

    path: Path
    config: RunConfig

    @classmethod
    def new(cls, config: RunConfig, name: str) -> "Run":
        """A run in a directory of its own: that of the config, else the next free `runs/name-001`.

        InputError if there is something already.
        """
        if config.output is None:
            return cls(_free_path(Path("runs"), name), config)
        path = Path(config.output)
        with told_on_failure(path):
            is_taken = path.exists() and (not path.is_dir() or any(path.iterdir()))
        if is_taken:
            hint = f"; `regretless resume {path}` goes on with it" if _is_run(path) else ""
            raise InputError(f"output: {path} is there already{hint}")
        return cls(path, config)

    @classmethod
    def existing(cls, path: str | Path, overrides: tuple[str, ...] = ()) -> "Run":
        """A run that was begun before; InputError if the directory is none."""
        path = Path(path)
        if not _is_run(path):
            raise InputError(f"{path}: no run (there is no config.yaml)")
        config = read_config(path / "config.yaml", overrides)
        if overrides:
            _check_same_work(read_config(path / "config.yaml"), config)
        return cls(path, config)

    @property
    def metrics_path(self) -> Path:
        return self.path / "metrics.jsonl"

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
        """Make the directory if it is new, and keep it from other processes meanwhile."""
        with told_on_failure(self.path):
            self.checkpoints_path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / "lock").open("w", encoding="utf-8")
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InputError(f"{self.path}: another process is training this run") from None
            with told_on_failure(self.path):
                write_file(self.path / "config.yaml", config_text(self.config))
                for left in self.checkpoints_path.glob(f"{WRITING}*"):
                    shutil.rmtree(left)
            yield

    def checkpoints(self) -> list[Path]:
        """All of them, oldest first, damaged ones included."""
        found = self.checkpoints_path.glob(f"{_STEP}*")
        return sorted((each for each in found if _STEP_NAME.fullmatch(each.name)), key=_step)

    def save(
        self, state: Arrays, record: Record, buffers: Mapping[str, Buffer] | None = None
    ) -> Path:
        """Write a checkpoint, of buffers only what is new, and drop what need not be kept."""
        path = self._checkpoint_path(record)
        saved = self.segments.write(buffers or {}) if self.config.checkpoint.buffers else {}
        write_checkpoint(path, state, record, saved)
        with told_on_failure(path):
            self._drop_old()
        return path

    def amend(self, record: Record) -> None:
        """Say something else of the step that was saved last."""
        path = self._checkpoint_path(record)
        amend_record(path, record)
        with told_on_failure(path):
            self._drop_old()

    def latest(
        self, tell: Tell = lambda _: None, buffers: Mapping[str, Buffer] | None = None
    ) -> Checkpoint | None:
        """The newest checkpoint that is unaltered; `tell` hears of those that are not.

        Its rows fill `buffers`; those that it has not saved are left as they are.
        """
        for path in reversed(self.checkpoints()):
            try:
                checkpoint = read_checkpoint(path)
                self.segments.restore(checkpoint.buffers, buffers or {})
                return checkpoint
            except DamagedError as error:
                tell(f"{error}; trying the checkpoint before it")
        return None

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

    def _drop_old(self) -> None:
        """All checkpoints but the newest and the best, then the segments of no other."""
        facts, newest = self._facts(), self.checkpoints()[-self.config.checkpoint.keep :]
        best = _best(facts)
        kept = {*newest, *([best] if best else [])}
        for path in self.checkpoints():
            if path not in kept:
                remove_directory(path)
        saved = [each for path in kept & facts.keys() for each in facts[path][1].values()]
        self.segments.sweep(saved)

    def _facts(self) -> "dict[Path, _Facts]":
        """Of those checkpoints whose manifest is whole."""
        found = {}
        for path in self.checkpoints():
            with contextlib.suppress(InputError):
                found[path] = read_facts(path)
        return found

    def _checkpoint_path(self, record: Record) -> Path:
        return self.checkpoints_path / f"{_STEP}{record.step:08d}"


_Facts = tuple[Record, Mapping[str, SavedBuffer]]


def _best(facts: dict[Path, _Facts]) -> Path | None:
    values = {path: record.exploitability for path, (record, _) in facts.items()}
    measured = [(value, path) for path, value in values.items() if value is not None]
    return min(measured)[1] if measured else None


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.removeprefix(_STEP))


def _is_run(path: Path) -> bool:
    return (path / "config.yaml").is_file()


def _free_path(parent: Path, name: str) -> Path:
    for number in range(1, _MOST_RUNS):
        path = parent / f"{name}-{number:03d}"
        if not path.exists():
            return path
    raise InputError(f"{parent}: {name}-001 to -{_MOST_RUNS - 1} are taken; give output=...")


def _check_same_work(before: RunConfig, after: RunConfig) -> None:
    """A resumed run may end elsewhere and look at itself more often, but does the same steps."""
    for key in (*WORK, "output"):
        if getattr(before, key) != getattr(after, key):
            raise InputError(f"{key}: cannot change when a run is resumed; train a new one")
