# SPDX-License-Identifier: MIT
"""Loggers that receive the metrics of a run beside metrics.jsonl: `log.to` of its config."""

import importlib
import json
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from regretless.algorithm import Metrics
from regretless.errors import InputError, needing
from regretless.recipes.config import RunConfig
from regretless.runs.run import Run, Tell
from regretless.storage.files import told_on_failure, write_file

IDS = "log_ids.json"
"""The ids of the run at the loggers that keep it elsewhere: a resumed run goes on there."""


class Logger(Protocol):
    """Whoever receives rows of metrics."""

    def append(self, step: int, metrics: Metrics) -> None:
        """Receives a row; steps ascend."""

    def flush(self) -> None:
        """Writes what was received."""

    def close(self) -> None:
        """Ends the log."""


class EventFile:
    """A new event file in `directory`; TensorBoard forgets events of earlier ones from a step on.

    TensorBoard is imported when the first file is opened, not before. Its own writer works in a
    thread, where a full disk would go unnoticed; this one writes at once.
    """

    def __init__(self, directory: Path, first_step: int) -> None:
        from tensorboard.compat.proto import event_pb2, summary_pb2
        from tensorboard.summary.writer.record_writer import RecordWriter

        self.path = directory / f"events.out.tfevents.{time.time_ns():020d}.{os.getpid()}"
        self._event, self._summary = event_pb2.Event, summary_pb2.Summary
        start = event_pb2.SessionLog(status=event_pb2.SessionLog.START)
        with told_on_failure(self.path):
            directory.mkdir(exist_ok=True)
            self._file = self.path.open("wb")
            self._records = RecordWriter(self._file)
            self._write(file_version="brain.Event:2")
            self._write(step=first_step, session_log=start)

    def append(self, step: int, metrics: Metrics) -> None:
        values = [self._summary.Value(tag=tag, simple_value=each) for tag, each in metrics.items()]
        with told_on_failure(self.path):
            self._write(step=step, summary=self._summary(value=values))

    def flush(self) -> None:
        with told_on_failure(self.path):
            self._file.flush()

    def close(self) -> None:
        with told_on_failure(self.path):
            self._file.close()

    def _write(self, **fields: Any) -> None:
        self._records.write(self._event(wall_time=time.time(), **fields).SerializeToString())


class WandbLog:
    """A run of Weights & Biases: https://docs.wandb.ai."""

    def __init__(self, run: Run, ids: dict[str, str]) -> None:
        wandb = _package("wandb")
        self._run = wandb.init(
            project=run.config.log.project,
            name=run.path.name,
            id=ids.get("wandb"),
            resume="allow",
            dir=str(run.path),
            config=run.config.model_dump(mode="json"),
        )
        ids["wandb"] = str(self._run.id)

    def append(self, step: int, metrics: Metrics) -> None:
        self._run.log(_finite(metrics), step=step)

    def flush(self) -> None:
        """Does nothing: a process of wandb writes in the background."""

    def close(self) -> None:
        self._run.finish()


class MlflowLog:
    """A run of MLflow at the server or in the folder of MLFLOW_TRACKING_URI."""

    def __init__(self, run: Run, ids: dict[str, str]) -> None:
        mlflow = _package("mlflow")
        self._metric, self._client = mlflow.entities.Metric, mlflow.MlflowClient()
        self._id = ids.get("mlflow") or self._begin(run, mlflow.entities.Param)
        ids["mlflow"] = self._id

    def _begin(self, run: Run, param: Callable[[str, str], Any]) -> str:
        project = run.config.log.project
        found = self._client.get_experiment_by_name(project)
        experiment = (
            self._client.create_experiment(project) if found is None else found.experiment_id
        )
        begun = self._client.create_run(experiment, run_name=run.path.name)
        facts = run.config.model_dump(mode="json")
        params = [param(key, json.dumps(value)[:500]) for key, value in facts.items()]
        self._client.log_batch(begun.info.run_id, params=params)
        return str(begun.info.run_id)

    def append(self, step: int, metrics: Metrics) -> None:
        now = time.time_ns() // 1_000_000
        rows = [self._metric(key, value, now, step) for key, value in _finite(metrics).items()]
        self._client.log_batch(self._id, metrics=rows)

    def flush(self) -> None:
        """Does nothing: rows are sent at once."""

    def close(self) -> None:
        self._client.set_terminated(self._id)


class Spared:
    """A logger outside this program, whose failure costs its own rows and not the run."""

    def __init__(self, name: str, inner: Logger, tell: Tell) -> None:
        self._name, self._tell = name, tell
        self._inner: Logger | None = inner

    def append(self, step: int, metrics: Metrics) -> None:
        self._try(lambda inner: inner.append(step, metrics))

    def flush(self) -> None:
        self._try(lambda inner: inner.flush())

    def close(self) -> None:
        self._try(lambda inner: inner.close())

    def _try(self, work: Callable[[Logger], None]) -> None:
        if self._inner is None:
            return
        try:
            work(self._inner)
        except Exception as error:  # whatever the package raises
            self._inner = None
            self._tell(f"log.to: {self._name} failed and gets no more rows: {_first_line(error)}")


_OUTSIDE: dict[str, Callable[[Run, dict[str, str]], Logger]] = {
    "wandb": WandbLog,
    "mlflow": MlflowLog,
}


def open_loggers(run: Run, first_step: int, tell: Tell = lambda _: None) -> list[Logger]:
    """Opens the loggers of a run, which begins or goes on at a step."""
    found: list[Logger] = []
    ids = _read_ids(run.path / IDS)
    before = dict(ids)
    for name in dict.fromkeys(run.config.log.to):
        if name == "tensorboard":
            found.append(EventFile(run.events_path, first_step))
            continue
        try:
            found.append(Spared(name, _OUTSIDE[name](run, ids), tell))
        except InputError:
            raise
        except Exception as error:  # whatever the package raises
            raise InputError(f"log.to: {name}: {_first_line(error)}") from None
    if ids != before:
        with told_on_failure(run.path):
            write_file(run.path / IDS, json.dumps(ids))
    return found


def check_loggers(config: RunConfig) -> None:
    """InputError before a run begins if the package of a logger is missing."""
    for name in config.log.to:
        if name in _OUTSIDE:
            _package(name)


def _package(name: str) -> Any:
    with needing(f"log.to: {name}", name):
        return importlib.import_module(name)


def _read_ids(path: Path) -> dict[str, str]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    pairs = found.items() if isinstance(found, dict) else ()
    return {key: value for key, value in pairs if key in _OUTSIDE and isinstance(value, str)}


def _finite(metrics: Metrics) -> Metrics:
    return {key: float(value) for key, value in metrics.items() if math.isfinite(value)}


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
