# SPDX-License-Identifier: MIT
"""Output of commands: `--json` prints one JSON object and nothing else, notes go to stderr."""

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table

from regretless.errors import InputError
from regretless.games.amounts import UNIT_VARIABLE
from regretless.matches.intervals import Estimate

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
BotFile = Annotated[
    Path | None,
    typer.Option(
        "--from-file",
        exists=True,
        dir_okay=False,
        help="A Python file of bots, which can then be named.",
    ),
]

BundlePath = Annotated[
    Path, typer.Argument(help="The directory of a bundle or of a run, or a name of `bundle list`.")
]
GameName = Annotated[
    str | None,
    typer.Option(help="A game (see `regretless games`), if no bundle or run has one."),
]
PhhFile = Annotated[Path | None, typer.Option(help="Write every hand to this .phhs file (poker).")]
UnitName = Annotated[
    Literal["bb", "chips"] | None,
    typer.Option(help=f"Unit of amounts (default: {UNIT_VARIABLE}, else bb)."),
]
CsvFile = Annotated[Path | None, typer.Option("--csv", help="Write the rows to this file.")]
ParquetFile = Annotated[
    Path | None, typer.Option("--parquet", help="Write the rows to this file; needs pyarrow.")
]
ForceFlag = Annotated[bool, typer.Option("--force", help="Replace an existing one.")]

console = Console()
_WIDEST = 10_000  # columns of a table


def require_new(path: Path, what: str) -> None:
    """Raises InputError if there is a bundle or an abstraction already."""
    if (path / "manifest.json").exists():
        raise InputError(f"{path}: there is {what} already; --force replaces it")


def print_json(result: dict[str, Any]) -> None:
    json.dump(result, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def print_line(text: str, style: str | None = None) -> None:
    """Prints a line without wrapping or markup."""
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def print_table(table: Table) -> None:
    """Prints a table in its full width, also in a narrow terminal."""
    wide = Console(width=_WIDEST)
    width = Measurement.get(wide, wide.options, table).maximum
    Console(width=max(width, console.width)).print(table)


def print_rows(head: Iterable[str], rows: Iterable[Iterable[RenderableType]]) -> None:
    """Prints rows below their headings, in full width."""
    print_table(rows_table(head, rows))


def rows_table(head: Iterable[str], rows: Iterable[Iterable[RenderableType]]) -> Table:
    """A table without rules, with a heading for each column."""
    table = Table(*head, box=None)
    for row in rows:
        table.add_row(*row)
    return table


def print_facts(facts: Mapping[str, str]) -> None:
    """Prints a line for each fact, with its name in bold."""
    for name, text in facts.items():
        console.print(f"[bold]{name}[/bold]", end="  ")
        print_line(text)


def print_note(text: str) -> None:
    """Prints a note for the user on stderr."""
    print(f"note: {text}", file=sys.stderr)


def value_text(value: Any) -> str:
    """A number, text, list or mapping in readable form."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return "  ".join(value_text(each) for each in value)
    if isinstance(value, dict):
        return "  ".join(f"{key} {value_text(each)}" for key, each in value.items())
    return f"{value:,}" if isinstance(value, int) else str(value)


def cell_text(name: str, value: Any) -> str:
    """A cell of a table of a report: EVs and combos as numbers, all other figures as shares."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    is_number = name.startswith(("ev", "combos"))
    return f"{value:,.2f}" if is_number else f"{value:.1%}"


def estimate_text(won: Estimate, scale: float) -> str:
    """A mean with its 95 % interval, times `scale`."""
    return f"{won.mean * scale:+,.1f} ± {won.half_width * scale:,.1f}"
