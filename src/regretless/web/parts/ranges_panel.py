# SPDX-License-Identifier: MIT
"""The ranges of a node: a grid or a table of classes, the combos of a class, the equity graph."""

from html import escape
from typing import Any

from nicegui import events, ui

from regretless.explorer.node_text import class_hands, class_members, has_classes
from regretless.explorer.node_view import NodeView
from regretless.games import Game
from regretless.web.parts.equity_graph import equity_graph_html
from regretless.web.parts.hand_grid import grid_html, grid_place
from regretless.web.parts.html_place import html_place, on_point
from regretless.web.parts.node_tables import class_table_html, hand_table_html

_COLUMN = "flex-1 min-w-72 gap-2"


class RangesPanel:
    """One visitor's view of the ranges.

    Hold'em has a grid, Omaha a table of classes, a small game a table for each seat.
    """

    def __init__(self, game: Game, node: NodeView) -> None:
        self.game, self.node = game, node
        self.chosen = ""  # the class of hands whose combos are shown
        self._seat: int | None = None
        self._has_grid, self._has_classes = bool(node.ranks), has_classes(node)

    @property
    def seat(self) -> int:
        """The seat whose hands are shown: the one to act, or another that was chosen."""
        return max(self.node.actor, 0) if self._seat is None else self._seat

    def show(self) -> None:
        """Makes the elements once; `fill` then replaces their content."""
        with ui.row().classes("w-full items-start gap-4"):
            if self._has_grid or self._has_classes:
                with ui.column().classes(_COLUMN):
                    self._show_seats()
                    if self._has_classes:
                        self._hands = on_point(html_place(), "cell", self._choose_class)
                    else:
                        self._hands = grid_place(len(self.node.ranks), self._choose_class)
                with ui.column().classes(_COLUMN):
                    self._combos = html_place()
                    self._graph = html_place()
            else:
                self._tables = [html_place(classes="flex-1 min-w-72") for _ in self.node.seats]
        if not (self._has_grid or self._has_classes):
            self._graph = html_place()

    def fill(self, node: NodeView) -> None:
        """Shows another node; the seat to act comes first again."""
        self.node, self._seat = node, None
        self._fill_hands()

    def fill_equities(self, node: NodeView) -> None:
        """Shows equities of the node that is shown already."""
        self.node = node
        self._graph.content = equity_graph_html(node)
        if self._has_grid or self._has_classes:
            self._fill_combos()
        else:
            self._fill_hands()

    def _fill_hands(self) -> None:
        if not (self._has_grid or self._has_classes):
            for seat, place in zip(self.node.seats, self._tables, strict=True):
                name = f'<div class="font-bold">hands of {escape(seat.name)}</div>'
                place.content = name + hand_table_html(self.node, seat.seat)
            return
        self._seats.value = self.seat
        if self._has_classes:
            self._hands.content = class_table_html(self.node, self.seat)
        else:
            self._hands.content = grid_html(self.node, self.seat, self.chosen)
        self._fill_combos()

    def _fill_combos(self) -> None:
        if not self.chosen:
            self._combos.content = '<p class="dim">Choose a class of hands to see its combos.</p>'
            return
        if self._has_classes:
            hands = class_members(self.node, self.chosen, self.seat)
        else:
            hands = class_hands(self.game, self.chosen)
        table = hand_table_html(self.node, self.seat, hands)
        self._combos.content = f'<div class="font-bold">{escape(self.chosen)}</div>{table}'

    def _choose_class(self, name: str) -> None:
        if name != self.chosen:
            self.chosen = name
            self._fill_combos()

    def _show_seats(self) -> None:
        names = {each.seat: each.name for each in self.node.seats}

        def turn(event: events.ValueChangeEventArguments[Any]) -> None:
            if event.value != self.seat:
                self._seat = event.value
                self._fill_hands()

        self._seats = ui.toggle(names, value=self.seat, on_change=turn)
        self._seats.props('dense no-caps aria-label="player"')
