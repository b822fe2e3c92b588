# SPDX-License-Identifier: MIT
"""The ranges of a node: a grid or a table of classes, the combos of a class, the equity graph."""

from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

from nicegui import events, ui

from regretless.explorer.hand_filter import MADE_NAMES, HandFilter
from regretless.explorer.node_text import class_hands, class_members, equity_curves, has_classes
from regretless.explorer.node_view import VIEWS, NodeView
from regretless.games import Game
from regretless.notation.made_hands import DRAWS
from regretless.web.parts.elements import html_place, on_point
from regretless.web.parts.grids import grid_place, node_grid
from regretless.web.parts.html import dim, dim_words, tag
from regretless.web.parts.node_html import class_table, hand_table
from regretless.web.parts.reports_html import classes_html

_COLUMN = "flex-1 min-w-72 gap-2"
_GRID_COLUMN = "flex-1 min-w-72 max-w-grid gap-2"
_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 360, 200, 34, 22
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4", "10 4")
_MARKS = {0.0: "start", 0.25: "middle", 0.5: "middle", 0.75: "middle", 1.0: "end"}


class RangesPanel:
    """One visitor's view of the ranges.

    Hold'em has a grid, Omaha a table of classes, a small game a table for each seat.
    """

    def __init__(self, game: Game, node: NodeView) -> None:
        self.game, self.node = game, node
        self.chosen = ""  # the class of hands whose combos are shown
        self.view = "strategy"
        self.filter = HandFilter()
        self.pinned = ""  # the class that stays whatever the pointer crosses
        self._seat: int | None = None
        self._by_class = has_classes(node)
        self._is_small = not node.ranks and not self._by_class

    @property
    def seat(self) -> int:
        """The seat whose hands are shown: the one to act, or another that was chosen."""
        return max(self.node.actor, 0) if self._seat is None else self._seat

    @property
    def shown(self) -> NodeView:
        """The node with the hands that the filter keeps."""
        if self.node.made_hands(self.seat) is None:
            return self.node
        return self.filter.apply(self.node, self.seat)

    def show(self) -> None:
        """Makes the elements once; `fill` then replaces their content."""
        with ui.row().classes("w-full items-start gap-4"):
            if self._is_small:
                self._tables = [html_place(classes="flex-1 min-w-72") for _ in self.node.seats]
                self._graph = html_place()
                return
            with ui.column().classes(_COLUMN if self._by_class else _GRID_COLUMN):
                names = {each.seat: each.name for each in self.node.seats}
                self._seats = ui.toggle(names, value=self.seat, on_change=self._turn)
                self._seats.props('dense aria-label="player"')
                if self._by_class:
                    self._hands = on_point(html_place(), "cell", self._choose_class)
                else:
                    self._filters()
                    size = len(self.node.ranks)
                    self._hands = grid_place(size, self._pin, self._hover)
            with ui.column().classes(_COLUMN):
                self._combos = html_place()
                self._graph = html_place()
                self._classes = html_place()

    def _filters(self) -> None:
        """The figures of the grid, and which made hands and draws it has."""

        def look(event: events.ValueChangeEventArguments[Any]) -> None:
            self.view = event.value
            self._fill_hands()

        def choose(name: str, event: events.ValueChangeEventArguments[Any]) -> None:
            self.filter = replace(self.filter, **{name: event.value})
            self._fill_hands()

        views = ui.toggle(list(VIEWS), value=self.view, on_change=look).mark("views")
        views.props('dense aria-label="figures of the grid"')
        with ui.row().classes("gap-2 items-center"):
            for name, label, names in (
                ("made", "made hand", MADE_NAMES),
                ("draw", "draw", DRAWS),
            ):
                options = {"": "all", **{each: each.replace("-", " ") for each in names}}
                chosen = ui.select(options, value="", label=label, on_change=partial(choose, name))
                chosen.classes("min-w-56").mark(name)

    def fill(self, node: NodeView) -> None:
        """Shows another node; the seat to act comes first again."""
        self.node, self._seat = node, None
        self._fill_hands()

    def fill_equities(self, node: NodeView) -> None:
        """Shows equities of the node that is shown already."""
        self.node = node
        self._graph.content = equity_graph_html(node)
        if self._is_small or self.view == "equity":
            self._fill_hands()
        else:
            self._fill_combos()

    def _fill_hands(self) -> None:
        if self._is_small:
            for seat, place in zip(self.node.seats, self._tables, strict=True):
                name = tag("div", f"hands of {escape(seat.name)}", class_="font-bold")
                place.content = name + hand_table(self.node, seat.seat)
            return
        self._seats.value = self.seat
        if self._by_class:
            self._hands.content = class_table(self.node, self.seat)
        else:
            shown, chosen = self.shown, self.chosen
            self._hands.content = node_grid(shown, self.seat, chosen, self.view, self.pinned)
        self._fill_combos()

    def _fill_combos(self) -> None:
        self._classes.content = classes_html(self.shown, self.seat)
        if not self.chosen:
            self._combos.content = dim(
                "Point at hands in the grid to see their combos; a click keeps them."
                if not self._by_class
                else "Choose a class of hands to see its combos."
            )
            return
        if self._by_class:
            hands = class_members(self.node, self.chosen, self.seat)
        else:
            hands = class_hands(self.game, self.chosen)
        kept = " (kept; click it again to let go)" if self.chosen == self.pinned else ""
        name = tag("div", escape(self.chosen) + dim_words(kept), class_="font-bold")
        self._combos.content = name + hand_table(self.shown, self.seat, hands)

    def _pin(self, name: str) -> None:
        """Keeps the class, or lets it go."""
        self.chosen, self.pinned = name, "" if name == self.pinned else name
        self._fill_hands()

    def _hover(self, name: str) -> None:
        if not self.pinned:
            self._choose_class(name)

    def _choose_class(self, name: str) -> None:
        if name != self.chosen:
            self.chosen = name
            self._fill_combos()

    def _turn(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value != self.seat:
            self._seat = event.value
            self._fill_hands()


def equity_graph_html(node: NodeView) -> str:
    """An SVG; where equities are not known, a line that says so."""
    curves = equity_curves(node)
    if not curves:
        return dim("Equities are not known here.")
    lines, names, told = "", "", []
    for number, (name, curve) in enumerate(curves.items()):
        dashes = _DASHES[number % len(_DASHES)]
        look = {"stroke": f"var(--seat{number % 2})", "stroke_dasharray": dashes}
        lines += tag("polyline", points=_points(curve), fill="none", stroke_width=2.5, **look)
        sample = tag("line", x1=0, y1=4, x2=26, y2=4, stroke_width=3, **look)
        names += " " + tag(
            "span",
            tag("svg", sample, width=26, height=8, aria_hidden="true") + f" {escape(name)}",
            class_="key",
        )
        middle = curve[len(curve) // 2]
        told.append(f"{name}: weakest {curve[0]:.0%}, middle {middle:.0%}, best {curve[-1]:.0%}")
    caption = tag("figcaption", f"<b>equity</b> by share of the range{names}")
    picture = tag(
        "svg",
        _axes() + lines,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_label=f"Equity graph. {'; '.join(told)}",
    )
    return tag("figure", caption + picture, class_="equities")


def _points(curve: list[float]) -> str:
    last = max(len(curve) - 1, 1)
    return " ".join(f"{_x(i / last):.1f},{_y(equity):.1f}" for i, equity in enumerate(curve))


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - 4)


def _y(equity: float) -> float:
    return 6 + (1 - equity) * (_HEIGHT - _BOTTOM - 6)


def _axes() -> str:
    """Level lines with their equities, and shares of the range below."""
    drawn = ""
    for each, anchor in _MARKS.items():
        x, y = f"{_x(each):.1f}", f"{_y(each):.1f}"
        drawn += tag("line", x1=_LEFT, x2=_WIDTH - 4, y1=y, y2=y, stroke="var(--line)")
        level = {"x": _LEFT - 5, "y": f"{_y(each) + 4:.1f}", "text_anchor": "end"}
        drawn += tag("text", f"{each:.0%}", **level)
        drawn += tag("text", f"{each:.0%}", x=x, y=_HEIGHT - 6, text_anchor=anchor)
    return drawn
