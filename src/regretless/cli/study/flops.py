# SPDX-License-Identifier: MIT
"""`regretless flops`: one pair of ranges solved on many flops, as one table."""

import csv
import io
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from regretless.cli.output import JsonFlag, console, print_json, print_note
from regretless.cli.spot_options import takes_spot
from regretless.errors import InputError
from regretless.solving.flop_report import flop_rows, mean_row, read_flops, table_of
from regretless.solving.spot_options import SpotOptions
from regretless.storage.files import require_place, told_on_failure, write_file

Flops = Annotated[
    str, typer.Option(help="How many, chosen to stand for all 1,755, or a list: Td9d6h,AsKd2c.")
]
Output = Annotated[Path, typer.Option(help="Keeps the rows; the same command goes on from it.")]
CsvFile = Annotated[Path | None, typer.Option("--csv", help="Write the table there, too.")]


@takes_spot("board")
def flops(
    output: Output,
    *,
    flops: Flops = "25",
    spot: SpotOptions,
    target: Annotated[float, typer.Option(help="% of the pot, for each flop.")] = 0.5,
    iterations: Annotated[int | None, typer.Option(help="At most so many for each flop.")] = None,
    threads: Annotated[int, typer.Option(help="Threads.")] = 1,
    csv_file: CsvFile = None,
    json: JsonFlag = False,
) -> None:
    """Solve the same ranges and sizes on many flops: how often each action, EVs and equities."""
    for name in ("pot", "stack"):
        if getattr(spot, name) is None:
            raise InputError(f"give --{name}, a number of chips")
    budget: dict[str, Any] = {"target": target, "iterations": iterations, "threads": threads}
    chosen = read_flops(flops)
    if csv_file is not None:
        require_place(csv_file)
    rows = flop_rows(spot, chosen, output, budget, lambda row: print_note(f"{row['flop']} done"))
    if csv_file is not None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(table_of(rows))
        with told_on_failure(csv_file):
            write_file(csv_file, text.getvalue())
    if json:
        print_json({"rows": rows, "mean": mean_row(rows)})
        return
    names, *lines = table_of(rows)
    table = Table(*names, box=None)
    for line in lines:
        table.add_row(*(_text(each) for each in line))
    console.print(table)


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.4g}"
