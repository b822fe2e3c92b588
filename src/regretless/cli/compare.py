# SPDX-License-Identifier: MIT
"""`regretless compare`: the curves of several runs, in one picture and on one page."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from regretless.cli.output import JsonFlag, console, print_json, print_note
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.units import unit_name
from regretless.pictures.curve_page import curve_page
from regretless.pictures.curves import Curve, Panel, draw, to_png, to_svg
from regretless.storage.run_record import AXES, Point, RunRecord, read_run

_HEADINGS = ("run", "game", "algorithm", "iterations", "nodes", "seconds", "last", "best")


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Directories of runs.")],
    output: Annotated[
        Path, typer.Option(help="Where to write: OUTPUT.png and OUTPUT.html.")
    ] = Path("comparison"),
    measure: Annotated[str, typer.Option(help="A metric of the runs.")] = "eval/exploitability",
    json: JsonFlag = False,
) -> None:
    """Draw a measure of runs against iterations, nodes touched and seconds."""
    records = [read_run(path, print_note) for path in runs]
    names = _names(records)
    panels = _panels(records, names, measure)
    label = _label(records, measure)
    figure = draw(panels, label)
    ends = [_end(record, name, measure) for record, name in zip(records, names, strict=True)]
    title = f"{label}: {', '.join(dict.fromkeys(record.game for record in records))}"
    rows = [_row(end) for end in ends]
    paths = [output.with_name(output.name + suffix) for suffix in (".png", ".html")]
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        paths[0].write_bytes(to_png(figure))
        paths[1].write_text(curve_page(title, to_svg(figure), _HEADINGS, rows), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{output}: {error.strerror or error}") from None
    if json:
        print_json({"measure": measure, "runs": ends, "files": [str(path) for path in paths]})
        return
    table = Table(*_HEADINGS, box=None)
    for row in rows:
        table.add_row(*row)
    console.print(table)
    console.print(f"{paths[0]} {paths[1]}", markup=False, highlight=False, soft_wrap=True)


def _names(records: list[RunRecord]) -> list[str]:
    """The names of the directories, or their paths where two are the same."""
    names = [record.name for record in records]
    if len(set(names)) < len(names):
        names = [str(record.path) for record in records]
    return names


def _label(records: list[RunRecord], measure: str) -> str:
    """The measure without its group, with the unit if all games have the same."""
    name = measure.removeprefix("eval/")
    if name.startswith(("lbr_", "match_")):
        return f"{name} (mbb a hand)"
    if name != "exploitability":
        return measure.rsplit("/", 1)[-1]
    try:
        units = {unit_name(load_game(record.game)) for record in records}
    except InputError:
        return name
    return f"{name} ({units.pop()})" if len(units) == 1 else name


def _panels(records: list[RunRecord], names: list[str], measure: str) -> list[Panel]:
    panels = []
    for axis in AXES:
        found = [record.curve(measure, axis) for record in records]
        if any(found):
            curves = [_curve(name, points) for name, points in zip(names, found, strict=True)]
            panels.append(Panel(axis, curves))
    if not panels:
        known = sorted({key for record in records for row in record.metrics for key in row})
        measures = [key for key in known if key.startswith("eval/")]
        problem = f"none of the runs has a metric {measure!r} yet"
        raise InputError.unknown(problem, measure, measures) if measures else InputError(problem)
    return panels


def _curve(name: str, points: list[Point]) -> Curve:
    """With a band where there are intervals."""
    where, values, low, high = ([point[i] for point in points] for i in range(4))
    return Curve(name, where, values, (low, high) if (low, high) != (values, values) else None)


def _end(record: RunRecord, name: str, measure: str) -> dict[str, Any]:
    """Where a run ended, as far as it was measured."""
    ends = {axis: record.curve(measure, axis)[-1:] for axis in AXES}
    iterations, nodes, seconds = ([point.where for point in ends[axis]] for axis in AXES)
    points = record.curve(measure, "iterations")
    values = [point.value for point in points]
    return {
        "run": name,
        "game": record.game,
        "algorithm": record.algorithm,
        "iterations": int(iterations[-1]) if iterations else None,
        "nodes": int(nodes[-1]) if nodes else None,
        "seconds": seconds[-1] if seconds else None,
        "last": values[-1] if values else None,
        "low": points[-1].low if points else None,
        "high": points[-1].high if points else None,
        "best": _best(measure, values),
    }


def _best(measure: str, values: list[float]) -> float | None:
    """The least of what others win, the most of what a policy wins in its matches."""
    if not values:
        return None
    return max(values) if measure.startswith("eval/match_") else min(values)


def _row(end: dict[str, Any]) -> list[str]:
    """Cells for a reader; an interval stands behind the figure."""
    cells = {key: _cell(end[key]) for key in _HEADINGS}
    if end["low"] != end["high"]:
        cells["last"] += f" ({_cell(end['low'])} to {_cell(end['high'])})"
    return list(cells.values())


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float) or (isinstance(value, int) and value >= 10_000_000):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
