# SPDX-License-Identifier: MIT
"""Curves of runs as charts: one for each measure, a line for each run or for all its seeds."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from regretless.evaluation.measures import measure_words
from regretless.pictures.colours import LINES
from regretless.pictures.curves import Curve
from regretless.runs.run_groups import are_equal, group_curve, group_runs, name_group
from regretless.runs.run_record import AXES, RunRecord

ENDS = ("/low", "/high")
_MOST_POINTS = 400
_MOST_SHOWN = 6  # measures that are drawn without being asked for
_WIDE = 50.0  # from the least to the most, beyond which an axis is logarithmic
_LEGEND, _MARK = 70, 6  # characters of a line of a legend, and those that a mark takes
_DIM = "#7a7a7a"
_MATCH, _LBR = "eval/match_", "eval/lbr_"
CLUSTER = {
    "cluster/workers": "workers of the cluster",
    "cluster/shards_per_second": "shards a second",
    "train/staleness": "staleness of the weights, rounds of learning",
    "cluster/retries": "shards made again",
}
"""Figures of a run on a cluster, and their titles."""
_TITLES = {
    "eval/exploitability": "exploitability",
    "time/steps_per_second": "throughput, steps a second",
    "sys/peak_memory_bytes": "memory at its peak, MiB",
    **CLUSTER,
}


def all_measures(records: Sequence[RunRecord]) -> list[str]:
    """Measures that can be drawn, without axes and ends of intervals."""
    names = {key for record in records for row in record.metrics for key in row}
    names -= {"step", *(key for keys in AXES.values() for key in keys)}
    return sorted(name for name in names if not name.endswith(ENDS))


def first_measures(records: Sequence[RunRecord]) -> list[str]:
    """The first measures to draw: evaluations, losses, throughput, memory, and the cluster."""
    names = all_measures(records)
    always = [each for each in ("time/steps_per_second", "sys/peak_memory_bytes") if each in names]
    wanted = [name for name in names if name.startswith("eval/")]
    wanted += [name for name in names if "loss" in name]
    return (
        wanted[: _MOST_SHOWN - len(always)] + always + [each for each in CLUSTER if each in names]
    )


def chart_options(
    measure: str, records: Mapping[str, RunRecord], axis: str, *, apart: Collection[str]
) -> dict[str, Any]:
    """A chart of one measure; `records` are by the names that are shown.

    Those that differ in their seed only are one curve, but for those `apart`.
    """
    series: list[dict[str, Any]] = []
    scale = _scale(measure)
    least, most = math.inf, -math.inf
    for number, curve in enumerate(_curves(measure, records, axis, apart)):
        if not curve.places:
            continue
        step = max(1, len(curve.places) // _MOST_POINTS)
        least, most = min(least, *curve.values), max(most, *curve.values)
        colour = LINES[number % len(LINES)]
        shown = {"type": "line", "showSymbol": len(curve.places) < 2, "color": colour}
        series.append({**shown, "name": curve.name, "data": _points(curve, None, scale, step)})
        for side in range(2) if curve.band is not None else ():
            data = _points(curve, side, scale, step)
            style = {"type": "dotted", "width": 1}
            series.append({**shown, "name": curve.name, "data": data, "lineStyle": style})
    is_log = least > 0 and ("exploitability" in measure or most > _WIDE * least)
    lines = _legend_lines(dict.fromkeys(each["name"] for each in series))
    style = {"fontSize": 13, "color": _DIM}
    return {
        "animation": False,
        "title": {"text": measure_title(measure), "left": 0, "textStyle": style},
        "legend": {"top": 24, "type": "plain", "textStyle": {"color": _DIM}},
        "tooltip": {"trigger": "axis"},
        "grid": {"left": 70, "right": 20, "top": 42 + 20 * lines, "bottom": 40},
        "xAxis": {"type": "value", "name": axis, "nameLocation": "middle", "nameGap": 24},
        "yAxis": {"type": "log" if is_log else "value", "scale": True},
        "series": series,
    }


def _legend_lines(names: Collection[str]) -> int:
    """Lines that a legend of these names takes below each other."""
    return max(1, math.ceil(sum(len(name) + _MARK for name in names) / _LEGEND))


def measure_title(measure: str) -> str:
    """As a reader wants it, in the unit of the charts."""
    unit = {_MATCH: ", bb/100", _LBR: ", mbb per hand"}
    units = (text for begin, text in unit.items() if measure.startswith(begin))
    return _TITLES.get(measure) or measure_words(measure) + next(units, "")


def _scale(measure: str) -> float:
    """From mbb a hand to bb/100, from bytes to MiB."""
    if measure.startswith(_MATCH):
        return 0.1
    return 2.0**-20 if measure == "sys/peak_memory_bytes" else 1.0


def _curves(
    measure: str, records: Mapping[str, RunRecord], axis: str, apart: Collection[str]
) -> list[Curve]:
    """Groups are called by the first of their names, and stand where that one stands."""
    names = {id(record): name for name, record in records.items()}
    together = [record for name, record in records.items() if name not in apart]
    measured = [record for record in together if any(measure in row for row in record.metrics)]
    groups = [*group_runs(measured).values(), *([records[each]] for each in apart)]
    order = [*records]
    groups.sort(key=lambda group: order.index(names[id(group[0])]))
    curves = []
    for group in groups:
        name = name_group(names[id(group[0])], len(group) - 1, is_equal=are_equal(group))
        curves.append(group_curve(name, group, measure, axis))
    return curves


def _points(curve: Curve, side: int | None, scale: float, step: int) -> list[list[float]]:
    values = curve.values if side is None or curve.band is None else curve.band[side]
    found = [[where, scale * value] for where, value in zip(curve.places, values, strict=True)]
    return found[::-1][::step][::-1]  # the newest is always there
