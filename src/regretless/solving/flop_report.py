# SPDX-License-Identifier: MIT
"""One pair of ranges and one menu solved on many flops: a row for each, and the weighted mean."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from regretless import _native
from regretless.errors import InputError
from regretless.games.face import rules_record
from regretless.games.rules_record import recorded_game
from regretless.games.spots import Spot, spot_of
from regretless.notation.cards import format_cards, parse_cards
from regretless.runs.room import size_text
from regretless.solvers.stopping import Budget, Solved
from regretless.solving.forecast import SolveForecast, forecast_solve
from regretless.solving.solution import Problem
from regretless.solving.spot_options import SpotOptions
from regretless.storage.files import require_place, told_on_failure, write_file
from regretless.training.forecast import duration_text
from regretless.watch import UNWATCHED, Stopped, Watch

NUM_FLOPS = 1755
"""The number of flops up to suit isomorphism."""
_FORMAT, _VERSION = "regretless-flops", 1
_ALGORITHM = "dcfr"
_ENDS = ("iterations", "target", "seconds")
RunTasks = Callable[..., Iterator[tuple[str, Any]]]
"""`Cluster.run_tasks`."""
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

    In the order of `all_flops` their weights are laid end to end and cut into equal parts; the
    flop in the middle of a part stands for it.
    """
    flops = all_flops()
    if not 1 <= count <= len(flops):
        raise InputError(f"--flops: must be 1 to {len(flops):,}, not {count}")
    if count == len(flops):
        return flops
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
    """One spot on many flops, whose rows are kept in a file; `budget` holds options of `solve`."""

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
        done = self._read()
        left = [flop for flop in self.flops if flop.cards not in done]
        plans = [self._plan(flop) for flop in left]
        if not plans:
            return f"all {len(self.flops):,} flops are in {self.path}"
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
        done = self._read()
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
        options = {key: value for key, value in self.budget.items() if key not in _ENDS}
        return forecast_solve(_ALGORITHM, self._spot(flop).game, options)

    def _here(
        self, left: list[Flop], report: Callable[[str, Solved], None], watch: Watch
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        for flop in left:
            watch.look(flop.cards)
            told = partial(report, flop.cards)
            yield flop.cards, _solved(self._spot(flop), flop.cards, self.budget, told, watch)

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

    def _read(self) -> dict[str, dict[str, Any]]:
        path, settings = self.path, self._settings()
        if not path.exists():
            return {}
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            rows = {str(row["flop"]): dict(row) for row in kept["rows"]}
            is_ours = (kept["format"], kept["version"]) == (_FORMAT, _VERSION)
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(f"{path}: not a report over flops") from None
        if not is_ours:
            raise InputError(f"{path}: not a report over flops, or of another version")
        if kept["settings"] != settings:
            keys = settings.keys() | kept["settings"].keys()
            other = min(k for k in keys if settings.get(k) != kept["settings"].get(k))
            raise InputError(f"{path}: is a report with another {other}; name another file")
        return rows

    def _write(self, rows: dict[str, dict[str, Any]]) -> None:
        whole = {"format": _FORMAT, "version": _VERSION, "settings": self._settings()}
        order = {flop.cards: place for place, flop in enumerate(self.flops)}
        kept = sorted(rows.values(), key=lambda row: order.get(row["flop"], -1))
        text = json.dumps(whole | {"rows": kept}, indent=1) + "\n"
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
    options = {key: value for key, value in budget.items() if key not in _ENDS}
    ends = [budget.get(key) for key in _ENDS]
    problem = Problem.make(spot, algorithm=_ALGORITHM, watch=watch, **options)
    solution = problem.solve(problem.budget(*ends), report, watch)
    if watch.should_stop():
        raise Stopped
    found = solution.to_json()
    kept = ("exploitability", "iterations", "ev_oop", "ev_ip", "equity_oop", "equity_ip")
    row = {"flop": flop, **{key: found[key] for key in kept}}
    return row | dict(found["root_mix"])


def mean_row(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the weighted mean of all figures; an action that a flop lacks has frequency 0."""
    names = dict.fromkeys(name for row in rows for name in row if name not in ("flop", "weight"))
    total = sum(row["weight"] for row in rows)
    means = {
        name: sum(row["weight"] * row.get(name, 0.0) for row in rows) / total for name in names
    }
    return {"weight": total, "flop": "all", **means}


def table_of(rows: list[dict[str, Any]]) -> Iterator[list[Any]]:
    """Yields the names, then the figures of each row, then their mean."""
    mean = mean_row(rows)
    yield list(mean)
    for row in [*rows, mean]:
        yield [row.get(name) for name in mean]
