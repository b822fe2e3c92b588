# SPDX-License-Identifier: MIT
"""A range to paint on a grid, to type or to paste."""

import contextlib

from nicegui import events, ui

from regretless.errors import InputError
from regretless.notation.cards import FULL_DECK, deck_ranks
from regretless.notation.hand_classes import grid_names
from regretless.notation.ranges import Range, grid_weights, with_classes
from regretless.web.parts.elements import html_place, note, small_button
from regretless.web.parts.hand_grid import cell_html, grid_html

_SIZE = 13
_CLASSES = [name for row in grid_names(deck_ranks(FULL_DECK)) for name in row]
# Cells are painted at once; the server gets all of them when the pointer is lifted.
_DOWN = """(event) => {
  const cell = event.target.closest('.cell'); if (!cell) return;
  event.preventDefault();
  const grid = cell.parentElement, painted = new Set();
  const paint = (c) => { if (c && c.parentElement === grid) {
    painted.add(c.dataset.cell); c.classList.add('chosen'); } };
  paint(cell);
  const move = (e) => paint(document.elementFromPoint(e.clientX, e.clientY)?.closest('.cell'));
  const up = () => {
    document.removeEventListener('pointermove', move);
    document.removeEventListener('pointerup', up);
    emit([...painted]);
  };
  document.addEventListener('pointermove', move);
  document.addEventListener('pointerup', up);
}"""
_KEY = """(event) => {
  const cell = event.target.closest('.cell');
  if (!cell) return;
  if (event.key === ' ' || event.key === 'Enter') {
    event.preventDefault(); emit([cell.dataset.cell]);
  }
  const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIZE, ArrowDown: SIZE}[event.key];
  if (!step) return;
  event.preventDefault();
  const cells = [...cell.parentElement.children];
  cells[cells.indexOf(cell) + step]?.focus();
}"""


class RangeEditor:
    """One player's range: a text field and a grid that follow each other."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.range = name, Range.parse(text)
        self.weight = 1.0
        self.show()

    def read(self) -> str:
        """The range as typed; InputError, and a red field, if it is no range."""
        typed = self.field.value or ""
        if typed != str(self.range):
            try:
                self.range = Range.parse(typed)
            except InputError as error:
                self.field.error = str(error)
                raise InputError(f"range of {self.name}: {error}") from None
        self._changed()
        return str(self.range)

    def show(self) -> None:
        with ui.column().classes("flex-1 min-w-72 gap-2"):
            self.field = ui.input(f"range of {self.name}", value=str(self.range))
            self.field.classes("w-full")
            self.field.on("blur", self._typed).on("keydown.enter", self._typed)
            with ui.row().classes("w-full items-center gap-3 no-wrap"):
                ui.label("weight to paint")
                slider = ui.slider(min=0, max=1, step=0.05).bind_value(self, "weight")
                slider.props(f'label aria-label="weight to paint, {self.name}"').classes("flex-1")
                small_button("Clear", self._clear)
            self.grid()
            self.count = note(self._count())

    @ui.refreshable_method
    def grid(self) -> None:
        weights = [weight for row in grid_weights(self.range) for weight in row]
        cells = "".join(
            cell_html(name, weight, f"{name}: weight {weight:.2f}", name == _CLASSES[0])
            for name, weight in zip(_CLASSES, weights, strict=True)
        )
        content = grid_html(cells, _SIZE, f"range of {self.name}", class_="grid13 painted")
        element = html_place(content, "w-full max-w-grid")
        element.on("pointerdown", self._painted, js_handler=_DOWN)
        element.on("keydown", self._painted, js_handler=_KEY.replace("SIZE", str(_SIZE)))

    def _painted(self, event: events.GenericEventArguments) -> None:
        names = [name for name in event.args if name in _CLASSES]
        if not names:
            return
        first = with_classes(self.range, names[:1], self.weight)
        is_there = first == self.range  # painting the same weight again removes it
        self.range = with_classes(self.range, names, 0.0 if is_there else self.weight)
        self._changed()

    def _typed(self) -> None:
        with contextlib.suppress(InputError):  # the field shows it
            self.read()

    def _clear(self) -> None:
        self.range = Range(self.range.weights * 0, FULL_DECK)
        self._changed()

    def _changed(self) -> None:
        self.field.error = None
        self.field.value = str(self.range)
        self.count.text = self._count()
        self.grid.refresh()

    def _count(self) -> str:
        return f"{self.range.num_combos:,} combos, weight {self.range.total_weight:,.1f}"
