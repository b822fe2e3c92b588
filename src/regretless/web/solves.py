# SPDX-License-Identifier: MIT
"""Solving as a job: what it will take, how far it is, what it found, and a bundle of it."""

import math
import re
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from regretless.cfr_problem import NAMES
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.loading import with_hands
from regretless.games.spots import Spot
from regretless.players.locks import Lock
from regretless.players.solution import Problem, Solution
from regretless.players.solve_room import plan_room
from regretless.players.spots import OnPublicTree, SpotOptions
from regretless.solving import Solved
from regretless.storage.room import free_memory
from regretless.web.jobs import Job
from regretless.web.seating import named_game
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

    def to_solve(self) -> Game | Spot:
        """The game or the spot; InputError names what is wrong."""
        if self.algorithm not in NAMES:
            raise InputError.unknown(f"algorithm: no {self.algorithm!r}", self.algorithm, NAMES)
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
        return f"{self.game} {self.spot.board}".strip() + f", {self.algorithm}"


@dataclass(frozen=True)
class SolveForecast:
    """What solving will take."""

    decisions: int
    entries: int
    memory_bytes: int
    bits: int
    """Of a number in the tables."""
    free_bytes: int | None
    allowed_bytes: int
    iteration_seconds: float
    """A rough guess."""
    seconds: float | None
    """Until the budget is spent, a rough guess; None: only a target ends it."""


def foresee(wish: Wish, limits: Limits) -> SolveForecast:
    """Before anything large is made; InputError where it would be too large."""
    allowed, to_solve = allowed_bytes(limits), wish.to_solve()
    game = to_solve.game if isinstance(to_solve, Spot) else to_solve
    plan = plan_room(wish.algorithm, with_hands(game, "solving"), {"max_bytes": allowed})
    each, size = plan.iteration_seconds, plan.size
    times = [] if wish.seconds is None else [wish.seconds]
    times += [] if wish.iterations is None else [wish.iterations * each]
    seconds = min(times) if times else None
    room = (size.bytes, size.precision, plan.free, allowed)
    return SolveForecast(size.decisions, size.entries, *room, each, seconds)


def allowed_bytes(limits: Limits) -> int:
    """Of one solve: what the settings say, or half of what is free if that is less."""
    free = free_memory()
    return limits.job_bytes if free is None else min(limits.job_bytes, free // 2)


def solve_job(wish: Wish, limits: Limits, job: Job) -> dict[str, Any]:
    """The work of a job; its `made` is the solution."""
    forecast = foresee(wish, limits)  # again: memory may have gone meanwhile
    job.progress = {"what": "building the tree", "forecast": asdict(forecast)}
    job.check()
    watch = replace(job.watch, tell=lambda what, share: None)  # `report` tells more
    problem = Problem.make(
        wish.to_solve(),
        algorithm=wish.algorithm,
        locks=wish.locks,
        threads=1,
        watch=watch,
        max_bytes=allowed_bytes(limits),
    )
    budget = problem.budget(wish.iterations, wish.target, wish.seconds)

    curve: dict[int, float] = {}

    def report(solved: Solved) -> None:
        job.check()
        exploitability = _finite(solved.exploitability / problem.scale)
        if exploitability is not None and len(curve) < _MOST_POINTS:
            curve[solved.measured_at] = exploitability
        job.progress = {
            "what": "solving",
            "iterations": solved.iterations,
            "exploitability": exploitability,
            "exploitability_unit": problem.unit,
            "measured_at": solved.measured_at,
            "curve": list(curve.items()),
        }

    end = time.perf_counter() + limits.job_seconds  # what was reached by then is the result
    solution = problem.solve(budget, report, watch.ending_at(end))
    job.check()
    result: dict[str, Any] = _plain(solution.to_json(wish.game))
    job.made, job.made_bytes = solution, _bytes(problem, forecast)
    return result


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
    return solver.memory_bytes if isinstance(solver, OnPublicTree) else forecast.memory_bytes


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
