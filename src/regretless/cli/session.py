# SPDX-License-Identifier: MIT
"""Signals, progress and results of `train` and `resume`."""

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import typer

from regretless.algorithms import set_up_process
from regretless.cli.output import print_facts, print_json, print_note
from regretless.cli.progress import Telling, started
from regretless.recipes.config import check_custom_code
from regretless.runs.run import Run
from regretless.storage.files import told_on_failure
from regretless.training.loop import Progress, train
from regretless.training.progress_line import progress_line


class Stop:
    """The first SIGINT, SIGTERM or SIGHUP asks the loop to stop and save; a second one ends it."""

    def __init__(self) -> None:
        self.signal: int | None = None

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = [signal.signal(each, self._hear) for each in signals]
        try:
            yield
        finally:
            for each, handler in zip(signals, before, strict=True):
                signal.signal(each, handler)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.signal is not None:
            raise KeyboardInterrupt
        self.signal = number


def train_and_show(run: Run, json: bool) -> None:
    """Trains until the budget is spent or a signal comes, and shows the result."""
    check_custom_code(run.config)
    stop, budget = Stop(), run.config.budget
    loading = Telling("loading", for_programs=json)
    with told_on_failure(run.path), stop.listening(), loading as telling:
        set_up_process(run.config.algorithm.name, **run.config.algorithm.options)
        telling.say("")
        progress = train(
            run,
            report=lambda at: telling.say(progress_line(at, budget)),
            tell=print_note,
            watch=telling.watch(lambda: stop.signal is not None),
            forecasts=not json,
            begun=started(),
        )
    result = _result(run, progress)
    if json:
        print_json(result)
    else:
        print_facts(
            {
                key: f"{value:.6g}" if isinstance(value, float) else str(value)
                for key, value in result.items()
            }
        )
    if not progress.is_finished:
        print(f"stopped; go on with: regretless resume {run.path}", file=sys.stderr)
        raise typer.Exit(128 + (stop.signal or 0))


def _result(run: Run, progress: Progress) -> dict[str, Any]:
    record = progress.record
    return {
        "run": str(run.path),
        "game": run.config.game.name,
        "algorithm": run.config.algorithm.name,
        "steps": record.step,
        "seconds": record.seconds,
        "is_finished": progress.is_finished,
        **record.measures,
        "measured_at": record.measured_at if record.measures else None,
    }
