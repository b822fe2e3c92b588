# SPDX-License-Identifier: MIT
"""`solve`: from a game or a hold'em spot to a strategy and its exploitability."""

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from regretless.algorithm import Solver
from regretless.algorithms import ALGORITHMS, algorithm_row, make_solver, set_up_process
from regretless.bundles.abstraction import with_abstraction
from regretless.bundles.bundle import Bundle
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.bundles.solution import made_now, write_solution
from regretless.bundles.tree_bundle import write_tree_bundle
from regretless.errors import InputError
from regretless.evaluation.measures import exact_measure
from regretless.explorer.locks import Lock, bound_seats, keeps_suits_alike, set_locks
from regretless.explorer.node_view import NodeView
from regretless.explorer.nodes import SolvedTree
from regretless.games import Game
from regretless.games.face import unit_name
from regretless.games.spots import Spot
from regretless.pictures.progress_bar import ProgressBar
from regretless.pictures.result_table import facts_html
from regretless.policies.asking import policy_table
from regretless.policies.policy import Policy
from regretless.seats.contestants import find_game
from regretless.solvers.backend import TreeSolver, has_public_tree
from regretless.solvers.problem import NAMES
from regretless.solvers.stopping import Budget, Solved, run
from regretless.solving.forecast import forecast_solve, seconds_to
from regretless.solving.spot_options import spot_evs, spot_result
from regretless.training.forecast import duration_text
from regretless.watch import UNWATCHED, Watch

Report = Callable[[Solved], None]
_LONG_SECONDS = 0.1  # an iteration that takes this long uses all processors
_LONG_BUDGET = 2.0  # seconds of a solve that are worth mentioning
DEFAULT_PERCENT = 0.5  # of the pot: the target of a spot without another limit
Tell = Callable[[str], None]


def default_algorithm(is_spot: bool) -> str:
    """DCFR for a spot, where it is the quickest to 0.5 % of the pot; CFR+ for a game."""
    return "dcfr" if is_spot else "cfr+"


def usual_threads(iteration_seconds: float) -> int:
    """The threads for a spot: all processors if an iteration takes long on one."""
    return (os.cpu_count() or 1) if iteration_seconds >= _LONG_SECONDS else 1


def lock_options(locks: Sequence[Lock]) -> dict[str, Any]:
    """The options of a solver with these locks: locks of single hands forbid merging suits."""
    return {} if keeps_suits_alike(list(locks)) else {"merge_suits": False}


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """A game or a spot with the algorithm that is to solve it."""

    game: Game
    spot: Spot | None
    algorithm: str
    solver: Solver
    seed: int
    iteration_seconds: float = 0.0
    """A rough guess, of a spot."""

    @classmethod
    def make(
        cls,
        game: str | Path | Game | Spot,
        *,
        algorithm: str | None = None,
        players: int | None = None,
        seed: int = 0,
        locks: Sequence[Lock] = (),
        tell: Tell = lambda _: None,
        watch: Watch = UNWATCHED,
        **options: Any,
    ) -> "Problem":
        """Builds the solver of a game or spot; options are those of the algorithm.

        `locks` fix the strategy of a player at nodes of the spot. InputError if the solver needs
        more memory than is free; `tell` gets the forecast of a spot as text.
        """
        each = 0.0  # seconds of an iteration
        spot = game if isinstance(game, Spot) else None
        loaded = game.game if isinstance(game, Spot) else find_game(game, players)
        name = algorithm or default_algorithm(spot is not None)
        _check(name, spot, options)
        if locks and spot is None:
            raise InputError("--lock belongs to a spot: give --board too")
        options |= lock_options(locks)
        if name in NAMES and has_public_tree(loaded):
            forecast = forecast_solve(name, loaded, options)
            options["max_bytes"] = forecast.allowed_bytes
            each = forecast.iteration_seconds
            if spot is not None and not {"threads", "device"} & {*options}:
                options["threads"] = usual_threads(each)
                each /= options["threads"]
            if spot is not None:
                tell(str(replace(forecast, iteration_seconds=each)))
        set_up_process(name, **options)
        if spot is None:
            options = with_abstraction(options)
        with watch.over("building the tree"):
            solver = make_solver(name, loaded, seed=seed, **options)
        if spot is not None and isinstance(solver, TreeSolver):
            set_locks(solver, spot, list(locks))
        return cls(loaded, spot, name, solver, seed, each)

    def __repr__(self) -> str:
        return f"<Problem {self.game.name} by {self.algorithm}>"

    @property
    def scale(self) -> float:
        """Units of the game in one unit of the exploitability."""
        return self.spot.pot / 100 if self.spot else 1.0

    @property
    def unit(self) -> str:
        """The unit of the exploitability."""
        return "% of the pot" if self.spot else f"{unit_name(self.game)} per game"

    def budget(self, iterations: int | None, target: float | None, seconds: float | None) -> Budget:
        """The limits of a run, of which the first ends it.

        Without any: a target of 0.001 (of a spot 0.5 % of the pot) and the usual number of
        iterations of the algorithm.
        """
        if iterations is None and target is None and seconds is None:
            iterations = algorithm_row(self.algorithm).iterations
            if self.solver.no_exact() is None:
                target = DEFAULT_PERCENT if self.spot else 1e-3
        return Budget(iterations, None if target is None else target * self.scale, seconds)

    def no_bundle(self) -> str | None:
        """Why the solution cannot be kept, in one line; None: it can."""
        if self.spot and self.spot.rule == "omaha":
            return "a spot of Omaha is solved, but not kept"
        return None if self.spot else self.solver.no_policy()

    def tree(self) -> SolvedTree:
        """The nodes of the strategy that the solver has reached so far."""
        solver = self.solver
        if self.spot is not None and isinstance(solver, TreeSolver):
            return SolvedTree(self.game, solver.packed())
        return SolvedTree.of_table(self.game, policy_table(self.game, solver.policy()))

    def budget_text(self, budget: Budget) -> str:
        """The limits of a run as text."""
        ends = []
        if budget.target is not None:
            ends.append(f"an exploitability of {budget.target / self.scale:g} {self.unit}")
        if budget.iterations is not None:
            ending = "" if budget.iterations == 1 else "s"
            ends.append(f"{budget.iterations:,} iteration{ending}")
        if budget.seconds is not None:
            ends.append(f"{budget.seconds:g} seconds")
        text = f"until {' or '.join(ends)}"
        if self.spot and budget.target is not None:
            percent = budget.target / self.scale
            times = [seconds_to(percent, self.iteration_seconds)]
            times += [] if budget.seconds is None else [budget.seconds]
            if min(times) >= _LONG_BUDGET:
                text += f", roughly {duration_text(min(times))}"
        return text

    def progress_line(self, at: Solved, budget: Budget) -> str:
        """Iterations, the last measure and the rate in one line."""
        parts = [f"iteration {at.iterations:,}"]
        if budget.iterations is not None:
            parts[0] += f" of {budget.iterations:,}"
        if at.measured_at > 0:
            parts.append(f"exploitability {at.exploitability / self.scale:.3g} {self.unit}")
        if at.seconds_left is not None:
            parts.append(f"about {duration_text(at.seconds_left)} left")
        parts.append(f"{at.rate:,.3g} iterations/s")
        return "   ".join(parts)

    def solve(
        self, budget: Budget, report: Report = lambda _: None, watch: Watch = UNWATCHED
    ) -> "Solution":
        """Runs until the budget is spent or `watch` ends it."""
        unit = algorithm_row(self.algorithm).measure_unit
        return Solution(self, run(self.solver, budget, report, watch=watch, measure_unit=unit))


def _check(name: str, spot: Spot | None, options: dict[str, Any]) -> None:
    """Refuses what an algorithm is not for, before it is made."""
    if spot is not None and name not in NAMES:
        raise InputError(f"algorithm {name!r} solves no spots; {', '.join(NAMES)} do")
    if spot is not None and spot.rule == "omaha" and options.get("precision") == 16:
        raise InputError("precision: a spot of Omaha is solved with 32 bits for each number")
    on_devices = [each for each, row in ALGORITHMS.items() if row.takes_device]
    if "device" in options and name in ALGORITHMS and name not in on_devices:
        raise InputError(f"device: algorithm {name!r} knows none; {', '.join(on_devices)} do")


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """The result of `solve`."""

    problem: Problem
    progress: Solved

    def __repr__(self) -> str:
        found = self.exploitability
        figure = "not measured" if found is None else f"{found:.4g} {self.problem.unit}"
        how = f"{self.problem.algorithm}, {self.iterations:,} iterations"
        return f"<Solution of {self.game.name}: {how}, exploitability {figure}>"

    def _repr_html_(self) -> str:
        row = self.to_json()
        title, unit = f"Solution of {row.pop('game')}", row.pop("exploitability_unit")
        found = row["exploitability"]
        row["exploitability"] = None if found is None else f"{found:.4g} {unit}"
        row = {key: each for key, each in row.items() if not isinstance(each, dict | list)}
        return facts_html(title, row)

    @cached_property
    def tree(self) -> SolvedTree:
        """The nodes of the strategy, for two players; `node` is the quick way to one of them."""
        return self.problem.tree()

    def node(self, line: str = "") -> NodeView:
        """The node that a line of play leads to, such as `x b60`: ranges, frequencies and EVs."""
        return self.tree.node(line)

    @property
    def game(self) -> Game:
        return self.problem.game

    @cached_property
    def policy(self) -> Policy:
        """The strategy as a policy."""
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

    @cached_property
    def values(self) -> list[float] | None:
        """Expected payoffs of the players, in units; None where they were not measured."""
        if self.exploitability is None:
            return None
        found = self.progress.values
        return found if found is not None else self.problem.solver.values()

    @property
    def value(self) -> float | None:
        """The expected payoff of the first player."""
        return self.values[0] if self.values else None

    @property
    def strategy(self) -> dict[str, Any]:
        """Probabilities by name of infoset, of games small enough to list."""
        return self.problem.solver.strategy()

    def write_bundle(self, path: str | Path) -> Bundle:
        """Writes the strategy into a directory, to evaluate, play or ship."""
        facts = AlgorithmFacts(
            name=Path(self.problem.algorithm).name,
            iterations=self.progress.iterations,
            seconds=self.progress.seconds,
            seed=self.problem.seed,
        )
        found = self.progress.exploitability
        measures = [] if math.isnan(found) else [exact_measure(self.game, found)]
        solver = self.problem.solver
        if self.problem.spot and isinstance(solver, TreeSolver):
            made = made_now(facts, measures)
            return write_tree_bundle(Path(path), self.game, solver.packed(), made)
        return write_solution(Path(path), solver, facts, measures)

    @property
    def evs(self) -> list[float]:
        """Expected chips of each seat of a spot, with the pot counted."""
        assert self.problem.spot is not None
        return spot_evs(self.problem.spot, self.problem.solver.values())

    def lock_cost(self, free: Sequence[float], locks: Sequence[Lock]) -> dict[str, float]:
        """Chips that each locked seat wins less than without locks, where the `evs` are `free`."""
        ours = self.evs
        seats = sorted(bound_seats(self.game, locks))
        return {("oop", "ip")[seat]: free[seat] - ours[seat] for seat in seats}

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
            "measured_at": self.progress.measured_at,
            "infosets": problem.solver.num_infosets(),
        }
        if self.progress.is_cut:
            row["note"] = "the last strategy was not measured: that takes too long"
        if problem.spot and isinstance(problem.solver, TreeSolver):
            return row | spot_result(problem.spot, problem.solver)
        exploitability = self.exploitability
        row["exploitability_mbb"] = None if exploitability is None else 1000 * exploitability
        return row | {"value": self.value, "values": self.values}


def solve(
    game: str | Path | Game | Spot,
    *,
    algorithm: str | None = None,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    report: Report = lambda _: None,
    progress: bool | None = None,
    **options: Any,
) -> Solution:
    """Solve a game, by name or as `load_game` gives it, or a spot of `make_spot`.

    The first of `iterations`, `target` (exploitability, of a spot in % of the pot) and `seconds`
    ends it; without any it is a target of 0.001, of a spot 0.5 %, or the usual number of
    iterations. Without an algorithm it is CFR+, for a spot DCFR. Options are `players`, `seed`,
    `threads` (default: 1, for a spot whose iterations take long all processors), `device` and
    those of the algorithm. `report` hears of the progress; `progress` shows it as a bar, by default
    in a notebook.
    """
    with ProgressBar(progress) as bar:
        watch = bar.watch(UNWATCHED)
        problem = Problem.make(game, algorithm=algorithm, watch=watch, **options)
        budget = problem.budget(iterations, target, seconds)

        def show(at: Solved) -> None:
            report(at)
            bar.say(problem.progress_line(at, budget), budget.share(at.iterations, at.seconds))

        return problem.solve(budget, show, watch)
