# SPDX-License-Identifier: MIT
"""`regretless compare`: the curves of several runs, in one picture and one table."""

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.cli.output import CsvFile, JsonFlag, print_json, print_line, print_note, print_rows
from regretless.cli.progress import Telling
from regretless.cli.result_files import LatexFile, require_places, write_tables
from regretless.errors import InputError
from regretless.evaluation.measures import measure_words
from regretless.games import load_game
from regretless.games.face import unit_name
from regretless.pictures.curves import BANDS, Panel, draw, to_png, to_svg
from regretless.runs.run_groups import group_curve, group_runs, group_standing, standings_table
from regretless.runs.run_record import AXES, RunRecord, read_run
from regretless.storage.files import told_on_failure

_HEADINGS = ("run", "game", "algorithm", "iterations", "nodes", "seconds", "last", "best")


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Directories of runs.")],
    output: Annotated[Path, typer.Option(help="Writes OUTPUT.png and OUTPUT.svg.")] = Path(
        "comparison"
    ),
    measure: Annotated[str, typer.Option(help="A metric of the runs.")] = "eval/exploitability",
    reference: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A reference line; may be given several times."),
    ] = None,
    band: Annotated[
        str, typer.Option(help="Band over runs that differ only in their seed: range or 95%.")
    ] = BANDS[0],
    separate: Annotated[
        bool, typer.Option("--separate", help="Draw every seed as a curve of its own.")
    ] = False,
    csv: CsvFile = None,
    latex: LatexFile = None,
    json: JsonFlag = False,
) -> None:
    """Draw a measure of runs against iterations, nodes touched and seconds.

    Runs that differ in their seed only are one curve, their mean, with a band.
    """
    require_places(csv, latex)
    if band not in BANDS:
        raise InputError.unknown(f"--band: unknown band {band!r}", band, BANDS)
    references = _references(reference or [])
    records = [read_run(path, print_note) for path in runs]
    groups = group_runs(records, separate=separate)
    panels = _panels(groups, measure, band)
    stem = output.with_suffix("") if output.suffix in (".png", ".svg") else output
    paths = [stem.with_name(stem.name + suffix) for suffix in (".png", ".svg")]
    with told_on_failure(output):
        stem.parent.mkdir(parents=True, exist_ok=True)
    require_places(*paths)
    with Telling("drawing", for_programs=json):
        figure = draw(panels, _label(records, measure), references)
        pictures = to_png(figure), to_svg(figure).encode()
    found = [group_standing(name, group, measure, band) for name, group in groups.items()]
    ends = [each.to_json() for each in found]
    with told_on_failure(output):
        for path, picture in zip(paths, pictures, strict=True):
            path.write_bytes(picture)
    write_tables(standings_table(found), csv, latex)
    if json:
        files = [str(path) for path in paths]
        print_json({"measure": measure, "runs": ends, "references": references, "files": files})
        return
    blank = [""] * (len(_HEADINGS) - 3)
    lines = [[name, *blank, _cell(value), ""] for name, value in references.items()]
    print_rows(_HEADINGS, [*map(_row, ends), *lines])
    print_line(f"{paths[0]} {paths[1]}")


def _references(texts: list[str]) -> dict[str, float]:
    """Returns values by name; InputError for a text that is not NAME=VALUE."""
    found = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not name.strip() or not math.isfinite(number):
            raise InputError(f"--reference: must be NAME=VALUE, not {text!r}")
        found[name.strip()] = number
    return found


def _label(records: list[RunRecord], measure: str) -> str:
    """Returns the measure without its group, with the unit if all games share one."""
    name = measure_words(measure)
    if measure.startswith(("eval/lbr_", "eval/match_")):
        return f"{name} (mbb per hand)"
    if name != "exploitability":
        return name
    try:
        units = {unit_name(load_game(record.game)) for record in records}
    except InputError:
        return name
    return f"{name} ({units.pop()})" if len(units) == 1 else name


def _panels(groups: dict[str, list[RunRecord]], measure: str, band: str) -> list[Panel]:
    panels = []
    for axis in AXES:
        curves = [group_curve(name, group, measure, axis, band) for name, group in groups.items()]
        if any(curve.places for curve in curves):
            panels.append(Panel(axis, curves))
    if not panels:
        metrics = [row for group in groups.values() for record in group for row in record.metrics]
        known = sorted({key for row in metrics for key in row})
        measures = [key for key in known if key.startswith("eval/")]
        problem = f"none of the runs has a metric {measure!r} yet"
        raise InputError.unknown(problem, measure, measures) if measures else InputError(problem)
    return panels


def _row(end: dict[str, Any]) -> list[str]:
    """Returns cells for a reader; an interval stands behind its figure."""
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
