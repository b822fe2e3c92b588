# SPDX-License-Identifier: MIT
"""The state of a run, and the process that trains it: `regretless train` or `resume`."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from regretless.runs.activity import read_activity
from regretless.runs.run_record import RunRecord
from regretless.storage.files import told_on_failure
from regretless.web.runs.run_curves import newest_figures

COMMAND = (sys.executable, "-m", "regretless")
_STOPPED = (128 + signal.SIGINT, 128 + signal.SIGTERM, -signal.SIGINT, -signal.SIGTERM)
_MOST_LOG = 1 << 14

GOING_ON = ("running", "stopping")
Status = Literal["starting", "running", "stopping", "stopped", "done", "failed"]


class RunState(BaseModel):
    """A run as it is now."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    id: str
    game: str | None = None  # None for a run that has just begun
    algorithm: str | None = None
    seed: int | None = None
    status: Status
    is_ours: bool  # whether this server trains the run, and so can stop it
    step: int = 0
    seconds: float | None = None
    budget: dict[str, float | None] = {}  # steps, seconds, target
    share: float | None = None  # of the budget of steps or seconds that is spent
    seconds_left: float | None = None  # of a run that goes on
    activity: str | None = None  # what a run that goes on is doing now
    activity_share: float | None = None  # how much of that is done
    peak_memory_bytes: float | None = None
    measures: dict[str, float] = {}
    """The newest of each, `eval/exploitability` and so on; /api/library/{id}/metrics has curves."""
    newest: dict[str, Any] | None = None  # the first measure: title, unit, value, low, high
    error: str | None = None  # one line, of a run that failed
    notes: list[str] = []  # notes of the process: memory, time
    record: RunRecord | None = Field(None, exclude=True, repr=False)


def facts_of(record: RunRecord) -> dict[str, Any]:
    """The fields of a state that are read from the files of the run."""
    last = record.metrics[-1] if record.metrics else {}
    measures = {
        key: value
        for row in record.metrics
        for key, value in row.items()
        if key.startswith("eval/") and isinstance(value, float)
    }
    return {
        "record": record,
        "game": record.game,
        "algorithm": record.algorithm,
        "seed": record.seed,
        "step": last.get("step", 0),
        "seconds": last.get("time/seconds"),
        "budget": json.loads(record.setup).get("budget") or {},
        "peak_memory_bytes": last.get("sys/peak_memory_bytes"),
        "measures": measures,
        "newest": next(iter(newest_figures(record)), None),
    }


def with_progress(state: RunState, path: Path) -> RunState:
    """The state with how far the run is and, while it goes on, what it is doing."""
    is_on = state.status in GOING_ON
    activity = (read_activity(path) if is_on else None) or {}
    step = max(state.step, activity.get("step", 0))
    seconds = max(state.seconds or 0.0, activity.get("seconds", 0.0)) or None
    found = {"step": step, "seconds": seconds}
    spent = [(step, state.budget.get("steps")), (seconds or 0.0, state.budget.get("seconds"))]
    shares = [done / most for done, most in spent if most]
    if shares:
        found["share"] = share = min(max(shares), 1.0)
        if is_on and seconds and share > 0:
            found["seconds_left"] = seconds * (1 / share - 1)
    if activity:
        what, detail = activity["what"], activity["detail"]
        if detail not in ("", "measuring", what):
            what = f"{what.partition(' ')[0]}: {detail}"
        found |= {"activity": what, "activity_share": activity["share"]}
    return state.model_copy(update=found)


@dataclass(eq=False)
class Training:
    """A run that a process of this server trains."""

    id: str
    path: Path
    process: "subprocess.Popen[bytes]"
    log: Path
    is_stopping: bool = False  # whether the process was asked to stop

    @classmethod
    def spawn(cls, id: str, path: Path, arguments: Iterable[str], log: Path) -> "Training":
        """Starts the process in a session of its own: Ctrl-C at the server does not reach it."""
        with told_on_failure(log):
            log.parent.mkdir(parents=True, exist_ok=True)
            output = log.open("wb")
        with output:
            process = subprocess.Popen(
                [*COMMAND, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        return cls(id, path, process, log)

    def stop(self) -> None:
        """Asks the process to save a checkpoint and end."""
        self.is_stopping = True
        self.process.terminate()

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def state(self, facts: dict[str, Any]) -> RunState:
        """The state of the run; `facts` is empty if nothing has been logged yet."""
        is_alive, error, status = self.is_alive, None, "done"
        if is_alive:
            status = "stopping" if self.is_stopping else "running" if facts else "starting"
        elif self.process.returncode in _STOPPED:
            status = "stopped"
        elif self.process.returncode:
            ended = f"the process ended with {self.process.returncode}"
            status, error = "failed", [ended, *self._lines("error: ")][-1]
        found: dict[str, Any] = {
            "id": self.id,
            "status": status,
            "is_ours": is_alive,
            "error": error,
            **facts,
        }
        return RunState(**found, notes=self._lines("note: "))

    def _lines(self, kind: str) -> list[str]:
        try:
            with self.log.open("rb") as file:
                text = file.read(_MOST_LOG)
        except OSError:
            return []
        return lines_about(kind, text, (self.path.resolve(), self.path), self.id)


def lines_about(kind: str, text: bytes, paths: Iterable[Path], name: str) -> list[str]:
    """Lines that begin so; clients see the name instead of the paths."""
    lines = text.decode(errors="replace").splitlines()
    found = [each.removeprefix(kind) for each in lines if each.startswith(kind)]
    for path in paths:
        found = [each.replace(str(path), name) for each in found]
    return found
