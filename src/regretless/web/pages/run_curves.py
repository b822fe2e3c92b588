# SPDX-License-Identifier: MIT
"""Curves of runs as charts: one for each measure, a line for each run or for all its seeds."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from regretless.pictures.colours import LINES
from regretless.pictures.curves import Curve
from regretless.runs.run_groups import group_curve, group_runs
from regretless.runs.run_record import AXES, RunRecord

ENDS = ("/low", "/high")
_MOST_POINTS = 400
_MOST_SHOWN = 6  # measures that are drawn without being asked for
_DIM = "#7a7a7a"
_MATCH = "eval/match_"
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
    is_positive = True
    for number, curve in enumerate(_curves(measure, records, axis, apart)):
        if not curve.places:
            continue
        step = max(1, len(curve.places) // _MOST_POINTS)
        is_positive &= min(curve.values) > 0
        colour = LINES[number % len(LINES)]
        shown = {"type": "line", "showSymbol": len(curve.places) < 2, "color": colour}
        series.append({**shown, "name": curve.name, "data": _points(curve, None, scale, step)})
        for side in range(2) if curve.band is not None else ():
            data = _points(curve, side, scale, step)
            style = {"type": "dotted", "width": 1}
            series.append({**shown, "name": curve.name, "data": data, "lineStyle": style})
    is_log = is_positive and "exploitability" in measure
    style = {"fontSize": 13, "color": _DIM}
    return {
        "animation": False,
        "title": {"text": measure_title(measure), "left": 0, "textStyle": style},
        "legend": {"top": 24, "type": "scroll", "textStyle": {"color": _DIM}},
        "tooltip": {"trigger": "axis"},
        "grid": {"left": 70, "right": 20, "top": 62, "bottom": 40},
        "xAxis": {"type": "value", "name": axis, "nameLocation": "middle", "nameGap": 24},
        "yAxis": {"type": "log" if is_log else "value", "scale": True},
        "series": series,
    }


def measure_title(measure: str) -> str:
    """As a reader wants it, in the unit of the charts."""
    if measure.startswith(_MATCH):
        return f"won from {measure.removeprefix(_MATCH).replace('_', '-')}, bb/100"
    if measure.startswith("eval/lbr_"):
        return f"{measure}, mbb a hand"
    return _TITLES.get(measure, measure)


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
        seeds = "" if len(group) == 1 else f", {len(group)} seeds"
        curves.append(group_curve(names[id(group[0])] + seeds, group, measure, axis))
    return curves


def _points(curve: Curve, side: int | None, scale: float, step: int) -> list[list[float]]:
    values = curve.values if side is None or curve.band is None else curve.band[side]
    found = [[where, scale * value] for where, value in zip(curve.places, values, strict=True)]
    return found[::-1][::step][::-1]  # the newest is always there
