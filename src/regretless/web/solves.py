# SPDX-License-Identifier: MIT
"""Solving as a job: forecast, progress, result and bundle."""

import math
import re
import threading
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from regretless.errors import InputError
from regretless.explorer.locks import Lock
from regretless.explorer.nodes import SolvedTree
from regretless.games import Game
from regretless.games.spots import Spot, spot_of
from regretless.notation.cards import format_cards
from regretless.runs.room import free_memory
from regretless.solvers.backend import TreeSolver
from regretless.solvers.cuda.device import has_device
from regretless.solvers.problem import NAMES
from regretless.solvers.stopping import Solved
from regretless.solving.forecast import SolveForecast, forecast_solve
from regretless.solving.solution import (
    DEFAULT_PERCENT,
    Problem,
    Solution,
    lock_options,
    usual_threads,
)
from regretless.solving.spot_options import RULES, SpotOptions
from regretless.web.errors import ConflictError
from regretless.web.jobs import ENDED, Job, Jobs
from regretless.web.play.seating import named_game
from regretless.web.settings import Limits

SPOTS = ("nlhe", "short-deck", "plo4")
SMALL = re.compile("kuhn|leduc|liars-dice-1x.*")  # games that are small enough
_MOST_NAME = 60
_WAIT_SECONDS = 10.0  # for a copy of the current strategy
_MOST_POINTS = 1000  # of the curve of a job


@dataclass(frozen=True)
class Wish:
    """A solve that a client asks for."""

    game: str
    spot: SpotOptions
    algorithm: str
    iterations: int | None
    target: float | None
    seconds: float | None
    locks: tuple[Lock, ...] = ()  # fixed strategies at nodes of a spot
    again: Spot | None = None  # a spot that was solved before, instead of `spot`
    free: tuple[float, float] | None = None  # EVs of both seats without locks, in chips, if known
    threads: int | None = None  # None: one, or all processors if an iteration takes long
    precision: int | None = None  # bits of a number in the tables of a spot
    device: str = "cpu"  # cuda, or auto: CUDA if there is a device

    def to_solve(self) -> Game | Spot:
        """The game or the spot; InputError if it is not valid."""
        if self.locks and not self.spot.board and self.again is None:
            raise InputError("locks: belong to a spot")
        if self.algorithm not in NAMES:
            raise InputError.unknown(f"algorithm: no {self.algorithm!r}", self.algorithm, NAMES)
        most = Limits.solve_threads
        if self.threads is not None and not 1 <= self.threads <= most:
            raise InputError(f"threads: must be 1 to {most} here, not {self.threads}")
        if self.precision is not None and not self.is_spot:
            raise InputError("precision: belongs to a spot")
        if self.device == "cuda" and not has_device():
            raise InputError("device: no CUDA device was found here; solve on the CPU")
        if self.again is not None:
            return self.again
        if (spot := self.spot.spot(self.game)) is not None:  # complains of options without a board
            return spot
        game = named_game(self.game)
        if game.num_players != 2:
            raise InputError(f"{game.name}: only games for two are solved here")
        return game

    @property
    def is_spot(self) -> bool:
        return bool(self.spot.board) or self.again is not None

    @property
    def budget(self) -> tuple[int | None, float | None, float | None]:
        """The limits: iterations, target and seconds."""
        return self.iterations, self.target, self.seconds

    @property
    def options(self) -> dict[str, Any]:
        """Options of the solver."""
        device = None if self.device == "cpu" else self.device
        given = {"threads": self.threads, "precision": self.precision, "device": device}
        return {key: each for key, each in given.items() if each is not None}

    @property
    def title(self) -> str:
        board = self.spot.board
        if self.again is not None:
            board = format_cards(list(self.again.board), self.again.game.rules.deck)
        locked = f", {len({each.line for each in self.locks})} locked" if self.locks else ""
        return f"{self.game} {board}".strip() + f", {self.algorithm}{locked}"


def again(
    tree: SolvedTree,
    algorithm: str,
    budget: tuple[int | None, float | None, float | None],
    locks: tuple[Lock, ...],
    before: Wish | None = None,
) -> Wish:
    """A solve of a solved spot with other locks; EVs without locks are read from the tree.

    `before` is the solve that made the tree, if known: it may have had locks.
    """
    spot = spot_of(tree.game)
    first, second = tree.node(equities=False).seats
    known = (first.value, second.value)
    free = known if all(map(math.isfinite, known)) else None
    if before is not None and before.locks:
        free = before.free
    game = next(name for name, rule in RULES.items() if rule == spot.rule)
    return Wish(game, SpotOptions(), algorithm, *budget, locks, spot, free)


def forecast_wish(wish: Wish, limits: Limits) -> SolveForecast:
    """Forecasts a solve; InputError if it is too large."""
    to_solve = wish.to_solve()
    game = to_solve.game if isinstance(to_solve, Spot) else to_solve
    options = {"max_bytes": allowed_bytes(limits), **wish.options, **lock_options(wish.locks)}
    if wish.is_spot and not {"threads", "device"} & {*options}:
        each = forecast_solve(wish.algorithm, game, options).iteration_seconds
        options["threads"] = usual_threads(each)
    iterations, target, seconds = wish.budget
    if wish.budget == (None, None, None):
        target = DEFAULT_PERCENT
    percent = target if wish.is_spot else None
    return forecast_solve(
        wish.algorithm, game, options, iterations=iterations, seconds=seconds, percent=percent
    )


def allowed_bytes(limits: Limits) -> int:
    """Memory of one solve: the limit, or half of the free memory if that is less."""
    free = free_memory()
    return limits.job_bytes if free is None else min(limits.job_bytes, free // 2)


@dataclass(eq=False)
class SolveJob(Job):
    """A solve, with its current strategy while it runs.

    One thread uses a solver at a time. A reader asks for a copy of the strategy, and the thread
    that solves makes it after its next iterations.
    """

    wish: Wish = field(kw_only=True)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _is_wanted: bool = False
    _tree: tuple[SolvedTree, int] | None = None
    _finish: threading.Event = field(default_factory=threading.Event)

    def finish(self) -> None:
        """Ends the solve soon; the strategy that is reached is the result."""
        self._finish.set()

    @property
    def is_cut(self) -> bool:
        """Whether the solve was asked to end before its budget was spent."""
        return self._finish.is_set()

    def work(self, limits: Limits) -> dict[str, Any]:
        """Solves, and leaves the solution in `made`.

        With locks the result has their cost: the spot is also solved without locks, unless
        `wish.free` has the EVs. A solve that is asked to end has no cost of locks.
        """
        wish, forecast = self.wish, forecast_wish(self.wish, limits)  # free memory may have changed
        self.progress = {"what": "building the tree", "forecast": asdict(forecast)}
        self.check()
        end = time.perf_counter() + limits.job_seconds  # the strategy at that time is the result
        solution = self._solved(wish.locks, "solving", limits, end)
        self.check()
        result: dict[str, Any] = _plain(solution.to_json(wish.game))
        solver = solution.problem.solver
        memory = solver.memory_bytes if isinstance(solver, TreeSolver) else forecast.memory_bytes
        self.made, self.made_bytes = solution, memory
        if wish.locks and not self.is_cut:
            reached = self.progress
            free = wish.free or self._solved((), "solving without the locks", limits, end).evs
            if not self.is_cut:
                result["lock_cost"] = _plain(solution.lock_cost(free, wish.locks))
            self.progress = reached
        return result

    def tree(self, *, newest: bool = True) -> tuple[SolvedTree, int]:
        """The current strategy and its iterations; ConflictError if there is none.

        Waits for a copy while the job runs, unless an older one will do and there is one.
        """
        with self._changed:
            is_old_enough = self._tree is not None and not newest
            if self.status not in ENDED and self.made is None and not is_old_enough:
                self._is_wanted, self._tree = True, None
                self._changed.wait_for(lambda: not self._is_wanted, _WAIT_SECONDS)
            made = self.made
            if made is not None and (self._tree is None or self._tree[1] != made.iterations):
                self._tree = made.problem.tree(), made.iterations
            if self._tree is not None:
                return self._tree
        raise ConflictError(f"there is no solution yet: the job is {self.status}")

    def drop(self) -> None:
        super().drop()
        self._tree = None

    def _solved(self, locks: tuple[Lock, ...], what: str, limits: Limits, end: float) -> Solution:
        wish, curve = self.wish, dict[int, float]()
        stops = (self._stop, self._finish)
        watch = replace(
            self.watch,
            tell=lambda what, share: None,  # `report` has more
            should_stop=lambda: any(each.is_set() for each in stops),
        )
        problem = Problem.make(
            wish.to_solve(),
            algorithm=wish.algorithm,
            locks=locks,
            watch=watch,
            max_bytes=allowed_bytes(limits),
            **wish.options,
        )

        def report(solved: Solved) -> None:
            self.check()
            exploitability = _finite(solved.exploitability / problem.scale)
            if exploitability is not None and len(curve) < _MOST_POINTS:
                curve[solved.measured_at] = exploitability
            self.progress = {
                "what": what,
                "iterations": solved.iterations,
                "exploitability": exploitability,
                "exploitability_unit": problem.unit,
                "measured_at": solved.measured_at,
                "seconds_left": solved.seconds_left,
                "curve": list(curve.items()),
            }
            if self._is_wanted and self.made is None:
                self._answer((problem.tree(), solved.iterations))

        budget = problem.budget(wish.iterations, wish.target, wish.seconds)
        return problem.solve(budget, report, watch.ending_at(end))

    def _answer(self, tree: tuple[SolvedTree, int] | None) -> None:
        """Ends the waiting of readers; None if the job has ended."""
        with self._changed:
            self._tree, self._is_wanted = tree, False
            self._changed.notify_all()


def start_solve(jobs: Jobs, limits: Limits, wish: Wish) -> SolveJob:
    """Starts a solve; BusyError if too many wait."""
    wish = replace(wish, free=wish.free or _known_evs(jobs, wish))

    def work(job: SolveJob) -> dict[str, Any]:
        try:
            return job.work(limits)
        finally:
            job._answer(None)

    return jobs.begin(SolveJob("solve", wish.title, wish=wish), work)


def _known_evs(jobs: Jobs, wish: Wish) -> tuple[float, float] | None:
    """EVs of both seats without locks, from a solve of the same spot with the same limits."""
    if not wish.locks or wish.again is not None:
        return None
    asked = replace(wish, locks=())
    for job in jobs.all():
        if isinstance(job, SolveJob) and job.wish == asked and job.result and not job.is_cut:
            return job.result["ev_oop"], job.result["ev_ip"]
    return None


def save_solution(solution: Solution, folder: Path, name: str) -> Path:
    """Writes a bundle; InputError if the name is taken."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name) or len(name) > _MOST_NAME:
        raise InputError(f"name: letters, digits and . _ - only, {_MOST_NAME} at most")
    path = folder / name
    if path.exists():
        raise InputError(f"name: {name!r} is taken")
    if (why := solution.problem.no_bundle()) is not None:
        raise InputError(why)
    solution.write_bundle(path)
    return path


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _plain(value: Any) -> Any:
    """The value with null for numbers that JSON lacks."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return _finite(value)
    return value
