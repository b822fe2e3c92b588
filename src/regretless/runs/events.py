# SPDX-License-Identifier: MIT
"""Metrics as TensorBoard events."""

import os
import time
from pathlib import Path
from typing import Any

from regretless.algorithm import Metrics
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
