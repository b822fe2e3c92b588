# SPDX-License-Identifier: MIT
"""`regretless compare-spots`: two solutions of a spot side by side."""

import contextlib
from typing import Annotated, Any, Literal

import typer

from regretless.bundles.bundle import Bundle
from regretless.cli.output import (
    BundlePath,
    CsvFile,
    JsonFlag,
    ParquetFile,
    cell_text,
    print_json,
    print_line,
    print_rows,
)
from regretless.cli.progress import Telling
from regretless.errors import InputError
from regretless.explorer.comparison import Comparison, names_of
from regretless.explorer.nodes import SolvedTree
from regretless.games.spots import spot_of
from regretless.runs.run_record import require_bundle
from regretless.storage.row_files import write_rows

_MOST_TEXT = 80  # characters of a setting


def compare_spots(
    first: BundlePath,
    second: BundlePath,
    line: Annotated[str, typer.Argument(help="A line of play that both have.")] = "",
    by: Annotated[
        Literal["actions", "ranges", "hands", "made", "draw", "classes", "runouts", "nodes"],
        typer.Option(
            help="Rows: actions, both ranges, hands, made hands, draws, the 169 classes, "
            "next cards, or all nodes of the street."
        ),
    ] = "actions",
    seat: Annotated[
        Literal["oop", "ip", "0", "1"] | None,
        typer.Option(
            help="Player of hands and classes; the one to act without.", case_sensitive=False
        ),
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, max=100_000, help="Most rows to print; files have all.")
    ] = 30,
    csv_file: CsvFile = None,
    parquet: ParquetFile = None,
    json: JsonFlag = False,
) -> None:
    """Compare two solutions: differences of frequencies and EVs, the largest first."""
    bundles = [require_bundle(path, verify=False) for path in (first, second)]
    one, two = (SolvedTree.of_bundle(each) for each in bundles)
    found = Comparison.at(one, two, line)
    player = None if seat is None else int(seat in ("ip", "1"))
    with Telling(for_programs=json) as telling:
        telling.say("comparing")
        rows = found.table(by, player, telling.watch())
    names = names_of(rows)
    write_rows(lambda: rows, csv_file, parquet, names)
    facts = [_facts(name, bundle) for name, bundle in zip("AB", bundles, strict=True)]
    if json:
        print_json({"solutions": facts, "line": line, "settings": found.settings, "rows": rows})
        return
    for fact in facts:
        print_line(f"{fact['name']}  {fact['path']}  {fact['strength']}")
    for name, (ours, theirs) in found.settings.items():
        texts = f"{ours} (A), {theirs} (B)"
        print_line(f"{name}: {texts}" if len(texts) <= _MOST_TEXT else f"{name} differ")
    lines = ([cell_text(name, row.get(name)) for name in names] for row in rows[:most])
    print_rows(names, lines)
    if len(rows) > most:
        print_line(f"and {len(rows) - most:,} more")


def _facts(name: str, bundle: Bundle) -> dict[str, Any]:
    """The name and the claimed exploitability of a solution, of a spot in % of the pot."""
    exact = [each for each in bundle.manifest.strength if each.measure.endswith("exploitability")]
    facts = {"name": name, "path": str(bundle.path), "exploitability": None, "unit": ""}
    if not exact:
        return facts | {"strength": "exploitability not measured"}
    value, unit = exact[0].value, exact[0].unit
    with contextlib.suppress(InputError):  # not a spot
        value, unit = 100 * value / spot_of(bundle.game).pot, "% of the pot"
    strength = f"exploitability {value:.3g} {unit}"
    return facts | {"exploitability": value, "unit": unit, "strength": strength}
