# SPDX-License-Identifier: MIT
"""Hands of Omaha by class, as a table: weight and mix."""

from collections.abc import Callable
from html import escape

from nicegui import events, ui

from regretless.explorer.class_table import class_cells
from regretless.explorer.node_view import Cell, NodeView
from regretless.web.parts.node_tables import mix_bar, number_text, plain_table, scrolled, share_text
from regretless.web.parts.palette import choice_colours

_POINT = "(event) => { const b = event.target.closest('button'); if (b) emit(b.dataset.cell); }"


def class_place(on_choose: Callable[[str], None]) -> ui.html:
    """The element of the table; calls `on_choose` with the class that was chosen."""

    def choose(event: events.GenericEventArguments) -> None:
        on_choose(str(event.args))

    element = ui.html("", sanitize=False).classes("w-full")
    return element.on("click", choose, js_handler=_POINT)


def class_table_html(node: NodeView, seat: int) -> str:
    """The table of the hands of a seat."""
    is_turn = seat == node.actor
    colours = choice_colours(node.choices) if is_turn else []
    cells = class_cells(node, seat)
    total = sum(each.weight * each.hands for each in cells)
    head = ["class", "hands", "weight", "share"]
    head += ["mix", *(each.word for each in node.choices)] if is_turn else []
    rows = [_row(each, total, colours) for each in cells]
    note = ""
    if node.hands_in_all:
        told = f"A sample of {len(node.seats[seat].hands):,} of {node.hands_in_all:,} hands."
        note = f'<p class="dim">{told}</p>'
    return note + scrolled(plain_table(head, rows), "classes of hands")


def _row(cell: Cell, total: float, colours: list[str]) -> str:
    name = escape(cell.name)
    share = cell.weight * cell.hands / total if total > 0 else float("nan")
    cells = [
        f'<button class="plainlink" data-cell="{name}">{name}</button>',
        f"{cell.hands:,}",
        number_text(cell.weight),
        share_text(share),
    ]
    told = "".join(f"<td>{each}</td>" for each in cells)
    if colours:
        mix = cell.mix or [float("nan")] * len(colours)
        bar = mix_bar((0 if each != each else each for each in mix), colours)
        told += f'<td class="wide">{bar}</td>'
        told += "".join(f"<td>{share_text(each)}</td>" for each in mix)
    return f'<tr data-class="{name}">{told}</tr>'
