# SPDX-License-Identifier: MIT
"""`regretless show`: any node of a solved spot or small game, by its line of play."""

import math
from typing import Annotated, Any, Literal

import typer
from rich.table import Table
from rich.text import Text

from regretless.cli.output import (
    BundlePath,
    CsvFile,
    JsonFlag,
    ParquetFile,
    UnitName,
    console,
    print_json,
    print_line,
    print_table,
    rows_table,
)
from regretless.explorer.hand_filter import HandFilter
from regretless.explorer.node_view import Cell, NodeView
from regretless.explorer.nodes import SolvedTree
from regretless.notation.cards import FULL_DECK
from regretless.notation.ranges import Range
from regretless.storage.row_files import write_rows

_FOLD, _CALL = "blue", "green"
_RAISES = ("gold3", "dark_orange", "red", "magenta", "purple", "deep_pink4")
_MOST_ROWS = 40  # hands of a small game that are listed without being asked for


def show(
    bundle: BundlePath,
    line: Annotated[
        str, typer.Argument(help="A line of play, such as 'x b75% c | 7h | x' (see notation.md).")
    ] = "",
    hands: Annotated[
        str | None,
        typer.Option(
            help="List the hands of these classes, such as AKs or 'TT+,AQ'; all: every hand."
        ),
    ] = None,
    seat: Annotated[
        Literal["oop", "ip", "0", "1"] | None,
        typer.Option(help="Player of the range.", case_sensitive=False),
    ] = None,
    unit: UnitName = None,
    view: Annotated[
        Literal["strategy", "ev", "equity", "weight", "regret"],
        typer.Option(help="Figures of the grid; regret: chips lost against the best action."),
    ] = "strategy",
    by: Annotated[
        Literal["made", "draw", "hand"] | None,
        typer.Option(help="Break the range down by made hand, draw, or class of the grid."),
    ] = None,
    made: Annotated[str, typer.Option(help="Only these made hands: set,top-pair.")] = "",
    draw: Annotated[str, typer.Option(help="Only these draws: flush-draw,gutshot.")] = "",
    suits: Annotated[str, typer.Option(help="Only these suits: h, hh, hs, suited, offsuit.")] = "",
    action: Annotated[str, typer.Option(help="Only hands that choose it: b33, or b33:50%.")] = "",
    csv_file: CsvFile = None,
    parquet: ParquetFile = None,
    json: JsonFlag = False,
) -> None:
    """Show a node: the range and the mix of the player to act, and both ranges."""
    node = SolvedTree.open(bundle).node(line, unit=unit)
    player = max(node.actor, 0) if seat is None else int(seat in ("ip", "1"))
    node = HandFilter(made, draw, suits, action).apply(node, player)
    rows = _rows(node, player, hands)
    classes = [] if by is None else node.class_rows(player, by)
    write_rows(lambda: rows if by is None else classes, csv_file, parquet)
    if json:
        print_json(node.to_json())
        return
    _show_head(node)
    if node.ranks:
        _show_grid(node, player, view)
    _show_choices(node)
    if by is not None:
        _show_rows(node, classes, "there are no classes here")
    if hands is not None or (not node.ranks and len(rows) <= _MOST_ROWS):
        _show_rows(node, rows, "no such hand arrives here")


def _rows(node: NodeView, player: int, hands: str | None) -> list[dict[str, Any]]:
    if hands is None or hands == "all":
        return list(node.rows(player))
    ranged = Range.parse(hands, FULL_DECK).combos() if node.ranks else [(hands, 1.0)]
    return list(node.rows(player, {name for name, _ in ranged}))


def _show_head(node: NodeView) -> None:
    places = [node.street or "", node.board, f"pot {_number(node.pot)} {node.unit}"]
    if node.to_call:
        places.append(f"{_number(node.to_call)} to call")
    print_line("  ".join(each for each in places if each), style="bold")
    print_line(node.line or "(the start)")
    rows = []
    for each in node.seats:
        name = each.name + (" to act" if each.seat == node.actor else "")
        rows.append((name, f"{each.combos:,.2f}", _share(each.equity), _number(each.value)))
    console.print(rows_table(["range", "combos", "equity", "EV"], rows))


def _show_grid(node: NodeView, player: int, view: str) -> None:
    if view == "strategy" and (console.color_system is None or console.no_color):
        _show_plain_grid(node, player)
        return
    colours = _colours(node) if player == node.actor else []
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    for cells in node.grid(player):
        if view == "strategy":
            table.add_row(*(_cell_text(cell, colours) for cell in cells))
        else:
            table.add_row(*(_figure_text(cell, view) for cell in cells))
    print_table(table)


def _figure_text(cell: Cell, view: str) -> Text:
    """The name and one figure: chips, or per cent of equity or weight; nothing: unknown."""
    figure = cell.of_view(view)
    if cell.weight <= 0:
        return Text(cell.name, style="grey37")
    is_share = view in ("equity", "weight")
    text = "" if math.isnan(figure) else f"{figure:.0%}" if is_share else f"{figure:.1f}"
    return Text(f"{cell.name:<3} {text}", style="bold")


def _show_plain_grid(node: NodeView, player: int) -> None:
    """A grid without colours: weights in percent, and mixes in tenths."""
    words = [each.word for each in node.choices] if player == node.actor else []
    for cells in node.grid(player):
        print_line("  ".join(_plain_cell(cell, len(words)) for cell in cells).rstrip())
    legend = "weight in percent, - is not in the range"
    if words:
        legend += f"; tenths of {' '.join(words)}: * is all, . is none"
    print_line(legend)


def _plain_cell(cell: Cell, num_choices: int) -> str:
    if cell.weight <= 0:
        return f"{cell.name:<3}   -" + " " * (num_choices + bool(num_choices))
    tenths = [round(10 * share) for share in cell.mix]
    mix = "".join({0: ".", 10: "*"}.get(each, str(each)) for each in tenths)
    percent = max(round(100 * cell.weight), 1)
    return f"{cell.name:<3} {percent:>3}" + (f" {mix}" if num_choices else "")


def _cell_text(cell: Cell, colours: list[str]) -> Text:
    """Name and percent that arrive (none: all), over bars as wide as the shares of the choices."""
    percent = round(100 * cell.weight)
    text = f"{cell.name:<3}" + (f"{percent:>2}" if cell.weight > 0 and percent < 100 else "  ")
    if cell.weight <= 0:
        return Text(text, style="grey37")
    styled = Text(text, style="bold")
    if not colours:
        return styled
    first, total = 0, 0.0
    for share, colour in zip(cell.mix, colours, strict=True):
        total += share
        last = round(total * len(text))
        styled.stylize(f"black on {colour}", first, last)
        first = last
    return styled


def _colours(node: NodeView) -> list[str]:
    """The colours of fold, call, and raises from small to large."""
    raises = iter(_RAISES)
    named = {"f": _FOLD, "x": _CALL, "c": _CALL}
    return [named.get(each.word) or next(raises, _RAISES[-1]) for each in node.choices]


def _show_choices(node: NodeView) -> None:
    if node.cards:
        head = ["card", *(f"EV {each.name}" for each in node.seats)]
        cards = ((each.card, *map(_number, each.values)) for each in node.cards)
        console.print(rows_table(head, cards))
    if not node.choices:
        return
    rows = []
    for choice, colour in zip(node.choices, _colours(node), strict=True):
        name = Text(choice.word, style=f"black on {colour}")
        rows.append((name, choice.text, _share(choice.share), _number(choice.value)))
    console.print(rows_table(["", "choice", "share", "EV"], rows))


def _show_rows(node: NodeView, rows: list[dict[str, Any]], no_rows: str) -> None:
    if not rows:
        print_line(no_rows)
        return
    names = [name for name in rows[0] if name not in ("line", "seat")]
    cells = [names, *([_cell(name, row[name], node) for name in names] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(names))]
    for row in cells:
        padded = (f"{text:>{width}}" for text, width in zip(row, widths, strict=True))
        print_line("  ".join(padded))


def _cell(name: str, value: Any, node: NodeView) -> str:
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    is_share = name in ("share", "equity") or any(each.word == name for each in node.choices)
    return _share(value) if is_share else _number(value)


def _share(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1%}"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:,.2f}".rstrip("0").rstrip(".")
