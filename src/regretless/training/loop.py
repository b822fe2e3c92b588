# SPDX-License-Identifier: MIT
"""The one loop that trains every algorithm: step, measure, log, save, until the budget is spent.

The loop stops only at steps that the config fixes in advance (multiples of its `every_steps`), so
an interrupted run, resumed, does the same work as an uninterrupted one; a budget of seconds alone
ends wherever the time is over. A step is saved before it is measured, where a save is due: a run
that is killed while it measures goes on with the measuring.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from regretless.algorithm import LearnsFromExamples, Metrics
from regretless.errors import ClusterError, DivergedError, InputError
from regretless.recipes.config import RunConfig, Schedule
from regretless.runs.activity import Activity
from regretless.runs.checkpoint import Record, Taken, Unmeasured
from regretless.runs.example_log import write_examples
from regretless.runs.journal import Journal
from regretless.runs.room import Room, machine_room, peak_memory
from regretless.runs.run import Run, Tell
from regretless.training.forecast import Pace
from regretless.training.on_cluster import scaling_text, shards_made
from regretless.training.preparation import prepared, resume_at_newest, start_from
from regretless.training.run_measures import RunMeasures
from regretless.training.run_saver import RunSaver
from regretless.watch import UNWATCHED, Stopped, Watch

_OVERTIME = 0.05
"""The share of a budget of seconds that its last step and measures may take on top."""
_LEAST_OVERTIME = 1.0
"""Seconds that they may take in any case."""
_FIRST_RESERVE, _FIRST_SECONDS = 0.1, 2.0
"""The share of a budget of seconds, and the seconds at most, kept for a measure never taken."""
_MOST_RESERVE = 0.3
"""The share of a budget of seconds that is kept for the last measures at most."""
_LEAST_BUNDLE = 0.5
"""Seconds that the last bundle may take in any case."""
_MOST_START = 0.5
"""The share of a budget of seconds that the start of the program may take."""
STALENESS = "train/staleness"


@dataclass(frozen=True)
class Progress:
    """The state of a run in figures."""

    record: Record
    rate: float
    """Steps per second since the program was started, measuring and saving included."""
    is_finished: bool
    """Whether the budget is spent; else the run was stopped and can be resumed."""
    latest: Metrics
    """The newest figure of every measure, whenever it was taken."""
    cluster: Metrics = field(default_factory=Metrics)
    """Figures of the workers of a cluster, and the staleness of their weights; none without one."""


def train(
    run: Run,
    *,
    report: Callable[[Progress], None] = lambda _: None,
    tell: Tell = lambda _: None,
    watch: Watch = UNWATCHED,
    room: Callable[[Path], Room] = machine_room,
    forecasts: bool = False,
    begun: float | None = None,
) -> Progress:
    """Trains a run from its beginning or its newest good checkpoint until its budget is spent.

    `report` receives the progress, `tell` notes for the user: with `forecasts` first of all the
    forecast of a new run. `watch` may stop the run, which is then saved and can be resumed. `begun`
    is the moment at which the program was started: up to half of the seconds left counts for that.
    """
    algorithm, measures, forecast = prepared(run, room)
    is_new = not run.checkpoints()
    if is_new and run.config.start_from is not None:
        start_from(Path(run.config.start_from), algorithm, run.config.algorithm.name, tell)
    with run.opened(), shards_made(run.config, algorithm, tell) as cluster:
        measures.play_on(cluster.plays)
        if is_new and forecasts:
            tell(str(forecast))
        for note in measures.notes():
            tell(note)
        if (why := algorithm.no_policy()) is not None:
            tell(f"there will be no bundle: {why}")
        record = resume_at_newest(run, algorithm, tell)
        with Journal(run, record.logged_step, tell) as journal, Activity(run.path) as activity:
            saver = RunSaver(run, algorithm, journal, record, tell)
            session = _Session(saver, measures, record, watch, cluster.figures, activity)
            session.count_from(begun)
            session.forecasts = is_new and forecasts
            try:
                session.catch_up()
                while not session.is_over() and not watch.should_stop():
                    session.advance()
                    report(session.progress())
            except ClusterError as error:
                session.save_begun_step()
                raise InputError(
                    f"{error}; the run is saved: regretless resume {run.path}"
                ) from None
            return session.end()


class _Session:
    """The part of a run from one start of the program to its end."""

    def __init__(
        self,
        saver: RunSaver,
        measures: RunMeasures,
        record: Record,
        watch: Watch,
        more_figures: Callable[[], Metrics],
        activity: Activity,
    ) -> None:
        """`more_figures` returns metrics of the workers of a cluster."""
        self.run, self.algorithm, self.tell = saver.run, saver.algorithm, saver.tell
        self.config, self.saver, self.measures = saver.run.config, saver, measures
        self.watch, self.more_figures = activity.watching(watch), more_figures
        self.activity, activity.seconds = activity, self._seconds
        self.forecasts = False
        """Whether a note will say how long the run takes."""
        self.record = self.first = record
        self.latest = dict(record.measures)
        self.cluster: Metrics = {}
        self.begun = time.perf_counter()
        self.step_seconds = 0.0
        measures.taken_at = dict.fromkeys(measures.schedules, record.seconds)

    def count_from(self, begun: float | None) -> None:
        """Counts the time from a moment on, or from later if little would be left to train."""
        seconds = self.config.budget.seconds
        if begun is not None and seconds is not None:
            left = max(seconds - self.first.seconds, 0.0)
            self.begun = max(begun, self.begun - _MOST_START * left)

    def is_over(self) -> bool:
        """Tests whether the budget is spent but for the time that is kept for the last measures."""
        seconds = self.record.seconds + self._reserve()
        return replace(self.record, seconds=seconds).has_spent(self.config.budget)

    def _reserve(self) -> float:
        """Returns the seconds of the budget that are kept for the last measures."""
        budget = self.config.budget.seconds
        if budget is None or self.first.seconds >= budget:
            return 0.0
        first = min(_FIRST_RESERVE * budget, _FIRST_SECONDS)
        return min(self.measures.expected_seconds(None, first), _MOST_RESERVE * budget)

    def catch_up(self) -> None:
        """Measures and logs the step that was saved before it was measured."""
        left = self.record.unmeasured
        if left is not None:
            self._measure_and_log(left.row, self.measures.known(left.measures))

    def advance(self) -> None:
        """Goes to the next step at which something may be due, and does what is due there."""
        row = self._step()
        if row is None:
            return
        self._measure_and_log(row, self.measures.due(self.record, (), self.is_over()))
        if self.saver.is_save_due(self.record):
            self._save()
        if not self.is_over() and self.saver.is_bundle_due(self.record):
            self.saver.write_bundle(self.record)
            self._look_at_clock()
            self.saver.bundled_at = self.record.seconds

    def save_begun_step(self) -> None:
        """Saves a run whose cluster has failed: the shards of the step so far are kept."""
        self.saver.forget_step()
        self._save()

    def end(self) -> Progress:
        """Saves the last step, and the bundle of a run that is finished.

        The time that was kept for the last measures counts as spent.
        """
        self._save()
        budget = self.config.budget.seconds or 0.0
        if self.record.seconds < budget <= self.record.seconds + self._reserve():
            self.record = replace(self.record, seconds=budget)
            self.saver.amend(self.record)
        progress = self.progress()
        if progress.is_finished:
            self._write_last_bundle()
        return progress

    def _write_last_bundle(self) -> None:
        """Writes the bundle; a player who searches may need more time for it than there is."""
        watch = self.watch
        if self.config.budget.seconds is not None:
            seconds = max(self.config.budget.seconds, self.first.seconds)
            overtime = max(_OVERTIME * self.config.budget.seconds, _LEAST_OVERTIME)
            least = time.perf_counter() + _LEAST_BUNDLE
            watch = watch.ending_at(max(self._moment(seconds + overtime), least))
        self.activity.begin("writing the bundle", self.record.step)
        try:
            with watch.over("writing the bundle"):
                self.saver.write_bundle(self.record)
        except Stopped:
            self.tell("no bundle: the budget of seconds is spent; resume the run with a larger one")

    def progress(self) -> Progress:
        steps = self.record.step - self.first.step
        seconds = self.record.seconds - self.first.seconds
        rate = steps / seconds if seconds > 0 else 0.0
        is_last = self.record.is_last(self.config.budget)
        return Progress(self.record, rate, is_last, dict(self.latest), self.cluster)

    def _save(self) -> None:
        self._look_at_clock()
        self.activity.begin("saving a checkpoint", self.record.step)
        self.saver.save(self.record)

    def _step(self) -> Metrics | None:
        """Returns the row of the steps that were done; None if there is nothing to measure."""
        before, begun = self.record.step, time.perf_counter()
        self.activity.begin("training", before)
        goal = _next_stop(self.config, self.measures, before)
        metrics = self._steps(goal - before)
        seconds = time.perf_counter() - begun
        self._look_at_clock()
        done = self.record.step - before
        if self.record.step < goal:
            self.saver.forget_step()  # a step that is begun changes the state of the one before
            if done == 0 and not self.watch.should_stop():
                self.tell("the last step was cut: the budget of seconds is spent")
                is_new = before > 0 and self.record.measured_at != before
                return {"time/seconds": self.record.seconds} if is_new else None
            if self.watch.should_stop():
                return None
        self.step_seconds += seconds
        self._forecast(seconds / done)
        found = self.more_figures()
        self.cluster = found | {key: metrics[key] for key in (STALENESS,) if key in metrics}
        return metrics | {
            "time/seconds": self.record.seconds,
            "time/step_seconds": seconds,
            "time/steps_per_second": done / max(seconds, 1e-9),
            "sys/peak_memory_bytes": float(peak_memory()),
            **found,
        }

    def _steps(self, count: int) -> Metrics:
        """Does so many steps, or as many as the budget of seconds allows."""
        budget = self.config.budget.seconds
        if self.config.record_examples and isinstance(self.algorithm, LearnsFromExamples):
            # Examples are written at the end of a step, so it must not be left in the middle.
            metrics = self._finite_step(count, replace(self.watch, should_stop=lambda: False))
            examples = self.algorithm.take_examples()
            write_examples(self.run.path / "examples", self.algorithm.steps_done, examples)
            return metrics
        if budget is None:
            return self._finite_step(count, self.watch)
        reserve = self._reserve()
        watch = self._bounded_watch(reserve)
        metrics = self._finite_step(1, watch)
        end = self._moment(budget - reserve)
        for piece in self.watch.ending_at(end).pieces(count - 1, count):
            metrics |= self._finite_step(piece, watch)
        return metrics

    def _bounded_watch(self, reserve: float = 0.0) -> Watch:
        """Returns a watch that stops a little after all but `reserve` of the seconds is spent."""
        budget = self.config.budget.seconds
        if budget is None:
            return self.watch
        overtime = max(_OVERTIME * budget, _LEAST_OVERTIME)
        # A run that is resumed with its budget spent has the overtime from now on.
        seconds = max(budget, self.first.seconds) + overtime - reserve
        return self.watch.ending_at(self._moment(seconds))

    def _moment(self, seconds: float) -> float:
        """Returns when the run has trained for so many seconds, by `time.perf_counter`."""
        return self.begun + seconds - self.first.seconds

    def _finite_step(self, count: int, watch: Watch) -> Metrics:
        """Does steps; InputError, before anything of them is kept, if a metric is not finite."""
        try:
            metrics = self.algorithm.step(count, watch)
        except DivergedError as error:
            raise self._diverged(self.algorithm.steps_done + 1, error) from None
        found = {  # a key may name its own group, as buffer/size does
            key if "/" in key else f"train/{key}": float(value) for key, value in metrics.items()
        }
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
        """Takes these measures and those that become due meanwhile; then the row is complete."""
        row, figures = dict(row), Metrics()
        taken: tuple[str, ...] = ()
        begun = time.perf_counter()
        while names:
            left = Unmeasured((*taken, *names), row)
            within = self.measures.expected_seconds(names)
            if self.is_over() or self.saver.is_save_due(self.record, within):
                self.record = replace(self.record, unmeasured=left)
                self._save()
            try:
                for name in names:
                    figures |= self._take(name, row)
            except (Stopped, ClusterError) as error:
                self.record = replace(self.record, unmeasured=left)
                if isinstance(error, ClusterError):
                    raise
                self._save()
                return
            if figures:
                at = self.record.step
                self.record = replace(self.record, measures=dict(figures), measured_at=at)
            taken = (*taken, *names)
            names = self.measures.due(self.record, taken, self.is_over())
        self.record = self.saver.write_best(self.record, figures)
        row |= {f"eval/{key}": value for key, value in figures.items()}
        if taken:
            row["time/measure_seconds"] = time.perf_counter() - begun
        self.latest |= figures
        self.saver.journal.append(self.record.step, row)
        was_saved = self.record.unmeasured is not None
        self.record = replace(self.record, unmeasured=None)
        if was_saved:
            self.saver.amend(self.record)

    def _take(self, name: str, row: Metrics) -> Metrics:
        """Returns the figures of a measure; none, and the row says so, if the time is over."""
        self.activity.begin_measure(name, self.record.step)
        try:
            figures = self.measures.take(name, self._bounded_watch(), self.tell)
        except Stopped:
            if self.watch.should_stop():
                raise
            seconds = self.measures.seconds[name]
            row[f"time/{name}_cut_seconds"] = seconds
            self.tell(f"{name} was cut after {seconds:.1f} s: the budget of seconds is spent")
            figures = []
        self._look_at_clock()
        self.measures.taken_at[name] = self.record.seconds
        taken = {each.key: Taken(self.record.step, each) for each in figures}
        self.record = replace(self.record, taken=self.record.taken | taken)
        return {key: value for each in figures for key, value in each.metrics().items()}

    def _forecast(self, step_seconds: float) -> None:
        """Notes how long the run will take, as soon as a few steps have shown it."""
        if self.forecasts and self.step_seconds >= Pace.probe_seconds:
            pace = Pace(step_seconds, self.measures.schedules, self.measures.seconds)
            self.tell(pace.text(self.config.budget))
            done, goal = self.record.step - self.first.step, self.config.budget.steps
            text = scaling_text(self.more_figures(), done, self.step_seconds, goal or done)
            if text is not None:
                self.tell(text)
            self.forecasts = False

    def _look_at_clock(self) -> None:
        self.record = replace(self.record, step=self.algorithm.steps_done, seconds=self._seconds())

    def _seconds(self) -> float:
        """Returns the seconds of training up to now."""
        return self.first.seconds + time.perf_counter() - self.begun


def _next_stop(config: RunConfig, measures: RunMeasures, step: int) -> int:
    """Returns the next step at which something may be due."""
    schedules: list[Schedule] = [config.checkpoint, config.bundle, *measures.schedules.values()]
    grids = [each.every_steps for each in schedules if each.every_steps is not None]
    grids.append(config.log.every_steps)
    stop = min((step // grid + 1) * grid for grid in grids)
    return stop if config.budget.steps is None else min(stop, config.budget.steps)
