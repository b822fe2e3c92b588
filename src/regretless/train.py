# SPDX-License-Identifier: MIT
"""The one loop that trains every algorithm: step, evaluate, log, save, until the budget is spent.

It stops only at steps that the config fixes in advance (multiples of its `every_steps`), so a run
that was stopped and resumed does the same work as one that never was.
"""

import math
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from regretless.algorithm import Algorithm, LearnsFromExamples, Metrics
from regretless.algorithms import ALGORITHMS, make_algorithm
from regretless.buffers import buffers_of
from regretless.config import BudgetConfig, CheckpointConfig, EvaluateConfig, RunConfig
from regretless.errors import InputError
from regretless.forecast import foresee
from regretless.games import load_game
from regretless.storage.bundle_manifest import AlgorithmFacts
from regretless.storage.checkpoint import Checkpoint, Record
from regretless.storage.example_log import read_examples, write_examples
from regretless.storage.journal import Journal
from regretless.storage.room import Room, check_room, machine_room, needed_room
from regretless.storage.run import Run, Tell
from regretless.storage.solution import write_solution


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    record: Record
    rate: float
    """Steps per second of this sitting, measuring and saving included."""
    is_finished: bool
    """Whether the budget is spent; else the run was stopped and can be resumed."""


def train(
    run: Run,
    *,
    report: Callable[[Progress], None] = lambda _: None,
    tell: Tell = lambda _: None,
    should_stop: Callable[[], bool] = lambda: False,
    room: Callable[[Path], Room] = machine_room,
    foresees: bool = False,
) -> Progress:
    """Begin a run, or go on where its newest good checkpoint left it, until its budget is spent.

    `report` hears how far it is, `tell` what the user should know: first of all what a new run
    will take, if it `foresees`. `should_stop` is asked after every step, and a yes saves and ends.
    """
    free = room(run.path)
    forecast = None
    if foresees and not run.checkpoints():
        forecast = foresee(_make(run.config, free), run.config, free)
    algorithm = _make(run.config, free)
    check_room(run.path, needed_room(algorithm.state(), run.config, buffers_of(algorithm)), free)
    with run.opened():
        if forecast is not None:
            tell(str(forecast))
        record = _restore(run, algorithm, tell)
        with Journal(run, record.iteration) as journal:
            sitting = _Sitting(run, algorithm, journal, record, tell)
            while not sitting.is_over() and not should_stop():
                metrics = sitting.step()
                metrics |= sitting.evaluate_if_due()
                sitting.log(metrics)
                sitting.save_if_due()
                report(sitting.progress())
            sitting.save()
            if sitting.is_over():
                sitting.write_bundle()
            return sitting.progress()


def restored(run: Run, tell: Tell = lambda _: None) -> tuple[Algorithm, Record]:
    """The algorithm of a run as its newest good checkpoint left it; the run is not touched."""
    checkpoint = run.latest(tell)
    if checkpoint is None:
        raise InputError(f"{run.path}: the run has left neither a bundle nor a checkpoint yet")
    algorithm = _make(run.config, machine_room(run.path))
    _load(checkpoint, algorithm, run)
    return algorithm, checkpoint.record


def _make(config: RunConfig, free: Room) -> Algorithm:
    game = load_game(config.game.name, **config.game.options)
    name, options = config.algorithm.name, config.algorithm.options
    if name in ALGORITHMS and game.num_players == 2 and free.memory is not None:
        options.setdefault("max_bytes", free.memory)  # these know what they need beforehand
    algorithm = make_algorithm(name, game, seed=config.seed, **options)
    is_learner = isinstance(algorithm, LearnsFromExamples)
    if not is_learner and (config.record_examples or config.examples_from):
        key = "record_examples" if config.record_examples else "examples_from"
        raise InputError(f"{key}: algorithm {name!r} has no examples")
    if isinstance(algorithm, LearnsFromExamples) and config.examples_from:
        algorithm.give_examples(read_examples(Path(config.examples_from)))
    return algorithm


def _restore(run: Run, algorithm: Algorithm, tell: Tell) -> Record:
    checkpoint = run.latest(tell, buffers_of(algorithm))
    record = checkpoint.record if checkpoint else Record(iteration=0)
    if checkpoint:
        _load(checkpoint, algorithm, run)
    run.set_aside_after(record.iteration if checkpoint else -1)
    return record


def _load(checkpoint: Checkpoint, algorithm: Algorithm, run: Run) -> None:
    try:
        algorithm.restore(checkpoint.state)
    except (KeyError, RuntimeError) as error:
        place = f"{run.path}: checkpoint of step {checkpoint.record.iteration:,}"
        why = f"lacks {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]
        raise InputError(
            f"{place} ({why}): it may be of another version or another config"
        ) from None


class _Sitting:
    """The part of a run from one start of the program to its end."""

    def __init__(
        self, run: Run, algorithm: Algorithm, journal: Journal, record: Record, tell: Tell
    ) -> None:
        self.run, self.config, self.algorithm, self.journal = run, run.config, algorithm, journal
        self.tell = tell
        self.record = self.first = record
        self.begun = time.perf_counter()
        self.evaluated_at = record.seconds
        self.saved_at, self.saved_step = record.seconds, record.iteration
        self.is_measurable = True

    def is_over(self) -> bool:
        return _is_spent(self.config.budget, self.record)

    def step(self) -> Metrics:
        before, begun = self.record.iteration, time.perf_counter()
        metrics = self.algorithm.step(_next_stop(self.config, before) - before)
        seconds = time.perf_counter() - begun
        if self.config.record_examples and isinstance(self.algorithm, LearnsFromExamples):
            examples = self.algorithm.take_examples()
            write_examples(self.run.path / "examples", self.algorithm.iteration, examples)
        self._look_at_clock()
        rate = (self.record.iteration - before) / max(seconds, 1e-9)
        return {_tag("train", key): float(value) for key, value in metrics.items()} | {
            "time/seconds": self.record.seconds,
            "time/steps_per_second": rate,
            "sys/peak_memory_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0,
        }

    def evaluate_if_due(self) -> Metrics:
        is_due = self.is_over() or _is_due(self.config.evaluate, self.record, self.evaluated_at)
        if not is_due or not self.is_measurable:
            return {}
        measures = self._measure()
        self.record = replace(self.record, measures=measures, measured_at=self.algorithm.iteration)
        self._look_at_clock()
        self.evaluated_at = self.record.seconds
        return {_tag("eval", key): value for key, value in measures.items()}

    def log(self, metrics: Metrics) -> None:
        self.journal.append(self.record.iteration, metrics)

    def save_if_due(self) -> None:
        if _is_due(self.config.checkpoint, self.record, self.saved_at):
            self.save()

    def save(self) -> None:
        """Unless this step is saved already. Rows come first: a checkpoint never lacks them."""
        self._look_at_clock()
        if self.saved_step != self.record.iteration:
            self.journal.sync()
            self.run.save(self.algorithm.state(), self.record, buffers_of(self.algorithm))
            self.saved_step = self.record.iteration
        self.saved_at = self.record.seconds

    def write_bundle(self) -> None:
        """The strategy as it can be shipped, where it is a table."""
        facts = AlgorithmFacts(
            name=self.config.algorithm.name,
            config=self.config.algorithm.options,
            iterations=self.record.iteration,
            seconds=self.record.seconds,
            seed=self.config.seed,
        )
        exploitability = self.record.measures.get("exploitability", math.nan)
        try:
            write_solution(self.run.path / "bundle", self.algorithm, facts, exploitability)
        except InputError as error:
            self.tell(f"no bundle: {error}")

    def progress(self) -> Progress:
        steps = self.record.iteration - self.first.iteration
        seconds = self.record.seconds - self.first.seconds
        return Progress(self.record, steps / seconds if seconds > 0 else 0.0, self.is_over())

    def _measure(self) -> Metrics:
        try:
            exploitability = self.algorithm.exploitability()
        except InputError as error:
            if self.config.budget.target is not None:
                raise InputError(f"budget.target: {error}") from None
            self.is_measurable = False
            self.tell(f"the exploitability is not measured: {error}")
            return {}
        return {"exploitability": exploitability} if math.isfinite(exploitability) else {}

    def _look_at_clock(self) -> None:
        seconds = self.first.seconds + time.perf_counter() - self.begun
        self.record = replace(self.record, iteration=self.algorithm.iteration, seconds=seconds)


def _next_stop(config: RunConfig, iteration: int) -> int:
    """The next step at which something may be due."""
    schedules = (config.log, config.evaluate, config.checkpoint)
    grids = [each.every_steps for each in schedules if each.every_steps is not None]
    stop = min((iteration // grid + 1) * grid for grid in grids)
    return stop if config.budget.steps is None else min(stop, config.budget.steps)


def _is_due(schedule: EvaluateConfig | CheckpointConfig, record: Record, last: float) -> bool:
    steps, seconds = schedule.every_steps, schedule.every_seconds
    return (steps is not None and record.iteration % steps == 0) or (
        seconds is not None and record.seconds - last >= seconds
    )


def _is_spent(budget: BudgetConfig, record: Record) -> bool:
    exploitability = record.exploitability
    return (
        (budget.steps is not None and record.iteration >= budget.steps)
        or (budget.seconds is not None and record.seconds >= budget.seconds)
        or (
            budget.target is not None
            and exploitability is not None
            and exploitability <= budget.target
        )
    )


def _tag(group: str, key: str) -> str:
    """An algorithm may name the group itself, as in buffer/size."""
    return key if "/" in key else f"{group}/{key}"
