# SPDX-License-Identifier: MIT
"""The progress of a learner whose iterations are lists of tasks, which can be stopped."""

from collections.abc import Callable, Iterable

import numpy as np

from regretless.algorithm import Arrays, Metrics
from regretless.watch import Stopped, Watch

Task = Callable[[Watch], None]
"""Work that changes nothing if it is stopped."""


class Progress:
    """Counts the iterations, and the tasks of the current iteration that are done."""

    def __init__(self) -> None:
        self.iterations = self.tasks = 0
        self.nodes = self.questions = 0
        self.metrics: Metrics = {}
        """Those of the current iteration."""

    def run(self, tasks: Iterable[Task], watch: Watch) -> Metrics | None:
        """Does the tasks of an iteration that are left and returns its metrics; None: stopped."""
        for number, task in enumerate(tasks):
            if number < self.tasks:
                continue
            try:
                task(watch)
            except Stopped:
                return None
            self.tasks += 1
        metrics, self.metrics, self.tasks = self.metrics, {}, 0
        self.iterations += 1
        return metrics

    def state(self) -> Arrays:
        counts = [self.iterations, self.tasks, self.nodes, self.questions]
        metrics = {f"metrics/{key}": np.array(value) for key, value in self.metrics.items()}
        return {"counts": np.array(counts), **metrics}

    def restore(self, state: Arrays) -> None:
        self.iterations, self.tasks, self.nodes, self.questions = map(int, state["counts"])
        self.metrics = {
            key.removeprefix("metrics/"): float(value)
            for key, value in state.items()
            if key.startswith("metrics/")
        }
