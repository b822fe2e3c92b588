# SPDX-License-Identifier: MIT
"""Runs that a server has started: each a process of its own, `regretless train` or `resume`.

A page that is closed changes nothing about them. A server that stops tells them to stop, too, as
Ctrl-C does: each writes a checkpoint and can be resumed.
"""

import contextlib
import json
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn

from regretless.errors import InputError
from regretless.recipes.config import RunConfig, config_text
from regretless.runs.run import Run, claim_path
from regretless.runs.run_record import CONFIG, METRICS, RunRecord, is_run, read_run
from regretless.runs.run_status import run_status
from regretless.storage.files import told_on_failure, write_file
from regretless.web.errors import BusyError, ConflictError, NotFoundError
from regretless.web.library import Library
from regretless.web.recipes import Recipes, check_config
from regretless.web.settings import Settings

Status = Literal["starting", "running", "stopping", "stopped", "done", "failed"]

_COMMAND = (sys.executable, "-m", "regretless")
_STOPPED = (128 + signal.SIGINT, 128 + signal.SIGTERM, -signal.SIGINT, -signal.SIGTERM)
_MOST_LOG = 1 << 14
_MOST_KEPT = 64  # that have ended


@dataclass(eq=False)
class Training:
    """A process that trains."""

    id: str
    path: Path
    process: "subprocess.Popen[bytes]"
    log: Path
    is_told: bool = False
    """To stop."""

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    @property
    def error(self) -> str | None:
        """One line, of one that has failed."""
        if self.is_alive or self.process.returncode in (0, *_STOPPED):
            return None
        errors = [each for each in self._log() if each.startswith("error: ")]
        line = errors[-1].removeprefix("error: ") if errors else ""
        return self._plain(line) or f"the process ended with {self.process.returncode}"

    @property
    def notes(self) -> list[str]:
        """What it has told: room, time, measures that are left out."""
        return [
            self._plain(each.removeprefix("note: "))
            for each in self._log()
            if each.startswith("note: ")
        ]

    def _plain(self, line: str) -> str:
        """Without the path, which is no client's business."""
        return line.replace(str(self.path.resolve()), self.id).replace(str(self.path), self.id)

    def _log(self) -> list[str]:
        try:
            with self.log.open("rb") as file:
                return file.read(_MOST_LOG).decode(errors="replace").splitlines()
        except OSError:
            return []


@dataclass(frozen=True)
class RunState:
    """A run as it is now."""

    id: str
    status: Status
    is_ours: bool
    """Whether this server started it and so can stop it."""
    record: RunRecord | None
    """None: it has only begun."""
    error: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def last(self) -> dict[str, Any]:
        return self.record.metrics[-1] if self.record is not None and self.record.metrics else {}


class Trainings:
    """All of them, and the runs of the library beside them. Any thread may use it."""

    def __init__(self, settings: Settings, library: Library, recipes: Recipes) -> None:
        self.settings, self.limits = settings, settings.limits
        self.library, self.recipes = library, recipes
        self._lock = threading.Lock()
        self._found: dict[str, Training] = {}
        self._records: dict[Path, tuple[tuple[int, ...], RunRecord]] = {}
        self._forecasts = threading.BoundedSemaphore(2)
        self._is_over = False

    def forecast(
        self, recipe: str, overrides: Sequence[str] = (), seed: int | None = None
    ) -> dict[str, Any]:
        """What a recipe would take, as `regretless train --forecast --json` tells it."""
        config = self.recipes.config(recipe, overrides, seed)
        if self.limits.trainings < 1:
            raise BusyError("this server starts no runs")
        if not self._forecasts.acquire(blocking=False):
            raise BusyError("others are being looked at: try again later")
        file = self._folder / f"forecast-{secrets.token_hex(6)}.yaml"
        path = self.settings.runs / f"forecast-{secrets.token_hex(6)}"
        try:
            self._write(file, config)
            told = subprocess.run(
                [*_COMMAND, "train", str(file), f"output={path}", "--forecast", "--json"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self.limits.forecast_seconds,
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            raise InputError(f"{recipe}: it takes too long to say what it takes") from None
        finally:
            self._forecasts.release()
            file.unlink(missing_ok=True)
        if told.returncode:
            lines = told.stderr.decode(errors="replace").splitlines()
            line = next((each for each in reversed(lines) if each.startswith("error: ")), "")
            plain = line.removeprefix("error: ").replace(str(path), recipe)
            raise InputError(plain.replace(str(file), recipe) or f"{recipe}: cannot be begun")
        found: dict[str, Any] = json.loads(told.stdout)
        return found

    def start(
        self, recipe: str, overrides: Sequence[str] = (), seed: int | None = None
    ) -> RunState:
        """Begin a run of a recipe; BusyError if too many go on."""
        config = self.recipes.config(recipe, overrides, seed)

        def begin() -> Training:
            path = claim_path(self.settings.runs, recipe)
            id = self.library.id_of(path)
            file = self._folder / f"{path.name}.yaml"
            self._write(file, config)
            return self._spawn(id, path, ["train", str(file), f"output={path}"])

        return self._begin(begin)

    def resume(self, id: str, overrides: Sequence[str] = ()) -> RunState:
        """Go on with a run of the library, maybe to a larger budget."""
        entry = self.library.entry(id)
        if entry.kind != "run":
            raise InputError(f"{id}: is no run")
        try:
            config = Run.existing(entry.path, tuple(overrides)).config
        except InputError as error:
            raise InputError(str(error).replace(str(entry.path), id)) from None
        check_config(config, is_begun=True)
        self._check_free(id, entry.path)

        def begin() -> Training:
            self._check_free(id, entry.path)
            return self._spawn(id, entry.path, ["resume", "--", str(entry.path), *overrides])

        return self._begin(begin)

    def stop(self, id: str) -> RunState:
        """Tell a run to save itself and end; that may take a moment."""
        with self._lock:
            training = self._found.get(id)
        if training is None or not training.is_alive:
            state = self.state(id)
            if state.status == "running":
                raise ConflictError(f"{id}: this server did not start it; stop it where it runs")
            raise ConflictError(f"{id}: does not run, it is {state.status}")
        if training.is_told:
            raise ConflictError(f"{id}: is being stopped already")
        training.is_told = True
        training.process.terminate()
        return self.state(id)

    def state(self, id: str) -> RunState:
        """NotFoundError if there is no run of this id."""
        with self._lock:
            training = self._found.get(id)
        if training is not None:
            return self._state(training.id, training.path, training)
        entry = self.library.entry(id)
        if entry.kind != "run":
            raise NotFoundError(f"{id[:80]}: is no run")
        return self._state(entry.id, entry.path, None)

    def states(self) -> list[RunState]:
        """Of all runs, in the order of the library; those that have only begun last."""
        with self._lock:
            trainings = dict(self._found)
        found: list[RunState] = []
        for entry in self.library.entries():
            if entry.kind == "run":
                with contextlib.suppress(InputError):  # a directory that is being made
                    found.append(self._state(entry.id, entry.path, trainings.pop(entry.id, None)))
        found += [self._state(each.id, each.path, each) for each in trainings.values()]
        return found

    def stop_all(self) -> None:
        """The server ends. Who takes long to save itself goes on with that alone."""
        with self._lock:
            self._is_over = True
            alive = [each for each in self._found.values() if each.is_alive]
        for each in alive:
            each.is_told = True
            each.process.terminate()
        until = time.monotonic() + self.limits.stop_seconds
        for each in alive:
            with contextlib.suppress(subprocess.TimeoutExpired):
                each.process.wait(max(0.0, until - time.monotonic()))
        with self._lock:
            self._forget()

    @property
    def _folder(self) -> Path:
        """For configs as they were started, and what the processes say."""
        return self.settings.data / "_started"

    def _begin(self, begin: Callable[[], Training]) -> RunState:
        with self._lock:
            alive = sum(each.is_alive for each in self._found.values())
            if self._is_over or alive >= self.limits.trainings:
                self._refuse(alive)
            self._forget()
            training = begin()
            self._found.pop(training.id, None)
            self._found[training.id] = training
        return self.state(training.id)

    def _check_free(self, id: str, path: Path) -> None:
        training = self._found.get(id)
        if (training is not None and training.is_alive) or run_status(path) == "running":
            raise ConflictError(f"{id}: is running already")

    def _refuse(self, alive: int) -> NoReturn:
        if self.limits.trainings < 1:
            raise BusyError("this server starts no runs")
        runs = "a run goes on" if alive == 1 else f"{alive} runs go on"
        raise BusyError(f"{runs} already, and no more at a time: stop one, or wait")

    def _spawn(self, id: str, path: Path, arguments: list[str]) -> Training:
        log = self._folder / f"{id}.log"
        with told_on_failure(log):
            log.parent.mkdir(parents=True, exist_ok=True)
            output = log.open("wb")
        with output:
            process = subprocess.Popen(
                [*_COMMAND, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # what is typed at the server's terminal is not for it
            )
        return Training(id, path, process, log)

    def _write(self, file: Path, config: RunConfig) -> None:
        """The config as it was checked, so that this and nothing else is begun."""
        with told_on_failure(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_file(file, config_text(config))

    def _forget(self) -> None:
        """Drop the oldest that have ended, and the directories of those that never began."""
        ended = [each for each in self._found.values() if not each.is_alive]
        for each in ended:
            with contextlib.suppress(OSError):
                each.path.rmdir()  # only if nothing is in it
        for each in ended[: max(0, len(ended) - _MOST_KEPT)]:
            del self._found[each.id]

    def _record(self, path: Path) -> RunRecord:
        """Read only if its files have changed since the last time."""
        stamp = tuple(
            number
            for name in (CONFIG, METRICS)
            if (path / name).exists()
            for number in ((path / name).stat().st_mtime_ns, (path / name).stat().st_size)
        )
        kept = self._records.get(path)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        record = read_run(path)
        if len(self._records) >= self.limits.entries:
            self._records.clear()
        self._records[path] = (stamp, record)
        return record

    def _state(self, id: str, path: Path, training: Training | None) -> RunState:
        record = None
        if is_run(path):
            try:
                record = self._record(path)
            except InputError:  # nothing has been measured yet
                if training is None:
                    raise
        if training is None:
            return RunState(id, run_status(path), False, record)
        error = training.error
        status: Status
        if training.is_alive:
            status = "stopping" if training.is_told else "running" if record else "starting"
        elif error is not None:
            status = "failed"
        else:
            status = "done" if training.process.returncode == 0 else "stopped"
        return RunState(id, status, training.is_alive, record, error, tuple(training.notes))
