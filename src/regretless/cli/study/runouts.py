# SPDX-License-Identifier: MIT
"""`regretless runouts`: every turn or river card after a line of play, as one table."""

from typing import Annotated, Any, Literal

import typer

from regretless.cli.output import (
    BundlePath,
    CsvFile,
    JsonFlag,
    ParquetFile,
    cell_text,
    print_json,
    print_rows,
)
from regretless.cli.progress import Telling
from regretless.explorer.nodes import SolvedTree
from regretless.explorer.runouts import find_runouts, mean_runout, runout_hands
from regretless.storage.row_files import write_rows


def runouts(
    bundle: BundlePath,
    line: Annotated[
        str, typer.Argument(help="A line of play that ends where a card is due, such as 'x x'.")
    ] = "",
    then: Annotated[
        str, typer.Option(help="Actions after the card: x shows the answer to a check.")
    ] = "",
    by: Annotated[
        Literal["card", "hand"],
        typer.Option(help="Rows of --csv and --parquet: cards, or hands behind each card."),
    ] = "card",
    csv_file: CsvFile = None,
    parquet: ParquetFile = None,
    json: JsonFlag = False,
) -> None:
    """Report every next card: action frequencies, and EV and equity of both players."""
    tree = SolvedTree.open(bundle)
    with Telling(for_programs=json) as telling:
        telling.say("cards")

        def rows() -> Any:
            found = find_runouts(tree, line, then, telling.watch())
            return runout_hands(found) if by == "hand" else (each.row() for each in found)

        if by == "hand" and (csv_file is not None or parquet is not None):
            write_rows(rows, csv_file, parquet)
            csv_file = parquet = None
        found = [each.row() for each in find_runouts(tree, line, then, telling.watch())]
        write_rows(lambda: found, csv_file, parquet)
    mean = mean_runout(found)
    if json:
        print_json({"line": line, "then": then, "cards": found, "mean": mean})
        return
    names = [name for name in mean if name != "card"]
    lines = ([cell_text(name, row[name]) for name in names] for row in [*found, mean])
    print_rows(names, lines)
