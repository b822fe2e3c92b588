# SPDX-License-Identifier: MIT
"""`/explore/<id>?line=…`: any public state of a strategy, with ranges, mixes and values."""

import json
from html import escape
from typing import Any
from urllib.parse import quote

from nicegui import events, ui

from regretless.errors import InputError
from regretless.players.node_text import class_hands, csv_text, range_of
from regretless.players.nodes import NodeView
from regretless.telling.line_spots import LineSpot, line_spots
from regretless.web.pages.card_picker import card_picker
from regretless.web.pages.frame import WAIT, frame, tell_error
from regretless.web.pages.hand_grid import hand_grid
from regretless.web.pages.node_tables import hand_table, mix_bar, number_text, share_text
from regretless.web.pages.palette import cards_html, choice_colours
from regretless.web.services import Services
from regretless.web.trees import OpenedNodes, open_nodes

_POINT = "(event) => { const b = event.target.closest('button'); if (b) emit(b.dataset.line); }"
_ON_BACK = "window.addEventListener('popstate', () => location.reload())"


def add(services: Services) -> None:
    @ui.page("/explore/{id}", response_timeout=WAIT)
    async def explore(id: str, line: str = "") -> None:
        with frame(id):
            opened = await services.work(lambda: open_nodes(services.library, id))
            page = Explorer(services, opened)
            await page.load(line)
            page.show()


class Explorer:
    """One visitor's place in a strategy."""

    def __init__(self, services: Services, opened: OpenedNodes) -> None:
        self.services, self.opened = services, opened
        self.node: NodeView
        self.spots: list[LineSpot] = []
        self.seat: int | None = None
        """Whose hands are shown; None: whose turn it is."""
        self.chosen = ""
        """A class of hands."""
        self.picked: list[str] = []
        """Public cards, while more are due."""

    async def load(self, line: str) -> None:
        """InputError, and nothing changes, where the line leads nowhere."""
        node = await self.services.work(lambda: self.opened.node(line))
        self.spots = line_spots(self.opened.game, node.line)
        self.node, self.seat, self.picked = node, None, []

    async def go(self, line: str) -> None:
        """To another place, which the address then names."""
        try:
            await self.load(line)
        except InputError as error:
            tell_error(error)
            return
        id = quote(self.opened.entry.id)
        target = f"/explore/{id}" + (f"?line={quote(self.node.line)}" if self.node.line else "")
        ui.navigate.history.push(target)
        self.parts.refresh()

    def show(self) -> None:
        opened = self.opened
        ui.label(f"{opened.game.name}: {opened.strength}").classes("dim")
        ui.keyboard(on_key=self._key)
        ui.run_javascript(_ON_BACK)
        self.parts()

    @ui.refreshable_method
    def parts(self) -> None:
        self._crumbs()
        self._head()
        if self.node.cards:
            self._cards()
        elif self.node.choices:
            self._choices()
        with ui.row().classes("w-full items-start gap-4"):
            if self.node.ranks:
                with ui.column().classes("flex-1 min-w-[300px] gap-2"):
                    self._seats()
                    self.grid()
                with ui.column().classes("flex-1 min-w-[300px] gap-2"):
                    self.combos()
            else:
                for seat in self.node.seats:
                    with ui.column().classes("flex-1 min-w-[300px] gap-1"):
                        ui.label(f"hands of {seat.name}").classes("font-bold")
                        hand_table(self.node, seat.seat)
        self._take_along()

    @ui.refreshable_method
    def grid(self) -> None:
        hand_grid(self.node, self._shown_seat, self.chosen, self._choose_class)

    @ui.refreshable_method
    def combos(self) -> None:
        if not self.chosen:
            ui.label("Point at a class of hands to see its combos.").classes("dim")
            return
        ui.label(self.chosen).classes("font-bold").mark("class")
        hand_table(self.node, self._shown_seat, class_hands(self.opened.game, self.chosen))

    @property
    def _shown_seat(self) -> int:
        return max(self.node.actor, 0) if self.seat is None else self.seat

    def _choose_class(self, name: str) -> None:
        if name != self.chosen:
            self.chosen = name
            self.combos.refresh()

    def _crumbs(self) -> None:
        told = "".join(_crumb(spot, self.node) for spot in self.spots)
        element = ui.html(f'<div class="crumbs">{told}</div>', sanitize=False).classes("w-full")

        async def choose(event: events.GenericEventArguments) -> None:
            await self.go(str(event.args))

        element.on("click", choose, js_handler=_POINT)

    def _head(self) -> None:
        node = self.node
        parts = [escape(node.street)] if node.street else []
        if node.board:
            parts.append(cards_html(node.board))
        if node.pot:
            parts.append(f"pot {number_text(node.pot)} {escape(node.unit)}")
        if node.to_call:
            parts.append(f"{number_text(node.to_call)} to call")
        if node.actor >= 0:
            parts.append(f"<b>{escape(node.seats[node.actor].name)}</b> to act")
        elif not node.cards:
            parts.append("<b>the end</b>")
        line = f'<div class="text-lg">{" · ".join(parts)}</div>'
        ui.html(line, sanitize=False).mark("head")
        rows = "".join(
            f"<tr><td>{escape(each.name)}</td><td>{number_text(each.combos)}</td>"
            f"<td>{share_text(each.equity)}</td><td>{number_text(each.value)}</td></tr>"
            for each in node.seats
        )
        head = f"<tr><th>range</th><th>combos</th><th>equity</th><th>EV, {node.unit}</th></tr>"
        ui.html(f'<table class="plain">{head}{rows}</table>', sanitize=False).classes("max-w-lg")

    def _choices(self) -> None:
        node = self.node
        colours = choice_colours(node.choices)
        here = self.spots[-1]
        ui.html(
            mix_bar(
                (0 if each.share != each.share else each.share for each in node.choices), colours
            ),
            sanitize=False,
        ).classes("w-full")
        buttons = "".join(
            f'<button class="choice" data-line="{escape(to.line)}">'
            f'<span class="swatch" style="background:{colour}"></span><span class="words">'
            f"<b>{escape(each.text)}</b><span>{share_text(each.share)}"
            f"{'' if each.value != each.value else f' · EV {number_text(each.value)}'}</span>"
            f"<kbd>key {number}</kbd></span></button>"
            for number, (each, to, colour) in enumerate(
                zip(node.choices, here.choices, colours, strict=True), 1
            )
        )
        content = f'<div class="flex flex-wrap gap-2">{buttons}</div>'
        element = ui.html(content, sanitize=False).classes("w-full")

        async def choose(event: events.GenericEventArguments) -> None:
            await self.go(str(event.args))

        element.on("click", choose, js_handler=_POINT)

    @ui.refreshable_method
    def _cards(self) -> None:
        due = self.spots[-1].cards_due
        more = due - len(self.picked)
        ui.label(f"Choose {more} card{'s' if more > 1 else ''} of the {self.node.street}.")
        notes = {
            each.card: ", ".join(
                f"EV of {seat.name} {number_text(value)}"
                for seat, value in zip(self.node.seats, each.values, strict=True)
                if value == value
            )
            for each in self.node.cards
        }

        async def take() -> None:
            await self.go(f"{self.node.line} | {''.join(self.picked)}")

        def pick(card: str) -> None:
            if card in self.picked:
                self.picked.remove(card)
            else:
                self.picked.append(card)
            if len(self.picked) == due:
                ui.timer(0, take, once=True)
            else:
                self._cards.refresh()

        card_picker([each.card for each in self.node.cards], self.picked, pick, notes)

    def _seats(self) -> None:
        names = {each.seat: each.name for each in self.node.seats}

        def turn(event: events.ValueChangeEventArguments[Any]) -> None:
            self.seat = event.value
            self.grid.refresh()
            self.combos.refresh()

        toggle = ui.toggle(names, value=self._shown_seat, on_change=turn)
        toggle.props('dense no-caps aria-label="whose hands"')

    def _take_along(self) -> None:
        name = self.opened.entry.id

        def copy_range() -> None:
            try:
                text = str(range_of(self.opened.game, self.node.seats[self._shown_seat]))
            except InputError as error:
                tell_error(error)
                return
            ui.clipboard.write(text)
            ui.notify(f"copied: {text[:80]}")

        def json_file() -> None:
            ui.download.content(json.dumps(self.node.to_json(), indent=1), f"{name}.json")

        def csv_file() -> None:
            ui.download.content(csv_text(self.node, self._shown_seat), f"{name}.csv")

        with ui.row().classes("gap-2 items-center"):
            if self.node.ranks:
                ui.button("Copy the range", on_click=copy_range).props("outline no-caps dense")
            ui.button("Spot as JSON", on_click=json_file).props("outline no-caps dense")
            ui.button("Hands as CSV", on_click=csv_file).props("outline no-caps dense")
            if self.node.choices:
                target = f"/train/{quote(name)}?line={quote(self.node.line)}"
                ui.link("train this spot", target).classes("plainlink")
        if len(self.spots) == 1:
            ui.label("Keys: 1 to 9 choose, Backspace goes back, Home to the start.").classes("dim")

    async def _key(self, event: events.KeyEventArguments) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.alt:
            return
        choices = self.spots[-1].choices
        if event.key.name.isdecimal() and 0 < int(event.key.name) <= len(choices):
            await self.go(choices[int(event.key.name) - 1].line)
        elif event.key.name == "Backspace" and len(self.spots) > 1:
            await self.go(self.spots[-2].line)
        elif event.key.name == "Home":
            await self.go("")


def _crumb(spot: LineSpot, node: NodeView) -> str:
    """A place with what may be done there; what was done is marked, anything else can be."""
    here = "" if spot.chosen else " here"
    if not spot.choices:
        told = cards_html(spot.chosen) if spot.chosen else "end" if not spot.cards_due else "…"
        top = f'<div class="top">{escape(spot.street.split(" ")[0]) or "end"}</div>'
        note = ' aria-label="other cards"' if spot.chosen else ""
        return (
            f'<div class="crumb{here}">{top}<button data-line="{escape(spot.line)}"{note}>{told}'
            f"</button><div class='px-2 dim'>pot {spot.pot:,}</div></div>"
        )
    stack = f" {spot.stack:,}" if spot.stack else ""
    buttons = "".join(
        f'<button data-line="{escape(each.line)}" aria-pressed="'
        f'{"true" if each.word == spot.chosen else "false"}">{escape(each.text)}</button>'
        for each in spot.choices
    )
    top = f'<div class="top"><b>{escape(node.seats[spot.actor].name)}</b>{stack}</div>'
    return f'<div class="crumb{here}">{top}{buttons}</div>'
