# SPDX-License-Identifier: MIT
"""The journal of a run: every row of metrics goes to metrics.jsonl and to TensorBoard."""

import os
import time
from pathlib import Path
from typing import Any

from regretless.algorithm import Metrics
from regretless.runs.metrics import DAMAGED, MetricsFile
from regretless.runs.run import Run, Tell
from regretless.storage.files import told_on_failure


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


class Journal:
    """Open while a run trains; rows after `last_step` are removed first.

    `tell` is called with a line about each damaged row.
    """

    def __init__(self, run: Run, last_step: int, tell: Tell = lambda _: None) -> None:
        self._metrics = MetricsFile(run.metrics_path)
        for line in self._metrics.cut(last_step):
            tell(f"{run.metrics_path}: line {line} is damaged and was moved to {DAMAGED}")
        self._events = EventFile(run.events_path, last_step + 1)

    def append(self, step: int, metrics: Metrics) -> None:
        self._metrics.append(step, metrics)
        self._events.append(step, metrics)

    def sync(self) -> None:
        """Wait until all rows are on disk."""
        self._metrics.sync()
        self._events.flush()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self._metrics.close()
        self._events.close()
