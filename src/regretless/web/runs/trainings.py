# SPDX-License-Identifier: MIT
"""Runs that a server starts, resumes and stops, each in a process of its own.

Closing a page does not change a run. A server that stops asks its runs to stop as Ctrl-C does: each
saves a checkpoint and can be resumed.
"""

import contextlib
import json
import secrets
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from regretless.errors import InputError
from regretless.notation.text_file import read_text
from regretless.pictures.curves import BANDS
from regretless.recipes.config import RunConfig, config_text
from regretless.runs.run import Run, claim_path, run_status
from regretless.runs.run_groups import Standing, leaderboard, name_group
from regretless.runs.run_record import CONFIG, METRICS, RunRecord, is_run, read_run
from regretless.storage.files import told_on_failure, write_file
from regretless.web.errors import BusyError, ConflictError, NotFoundError
from regretless.web.kept import Kept
from regretless.web.library import Library
from regretless.web.runs.recipes import Recipes, check_config
from regretless.web.runs.run_curves import Chart, MeasureFacts, all_measures, draw_charts
from regretless.web.runs.run_states import (
    COMMAND,
    GOING_ON,
    RunState,
    Training,
    facts_of,
    lines_about,
    with_progress,
)
from regretless.web.settings import Settings

_MOST_KEPT = 64  # processes that have ended
_MOST_RECORDS = 2000


class Trainings:
    """The runs of this server and of its library. Any thread may use it."""

    def __init__(self, settings: Settings, library: Library, recipes: Recipes) -> None:
        self.settings, self.limits = settings, settings.limits
        self.library, self.recipes = library, recipes
        self._lock = threading.Lock()
        self._found: dict[str, Training] = {}
        self._facts = Kept(_MOST_RECORDS)
        self._forecasts = threading.BoundedSemaphore(2)
        self._is_over = False

    def forecast(
        self, recipe: str, overrides: Sequence[str] = (), seed: int | None = None
    ) -> dict[str, Any]:
        """The memory and disk of a recipe, as `train --forecast --json` prints it; its budget."""
        config = self.recipes.config(recipe, overrides, seed)
        if self.limits.trainings < 1:
            raise BusyError("this server starts no runs")
        if not self._forecasts.acquire(blocking=False):
            raise BusyError("other forecasts are running: try again later")
        file = self._folder / f"forecast-{secrets.token_hex(6)}.yaml"
        path = self.settings.runs / f"forecast-{secrets.token_hex(6)}"
        try:
            self._write(file, config)
            ended = subprocess.run(
                [*COMMAND, "train", str(file), f"output={path}", "--forecast", "--json"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self.limits.forecast_seconds,
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            raise InputError(f"{recipe}: the forecast took too long") from None
        finally:
            self._forecasts.release()
            file.unlink(missing_ok=True)
        if ended.returncode:
            errors = lines_about("error: ", ended.stderr, (path, file), recipe)
            raise InputError([f"{recipe}: cannot be started", *errors][-1])
        found: dict[str, Any] = json.loads(ended.stdout)
        return {**found, "budget": config.budget.model_dump()}

    def start(
        self, recipe: str, overrides: Sequence[str] = (), seed: int | None = None
    ) -> RunState:
        """Starts a run of a recipe; BusyError if too many are running."""
        config = self.recipes.config(recipe, overrides, seed)

        def begin() -> Training:
            served = {each.path.name for each in self.library.entries()}
            path = claim_path(self.settings.runs, recipe, without=served)
            id = self.library.id_of(path)
            file = self._folder / f"{path.name}.yaml"
            self._write(file, config)
            return self._spawn(id, path, "train", str(file), f"output={path}")

        return self._begin(begin)

    def resume(self, id: str, overrides: Sequence[str] = ()) -> RunState:
        """Resumes a run of the library, with changes such as a larger budget."""
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
            return self._spawn(id, entry.path, "resume", "--", str(entry.path), *overrides)

        return self._begin(begin)

    def stop(self, id: str) -> RunState:
        """Asks a run to save a checkpoint and end, which may take a moment."""
        with self._lock:
            training = self._found.get(id)
        if training is None or not training.is_alive:
            state = self.state(id)
            if state.status == "running":
                raise ConflictError(f"{id}: this server did not start it; stop it where it runs")
            raise ConflictError(f"{id}: does not run, it is {state.status}")
        if training.is_stopping:
            raise ConflictError(f"{id}: is being stopped already")
        training.stop()
        return self.state(id)

    def state(self, id: str) -> RunState:
        """The state of a run, or NotFoundError."""
        with self._lock:
            training = self._found.get(id)
        if training is not None:
            return self._state(id, training.path, training)
        entry = self.library.entry(id)
        if entry.kind != "run":
            raise NotFoundError(f"{id[:80]}: is no run")
        return self._state(id, entry.path, None)

    def states(self) -> list[RunState]:
        """The states of all runs in the order of the library; new runs come last."""
        with self._lock:
            trainings = dict(self._found)
        found: list[RunState] = []
        for entry in self.library.entries():
            if entry.kind == "run":
                training = trainings.pop(entry.id, None)
                with contextlib.suppress(InputError):  # a directory that is being made
                    found.append(self._state(entry.id, entry.path, training))
        found += [self._state(each.id, each.path, each) for each in trainings.values()]
        return found

    def _state(self, id: str, path: Path, training: Training | None) -> RunState:
        facts: dict[str, Any] = {}
        try:
            if is_run(path):
                files = [file for name in (CONFIG, METRICS) if (file := path / name).exists()]
                stamp = [(file.stat().st_mtime_ns, file.stat().st_size) for file in files]
                facts = self._facts.get(path, lambda: facts_of(read_run(path)), stamp)
        except InputError:  # nothing has been logged yet
            if training is None:
                raise
        if training is not None:
            return with_progress(training.state(facts), path)
        return with_progress(RunState(id=id, status=run_status(path), is_ours=False, **facts), path)

    def config_text(self, id: str) -> str:
        """The config of a run as a reader sees it; empty before the run has one."""
        with self._lock:
            training = self._found.get(id)
        path = self.library.entry(id).path if training is None else training.path
        if not is_run(path):
            return ""
        lines = read_text(path / CONFIG).splitlines()
        kept = [each for each in lines if not each.startswith(("#", "output:"))]
        return "\n".join(kept).replace(str(path), id)

    def charts(
        self, ids: Sequence[str], axis: str, *, together: bool, band: str, only: Sequence[str] = ()
    ) -> tuple[list[MeasureFacts], list[Chart]]:
        """All measures of runs, and charts of those `only`: measures or whole groups.

        Seeds of runs that go on are not `together`: their mean would end with the shortest.
        """
        states = {each.id: each for each in self.states()}
        for id in ids:
            if id not in states:
                raise NotFoundError(f"{id[:80]}: is no run")
        found = {id: states[id].record for id in ids}
        records = {id: record for id, record in found.items() if record is not None}
        apart = [id for id in records if not together or states[id].status in GOING_ON]
        measures = all_measures(records.values())
        drawn = [each for each in measures if each.name in only or each.group in only]
        return measures, draw_charts(records, drawn, axis, apart=apart, band=band)

    def records(self) -> dict[str, RunRecord]:
        """The records of all runs that have one, by id."""
        return {each.id: each.record for each in self.states() if each.record is not None}

    def standings(self, measure: str, band: str = BANDS[0]) -> dict[str, list[Standing]]:
        """The leaderboard with runs called by their ids."""
        records = self.records()
        ids = {str(record.path): id for id, record in records.items()}

        def named(row: Standing) -> Standing:
            runs = tuple(ids[path] for path in row.runs)
            name = name_group(runs[0], len(runs) - 1, is_equal=row.seeds == 1)
            return replace(row, run=name, runs=runs)

        found = leaderboard([*records.values()], measure, band=band)
        return {game: [named(row) for row in rows] for game, rows in found.items()}

    def stop_all(self) -> None:
        """Stops all runs. A run that takes long to save its checkpoint finishes alone."""
        with self._lock:
            self._is_over = True
            alive = [each for each in self._found.values() if each.is_alive]
        for each in alive:
            each.stop()
        until = time.monotonic() + self.limits.stop_seconds
        for each in alive:
            with contextlib.suppress(subprocess.TimeoutExpired):
                each.process.wait(max(0.0, until - time.monotonic()))
        with self._lock:
            self._forget()

    @property
    def _folder(self) -> Path:
        return self.settings.data / "_started"  # configs and logs

    def _begin(self, begin: Callable[[], Training]) -> RunState:
        with self._lock:
            alive = sum(each.is_alive for each in self._found.values())
            if self.limits.trainings < 1:
                raise BusyError("this server starts no runs")
            if self._is_over or alive >= self.limits.trainings:
                runs = "a run is" if alive == 1 else f"{alive} runs are"
                raise BusyError(f"{runs} training, the most at a time: stop one, or wait")
            self._forget()
            training = begin()
            self._found.pop(training.id, None)
            self._found[training.id] = training
        return self.state(training.id)

    def _spawn(self, id: str, path: Path, *arguments: str) -> Training:
        return Training.spawn(id, path, arguments, self._folder / f"{id}.log")

    def _check_free(self, id: str, path: Path) -> None:
        training = self._found.get(id)
        if (training is not None and training.is_alive) or run_status(path) == "running":
            raise ConflictError(f"{id}: is running already")

    def _write(self, file: Path, config: RunConfig) -> None:
        """Writes the config as it was checked, so that the run starts with exactly that config."""
        with told_on_failure(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_file(file, config_text(config))

    def _forget(self) -> None:
        """Drops the oldest processes that have ended, and directories of runs that never began."""
        ended = [each for each in self._found.values() if not each.is_alive]
        for each in ended:
            with contextlib.suppress(OSError):
                each.path.rmdir()  # only if nothing is in it
        for each in ended[: max(0, len(ended) - _MOST_KEPT)]:
            del self._found[each.id]
