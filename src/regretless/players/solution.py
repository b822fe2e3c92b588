# SPDX-License-Identifier: MIT
"""`solve`: a game or a hold'em spot in, a strategy and how far it is from an equilibrium out."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from regretless import _native
from regretless.algorithm import Solver
from regretless.algorithms import make_solver, set_up_process
from regretless.cfr_problem import NAMES, CFRConfig
from regretless.errors import InputError
from regretless.evaluation.measures import exact_measure
from regretless.games import Game
from regretless.games.spots import Spot
from regretless.games.units import unit_name
from regretless.players.contestants import find_game
from regretless.players.locks import Lock, keeps_suits_alike, set_locks
from regretless.players.nodes import find_place
from regretless.players.spots import OnPublicTree, spot_result
from regretless.policy import Policy
from regretless.solving import Budget, Solved, run
from regretless.storage.abstraction import with_abstraction
from regretless.storage.bundle import Bundle
from regretless.storage.bundle_manifest import AlgorithmFacts
from regretless.storage.room import free_memory
from regretless.storage.solution import write_solution, write_tree
from regretless.strategy_tree import pack

Report = Callable[[Solved], None]


@dataclass(frozen=True, eq=False)
class Problem:
    """A game or a spot with the algorithm that is to solve it."""

    game: Game
    spot: Spot | None
    algorithm: str
    solver: Solver
    seed: int

    @classmethod
    def make(
        cls,
        game: str | Path | Game | Spot,
        *,
        algorithm: str | None = None,
        players: int | None = None,
        seed: int = 0,
        locks: Sequence[Lock] = (),
        **options: Any,
    ) -> "Problem":
        """Of the game or spot; options are those of the algorithm (docs/algorithms).

        At the nodes of `locks` a player of the spot does what they say and nothing else.
        """
        spot = game if isinstance(game, Spot) else None
        loaded = game.game if isinstance(game, Spot) else find_game(game, players)
        name = algorithm or ("dcfr" if spot else "cfr+")  # dcfr is the quickest to 0.5 % of a pot
        if spot is not None:
            if name not in NAMES:
                raise InputError(f"algorithm {name!r} solves no spots; {', '.join(NAMES)} do")
            options["max_bytes"] = free_memory() or CFRConfig.max_bytes
            if not keeps_suits_alike(list(locks)):
                options["merge_suits"] = False
        elif locks:
            raise InputError("--lock belongs to a spot: give --board too")
        set_up_process(name, **options)
        solver = make_solver(name, loaded, seed=seed, **with_abstraction(options))
        if locks and spot is not None:
            native = getattr(solver, "solver", None)
            if not isinstance(native, _native.VectorSolver):
                raise InputError("--lock: only the native solver keeps locks; leave out --device")
            set_locks(native, spot, list(locks))
        return cls(loaded, spot, name, solver, seed)

    @property
    def scale(self) -> float:
        """Units of the game in the unit of the exploitability."""
        return self.spot.pot / 100 if self.spot else 1.0

    @property
    def unit(self) -> str:
        """What the exploitability is counted in."""
        return "% of the pot" if self.spot else f"{unit_name(self.game)} per game"

    def budget(self, iterations: int | None, target: float | None, seconds: float | None) -> Budget:
        """The first of the limits; without any, a target of 0.001, of a spot 0.5 % of the pot."""
        if iterations is None and target is None and seconds is None:
            target = 0.5 if self.spot else 1e-3
        return Budget(iterations, None if target is None else target * self.scale, seconds)

    def no_bundle(self) -> str | None:
        """Why the solution cannot be kept, in one line; None: it can."""
        return None if self.spot else self.solver.no_policy()

    def solve(self, budget: Budget, report: Report = lambda _: None) -> "Solution":
        return Solution(self, run(self.solver, budget, report))


@dataclass(frozen=True, eq=False)
class Solution:
    """What `solve` found."""

    problem: Problem
    progress: Solved

    @property
    def game(self) -> Game:
        return self.problem.game

    @cached_property
    def policy(self) -> Policy:
        """Something that can play."""
        return self.problem.solver.policy()

    @property
    def iterations(self) -> int:
        return self.progress.iterations

    @property
    def exploitability(self) -> float | None:
        """Mean gain of a best response, in units of the game, of a spot in % of the pot.

        None where the game is too large to measure it.
        """
        found = self.progress.exploitability
        return None if math.isnan(found) else found / self.problem.scale

    @property
    def values(self) -> list[float] | None:
        """What each player wins per episode, in units; None where that cannot be measured."""
        return None if self.exploitability is None else self.problem.solver.values()

    @property
    def value(self) -> float | None:
        """What the first player wins."""
        return self.values[0] if self.values else None

    @property
    def strategy(self) -> dict[str, Any]:
        """Probabilities by name of infoset, of games small enough to list."""
        return self.problem.solver.strategy()

    def write_bundle(self, path: str | Path) -> Bundle:
        """Leave the strategy in a directory, to evaluate, play or ship."""
        facts = AlgorithmFacts(
            name=self.problem.algorithm,
            iterations=self.progress.iterations,
            seconds=self.progress.seconds,
            seed=self.problem.seed,
        )
        found = self.progress.exploitability
        measures = [] if math.isnan(found) else [exact_measure(self.game, found)]
        solver = self.problem.solver
        if self.problem.spot and isinstance(solver, OnPublicTree):
            tree = pack(solver.problem, getattr(solver, "solver", solver))
            return write_tree(Path(path), self.game, tree, facts, measures)
        return write_solution(Path(path), solver, facts, measures)

    def lock_cost(self, free: "Solution", locks: Sequence[Lock]) -> dict[str, float]:
        """What each seat that is bound wins less than in the solution without locks, in chips."""
        problem = self.problem
        assert problem.spot is not None  # only spots have locks
        bound = {find_place(self.game, _problem(problem), lock.line)[1].actor for lock in locks}
        ours, theirs = problem.solver.values(), free.problem.solver.values()
        return {("oop", "ip")[seat]: theirs[seat] - ours[seat] for seat in sorted(bound)}

    def to_json(self, name: str | None = None) -> dict[str, Any]:
        """Everything as numbers and texts; `name` is what the user called the game."""
        problem = self.problem
        row: dict[str, Any] = {
            "game": name or self.game.name,
            "algorithm": problem.algorithm,
            "iterations": self.iterations,
            "seconds": self.progress.seconds,
            "exploitability": self.exploitability,
            "exploitability_unit": problem.unit,
            "infosets": problem.solver.num_infosets(),
        }
        if problem.spot and isinstance(problem.solver, OnPublicTree):
            return row | spot_result(problem.spot, problem.solver)
        exploitability = self.exploitability
        row["exploitability_mbb"] = None if exploitability is None else 1000 * exploitability
        return row | {"value": self.value, "values": self.values}


def _problem(problem: Problem) -> _native.VectorProblem:
    assert isinstance(problem.solver, OnPublicTree)  # as all that solve spots
    return problem.solver.problem


def solve(
    game: str | Path | Game | Spot,
    *,
    algorithm: str | None = None,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    report: Report = lambda _: None,
    **options: Any,
) -> Solution:
    """Solve a game, by name or as `load_game` gives it, or a spot of `make_spot`.

    The first of `iterations`, `target` (exploitability, of a spot in % of the pot) and `seconds`
    ends it. Without an algorithm it is CFR+, for a spot DCFR. Options are `players`, `seed`,
    `threads`, `device` and those of the algorithm. `report` hears of the progress.
    """
    problem = Problem.make(game, algorithm=algorithm, **options)
    return problem.solve(problem.budget(iterations, target, seconds), report)
