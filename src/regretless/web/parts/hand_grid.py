# SPDX-License-Identifier: MIT
"""Classes of hands as a grid: the weight by height, the mix by colour."""

from collections.abc import Callable

from nicegui import ui

from regretless.explorer.node_view import Cell, NodeView
from regretless.web.parts.elements import html_place, on_point
from regretless.web.parts.html import tag
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


def node_grid(node: NodeView, seat: int, chosen: str = "") -> str:
    """The hands of a seat; the chosen class is reached by keys first."""
    grid = node.grid(seat)
    colours = choice_colours(node.choices) if seat == node.actor else []
    texts = [each.text for each in node.choices] if colours else []
    first = chosen or grid[0][0].name
    cells = ""
    for cell in (cell for row in grid for cell in row):
        told = f"{cell.name}: does not arrive"
        if cell.weight > 0:
            shares = [f"{text} {p:.0%}" for text, p in zip(texts, cell.mix, strict=False)]
            told = ", ".join([f"{cell.name}: {cell.weight:.0%} arrives", *shares])
        stripes = _stripes(cell, colours)
        cells += cell_html(cell.name, cell.weight, told, cell.name == first, stripes)
    return grid_html(cells, len(grid), f"hands of {node.seats[seat].name}", data_line=node.line)


def grid_html(cells: str, size: int, name: str, **attributes: str) -> str:
    """A square of cells."""
    style = f"grid-template-columns: repeat({size}, minmax(0, 1fr))"
    shown = {"class_": "grid13", "role": "group", "aria_label": name, "style": style}
    return tag("div", cells, **shown | attributes)


def cell_html(name: str, weight: float, told: str, is_first: bool, stripes: str = RANGE) -> str:
    """A class as a button; only the first is reached by the tabulator."""
    style = f"background-image:linear-gradient({stripes});"
    style += f"background-size:100% {max(100 * weight, 3):.1f}%"
    return tag(
        "button",
        name,
        class_="cell" if weight > 0 else "cell none",
        data_cell=name,
        tabindex=0 if is_first else -1,
        style=style if weight > 0 else "",
        title=told,
        aria_label=told,
    )


def _stripes(cell: Cell, colours: list[str]) -> str:
    if not colours:
        return RANGE
    end, stops = 0.0, ["to right"]
    for share, colour in zip(cell.mix, colours, strict=False):
        begin, end = end, end + 100 * share
        if share > 0.001:
            stops.append(f"{colour} {begin:.1f}% {end:.1f}%")
    return ", ".join(stops)
