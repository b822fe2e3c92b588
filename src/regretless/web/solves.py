# SPDX-License-Identifier: MIT
"""Solving as a job: what it will take, how far it is, what it found, and a bundle of it."""

import math
import re
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
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
from regretless.solvers.problem import NAMES
from regretless.solvers.stopping import Solved
from regretless.solving.forecast import SolveForecast, forecast_solve
from regretless.solving.solution import Problem, Solution, lock_options
from regretless.solving.spot_options import RULES, SpotOptions
from regretless.web.errors import ConflictError
from regretless.web.jobs import ENDED, Job, Jobs
from regretless.web.play.seating import named_game
from regretless.web.settings import Limits

SPOTS = ("nlhe", "short-deck")
_MOST_NAME = 60
_MOST_POINTS = 1000  # of the curve of a job


@dataclass(frozen=True)
class Wish:
    """What a client wants to have solved."""

    game: str
    spot: SpotOptions
    algorithm: str
    iterations: int | None
    target: float | None
    seconds: float | None
    locks: tuple[Lock, ...] = ()
    """What a player of a spot does at some nodes, whatever it costs him."""
    again: Spot | None = None
    """A spot that was solved before, instead of `spot`."""
    free: tuple[float, float] | None = None
    """What each seat wins of it without locks, in chips, if that is known."""

    def to_solve(self) -> Game | Spot:
        """The game or the spot; InputError names what is wrong."""
        if self.locks and not self.spot.board and self.again is None:
            raise InputError("locks: belong to a spot")
        if self.algorithm not in NAMES:
            raise InputError.unknown(f"algorithm: no {self.algorithm!r}", self.algorithm, NAMES)
        if self.again is not None:
            return self.again
        if self.spot.board:
            spot = self.spot.spot(self.game)
            assert spot is not None  # there is a board
            return spot
        self.spot.spot(self.game)  # complains of options without a board
        game = named_game(self.game)
        if game.num_players != 2:
            raise InputError(f"{game.name}: only games for two are solved here")
        return game

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
    """To solve a solved spot once more; what it is worth without locks is read off.

    `before` is what the tree was solved for, if that is known: it may have had locks.
    """
    spot = spot_of(tree.game)
    first, second = tree.node(equities=False).seats
    known = (first.value, second.value)
    free = known if all(map(math.isfinite, known)) else None
    if before is not None and before.locks:
        free = before.free
    game = next(name for name, rule in RULES.items() if rule == spot.rule)
    return Wish(game, SpotOptions(), algorithm, *budget, locks, spot, free)


def foresee(wish: Wish, limits: Limits) -> SolveForecast:
    """Before anything large is made; InputError where it would be too large."""
    to_solve = wish.to_solve()
    game = to_solve.game if isinstance(to_solve, Spot) else to_solve
    options = {"max_bytes": allowed_bytes(limits), **lock_options(wish.locks)}
    return forecast_solve(
        wish.algorithm, game, options, iterations=wish.iterations, seconds=wish.seconds
    )


def allowed_bytes(limits: Limits) -> int:
    """Of one solve: what the settings say, or half of what is free if that is less."""
    free = free_memory()
    return limits.job_bytes if free is None else min(limits.job_bytes, free // 2)


def solve_job(
    wish: Wish, limits: Limits, job: Job, live: "LiveSolution | None" = None
) -> dict[str, Any]:
    """The work of a job; its `made` is the solution. `live` is shown what is reached meanwhile.

    With locks it also tells what they cost: the same is solved without them, unless `wish.free`
    says what comes of that.
    """
    forecast = foresee(wish, limits)  # again: memory may have gone meanwhile
    job.progress = {"what": "building the tree", "forecast": asdict(forecast)}
    job.check()
    watch = replace(job.watch, tell=lambda what, share: None)  # `report` tells more
    end = time.perf_counter() + limits.job_seconds  # what was reached by then is the result

    def solved(locks: tuple[Lock, ...], what: str, shown: LiveSolution | None) -> Solution:
        problem = Problem.make(
            wish.to_solve(),
            algorithm=wish.algorithm,
            locks=locks,
            threads=1,
            watch=watch,
            max_bytes=allowed_bytes(limits),
        )
        report = _reporter(problem, job, what, shown)
        budget = problem.budget(wish.iterations, wish.target, wish.seconds)
        return problem.solve(budget, report, watch.ending_at(end))

    solution = solved(wish.locks, "solving", live)
    job.check()
    result: dict[str, Any] = _plain(solution.to_json(wish.game))
    job.made, job.made_bytes = solution, _bytes(solution.problem, forecast)
    if wish.locks:
        reached = job.progress
        free = wish.free or solved((), "solving without the locks", None).evs
        result["lock_cost"] = _plain(solution.lock_cost(free, wish.locks))
        job.progress = reached
    return result


def _reporter(
    problem: Problem, job: Job, what: str, live: "LiveSolution | None"
) -> Callable[[Solved], None]:
    curve: dict[int, float] = {}

    def report(solved: Solved) -> None:
        job.check()
        exploitability = _finite(solved.exploitability / problem.scale)
        if exploitability is not None and len(curve) < _MOST_POINTS:
            curve[solved.measured_at] = exploitability
        job.progress = {
            "what": what,
            "iterations": solved.iterations,
            "exploitability": exploitability,
            "exploitability_unit": problem.unit,
            "measured_at": solved.measured_at,
            "curve": list(curve.items()),
        }
        if live is not None:
            live.offer(problem, solved.iterations)

    return report


class LiveSolution:
    """What a job has reached, for others to look at while it goes on.

    A solver is used by one thread at a time. So whoever wants to look says so, and the thread that
    solves lets him have a copy of the strategy after its next iterations.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self._changed = threading.Condition()
        self._is_wanted = False
        self._tree: tuple[SolvedTree, int] | None = None

    def offer(self, problem: Problem, iterations: int) -> None:
        """Called by the thread that solves."""
        with self._changed:
            if not self._is_wanted:
                return
        made = problem.tree(), iterations
        with self._changed:
            self._tree, self._is_wanted = made, False
            self._changed.notify_all()

    def end(self) -> None:
        """The job ends: whoever waits shall look at what it made."""
        with self._changed:
            self._is_wanted, self._tree = False, None
            self._changed.notify_all()

    def forget(self) -> None:
        """Let go of a copy of what the job itself has let go of."""
        with self._changed:
            if self.job.status in ENDED and self.job.made is None:
                self._tree = None

    def tree(self, wait: float = 10.0) -> tuple[SolvedTree, int]:
        """The strategy as it is now, and after how many iterations; ConflictError if there is none.

        Of a job that runs a copy is waited for.
        """
        job = self.job
        with self._changed:
            if job.status not in ENDED and job.made is None:
                self._is_wanted, self._tree = True, None
                self._changed.wait_for(lambda: not self._is_wanted, wait)
            made = job.made
            if isinstance(made, Solution) and (
                self._tree is None or self._tree[1] != made.iterations
            ):
                self._tree = made.problem.tree(), made.iterations
            if self._tree is not None:
                return self._tree
        raise ConflictError(f"there is no solution to look at: the job is {job.status}")


class Solves:
    """The solves of a server, and what they have reached."""

    def __init__(self, jobs: Jobs, limits: Limits) -> None:
        self.jobs, self.limits = jobs, limits
        self._lock = threading.Lock()
        self._live: dict[str, tuple[Wish, LiveSolution]] = {}

    def begin(self, wish: Wish) -> Job:
        """BusyError if too many wait."""

        def work(job: Job) -> dict[str, Any]:
            live = self._entry(job, wish)
            try:
                return solve_job(wish, self.limits, job, live)
            finally:
                live.end()

        job = self.jobs.begin("solve", wish.title, work)
        self._entry(job, wish)
        self._forget()
        return job

    def find(self, id: str) -> tuple[Wish, LiveSolution]:
        """NotFoundError if there is no such solve."""
        job = self.jobs.find(id, "solve")
        with self._lock:
            return self._live[job.id]

    def _entry(self, job: Job, wish: Wish) -> LiveSolution:
        with self._lock:
            return self._live.setdefault(job.id, (wish, LiveSolution(job)))[1]

    def _forget(self) -> None:
        """Let go of what the jobs have let go of."""
        known = {each.id for each in self.jobs.all()}
        with self._lock:
            self._live = {id: each for id, each in self._live.items() if id in known}
            left = [live for _, live in self._live.values()]
        for live in left:
            live.forget()


def save_solution(solution: Solution, folder: Path, name: str) -> Path:
    """As a bundle in the folder; a name that is taken is refused."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name) or len(name) > _MOST_NAME:
        raise InputError(f"name: letters, digits and . _ - only, {_MOST_NAME} at most")
    path = folder / name
    if path.exists():
        raise InputError(f"name: {name!r} is taken")
    if (why := solution.problem.no_bundle()) is not None:
        raise InputError(why)
    solution.write_bundle(path)
    return path


def _bytes(problem: Problem, forecast: SolveForecast) -> int:
    solver = problem.solver
    return solver.memory_bytes if isinstance(solver, TreeSolver) else forecast.memory_bytes


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _plain(value: Any) -> Any:
    """Numbers that JSON has."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return _finite(value)
    return value
