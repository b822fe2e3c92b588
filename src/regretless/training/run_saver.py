# SPDX-License-Identifier: MIT
"""The files that a run leaves beside its rows of metrics: checkpoints and bundles."""

from collections.abc import Mapping
from dataclasses import replace

from regretless.algorithm import Algorithm
from regretless.buffers import buffers_of
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.solution import LearnsValues, MeasuresValues, made_now, write_solution
from regretless.bundles.values_bundle import write_values_bundle
from regretless.errors import TooLargeError
from regretless.evaluation.measures import is_better
from regretless.runs.checkpoint import Record
from regretless.runs.journal import Journal
from regretless.runs.run import Run, Tell
from regretless.training.run_measures import is_due


class RunSaver:
    """Writes checkpoints and bundles when they are due."""

    def __init__(
        self, run: Run, algorithm: Algorithm, journal: Journal, record: Record, tell: Tell
    ) -> None:
        self.run, self.algorithm, self.journal, self.tell = run, algorithm, journal, tell
        self._has_bundle = algorithm.no_policy() is None
        self._saved_at, self._saved_step = record.seconds, record.step
        self.bundled_at = record.seconds
        """The seconds of training from which `bundle.every_seconds` counts."""

    def is_save_due(self, record: Record, within: float = 0.0) -> bool:
        """Tests whether a checkpoint is due now or `within` so many seconds."""
        return is_due(self.run.config.checkpoint, record, self._saved_at - within)

    def save(self, record: Record) -> None:
        """Writes a checkpoint unless this step is saved already.

        Rows of metrics come first: a checkpoint never lacks them.
        """
        if self._saved_step != record.step:
            self.journal.sync()
            self.run.save(self.algorithm.state(), record, buffers_of(self.algorithm))
            self._saved_step = record.step
        self._saved_at = record.seconds

    def forget_step(self) -> None:
        """Makes the next `save` write even if the number of steps is the same."""
        self._saved_step = -1

    def amend(self, record: Record) -> None:
        """Replaces the record of the newest checkpoint, whose arrays stay."""
        self.journal.sync()
        self.run.amend(record)

    def is_bundle_due(self, record: Record) -> bool:
        return is_due(self.run.config.bundle, record, self.bundled_at)

    def write_bundle(self, record: Record, name: str = "bundle") -> None:
        """Writes the strategy as a bundle, unless it is too large for one.

        A value network over beliefs becomes RUN/values.
        """
        facts = algorithm_facts(self.run, record)
        if name == "bundle" and isinstance(self.algorithm, LearnsValues):
            weights, path = self.algorithm.value_weights(), self.run.path / "values"
            learner = self.algorithm
            measures = learner.value_measures() if isinstance(learner, MeasuresValues) else ()
            made = made_now(facts, measures)
            write_values_bundle(path, self.algorithm.game, weights, made)
        if not self._has_bundle:
            return
        measures = [each.seen_from(record.step) for each in record.taken.values()]
        try:
            write_solution(self.run.path / name, self.algorithm, facts, measures)
        except TooLargeError as error:
            self.tell(f"no bundle: {error}")

    def write_best(self, record: Record, figures: Mapping[str, float]) -> Record:
        """Writes RUN/best if the strategy is the best so far, and returns the record with that."""
        key = self.run.config.bundle.best
        if key is None or key not in figures:
            return record
        if record.best is not None and not is_better(key, figures[key], record.best):
            return record
        record = replace(record, best=figures[key])
        self.write_bundle(record, "best")
        return record


def algorithm_facts(run: Run, record: Record) -> AlgorithmFacts:
    """Returns the facts that a bundle has of the algorithm of a run."""
    return AlgorithmFacts(
        name=run.config.algorithm.short_name,
        config=run.config.algorithm.options,
        iterations=record.step,
        seconds=record.seconds,
        seed=run.config.seed,
    )
