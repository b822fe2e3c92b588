# SPDX-License-Identifier: MIT
"""`/explore/<id>?line=…`: any public state of a strategy, with ranges, mixes and values."""

import json
from collections.abc import Awaitable, Callable
from functools import partial
from html import escape
from typing import Any
from urllib.parse import quote, urlencode

from nicegui import events, ui

from regretless.errors import InputError
from regretless.explorer.class_table import class_members, has_classes
from regretless.explorer.node_text import class_hands, csv_text, range_of
from regretless.explorer.node_view import NodeView
from regretless.histories.line_spots import LineSpot, line_spots
from regretless.seats.checkpoints import KeptStep
from regretless.web.pages.frame import WAIT, frame, tell_error
from regretless.web.parts.card_picker import card_picker
from regretless.web.parts.class_table import class_place, class_table_html
from regretless.web.parts.equity_graph import equity_graph_html
from regretless.web.parts.hand_grid import HandGrid
from regretless.web.parts.lock_panel import LockPanel
from regretless.web.parts.node_tables import (
    hand_table_html,
    mix_bar,
    number_text,
    plain_table,
    share_text,
)
from regretless.web.parts.palette import cards_html, choice_colours
from regretless.web.services import Services
from regretless.web.solves import LiveSolution, Wish
from regretless.web.trees import OpenedNodes, open_live, open_nodes, steps_of

_POINT = "(event) => { const b = event.target.closest('button'); if (b) emit(b.dataset.line); }"
_WATCH_SECONDS = 2.0  # between looks at what is being solved
_ON_BACK = "window.addEventListener('popstate', () => location.reload())"


def add(services: Services) -> None:
    @ui.page("/explore/{id}", response_timeout=WAIT)
    async def explore(id: str, line: str = "", step: int | None = None) -> None:
        with frame(id):
            library = services.library
            opened = await services.work(lambda: open_nodes(library, id, step))
            kept = await services.work(lambda: steps_of(library, id))
            page = Explorer(services, opened, kept)
            await page.load(line, equities=False)
            page.show()

    @ui.page("/explore/solve/{job}", response_timeout=WAIT)
    async def explore_solve(job: str, line: str = "") -> None:
        with frame("A solve"):
            wish, live = services.solves.find(job)
            opened = await services.work(lambda: open_live(job, live))
            page = Explorer(services, opened, solve=(wish, live))
            await page.load(line)
            page.show()


class Explorer:
    """One visitor's place in a strategy."""

    def __init__(
        self,
        services: Services,
        opened: OpenedNodes,
        kept: tuple[KeptStep, ...] = (),
        solve: tuple[Wish, LiveSolution] | None = None,
    ) -> None:
        self.services, self.opened, self.kept, self.solve = services, opened, kept, solve
        self.node: NodeView
        self.spots: list[LineSpot] = []
        self.seat: int | None = None
        """Whose hands are shown; None: whose turn it is."""
        self.chosen = ""
        """A class of hands."""
        self.picked: list[str] = []
        """Public cards, while more are due."""
        self.has_cards = False
        self.locks = LockPanel(services, solve[0] if solve else None)

    async def load(self, line: str, *, equities: bool = True) -> None:
        """InputError, and nothing changes, where the line leads nowhere."""
        node = await self.services.work(lambda: self.opened.node(line, equities=equities))
        self.spots = line_spots(self.opened.game, node.line)
        self.node, self.seat, self.picked = node, None, []

    async def go(self, line: str) -> None:
        """To another place, which the address then names; equities come a moment later."""
        try:
            await self.load(line, equities=False)
        except InputError as error:
            tell_error(error)
            return
        ui.navigate.history.push(self._address())
        self.fill(has_equities=False)
        await self.find_equities()

    async def find_equities(self) -> None:
        """What takes the longest, of the node that is shown already."""
        node = self.node
        known = await self.services.work(lambda: self.opened.node(node.line))
        if self.node is node:  # nobody has gone on meanwhile
            self.node = known
            self.fill_equities()

    def _address(self) -> str:
        """That names the spot."""
        asked = {"line": self.node.line, "step": self.opened.step}
        told = urlencode(
            {key: value for key, value in asked.items() if value not in ("", None)}, quote_via=quote
        )
        return f"{self.opened.address}?{told}" if told else self.opened.address

    async def reopen(self, opened: OpenedNodes) -> None:
        """The same spot of another strategy for the same game."""
        self.opened = opened
        await self.load(self.node.line)
        self.fill()

    def show(self) -> None:
        """All places of the page once; `fill` then only replaces what is in them."""
        self.what = ui.label().classes("dim").mark("what")
        self._steps()
        if self.solve is not None and self.solve[1].job.status == "running":
            self.watching = ui.timer(_WATCH_SECONDS, self._watch)
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"])
        ui.run_javascript(_ON_BACK)
        self.crumbs = self._place(self.go).classes("w-full")
        self.head = self._place().classes("w-full").mark("head")
        self.mix = self._place().classes("w-full")
        self.choices = self._place(self.go).classes("w-full")
        self.cards()
        with ui.row().classes("w-full items-start gap-4"):
            if self.has_classes:
                with ui.column().classes("flex-1 min-w-72 gap-2"):
                    self._seats()
                    self.classes = class_place(self._choose_class)
                with ui.column().classes("flex-1 min-w-72 gap-2"):
                    self.combos = self._place().classes("w-full")
                    self.graph = self._place().classes("w-full")
            elif self.node.ranks:
                with ui.column().classes("flex-1 min-w-72 gap-2"):
                    self._seats()
                    self.grid = HandGrid(len(self.node.ranks), self._choose_class)
                with ui.column().classes("flex-1 min-w-72 gap-2"):
                    self.combos = self._place().classes("w-full")
                    self.graph = self._place().classes("w-full")
            else:
                self.tables = [self._place().classes("flex-1 min-w-72") for _ in self.node.seats]
        if not (self.node.ranks or self.has_classes):
            self.graph = self._place().classes("w-full")
        self.locks.show()
        self.fill(has_equities=False)
        ui.timer(0, self.find_equities, once=True)
        self._take_along()

    def _steps(self) -> None:
        """A slider over what a run has kept."""
        entry = self.opened.entry
        if entry is None or entry.kind != "run":
            return
        if not self.kept:
            told = (
                "The run kept one strategy, its newest; checkpoint.keep in its config keeps more."
            )
            ui.label(told).classes("dim").mark("steps")
            return
        texts = [*(each.text for each in self.kept), "the newest"]
        steps = [*(each.step for each in self.kept), None]
        with ui.row().classes("w-full max-w-2xl items-center gap-4 no-wrap"):
            label = ui.label().classes("min-w-56").mark("steps")
            value = steps.index(self.opened.step) if self.opened.step in steps else len(steps) - 1
            label.text = texts[value]
            slider = ui.slider(min=0, max=len(steps) - 1, step=1, value=value)
            slider.props('snap markers aria-label="checkpoint"').classes("flex-1")

        async def turn(event: events.GenericEventArguments) -> None:
            place = int(event.args)
            label.text = texts[place]
            library = self.services.library
            try:
                opened = await self.services.work(
                    lambda: open_nodes(library, entry.id, steps[place])
                )
                await self.reopen(opened)
            except InputError as error:
                tell_error(error)
                return
            ui.navigate.history.replace(self._address())

        slider.on("update:model-value", turn, throttle=0.3, leading_events=False)

    async def _watch(self) -> None:
        """The newest of what is being solved."""
        assert self.solve is not None
        live = self.solve[1]
        if live.job.status != "running":
            self.watching.deactivate()
        try:
            await self.reopen(await self.services.work(lambda: open_live(live.job.id, live)))
        except InputError as error:
            self.watching.deactivate()
            tell_error(error)

    @staticmethod
    def _place(choose: Callable[[str], Awaitable[None]] | None = None) -> ui.html:
        """Where HTML comes; its buttons tell their lines."""
        element = ui.html("", sanitize=False)

        async def told(event: events.GenericEventArguments) -> None:
            assert choose is not None
            await choose(str(event.args))

        return element if choose is None else element.on("click", told, js_handler=_POINT)

    def fill(self, *, has_equities: bool = True) -> None:
        """What there is to say of the node."""
        node = self.node
        self.what.text = f"{self.opened.game.name}: {self.opened.strength}"
        self.crumbs.content = f'<div class="crumbs">{self._crumbs()}</div>'
        self.head.content = head_html(node)
        self.mix.content, self.choices.content = self._choices() if node.choices else ("", "")
        if node.cards or self.has_cards:
            self.cards.refresh()
        self.fill_hands()
        self.locks.fill(self.opened, node)
        if has_equities:
            self.graph.content = equity_graph_html(node)

    def fill_equities(self) -> None:
        """What is told of them, at a node that is shown without."""
        self.head.content = head_html(self.node)
        self.graph.content = equity_graph_html(self.node)
        if self.node.ranks or self.has_classes:
            self.fill_combos()
        else:
            self.fill_hands()

    def fill_hands(self) -> None:
        """Those of the seat that is looked at."""
        if self.has_classes:
            self.seats.value = self._shown_seat
            self.classes.content = class_table_html(self.node, self._shown_seat)
            self.fill_combos()
            return
        if self.node.ranks:
            self.seats.value = self._shown_seat
            self.grid.show(self.node, self._shown_seat, self.chosen)
            self.fill_combos()
            return
        for seat, place in zip(self.node.seats, self.tables, strict=True):
            name = f'<div class="font-bold">hands of {escape(seat.name)}</div>'
            place.content = name + hand_table_html(self.node, seat.seat)

    def fill_combos(self) -> None:
        if not self.chosen:
            self.combos.content = '<p class="dim">Choose a class of hands to see its combos.</p>'
            return
        if self.has_classes:
            hands = class_members(self.node, self.chosen, self._shown_seat)
        else:
            hands = class_hands(self.opened.game, self.chosen)
        table = hand_table_html(self.node, self._shown_seat, hands)
        self.combos.content = f'<div class="font-bold">{escape(self.chosen)}</div>{table}'

    @property
    def has_classes(self) -> bool:
        """Whether hands are told by class, in a table."""
        return has_classes(self.node)

    @property
    def _shown_seat(self) -> int:
        return max(self.node.actor, 0) if self.seat is None else self.seat

    def _choose_class(self, name: str) -> None:
        if name != self.chosen:
            self.chosen = name
            self.fill_combos()

    def _crumbs(self) -> str:
        return "".join(_crumb(spot, self.node) for spot in self.spots)

    def _choices(self) -> tuple[str, str]:
        """The mix of all hands as a bar, and a button for each choice."""
        node = self.node
        colours = choice_colours(node.choices)
        here = self.spots[-1]
        shares = (0 if each.share != each.share else each.share for each in node.choices)
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
        return mix_bar(shares, colours), f'<div class="flex flex-wrap gap-2">{buttons}</div>'

    @ui.refreshable_method
    def cards(self) -> None:
        """Cards to choose from, where some are due."""
        self.has_cards = bool(self.node.cards)
        if not self.has_cards:
            return
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
                self.cards.refresh()

        card_picker([each.card for each in self.node.cards], self.picked, pick, notes)

    def _seats(self) -> None:
        names = {each.seat: each.name for each in self.node.seats}

        def turn(event: events.ValueChangeEventArguments[Any]) -> None:
            if event.value != self._shown_seat:
                self.seat = event.value
                self.fill_hands()

        self.seats = ui.toggle(names, value=self._shown_seat, on_change=turn)
        self.seats.props('dense no-caps aria-label="whose hands"')

    def _take_along(self) -> None:
        name, entry = self.opened.name, self.opened.entry

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
            if entry is not None and entry.kind != "onnx":
                for text, path in (("Train this spot", "train"), ("Tree and infosets", "tree")):
                    ui.button(text, on_click=partial(self._leave, path, entry.id)).props(
                        "outline no-caps dense"
                    )
        ui.label("Keys: 1 to 9 choose, Backspace goes back, Home to the start.").classes("dim")

    def _leave(self, path: str, id: str) -> None:
        step = "" if self.opened.step is None or path != "tree" else f"&step={self.opened.step}"
        ui.navigate.to(f"/{path}/{quote(id)}?line={quote(self.node.line)}{step}")

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


def head_html(node: NodeView) -> str:
    """Where the node is, and what each range is worth there."""
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
    rows = [
        f"<tr><td>{escape(each.name)}</td><td>{number_text(each.combos)}</td>"
        f"<td>{share_text(each.equity)}</td><td>{number_text(each.value)}</td></tr>"
        for each in node.seats
    ]
    table = plain_table(["range", "combos", "equity", f"EV, {node.unit}"], rows)
    return f'<div class="text-lg mb-2">{" · ".join(parts)}</div><div class="max-w-lg">{table}</div>'


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
