# SPDX-License-Identifier: MIT
"""Grids to press: hands of a node by class, a range to paint, the cards of a deck."""

import contextlib
import math
from collections.abc import Callable, Sequence

from nicegui import events, ui

from regretless.errors import InputError
from regretless.explorer.node_view import Cell, NodeView
from regretless.notation.cards import FULL_DECK, deck_ranks
from regretless.notation.hand_classes import grid_names
from regretless.notation.ranges import Range, grid_weights, with_classes
from regretless.web.parts.elements import html_place, note, on_point, small_button
from regretless.web.parts.html import SUITS, tag
from regretless.web.parts.palette import RANGE, choice_colours

_CHOOSE_KEYS = """(event) => {
  const cell = event.target.closest('.cell');
  const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIZE, ArrowDown: SIZE}[event.key];
  if (!cell || !step) return;
  event.preventDefault(); event.stopPropagation();
  const cells = [...cell.parentElement.children];
  const next = cells[cells.indexOf(cell) + step];
  if (next) { next.focus(); emit(next.dataset.cell); }
}"""
_SIZE = 13
_CLASSES = [name for row in grid_names(deck_ranks(FULL_DECK)) for name in row]
# Cells are painted at once; the server gets all of them when the pointer is lifted.
_PAINT = """(event) => {
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
_PAINT_KEYS = """(event) => {
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


def grid_place(
    size: int, on_choose: Callable[[str], None], on_hover: Callable[[str], None]
) -> ui.html:
    """The element of a grid; calls `on_choose` with the class that is pressed.

    `on_hover` is called with the class under the pointer or of the arrow keys.
    """
    element = on_point(html_place(classes="w-full max-w-grid"), "cell", on_choose)
    on_point(element, "cell", on_hover, "mouseover", throttle=0.1)
    keys = _CHOOSE_KEYS.replace("SIZE", str(size))
    return element.on("keydown", lambda event: on_hover(str(event.args)), js_handler=keys)


def node_grid(
    node: NodeView, seat: int, chosen: str = "", view: str = "strategy", pinned: str = ""
) -> str:
    """The hands of a seat; the chosen class is reached by keys first, the pinned one is marked.

    Cells are striped by the strategy, or filled as high as the figure of another view.
    """
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
        is_first, stripes, height, figure = cell.name == first, RANGE, cell.weight, ""
        if view == "strategy":
            stripes = _stripes(cell, colours)
        elif cell.weight > 0:
            height, figure = _figure(cell, view, node.pot)
            told += f", {view} {figure or 'unknown'}"
        cells += cell_html(cell.name, height, told, is_first, stripes, figure, cell.name == pinned)
    return grid_html(cells, len(grid), f"hands of {node.seats[seat].name}", data_line=node.line)


def grid_html(cells: str, size: int, name: str, **attributes: str) -> str:
    """A square of cells."""
    style = f"grid-template-columns: repeat({size}, minmax(0, 1fr))"
    shown = {"class_": "grid13", "role": "group", "aria_label": name, "style": style}
    return tag("div", cells, **shown | attributes)


def _figure(cell: Cell, view: str, pot: float) -> tuple[float, str]:
    """The height of a filled cell, chips in parts of the pot, and its text; empty: unknown."""
    value = cell.of_view(view)
    if math.isnan(value):
        return 1e-9, ""
    if view in ("equity", "weight"):
        return max(value, 1e-9), f"{value:.0%}"
    return min(max(value / (pot or 1.0), 1e-9), 1.0), f"{value:.1f}"


def cell_html(
    name: str,
    weight: float,
    told: str,
    is_first: bool,
    stripes: str = RANGE,
    figure: str = "",
    is_pinned: bool = False,
) -> str:
    """A class as a button, perhaps with a figure; only the first is reached by the tabulator."""
    style = f"background-image:linear-gradient({stripes});"
    style += f"background-size:100% {max(100 * weight, 3):.1f}%"
    return tag(
        "button",
        tag("span", f"{name}<br>{figure}") if figure else name,
        class_="cell" + " none" * (weight <= 0) + " chosen" * is_pinned,
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


class RangeEditor:
    """One player's range: a text field and a grid that follow each other."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.range = name, Range.parse(text)
        self.weight = 1.0
        self.on_change: Callable[[], None] = lambda: None
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
        element.on("pointerdown", self._painted, js_handler=_PAINT)
        element.on("keydown", self._painted, js_handler=_PAINT_KEYS.replace("SIZE", str(_SIZE)))

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
        self.on_change()

    def _count(self) -> str:
        return f"{self.range.num_combos:,} combos, weight {self.range.total_weight:,.1f}"


def toggled(chosen: Sequence[str], card: str) -> list[str]:
    """The chosen cards with the card, or without it if it was among them."""
    left = [each for each in chosen if each != card]
    return left if len(left) < len(chosen) else [*left, card]


def card_picker(
    cards: Sequence[str],
    chosen: Sequence[str],
    on_choose: Callable[[str], None],
    notes: dict[str, str] | None = None,
) -> None:
    """Shows `cards` as buttons, one column per rank, with `notes` as tooltips."""
    ranks = list(dict.fromkeys(card[0] for card in reversed(cards)))
    suits = [suit for suit in SUITS if any(card[1] == suit for card in cards)]
    buttons = ""
    for rank, suit in ((rank, suit) for suit in suits for rank in ranks):
        card, (symbol, name) = rank + suit, SUITS[suit]
        told = ", ".join(filter(None, [f"{rank} of {name}", (notes or {}).get(card)]))
        buttons += tag(
            "button",
            rank + symbol,
            class_=f"suit-{suit}",
            data_card=card,
            aria_pressed="true" if card in chosen else "false",
            aria_label=told,
            title=told,
            disabled=None if card in cards else "",
        )
    style = f"grid-template-columns: repeat({len(ranks)}, minmax(0, 1fr)); max-width: 640px"
    deck = tag("div", buttons, class_="deck", role="group", aria_label="cards", style=style)
    on_point(html_place(deck), "card", lambda card: on_choose(card) if card in cards else None)
