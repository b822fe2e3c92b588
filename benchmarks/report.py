# SPDX-License-Identifier: MIT
"""The report of `regretless bench`: our speed beside other projects', measured in the same run."""

import importlib.util
import sys
from dataclasses import asdict
from itertools import zip_longest
from typing import Any, Literal

from rich.box import SIMPLE
from rich.table import Table

from benchmarks.comparison import FULL, QUICK, Comparison, compare, reaches
from benchmarks.machine import describe_machine
from benchmarks.measures import MEASURES, Measure
from benchmarks.peers import find_peers
from benchmarks.signature import learner_signature, signature
from regretless.cli.output import console, print_json
from regretless.errors import InputError


def print_speed(name: str | None, *, json: bool, quick: bool) -> None:
    """Measures one thing, or all, beside the peers that `make bench` installs."""
    environment, effort = find_peers(), QUICK if quick else FULL
    machine = describe_machine()
    comparisons = [
        compare(measure, environment, effort, _report_progress) for measure in _chosen(name)
    ]
    if json:
        print_json({"measures": [_as_json(item) for item in comparisons], "machine": machine})
        return
    console.print(_table(comparisons))
    for note in _notes(comparisons):
        console.print(note, markup=False, highlight=False)
    console.print(_machine_line(machine), markup=False, highlight=False)


def print_signature(json: bool) -> None:
    """Prints the hashes of fixed results: they change only if results do."""
    parts = signature()
    learners = learner_signature() if importlib.util.find_spec("torch") else {}
    if json:
        print_json({**parts, "learners": learners})
        return
    for line in filter(None, (parts, learners)):
        print(" ".join(f"{name} {part}" for name, part in line.items()))


def _machine_line(machine: dict[str, Any]) -> str:
    built = f"{machine['level']}{' (compiled for it)' if machine['tuned'] else ''}"
    cores = f"{machine['cores']} cores"
    return f"{machine['cpu']}, {built}, {machine['compiler']}, {cores}, Python {machine['python']}"


def _chosen(name: str | None) -> list[Measure]:
    if name is None:
        return list(MEASURES.values())
    if name not in MEASURES:
        raise InputError(f"no measure is called {name!r}; there are {', '.join(MEASURES)}")
    return [MEASURES[name]]


def _report_progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _as_json(comparison: Comparison) -> dict[str, Any]:
    measure = comparison.measure
    return {
        "name": measure.name,
        "unit": measure.unit,
        "rate": comparison.rate,
        "floor": measure.floor,
        "goal": measure.goal,
        "limit": comparison.share and asdict(comparison.share),
        "peers": [
            {
                "peer": item.peer.name,
                "version": item.reading.version,
                "rate": item.reading.rate,
                "ratio": item.ratio,
                "target": item.peer.target,
                "note": item.reading.note,
            }
            for item in comparison.peers
        ],
    }


def _table(comparisons: list[Comparison]) -> Table:
    """A line for each thing a measure stands against: its floor, its goal and its peers.

    In a narrow terminal names are wrapped; figures are never cut.
    """
    table = Table(box=SIMPLE, collapse_padding=True, pad_edge=False)
    for header in ("measure", "ours", "against", "figure", "ratio", "target", "reached"):
        is_text = header in ("measure", "against", "reached")
        justify: Literal["left", "right"] = "left" if is_text else "right"
        is_figure = header not in ("measure", "against")
        table.add_column(header, justify=justify, no_wrap=is_figure, overflow="fold")
    for comparison in comparisons:
        measure = comparison.measure
        names = [measure.name, f"[dim]{measure.unit}[/dim]"]
        rates = [_figure(comparison.rate)]
        lines = zip_longest(names, rates, _lines_against(comparison), fillvalue="")
        for name, rate, cells in lines:
            table.add_row(name, rate, *cells)
        table.add_section()
    return table


def _lines_against(comparison: Comparison) -> list[list[str]]:
    measure, rate = comparison.measure, comparison.rate
    limits = [
        [kind, _figure(limit), "", "", _yes_or_no(reaches(rate, limit))]
        for kind, limit in (("floor", measure.floor), ("goal", measure.goal))
        if limit is not None
    ]
    if comparison.share:
        limits.append(
            [f"limit by {comparison.share.limit}", "", f"{comparison.share.share:.0%}", "", ""]
        )
    peers = [
        [
            f"{item.peer.name} {item.reading.version or ''}".strip(),
            "none" if item.reading.rate is None else _figure(item.reading.rate),
            "" if item.ratio is None else f"{_figure(item.ratio)}x",
            "" if item.peer.target is None else f"{_figure(item.peer.target)}x",
            _yes_or_no(item.reached),
        ]
        for item in comparison.peers
    ]
    return limits + peers


def _notes(comparisons: list[Comparison]) -> list[str]:
    """Why some peers have no figure: one line for each reason, with the peers it holds for."""
    peers: dict[str, dict[str, None]] = {}
    for comparison in comparisons:
        for item in comparison.peers:
            if item.reading.note:
                peers.setdefault(item.reading.note, {})[item.peer.name] = None
    return [f"{', '.join(names)}: {note}" for note, names in peers.items()]


def _figure(value: float) -> str:
    """About three digits, with a metric prefix from ten thousand on."""
    prefix = ""
    for scale, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= max(scale, 1e4):
            value, prefix = value / scale, name
            break
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2
    text = f"{value:,.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if decimals else text) + prefix


def _yes_or_no(reached: bool | None) -> str:
    return "" if reached is None else "yes" if reached else "no"
