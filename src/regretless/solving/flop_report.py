# SPDX-License-Identifier: MIT
"""One pair of ranges and one menu solved on many flops: a row for each, and the weighted mean."""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.explorer.node_view import known
from regretless.games.face import rules_record
from regretless.games.rules_record import recorded_game
from regretless.games.spots import Spot, spot_of
from regretless.histories.lines import read_line
from regretless.notation.cards import format_cards, parse_cards
from regretless.runs.room import size_text
from regretless.solvers.stopping import Budget, Solved
from regretless.solving.flop_sets import NUM_DEALS, SIZES, flop_set, textures
from regretless.solving.forecast import SolveForecast, forecast_solve
from regretless.solving.solution import Problem, Solution
from regretless.solving.spot_options import SpotOptions
from regretless.storage.files import require_place, told_on_failure, write_file
from regretless.storage.manifest import sealed_json, unsealed_json
from regretless.training.forecast import duration_text
from regretless.watch import UNWATCHED, Stopped, Watch

_FORMAT, _VERSION = "regretless-flops", 2
_ALGORITHM = "dcfr"
_ENDS = ("iterations", "target", "seconds")
RunTasks = Callable[..., Iterator[tuple[str, Any]]]
"""`Cluster.run_tasks`."""
_AT = "at"  # of a budget: the line of play whose node is reported
_NODE_BYTES = 6  # for each entry: strategy and values in 16 bits, from which a node is read
_USUAL_ITERATIONS = 100  # to 0.5 % of the pot on a flop, roughly


@dataclass(frozen=True)
class Flop:
    """A board of three cards."""

    cards: str
    weight: float
    """The share of all flops that it stands for."""


def all_flops() -> list[Flop]:
    """Returns one flop for each class of suit isomorphism; the weights sum to 1.

    The order is that of suits (rainbow, two of a suit, one suit), then ranks, the highest first.
    """
    deck = _native.Deck()
    canonical = _native.CanonicalIndex([3], deck)
    deals = _native.hand_cards(deck, 3)
    names = canonical.index(deals)
    _, first, counts = np.unique(names, return_index=True, return_counts=True)
    total = counts.sum()
    found = []
    for deal, count in zip(deals[first].tolist(), counts.tolist(), strict=True):
        cards = sorted(deal, reverse=True)
        num_suits = len({card % 4 for card in cards})
        order = (-num_suits, [-(card // 4) for card in cards], [-card for card in cards])
        found.append((order, Flop(format_cards(cards, deck), count / total)))
    return [flop for _, flop in sorted(found, key=lambda each: each[0])]


def flop_subset(count: int) -> list[Flop]:
    """Returns a fixed choice of so many flops that stand for all.

    It is a set of `flop_sets.py` if there is one. Else the weights of all flops are laid end to end
    in the order of `all_flops` and cut into equal parts; the flop in the middle of a part stands
    for it.
    """
    flops = all_flops()
    if not 1 <= count <= len(flops):
        raise InputError(f"--flops: must be 1 to {len(flops):,}, not {count}")
    if count == len(flops):
        return flops
    if count in SIZES:
        return [Flop(cards, deals / NUM_DEALS) for cards, deals in flop_set(count).items()]
    ends = np.cumsum([flop.weight for flop in flops])
    places = np.searchsorted(ends, (np.arange(count) + 0.5) / count)
    chosen, times = np.unique(places, return_counts=True)
    pairs = zip(chosen.tolist(), times.tolist(), strict=True)
    return [Flop(flops[place].cards, share / count) for place, share in pairs]


def read_flops(text: str) -> list[Flop]:
    """Reads a number of flops, or flops between commas, each as likely as the others."""
    if text.strip().isdecimal():
        return flop_subset(int(text.strip()[:9]))
    names = [each.strip() for each in text.split(",")]
    for name in names:
        if len(parse_cards(name)) != 3:
            raise InputError(f"--flops: {name!r} is no flop of three cards")
    if len(set(names)) != len(names):
        raise InputError("--flops: a flop is given twice")
    return [Flop(name, 1 / len(names)) for name in names]


@dataclass(frozen=True)
class FlopReport:
    """One spot on many flops, whose rows are kept in a file; `budget` holds options of `solve`.

    Its entry `at` is the line of play of the node that is reported, without it the first one.
    """

    options: SpotOptions
    flops: list[Flop]
    path: Path
    budget: dict[str, Any]

    def forecast(self) -> str:
        """Returns the memory and the time that the flops to be solved need, for a reader.

        InputError if one of them needs more memory than is free, if the file is of another spot or
        budget, or if nothing can be written there.
        """
        ends = {key: self.budget[key] for key in _ENDS if self.budget.get(key) is not None}
        if ends:
            Budget(**ends)  # refuses limits that make no sense
        require_place(self.path)
        done = self.read()
        left = [flop for flop in self.flops if flop.cards not in done]
        if not left:
            return f"all {len(self.flops):,} flops are in {self.path}"
        check_line(self._spot(left[0]), self.budget.get(_AT, ""))
        plans = [self._plan(flop) for flop in left]
        iterations = self.budget.get("iterations") or _USUAL_ITERATIONS
        seconds = sum(plan.iteration_seconds for plan in plans) * iterations
        largest = max(plans, key=lambda plan: plan.memory_bytes)
        free = "" if largest.free_bytes is None else f" ({size_text(largest.free_bytes)} free)"
        return (
            f"{len(left):,} flops to solve, memory up to {size_text(largest.memory_bytes)}{free}, "
            f"about {duration_text(seconds)} for {iterations:,} iterations on each"
        )

    def rows(
        self,
        report: Callable[[str, Solved], None] = lambda flop, solved: None,
        watch: Watch = UNWATCHED,
        run_tasks: RunTasks | None = None,
    ) -> list[dict[str, Any]]:
        """Solves the flops that are not in the file, and returns the rows of all.

        `report` receives the flop that is being solved and how far its solver is. `Stopped` if
        `watch` says so: the flops that are done are in the file. With `run_tasks` of a cluster its
        workers solve, one flop each at a time.
        """
        require_place(self.path)
        done = self.read()
        left = [flop for flop in self.flops if flop.cards not in done]
        solved = self._here(left, report, watch)
        if run_tasks is not None:
            solved = self._elsewhere(left, run_tasks, watch)
        for cards, row in solved:
            done[cards] = row
            self._write(done)
        return [{"weight": flop.weight, **done[flop.cards]} for flop in self.flops]

    def _spot(self, flop: Flop) -> Spot:
        spot = replace(self.options, board=flop.cards).spot()
        assert spot is not None  # it has a board
        return spot

    def _plan(self, flop: Flop) -> SolveForecast:
        options = {key: each for key, each in self.budget.items() if key not in (*_ENDS, _AT)}
        plan = forecast_solve(_ALGORITHM, self._spot(flop).game, options)
        if not self.budget.get(_AT):
            return plan
        memory = plan.memory_bytes + _NODE_BYTES * plan.entries
        if memory > plan.allowed_bytes:
            raise InputError(
                f"{flop.cards}: a node behind the first one needs {size_text(memory)} of memory, "
                f"{size_text(plan.allowed_bytes)} may be used; fewer sizes make it smaller"
            )
        return replace(plan, memory_bytes=memory)

    def _here(
        self, left: list[Flop], report: Callable[[str, Solved], None], watch: Watch
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        for flop in left:
            watch.look(flop.cards)
            progress = partial(report, flop.cards)
            yield flop.cards, _solved(self._spot(flop), flop.cards, self.budget, progress, watch)

    def _elsewhere(
        self, left: list[Flop], run_tasks: RunTasks, watch: Watch
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        tasks, memory = {}, 0
        for flop in left:
            record = rules_record(self._spot(flop).game)
            tasks[flop.cards] = {"game": record, "flop": flop.cards, "budget": self.budget}
            memory = max(memory, self._plan(flop).memory_bytes)
        for cards, result in run_tasks(f"{__name__}:solve_flop", tasks, watch, memory):
            if result.error is not None:
                raise InputError(f"{cards}: {result.error}")
            yield cards, result.value

    def _settings(self) -> dict[str, Any]:
        settings = json.loads(json.dumps({**asdict(self.options), **self.budget}, default=str))
        return {**settings, "board": ""}

    def read(self) -> dict[str, dict[str, Any]]:
        """Returns the rows of the file by flop; InputError if it is not a file of this report."""
        path, settings = self.path, self._settings()
        if not path.exists():
            return {}
        try:
            kept = unsealed_json(path.read_text(encoding="utf-8"), sort=False)
            rows = {str(row["flop"]): _checked(row) for row in kept["rows"]}
            is_ours = (kept["format"], kept["version"]) == (_FORMAT, _VERSION)
            others = dict(kept["settings"])
        except (
            OSError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            ArithmeticError,
            RecursionError,
        ):
            raise InputError(f"{path}: not a report over flops, or altered") from None
        if not is_ours:
            raise InputError(f"{path}: not a report over flops, or of another version")
        keys = settings.keys() | others.keys()
        if differ := [key for key in keys if settings.get(key) != others.get(key)]:
            raise InputError(f"{path}: is a report with another {min(differ)}; name another file")
        return rows

    def _write(self, rows: dict[str, dict[str, Any]]) -> None:
        whole = {"format": _FORMAT, "version": _VERSION, "settings": self._settings()}
        order = {flop.cards: place for place, flop in enumerate(self.flops)}
        kept = sorted(rows.values(), key=lambda row: order.get(row["flop"], -1))
        text = sealed_json(whole | {"rows": kept}, sort=False)
        with told_on_failure(self.path):
            write_file(self.path, text)


def solve_flop(game: dict[str, Any], flop: str, budget: dict[str, Any]) -> dict[str, Any]:
    """The row of a flop, whose game is given by its `rules_record`: a task of a cluster."""
    return _solved(spot_of(recorded_game(game, flop)), flop, budget)


def _solved(
    spot: Spot,
    flop: str,
    budget: dict[str, Any],
    report: Callable[[Solved], None] = lambda solved: None,
    watch: Watch = UNWATCHED,
) -> dict[str, Any]:
    options = {key: value for key, value in budget.items() if key not in (*_ENDS, _AT)}
    ends = [budget.get(key) for key in _ENDS]
    problem = Problem.make(spot, algorithm=_ALGORITHM, watch=watch, **options)
    solution = problem.solve(problem.budget(*ends), report, watch)
    if watch.should_stop():
        raise Stopped
    return flop_row(solution, flop, budget.get(_AT, ""))


def _checked(row: dict[str, Any]) -> dict[str, Any]:
    """The row of a file; ValueError unless all but the flop are finite numbers or unknown."""
    for name, figure in row.items():
        is_number = isinstance(figure, int | float) and math.isfinite(figure)
        if name != "flop" and figure is not None and not is_number:
            raise ValueError(name)
    return dict(row)


def check_line(spot: Spot, line: str) -> None:
    """Raises InputError unless a line is one of actions that leaves the hand on the flop."""
    episode = spot.game.episode_of()
    steps = read_line(line, episode)
    if episode.is_terminal or any(step.cards for step in steps):
        raise InputError(f"--at: {line!r}: the hand must go on, and on the flop")


def flop_row(solution: Solution, flop: str, line: str = "") -> dict[str, Any]:
    """Returns the figures of a solved flop at its first node, or behind a line of actions.

    `reach` is how often the line is played.
    """
    found = solution.to_json()
    row = {"flop": flop, "exploitability": found["exploitability"]}
    row["iterations"] = found["iterations"]
    if not line:
        kept = ("ev_oop", "ev_ip", "equity_oop", "equity_ip")
        return row | {key: found[key] for key in kept} | dict(found["root_mix"])
    tree = solution.problem.tree()
    node, reach, words = tree.node(line), 1.0, line.split()
    for number, word in enumerate(node.steps):
        before = tree.node(" ".join(words[:number]), equities=False)
        reach *= next(each.share for each in before.choices if each.word == word.text)
    row["reach"] = known(reach)
    oop, ip = node.seats
    row |= {"ev_oop": known(oop.value), "ev_ip": known(ip.value)}
    row |= {"equity_oop": known(oop.equity), "equity_ip": known(ip.equity)}
    return row | {each.text: known(each.share) for each in node.choices}


def texture_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the weighted means over the flops of each texture; the weights of a kind sum to 1."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        for each in textures(row["flop"]).items():
            groups.setdefault(each, []).append(row)
    return [
        {"by": by, "texture": name, **mean_row(members)} | {"flops": len(members)}
        for (by, name), members in sorted(groups.items())
    ]


def mean_row(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the weighted mean of all figures.

    An action that a flop lacks has frequency 0; a flop whose figure is unknown does not count.
    """
    names = dict.fromkeys(name for row in rows for name in row if name not in ("flop", "weight"))
    means = {}
    for name in names:
        figures = [(row["weight"], row.get(name, 0.0)) for row in rows]
        counted = [(weight, figure) for weight, figure in figures if figure is not None]
        total = sum(weight for weight, _ in counted)
        means[name] = sum(w * figure for w, figure in counted) / total if counted else None
    return {"weight": sum(row["weight"] for row in rows), "flop": "all", **means}
