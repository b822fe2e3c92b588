# SPDX-License-Identifier: MIT
"""The state of runs: their records from disk, and the processes that train them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from regretless.errors import InputError
from regretless.runs.run import run_status
from regretless.runs.run_record import CONFIG, METRICS, RunRecord, is_run, read_run
from regretless.web.training_process import Training

Status = Literal["starting", "running", "stopping", "stopped", "done", "failed"]
_MOST_RECORDS = 2000


@dataclass(frozen=True)
class RunState:
    """The state of a run."""

    id: str
    status: Status
    is_ours: bool  # whether this server trains the run, and so can stop it
    record: RunRecord | None  # None for a run that has just begun
    error: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def last(self) -> dict[str, Any]:
        return self.record.metrics[-1] if self.record is not None and self.record.metrics else {}


class RunStates:
    """Reads states, and keeps records whose files have not changed."""

    def __init__(self) -> None:
        self._records: dict[Path, tuple[tuple[int, ...], RunRecord]] = {}

    def state(self, id: str, path: Path, training: Training | None) -> RunState:
        """The state of a run; `training` is its process, if this server started it."""
        record = None
        if is_run(path):
            try:
                record = self._read(path)
            except InputError:  # nothing has been logged yet
                if training is None:
                    raise
        if training is None:
            return RunState(id, run_status(path), False, record)
        error = training.error
        status: Status
        if training.is_alive:
            status = "stopping" if training.is_stopping else "running" if record else "starting"
        elif error is not None:
            status = "failed"
        else:
            status = "done" if training.process.returncode == 0 else "stopped"
        return RunState(id, status, training.is_alive, record, error, tuple(training.notes))

    def _read(self, path: Path) -> RunRecord:
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
        if len(self._records) >= _MOST_RECORDS:
            self._records.clear()
        self._records[path] = (stamp, record)
        return record
