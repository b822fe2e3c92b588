# SPDX-License-Identifier: MIT
"""The journal of a run: every row of metrics goes to metrics.jsonl and to the loggers."""

from regretless.algorithm import Metrics
from regretless.runs.loggers import open_loggers
from regretless.runs.metrics import DAMAGED, MetricsFile
from regretless.runs.run import Run, Tell


class Journal:
    """Open while a run trains; rows after `last_step` are removed first.

    `tell` is called with a line about each damaged row.
    """

    def __init__(self, run: Run, last_step: int, tell: Tell = lambda _: None) -> None:
        self._metrics = MetricsFile(run.metrics_path)
        for line in self._metrics.cut(last_step):
            tell(f"{run.metrics_path}: line {line} is damaged and was moved to {DAMAGED}")
        self._loggers = open_loggers(run, last_step + 1, tell)

    def append(self, step: int, metrics: Metrics) -> None:
        self._metrics.append(step, metrics)
        for logger in self._loggers:
            logger.append(step, metrics)

    def sync(self) -> None:
        """Wait until all rows are on disk."""
        self._metrics.sync()
        for logger in self._loggers:
            logger.flush()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self._metrics.close()
        for logger in self._loggers:
            logger.close()
