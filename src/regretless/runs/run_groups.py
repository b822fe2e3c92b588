# SPDX-License-Identifier: MIT
"""Runs beside each other: those that differ in their seed only as one, and the best first."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from regretless.errors import InputError
from regretless.evaluation.measures import is_better
from regretless.pictures.curves import BANDS, Curve, mean_curve
from regretless.pictures.result_table import ResultTable, Tabular
from regretless.runs.run_record import AXES, Point, RunRecord, read_run

EXPLOITABILITY = "eval/exploitability"


@dataclass(frozen=True)
class Standing:
    """The state of a run, or of the mean of several that differ in their seed."""

    run: str
    """The name of the run or group."""
    runs: tuple[str, ...]
    """The directories."""
    game: str
    algorithm: str
    iterations: int | None
    nodes: int | None
    """Nodes touched."""
    seconds: float | None
    last: float | None
    low: float | None
    """The lower end of the interval or band; `last` itself where there is none ..."""
    high: float | None
    """... and the upper end."""
    best: float | None
    seeds: int = 1
    """Runs whose figures differ: 1 where they are equal, as without randomness."""

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "runs": list(self.runs)}


def group_runs(
    records: Sequence[RunRecord], *, separate: bool = False
) -> dict[str, list[RunRecord]]:
    """Runs by name; those that differ in their seed only are together."""
    names = _names(records)
    setups: dict[tuple[str, int], list[int]] = {}
    counts: dict[tuple[str, int], int] = {}
    for number, record in enumerate(records):
        again = counts.get((record.setup, record.seed), 0)  # a run that was only repeated
        counts[record.setup, record.seed] = again + 1
        key = ("", number) if separate else (record.setup, again)
        setups.setdefault(key, []).append(number)
    groups = {}
    for first, *more in setups.values():
        group = [records[number] for number in (first, *more)]
        groups[name_group(names[first], len(more), is_equal=are_equal(group))] = group
    return groups


def name_group(first: str, more: int, *, is_equal: bool = False) -> str:
    """The name of a run and `more` that differ in their seed, and maybe in nothing else."""
    what = "equal run" if is_equal else "more seed"
    return f"{first} and {more} {what}{'' if more == 1 else 's'}" if more else first


def are_equal(group: Sequence[RunRecord]) -> bool:
    """Whether several runs have the same figures, but for time and memory."""
    if len(group) < 2:
        return False
    rows = [
        [
            {key: value for key, value in row.items() if not key.startswith(("time/", "sys/"))}
            for row in record.metrics
        ]
        for record in group
    ]
    return all(each == rows[0] for each in rows)


def group_curve(
    name: str, group: Sequence[RunRecord], measure: str, axis: str, band: str = BANDS[0]
) -> Curve:
    """The curve of one run, or the mean of several with a band."""
    curves = [_curve(name, record.curve(measure, axis)) for record in group]
    return curves[0] if len(curves) == 1 else mean_curve(name, curves, band)


def group_standing(
    name: str, group: Sequence[RunRecord], measure: str, band: str = BANDS[0]
) -> Standing:
    """The last figures of runs, as far as all of them were measured."""
    ends = {axis: group_curve(name, group, measure, axis, band) for axis in AXES}
    where = {axis: curve.places[-1] if curve.places else None for axis, curve in ends.items()}
    curve = ends["iterations"]
    low, high = curve.band or (curve.values, curve.values)
    iterations, nodes, seconds = where.values()
    return Standing(
        run=name,
        runs=tuple(str(record.path) for record in group),
        game=group[0].game,
        algorithm=group[0].algorithm,
        iterations=None if iterations is None else int(iterations),
        nodes=None if nodes is None else int(nodes),
        seconds=seconds,
        last=curve.values[-1] if curve.values else None,
        low=low[-1] if low else None,
        high=high[-1] if high else None,
        best=_best(measure, curve.values),
        seeds=1 if are_equal(group) else len(group),
    )


class Leaderboard(dict[str, list[Standing]], Tabular):
    """The standings by game, the best first."""

    def table(self) -> ResultTable:
        """A row for each run or group of seeds."""
        return standings_table(row for rows in self.values() for row in rows)

    def __repr__(self) -> str:
        return f"<Leaderboard {', '.join(f'{game}: {len(self[game])} runs' for game in self)}>"


def standings_table(standings: Iterable[Standing]) -> ResultTable:
    """Standings as a table; the directories are left out."""
    rows = ([*each.to_json().items()] for each in standings)
    return ResultTable.of_rows({key: value for key, value in row if key != "runs"} for row in rows)


def leaderboard(
    runs: Sequence[str | Path | RunRecord],
    measure: str = EXPLOITABILITY,
    *,
    band: str = BANDS[0],
    separate: bool = False,
) -> Leaderboard:
    """The standings by game, the best first; runs without the measure are left out.

    Runs that differ in their seed only count as one, with their mean and a band ("range" or "95%").
    """
    if band not in BANDS:
        raise InputError.unknown(f"band: unknown band {band!r}", band, BANDS)
    records = [each if isinstance(each, RunRecord) else read_run(Path(each)) for each in runs]
    measured = [each for each in records if each.curve(measure, "iterations")]
    groups = group_runs(measured, separate=separate)
    found = [group_standing(name, group, measure, band) for name, group in groups.items()]
    by_game: dict[str, list[Standing]] = {}
    for each in found:
        if each.best is not None:
            by_game.setdefault(each.game, []).append(each)
    sign = 1 if is_better(measure.removeprefix("eval/"), 0.0, 1.0) else -1
    return Leaderboard(
        (game, sorted(rows, key=lambda row: sign * (row.best or 0.0)))
        for game, rows in sorted(by_game.items())
    )


def _names(records: Sequence[RunRecord]) -> list[str]:
    """The names of the directories, or their paths where two are the same."""
    names = [record.name for record in records]
    if len(set(names)) < len(names):
        names = [str(record.path) for record in records]
    return names


def _curve(name: str, points: list[Point]) -> Curve:
    """With a band where there are intervals."""
    where, values, low, high = ([point[i] for point in points] for i in range(4))
    return Curve(name, where, values, (low, high) if (low, high) != (values, values) else None)


def _best(measure: str, values: Sequence[float]) -> float | None:
    """The least of what others win, the most of what a policy wins in its matches."""
    if not values:
        return None
    is_most = is_better(measure.removeprefix("eval/"), 1.0, 0.0)
    return max(values) if is_most else min(values)
