# SPDX-License-Identifier: MIT
"""Curves of runs for the pages: measures by group with names and units, seeds as one curve."""

import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regretless.errors import InputError
from regretless.evaluation.measures import measure_words
from regretless.games.face import unit_name
from regretless.pictures.curves import BANDS, Curve
from regretless.runs.run_groups import are_equal, group_curve, group_runs, name_group
from regretless.runs.run_record import AXES, RunRecord
from regretless.web.play.seating import named_game

_MOST_POINTS = 300
_WIDE = 50.0  # from the least to the most, beyond which an axis is logarithmic
_DIGITS = 7  # of the figures of a chart
_ENDS = ("/low", "/high")
_MATCH, _LBR, _EXPLOITABILITY = "eval/match_", "eval/lbr_", "eval/exploitability"
_BLINDS = "big blinds"
_GROUPS = {
    "eval": "strength",
    "loss": "loss",
    "time": "speed",
    "sys": "memory",
    "buffer": "memory",
    "cluster": "cluster",
}  # by the first word of a name
GROUPS = ("strength", "loss", "speed", "memory", "cluster", "training")
"""The groups of measures, in the order in which they are shown."""
_TITLES = {
    "time/steps_per_second": ("Throughput", "steps per second"),
    "time/step_seconds": ("Time of steps between two rows", "seconds"),
    "time/measure_seconds": ("Time of measuring", "seconds"),
    "sys/peak_memory_bytes": ("Memory at its peak", "MiB"),
    "cluster/workers": ("Workers of the cluster", ""),
    "cluster/shards_per_second": ("Shards per second", ""),
    "cluster/retries": ("Shards made again", ""),
    "train/staleness": ("Staleness of the weights", "rounds of learning"),
    "meta/lr_factor": ("Learning rate, share of the first", ""),
    "meta/epsilon": ("Exploration (epsilon)", ""),
    "meta/eta": ("Share of best responses (eta)", ""),
    "meta/temperature": ("Temperature", ""),
}


@dataclass(frozen=True)
class MeasureFacts:
    """A metric as a reader sees it."""

    name: str  # as in metrics.jsonl
    title: str
    unit: str
    scale: float  # from the figure in the file to the unit
    group: str


@dataclass(frozen=True)
class ChartCurve:
    """One run, or the mean of several that differ in their seed."""

    name: str
    runs: tuple[str, ...]
    points: list[list[float]]  # where, value, and the ends of the interval or band if there is one


@dataclass(frozen=True)
class Chart:
    """The curves of one measure."""

    measure: MeasureFacts
    is_log: bool
    curves: list[ChartCurve]


def measure_facts(name: str, games: Iterable[str] = ()) -> MeasureFacts:
    """The title and unit of a metric; the exploitability is in the unit of the games."""
    kind, _, rest = name.partition("/")
    group = _GROUPS.get(kind, "loss" if "loss" in rest else "training")
    title, unit = _TITLES.get(name) or (_title(name, kind, rest), "")
    scale = 2.0**-20 if unit == "MiB" else 1.0
    if group == "strength":
        unit, scale = _unit_of_strength(name, {_unit(game) for game in games})
    return MeasureFacts(name, title, unit, scale, group)


def _unit_of_strength(name: str, units: Collection[str]) -> tuple[str, float]:
    """The unit of a figure, by the units of the games, and its scale."""
    unit = next(iter(units), "") if len(units) < 2 else ""
    end = ", each in its unit" if len(units) > 1 else ""
    if name.startswith(_MATCH):  # thousandths per hand
        return ("bb/100" if unit == _BLINDS else f"{unit} per 100 hands{end}".strip()), 0.1
    if name.startswith(_LBR) and unit == _BLINDS:
        return "mbb per hand", 1.0
    scale = 0.001 if name.startswith(_LBR) else 1.0
    return f"{unit} per hand{end}".strip(), scale


def all_measures(records: Iterable[RunRecord]) -> list[MeasureFacts]:
    """Measures that can be drawn, by group, without axes and ends of intervals."""
    names, games = set[str](), set[str]()
    for record in records:
        games.add(record.game)
        names.update(*record.metrics)
    names -= {"step", *(key for keys in AXES.values() for key in keys)}
    found = [measure_facts(name, games) for name in names if not name.endswith(_ENDS)]
    first = {_EXPLOITABILITY: 0, "time/steps_per_second": 0, "sys/peak_memory_bytes": 0}
    return sorted(found, key=lambda it: (GROUPS.index(it.group), first.get(it.name, 1), it.title))


def newest_figures(record: RunRecord) -> list[dict[str, Any]]:
    """The newest value of each measure of strength, with its interval, in its unit."""
    found = []
    for facts in all_measures([record]):
        points = record.curve(facts.name, "iterations") if facts.group == "strength" else []
        if points:
            where, *values = points[-1]
            value, low, high = (facts.scale * each for each in values)
            ends = (low, high) if low != high else (None, None)
            named = {"name": facts.name, "title": facts.title, "unit": facts.unit}
            found.append({**named, "value": value, "low": ends[0], "high": ends[1], "at": where})
    return found


def draw_charts(
    records: Mapping[str, RunRecord],
    measures: Sequence[MeasureFacts],
    axis: str,
    *,
    apart: Collection[str] = (),
    band: str = BANDS[0],
) -> list[Chart]:
    """A chart for each measure; `records` are by the names that are shown.

    Those that differ in their seed only are one curve, as in `regretless compare`, but for those
    `apart`: a mean goes as far as the shortest of its runs.
    """
    if axis not in AXES:
        raise InputError.unknown(f"axis: no {axis!r}", axis, AXES)
    if band not in BANDS:
        raise InputError.unknown(f"band: unknown band {band!r}", band, BANDS)
    groups, found = _groups(records, apart), []
    is_equal = functools.cache(lambda names: are_equal([records[name] for name in names]))
    for facts in measures:
        curves = []
        for names in groups:
            measured = tuple(n for n in names if any(facts.name in r for r in records[n].metrics))
            if measured:
                name = name_group(measured[0], len(measured) - 1, is_equal=is_equal(measured))
                curves.append(_curve(name, facts, records, measured, axis, band))
        curves = [each for each in curves if each.points]
        found.append(Chart(facts, _is_log(facts.name, curves), curves))
    return found


def _groups(records: Mapping[str, RunRecord], apart: Collection[str]) -> list[list[str]]:
    """The names of the runs of each curve, in the order of their first ones."""
    names = {id(record): name for name, record in records.items()}
    together = [record for name, record in records.items() if name not in apart]
    groups = [[names[id(each)] for each in group] for group in group_runs(together).values()]
    groups += [[name] for name in records if name in apart]
    order = [*records]
    return sorted(groups, key=lambda group: order.index(group[0]))


def _curve(
    name: str,
    facts: MeasureFacts,
    records: Mapping[str, RunRecord],
    names: tuple[str, ...],
    axis: str,
    band: str,
) -> ChartCurve:
    curve = group_curve(name, [records[each] for each in names], facts.name, axis, band)
    return ChartCurve(name, names, _points(curve, facts.scale))


def _points(curve: Curve, scale: float) -> list[list[float]]:
    columns = [curve.values, *(curve.band or ())]
    rows = [
        [_rounded(where), *(_rounded(scale * value) for value in values)]
        for where, *values in zip(curve.places, *columns, strict=True)
    ]
    step = max(1, -(-len(rows) // _MOST_POINTS))
    return rows[::-1][::step][::-1]  # the newest is always there


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _is_log(measure: str, curves: Sequence[ChartCurve]) -> bool:
    values = [row[1] for curve in curves for row in curve.points]
    least, most = min(values, default=0.0), max(values, default=0.0)
    return least > 0 and (measure == _EXPLOITABILITY or most > _WIDE * least)


def _title(name: str, kind: str, rest: str) -> str:
    words = {
        "eval": measure_words(name),
        "loss": "loss of " + re.sub(r" ([0-9]+)$", r", seat \1", _words(rest)),
        "buffer": f"rows kept: {_words(rest)}",
        "train": _words(rest),
        "meta": _words(rest),
    }.get(kind, _words(name))
    return words[:1].upper() + words[1:]


def _words(name: str) -> str:
    return name.replace("_", " ").replace("/", ": ")


@functools.lru_cache(maxsize=64)
def _unit(game: str) -> str:
    """The unit of a game; empty for a custom game."""
    try:
        return unit_name(named_game(game))
    except InputError:
        return ""
