# SPDX-License-Identifier: MIT
"""Classes of hands as a grid: the weight by height, the mix by colour."""

from collections.abc import Callable
from html import escape

from nicegui import ui

from regretless.explorer.node_view import Cell, NodeView
from regretless.web.parts.html_place import html_place, on_point
from regretless.web.parts.palette import RANGE, choice_colours

_KEYS = """(event) => {
  const cell = event.target.closest('.cell');
  const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIZE, ArrowDown: SIZE}[event.key];
  if (!cell || !step) return;
  event.preventDefault(); event.stopPropagation();
  const cells = [...cell.parentElement.children];
  const next = cells[cells.indexOf(cell) + step];
  if (next) { next.focus(); emit(next.dataset.cell); }
}"""


def grid_place(size: int, on_choose: Callable[[str], None]) -> ui.html:
    """The element of a grid; calls `on_choose` with the class under the pointer or the keys."""
    element = on_point(html_place(classes="w-full max-w-grid"), "cell", on_choose)
    on_point(element, "cell", on_choose, "mouseover", throttle=0.1)
    keys = _KEYS.replace("SIZE", str(size))
    return element.on("keydown", lambda event: on_choose(str(event.args)), js_handler=keys)


def grid_html(node: NodeView, seat: int, chosen: str = "") -> str:
    """All classes as buttons."""
    grid = node.grid(seat)
    colours = choice_colours(node.choices) if seat == node.actor else []
    texts = [each.text for each in node.choices]
    first = grid[0][0].name
    cells = "".join(
        _cell_html(cell, colours, texts, cell.name == (chosen or first))
        for row in grid
        for cell in row
    )
    return (
        f'<div class="grid13" role="group" aria-label="hands of {escape(node.seats[seat].name)}" '
        f'data-line="{escape(node.line)}" '
        f'style="grid-template-columns: repeat({len(grid)}, minmax(0, 1fr))">{cells}</div>'
    )


def _cell_html(cell: Cell, colours: list[str], texts: list[str], is_first: bool) -> str:
    classes = "cell" + ("" if cell.weight > 0 else " none")
    told, style = f"{cell.name}: does not arrive", ""
    if cell.weight > 0:
        stripes = _stripes(cell, colours)
        shares = [
            f"{text} {share:.0%}" for text, share in zip(texts, cell.mix, strict=False) if colours
        ]
        told = ", ".join([f"{cell.name}: {cell.weight:.0%} arrives", *shares])
        height = max(100 * cell.weight, 3)
        style = f"background-image:{stripes};background-size:100% {height:.1f}%"
    tab = 0 if is_first else -1
    return (
        f'<button class="{classes}" data-cell="{cell.name}" tabindex="{tab}" style="{style}" '
        f'title="{escape(told)}" aria-label="{escape(told)}">{cell.name}</button>'
    )


def _stripes(cell: Cell, colours: list[str]) -> str:
    if not colours:
        return f"linear-gradient({RANGE}, {RANGE})"
    ends, stops = 0.0, []
    for share, colour in zip(cell.mix, colours, strict=True):
        begins, ends = ends, ends + 100 * share
        if share > 0.001:
            stops.append(f"{colour} {begins:.1f}% {ends:.1f}%")
    return f"linear-gradient(to right, {', '.join(stops)})"
