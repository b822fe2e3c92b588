# SPDX-License-Identifier: MIT
"""The one loop that trains every algorithm: step, measure, log, save, until the budget is spent.

It stops only at steps that the config fixes in advance (multiples of its `every_steps`), so a run
that was stopped and resumed does the same work as one that never was. A step is saved before it is
measured, where a save is due: a run that is killed while it measures goes on with the measuring.
"""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from regretless.algorithm import Algorithm, LearnsFromExamples, Metrics, StartsFrom
from regretless.algorithms import knows_memory, make_algorithm
from regretless.buffers import buffers_of
from regretless.bundles.abstraction import with_abstraction
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.solution import write_solution
from regretless.errors import DivergedError, InputError, TooLargeError
from regretless.evaluation.measures import Measure, Measurer, Subject, is_better, make_measurer
from regretless.games import Game
from regretless.recipes.config import (
    BudgetConfig,
    RunConfig,
    Schedule,
    config_difference,
    config_text,
    configured_game,
    work_hashes,
)
from regretless.runs.checkpoint import Checkpoint, Record, Taken, Unmeasured
from regretless.runs.example_log import cut_examples, read_examples, write_examples
from regretless.runs.journal import Journal
from regretless.runs.room import Room, check_room, machine_room, needed_room, peak_memory
from regretless.runs.run import Run, Tell
from regretless.training.forecast import Forecast, Pace, foresee
from regretless.watch import UNWATCHED, Stopped, Watch


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    record: Record
    rate: float
    """Steps per second since the program was started, measuring and saving included."""
    is_finished: bool
    """Whether the budget is spent; else the run was stopped and can be resumed."""
    latest: Metrics
    """The newest figure of every measure, whenever it was taken."""


def train(
    run: Run,
    *,
    report: Callable[[Progress], None] = lambda _: None,
    tell: Tell = lambda _: None,
    watch: Watch = UNWATCHED,
    room: Callable[[Path], Room] = machine_room,
    foresees: bool = False,
) -> Progress:
    """Begin a run, or go on where its newest good checkpoint left it, until its budget is spent.

    `report` hears how far it is, `tell` what the user should know: first of all what a new run
    will take, if it `foresees`. `watch` may stop it: the run is then saved, and can be resumed.
    """
    algorithm, measures, forecast = _prepared(run, room)
    subject = measures.subject
    is_new = not run.checkpoints()
    if is_new and run.config.start_from is not None:
        _start_from(Path(run.config.start_from), algorithm, run.config.algorithm.name, tell)
    with run.opened():
        if is_new and foresees:
            tell(str(forecast))
        for note in measures.notes():
            tell(note)
        if subject.no_policy is not None:
            tell(f"there will be no bundle: {subject.no_policy}")
        record = _restore(run, algorithm, tell)
        with Journal(run, record.logged_step, tell) as journal:
            session = _Session(run, algorithm, measures, journal, record, watch, tell)
            session.foretells = is_new and foresees
            session.has_bundle = subject.no_policy is None
            session.catch_up()
            while not session.is_over() and not watch.should_stop():
                session.advance()
                report(session.progress())
            session.save()
            if session.progress().is_finished:
                session.write_bundle()
            return session.progress()


def run_forecast(
    run: Run, *, tell: Tell = lambda _: None, room: Callable[[Path], Room] = machine_room
) -> Forecast:
    """What a run will take; InputError if it cannot be begun. Nothing is written.

    `tell` hears what the user should know, as of `train`.
    """
    _, measures, forecast = _prepared(run, room)
    for note in measures.notes():
        tell(note)
    return forecast


def _prepared(run: Run, room: Callable[[Path], Room]) -> "tuple[Algorithm, _Measures, Forecast]":
    """Everything before the first step; InputError if there is not enough room."""
    free = room(run.path)
    game = configured_game(run.config)
    algorithm = _make(run.config, game, free)
    measures = _Measures(run.config, Subject.of(algorithm, game))
    takes, buffers = algorithm.takes(), buffers_of(algorithm)
    check_room(run.path, needed_room(takes, run.config, buffers), free)
    return algorithm, measures, foresee(takes, run.config, free, buffers)


def restored(
    run: Run, tell: Tell = lambda _: None, *, step: int | None = None
) -> tuple[Algorithm, Record]:
    """The algorithm of a run as its newest good checkpoint left it; the run is not touched.

    With `step` it is the checkpoint of that step.
    """
    checkpoint = run.latest(tell) if step is None else run.at(step)
    if checkpoint is None:
        raise InputError(f"{run.path}: the run has left neither a bundle nor a checkpoint yet")
    game = configured_game(run.config)
    algorithm = _make(run.config, game, machine_room(run.path))
    _load(checkpoint, algorithm, run)
    return algorithm, checkpoint.record


def _make(config: RunConfig, game: Game, free: Room) -> Algorithm:
    name, options = config.algorithm.name, config.algorithm.options
    if knows_memory(name, game) and free.memory is not None:
        options.setdefault("max_bytes", free.memory)
    algorithm = make_algorithm(name, game, seed=config.seed, **with_abstraction(options))
    is_learner = isinstance(algorithm, LearnsFromExamples)
    if not is_learner and (config.record_examples or config.examples_from):
        key = "record_examples" if config.record_examples else "examples_from"
        raise InputError(f"{key}: algorithm {name!r} has no examples")
    if isinstance(algorithm, LearnsFromExamples) and config.examples_from:
        algorithm.give_examples(read_examples(Path(config.examples_from)))
    return algorithm


def _restore(run: Run, algorithm: Algorithm, tell: Tell) -> Record:
    checkpoint = run.latest(tell, buffers_of(algorithm))
    if checkpoint:
        _load(checkpoint, algorithm, run)
    run.set_aside_after(checkpoint.record.step if checkpoint else -1)
    run.tidy()
    record = checkpoint.record if checkpoint else Record(step=0)
    cut_examples(run.path / "examples", record.step)
    return replace(record, work=work_hashes(run.config), config=config_text(run.config))


def _start_from(source: Path, algorithm: Algorithm, name: str, tell: Tell) -> None:
    """Begin with what another run has learned."""
    other = Run.existing(source)
    checkpoint = other.latest(tell)
    if not isinstance(algorithm, StartsFrom) or other.config.algorithm.name != name:
        raise InputError(
            f"start_from: {name!r} cannot begin with a run of {other.config.algorithm.name!r}"
        )
    if checkpoint is None:
        raise InputError(f"start_from: {source}: the run has left no checkpoint yet")
    try:
        algorithm.start_from(checkpoint.state)
    except (KeyError, ValueError, RuntimeError) as error:
        raise InputError(
            f"start_from: {source}: its networks are others than these ({_reason(error)})"
        ) from None
    tell(f"begins with the networks of {source}, step {checkpoint.record.step:,}")


def _reason(error: Exception) -> str:
    return f"lacks {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]


def _load(checkpoint: Checkpoint, algorithm: Algorithm, run: Run) -> None:
    place = f"{run.path}: checkpoint of step {checkpoint.record.step:,}"
    for key, found in work_hashes(run.config).items():
        if checkpoint.record.work[key] != found:
            now, before = config_text(run.config), checkpoint.record.config
            why = config_difference(before, now, key)
            raise InputError(f"{place}: was trained with another {key} than config.yaml has: {why}")
    try:
        algorithm.restore(checkpoint.state)
    except (KeyError, ValueError, RuntimeError) as error:
        raise InputError(
            f"{place} ({_reason(error)}): it may be of another version or another config"
        ) from None


class _Measures:
    """What is measured of a run, as far as it can be, and when."""

    def __init__(self, config: RunConfig, subject: Subject) -> None:
        self.subject = subject
        self.schedules: dict[str, Schedule] = {}
        self._measurers: dict[str, Measurer] = {}
        self._why_not: dict[str, str] = {}
        for each in config.evaluate.measures:
            measurer = make_measurer(each.name, each.options, "evaluate.measures")
            if (why := measurer.why_not(subject)) is not None:
                self._refuse(each.name, why, config.budget)
                continue
            self._measurers[each.name] = measurer
            self.schedules[each.name] = config.evaluate.schedule(each)
        self.budget = config.budget
        self._check_best(config.bundle.best)

    def _check_best(self, key: str | None) -> None:
        """Whether the figure that chooses the best strategy is among those that are taken."""
        keys = [each for measurer in self._measurers.values() for each in measurer.figures()]
        if key is not None and key not in keys:
            problem = f"bundle.best: {key!r} is not measured (evaluate.measures)"
            raise InputError.unknown(problem, key, keys) if keys else InputError(problem)

    def notes(self) -> list[str]:
        """Which measures are left out, and why."""
        return [f"{name} is not measured: {why}" for name, why in self._why_not.items()]

    def known(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of some names that can be measured, in the order of the config."""
        wanted = set(names)
        return tuple(name for name in self._measurers if name in wanted)

    def all(self) -> tuple[str, ...]:
        return tuple(self._measurers)

    def take(self, name: str, watch: Watch, tell: Tell) -> list[Measure]:
        """The finite figures of a measure; none, and it is left out from now on, if too large."""
        try:
            figures = [each.finite() for each in self._measurers[name](self.subject, watch)]
        except TooLargeError as error:
            self._refuse(name, str(error), self.budget)
            del self._measurers[name]
            tell(self.notes()[-1])
            return []
        return [each for each in figures if math.isfinite(each.value)]

    def _refuse(self, name: str, why: str, budget: BudgetConfig) -> None:
        if name == "exact" and budget.target is not None:
            raise InputError(f"budget.target: {why}")
        self._why_not[name] = why


class _Session:
    """The part of a run from one start of the program to its end."""

    def __init__(
        self,
        run: Run,
        algorithm: Algorithm,
        measures: _Measures,
        journal: Journal,
        record: Record,
        watch: Watch,
        tell: Tell,
    ) -> None:
        self.run, self.config, self.algorithm = run, run.config, algorithm
        self.measures, self.journal = measures, journal
        self.watch, self.tell = watch, tell
        self.foretells = False  # how long it will take
        self.has_bundle = True
        self.record = self.first = record
        self.latest = dict(record.measures)
        self.begun = time.perf_counter()
        self.measured_at = dict.fromkeys(measures.all(), record.seconds)
        self.measure_seconds: dict[str, float] = {}
        self.step_seconds = 0.0
        self.saved_at, self.saved_step = record.seconds, record.step
        self.bundled_at = record.seconds

    def is_over(self) -> bool:
        return self.record.has_spent(self.config.budget)

    def catch_up(self) -> None:
        """Measure and log the step that was saved before it was measured."""
        left = self.record.unmeasured
        if left is not None:
            self._measure_and_log(left.row, self.measures.known(left.measures))

    def advance(self) -> None:
        """Go to the next step at which something may be due, and do what is due there."""
        row = self._step()
        if row is not None:
            self._measure_and_log(row, self._due(()))
            self.save_if_due()
            self.write_bundle_if_due()

    def save_if_due(self) -> None:
        if _is_due(self.config.checkpoint, self.record, self.saved_at):
            self.save()

    def save(self) -> None:
        """Unless this step is saved already. Rows come first: a checkpoint never lacks them."""
        self._look_at_clock()
        if self.saved_step != self.record.step:
            self.journal.sync()
            self.run.save(self.algorithm.state(), self.record, buffers_of(self.algorithm))
            self.saved_step = self.record.step
        self.saved_at = self.record.seconds

    def write_bundle_if_due(self) -> None:
        if not self.is_over() and _is_due(self.config.bundle, self.record, self.bundled_at):
            self.write_bundle()
            self._look_at_clock()
            self.bundled_at = self.record.seconds

    def _write_best(self, figures: Metrics) -> None:
        """The strategy beside the newest one, if it is the best so far."""
        key = self.config.bundle.best
        if key is None or key not in figures:
            return
        before = self.record.best
        if before is None or is_better(key, figures[key], before):
            self.record = replace(self.record, best=figures[key])
            self.write_bundle("best")

    def write_bundle(self, name: str = "bundle") -> None:
        """The strategy as it can be shipped, unless it is, or only now turns out, too large."""
        if not self.has_bundle:
            return
        facts = AlgorithmFacts(
            name=self.config.algorithm.short_name,
            config=self.config.algorithm.options,
            iterations=self.record.step,
            seconds=self.record.seconds,
            seed=self.config.seed,
        )
        measures = [each.seen_from(self.record.step) for each in self.record.taken.values()]
        try:
            write_solution(self.run.path / name, self.algorithm, facts, measures)
        except TooLargeError as error:
            self.tell(f"no bundle: {error}")

    def progress(self) -> Progress:
        steps = self.record.step - self.first.step
        seconds = self.record.seconds - self.first.seconds
        rate = steps / seconds if seconds > 0 else 0.0
        return Progress(
            self.record, rate, self.record.is_last(self.config.budget), dict(self.latest)
        )

    def _step(self) -> Metrics | None:
        """The row of the steps that were done; None: they were stopped on the way."""
        before, begun = self.record.step, time.perf_counter()
        goal = _next_stop(self.config, self.measures, before)
        # Examples are written at the end of a step, so it must not be left in the middle.
        watch = replace(self.watch, should_stop=_no) if self.config.record_examples else self.watch
        metrics = self._finite_step(goal - before, watch)
        seconds = time.perf_counter() - begun
        if self.config.record_examples and isinstance(self.algorithm, LearnsFromExamples):
            examples = self.algorithm.take_examples()
            write_examples(self.run.path / "examples", self.algorithm.steps_done, examples)
        self._look_at_clock()
        if self.record.step < goal:
            self.saved_step = -1  # a step that is begun changes the state of the one before
            return None
        self.step_seconds += seconds
        self._foretell(seconds / (goal - before))
        return metrics | {
            "time/seconds": self.record.seconds,
            "time/step_seconds": seconds,
            "time/steps_per_second": (goal - before) / max(seconds, 1e-9),
            "sys/peak_memory_bytes": float(peak_memory()),
        }

    def _finite_step(self, count: int, watch: Watch) -> Metrics:
        """Do steps; InputError, before anything of them is kept, if a metric is not finite."""
        try:
            metrics = self.algorithm.step(count, watch)
        except DivergedError as error:
            raise self._diverged(self.algorithm.steps_done + 1, error) from None
        found = {_tag("train", key): float(value) for key, value in metrics.items()}
        try:
            for key, value in found.items():
                DivergedError.check(key, value)
        except DivergedError as error:
            raise self._diverged(self.algorithm.steps_done, error) from None
        return found

    def _diverged(self, step: int, error: DivergedError) -> InputError:
        saved = self.run.checkpoints()
        good = f"the last good checkpoint is {saved[-1]}" if saved else "nothing was saved"
        return InputError(f"{self.run.path}: {error} at step {step:,}; {good}")

    def _measure_and_log(self, row: Metrics, names: tuple[str, ...]) -> None:
        """Take these measures, and those due by what they say; then the row is complete."""
        figures: Metrics = {}
        taken: tuple[str, ...] = ()
        begun = time.perf_counter()
        while names:
            left = Unmeasured((*taken, *names), row)
            if self._should_save_before(names):
                self.record = replace(self.record, unmeasured=left)
                self.save()
            try:
                for name in names:
                    figures |= self._take(name)
            except Stopped:
                self.record = replace(self.record, unmeasured=left)
                self.save()
                return
            measures = dict(figures)
            self.record = replace(self.record, measures=measures, measured_at=self.record.step)
            taken = (*taken, *names)
            names = self._due(taken)
        self._write_best(figures)
        row = row | {f"eval/{key}": value for key, value in figures.items()}
        if taken:
            row["time/measure_seconds"] = time.perf_counter() - begun
        self.latest |= figures
        self.journal.append(self.record.step, row)
        was_saved = self.record.unmeasured is not None
        self.record = replace(self.record, unmeasured=None)
        if was_saved:
            self.journal.sync()
            self.run.amend(self.record)

    def _take(self, name: str) -> Metrics:
        begun = time.perf_counter()
        figures = self.measures.take(name, self.watch, self.tell)
        self.measure_seconds[name] = time.perf_counter() - begun
        self._look_at_clock()
        self.measured_at[name] = self.record.seconds
        taken = {each.key: Taken(self.record.step, each) for each in figures}
        self.record = replace(self.record, taken=self.record.taken | taken)
        return {key: value for each in figures for key, value in each.metrics().items()}

    def _due(self, taken: tuple[str, ...]) -> tuple[str, ...]:
        """The measures that this step needs, without those taken already."""
        return tuple(
            name
            for name in self.measures.all()
            if name not in taken
            and (
                self.is_over()
                or _is_due(self.measures.schedules[name], self.record, self.measured_at[name])
            )
        )

    def _should_save_before(self, names: tuple[str, ...]) -> bool:
        """Whether a save is due now, or would be when these measures are taken."""
        expected = sum(self.measure_seconds.get(name, 0.0) for name in names)
        last = self.saved_at - expected
        return self.is_over() or _is_due(self.config.checkpoint, self.record, last)

    def _foretell(self, step_seconds: float) -> None:
        """Say how long the run will take, as soon as a few steps have shown it."""
        if self.foretells and self.step_seconds >= Pace.probe_seconds:
            pace = Pace(step_seconds, self.measures.schedules, self.measure_seconds)
            self.tell(pace.text(self.config.budget))
            self.foretells = False

    def _look_at_clock(self) -> None:
        seconds = self.first.seconds + time.perf_counter() - self.begun
        self.record = replace(self.record, step=self.algorithm.steps_done, seconds=seconds)


def _no() -> bool:
    return False


def _next_stop(config: RunConfig, measures: _Measures, step: int) -> int:
    """The next step at which something may be due."""
    schedules: list[Schedule] = [config.checkpoint, config.bundle, *measures.schedules.values()]
    grids = [each.every_steps for each in schedules if each.every_steps is not None]
    grids.append(config.log.every_steps)
    stop = min((step // grid + 1) * grid for grid in grids)
    return stop if config.budget.steps is None else min(stop, config.budget.steps)


def _is_due(schedule: Schedule, record: Record, last: float) -> bool:
    steps, seconds = schedule.every_steps, schedule.every_seconds
    return (steps is not None and record.step % steps == 0) or (
        seconds is not None and record.seconds - last >= seconds
    )


def _tag(group: str, key: str) -> str:
    """An algorithm may name the group itself, as in buffer/size."""
    return key if "/" in key else f"{group}/{key}"
