# SPDX-License-Identifier: MIT
"""An element for HTML whose parts can be pressed, and rows of a table in it."""

from collections.abc import Callable, Iterable
from typing import Any

from nicegui import ui

_POINT = """(event) => {
  const part = event.target.closest('[data-KEY]');
  if (part && !part.disabled) emit(part.dataset.KEY);
}"""


def html_place(content: str = "", classes: str = "w-full") -> ui.html:
    return ui.html(content, sanitize=False).classes(classes)


def html_row(cells: Iterable[str], attributes: str = "") -> str:
    """A row of a table, from cells that are HTML."""
    return f"<tr {attributes}>{''.join(f'<td>{each}</td>' for each in cells)}</tr>"


def on_point(
    place: ui.html,
    key: str,
    choose: Callable[[str], Any],
    event: str = "click",
    throttle: float = 0.0,
) -> ui.html:
    """Calls `choose` with the attribute `data-KEY` of the part that is pressed."""
    script = _POINT.replace("KEY", key)
    return place.on(event, lambda e: choose(str(e.args)), throttle=throttle, js_handler=script)
