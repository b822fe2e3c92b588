# SPDX-License-Identifier: MIT
"""The measures of a run: which can be taken, when each is due, and how long each may take."""

import math
import time
from collections.abc import Iterable
from dataclasses import replace

from regretless.algorithm import Algorithm, FitsPolicyLater, SearchesLess
from regretless.errors import InputError, TooLargeError
from regretless.evaluation.measures import Measure, Measurer, Subject, make_measurer
from regretless.games import Game
from regretless.matches.match import Plays
from regretless.recipes.config import BudgetConfig, RunConfig, Schedule
from regretless.runs.checkpoint import Record
from regretless.runs.run import Tell
from regretless.watch import Watch


class RunMeasures:
    """The measures of `evaluate.measures` that are possible for the strategy of a run."""

    def __init__(self, config: RunConfig, algorithm: Algorithm, game: Game) -> None:
        self.algorithm = algorithm
        self.subject = subject = Subject.of(algorithm, game)
        self.schedules: dict[str, Schedule] = {}
        self.seconds: dict[str, float] = {}
        """The duration of the last time, by measure."""
        self.taken_at: dict[str, float] = {}
        """The seconds of training from which `every_seconds` counts, by measure."""
        self._measurers: dict[str, Measurer] = {}
        self._why_not: dict[str, str] = {}
        self._may_be_unfitted = True
        for each in config.evaluate.measures:
            measurer = make_measurer(each.name, each.options, "evaluate.measures")
            if (why := measurer.why_not(subject)) is not None:
                self._refuse(each.name, why, config.budget)
                continue
            self._measurers[each.name] = measurer
            self.schedules[each.name] = config.evaluate.schedule(each)
        self.budget = config.budget
        self._check_best(config.bundle.best)

    def play_on(self, plays: Plays | None) -> None:
        """Has matches and local best response played by others from now on, if there are any."""
        self.subject = replace(self.subject, plays=plays)

    def notes(self) -> list[str]:
        """Returns a line for each measure that is left out, with the reason."""
        return [f"{name} is not measured: {why}" for name, why in self._why_not.items()]

    def known(self, names: Iterable[str]) -> tuple[str, ...]:
        """Returns the names that can be measured, in the order of the config."""
        wanted = set(names)
        return tuple(name for name in self._measurers if name in wanted)

    def due(self, record: Record, taken: tuple[str, ...], is_over: bool) -> tuple[str, ...]:
        """Returns the measures that a step needs, all at the end of a run, without `taken`."""
        return tuple(
            name
            for name in self._measurers
            if name not in taken
            and (is_over or is_due(self.schedules[name], record, self.taken_at[name]))
        )

    def take(self, name: str, watch: Watch, tell: Tell) -> list[Measure]:
        """Returns the finite figures of a measure; none if the game turns out too large for it.

        A measure that was too large is left out from then on. `Stopped` if `watch` says so.
        """
        self._note_unfitted(tell)
        begun = time.perf_counter()
        try:
            figures = [each.finite() for each in self._measurers[name](self.subject, watch)]
        except TooLargeError as error:
            self._refuse(name, str(error), self.budget)
            del self._measurers[name]
            tell(self.notes()[-1])
            return []
        finally:
            self.seconds[name] = time.perf_counter() - begun
        short = self.algorithm.short_search() if isinstance(self.algorithm, SearchesLess) else None
        if short is not None:
            tell(f"{name} is that of {short}: the budget of seconds is short")
        return [each for each in figures if math.isfinite(each.value)]

    def expected_seconds(self, names: Iterable[str] | None = None, first: float = 0.0) -> float:
        """Returns the time that measures (default: all) took; `first` for those never taken."""
        return sum(self.seconds.get(name, first) for name in names or self._measurers)

    def _note_unfitted(self, tell: Tell) -> None:
        if self._may_be_unfitted and isinstance(self.algorithm, FitsPolicyLater):
            if (why := self.algorithm.no_fit()) is not None:
                tell(f"the strategy that is measured has not been fitted yet: {why}")
            self._may_be_unfitted = False

    def _refuse(self, name: str, why: str, budget: BudgetConfig) -> None:
        if name == "exact" and budget.target is not None:
            raise InputError(f"budget.target: {why}")
        self._why_not[name] = why

    def _check_best(self, key: str | None) -> None:
        """Raises InputError where no measure takes the figure that chooses the best strategy."""
        keys = [each for measurer in self._measurers.values() for each in measurer.figures()]
        if key is not None and key not in keys:
            problem = f"bundle.best: {key!r} is not measured (evaluate.measures)"
            raise InputError.unknown(problem, key, keys) if keys else InputError(problem)


def is_due(schedule: Schedule, record: Record, last: float) -> bool:
    """Tests a schedule at a step, where the last time was after `last` seconds of training."""
    steps, seconds = schedule.every_steps, schedule.every_seconds
    return (steps is not None and record.step % steps == 0) or (
        seconds is not None and record.seconds - last >= seconds
    )
