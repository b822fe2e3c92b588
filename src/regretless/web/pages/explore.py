# SPDX-License-Identifier: MIT
"""`/explore/<id>?line=…`: any public state of a strategy, with ranges, mixes and values."""

import json
from functools import partial
from typing import Any
from urllib.parse import quote

from nicegui import events, ui

from regretless.errors import InputError
from regretless.explorer.node_text import range_of
from regretless.explorer.node_view import NodeView
from regretless.explorer.nodes import SolvedTree
from regretless.explorer.runouts import find_runouts
from regretless.games.amounts import Amounts
from regretless.histories.lines import LineSpot, spots_of
from regretless.seats.strategies import KeptStep
from regretless.storage.row_files import csv_text
from regretless.web.pages.frame import WAIT, chosen_unit, frame
from regretless.web.parts.elements import (
    html_place,
    note,
    on_keys,
    on_point,
    small_button,
    tell_error,
    tells_errors,
)
from regretless.web.parts.grids import card_picker, toggled
from regretless.web.parts.lock_panel import LockPanel
from regretless.web.parts.node_html import cards_wanted, choices_html, crumbs_html, head_html
from regretless.web.parts.ranges_panel import RangesPanel
from regretless.web.parts.reports_html import runouts_html
from regretless.web.parts.texts import number_text
from regretless.web.services import Services
from regretless.web.solves import SolveJob
from regretless.web.trees import OpenedNodes, address_of, open_live, open_nodes, steps_of

_WATCH_SECONDS = 2.0  # between updates of a solve that runs
_SHOW_LAST = """setTimeout(() => {
  const here = document.querySelector('.crumb.here');
  if (here) here.parentElement.scrollLeft = here.offsetLeft;
}, 50)"""
_ON_BACK = "window.addEventListener('popstate', () => location.reload())"


def add(services: Services) -> None:
    @ui.page("/explore/{id}", response_timeout=WAIT)
    async def explore(id: str, line: str = "", step: int | None = None) -> None:
        with frame(id, is_wide=True):
            opened = await services.work(open_nodes, services.library, id, step)
            kept = await services.work(steps_of, services.library, id)
            page = Explorer(services, opened, kept)
            await page.load(line)
            page.show()

    @ui.page("/explore/solve/{job}", response_timeout=WAIT)
    async def explore_solve(job: str, line: str = "") -> None:
        with frame("Solve", is_wide=True):
            solve = services.jobs.find(job, SolveJob)
            opened = await services.work(open_live, solve)
            page = Explorer(services, opened, solve=solve)
            await page.load(line)
            page.show()


class Explorer:
    """One visitor's place in a strategy."""

    def __init__(
        self,
        services: Services,
        opened: OpenedNodes,
        kept: tuple[KeptStep, ...] = (),
        solve: SolveJob | None = None,
    ) -> None:
        self.services, self.opened, self.kept, self.solve = services, opened, kept, solve
        self.unit = chosen_unit()
        self.node: NodeView
        self.spots: list[LineSpot] = []
        self.picked: list[str] = []  # public cards that were chosen, while more are due
        self.has_cards = False
        self.locks = LockPanel(services, solve.wish if solve else None)

    async def load(self, line: str) -> None:
        """Reads the node of a line, without equities; InputError if the line leads nowhere."""

        def found() -> tuple[NodeView, list[LineSpot]]:
            node, game = self.opened.node(line, equities=False, unit=self.unit), self.opened.game
            return node, spots_of(game, node.steps, Amounts.of(game, self.unit))

        self.node, self.spots = await self.services.work(found)
        self.picked = []

    @tells_errors
    async def go(self, line: str) -> None:
        """Moves to another node; the address names it, and equities follow a moment later."""
        await self.load(line)
        ui.navigate.history.push(self._address())
        self.fill()
        await self.find_equities()

    async def find_equities(self) -> None:
        """Adds equities, which take the longest, to the node that is shown."""
        node = self.node
        known = await self.services.work(node.with_equities)
        if self.node is node:  # the visitor is still there
            self.node = known
            self.head.content = head_html(known)
            self.ranges.fill_equities(known)

    async def reopen(self, opened: OpenedNodes) -> None:
        """Shows the same line of another strategy for the same game."""
        self.opened = opened
        await self.load(self.node.line)
        self.fill()
        await self.find_equities()

    def show(self) -> None:
        """Makes the elements once; `fill` then replaces their content."""
        self.what = note().mark("what")
        self._steps()
        if self.solve is not None and self.solve.status == "running":
            self.watching = ui.timer(_WATCH_SECONDS, self._watch)
        on_keys(self._press)
        ui.run_javascript(_ON_BACK)
        self.crumbs = on_point(html_place(), "line", self.go)
        self.head = html_place().mark("head")
        self.mix = html_place()
        self.choices = on_point(html_place(), "line", self.go)
        self.cards()
        self.ranges = RangesPanel(self.opened.game, self.node)
        self.ranges.show()
        self.locks.show()
        self.fill()
        ui.timer(0, self.find_equities, once=True)
        self._exports()

    def fill(self) -> None:
        node, has_choices = self.node, bool(self.node.choices)
        self.what.text = f"{self.opened.game.name}: {self.opened.strength}"
        self.crumbs.content = crumbs_html(self.spots, node)
        ui.run_javascript(_SHOW_LAST)
        self.head.content = head_html(node)
        bar, buttons = choices_html(node, self.spots[-1]) if has_choices else ("", "")
        self.mix.content, self.choices.content = bar, buttons
        if node.cards or self.has_cards:
            self.cards.refresh()
        self.ranges.fill(node)
        self.locks.fill(self.opened, node)

    def _address(self) -> str:
        return address_of(self.opened.address, line=self.node.line, step=self.opened.step)

    def _steps(self) -> None:
        entry = self.opened.entry
        if entry is None or entry.kind != "run":
            return
        if not self.kept:
            text = "The run kept only its newest strategy; set checkpoint.keep to keep more."
            note(text).mark("steps")
            return
        texts = [*(each.text for each in self.kept), "the newest"]
        steps = [*(each.step for each in self.kept), None]
        with ui.row().classes("w-full max-w-2xl items-center gap-4 no-wrap"):
            label = ui.label().classes("min-w-56").mark("steps")
            value = steps.index(self.opened.step) if self.opened.step in steps else len(steps) - 1
            label.text = texts[value]
            slider = ui.slider(min=0, max=len(steps) - 1, step=1, value=value)
            slider.props('snap markers aria-label="checkpoint"').classes("flex-1")

        @tells_errors
        async def turn(event: events.GenericEventArguments) -> None:
            place = int(event.args)
            label.text = texts[place]
            asked = (self.services.library, entry.id, steps[place])
            await self.reopen(await self.services.work(open_nodes, *asked))
            ui.navigate.history.replace(self._address())

        slider.on("update:model-value", turn, throttle=0.3, leading_events=False)

    async def _watch(self) -> None:
        assert self.solve is not None
        if self.solve.status != "running":
            self.watching.deactivate()
        try:
            await self.reopen(await self.services.work(open_live, self.solve))
        except InputError as error:
            self.watching.deactivate()
            tell_error(error)

    @ui.refreshable_method
    def cards(self) -> None:
        """The deck, where public cards are due."""
        self.has_cards = bool(self.node.cards)
        if not self.has_cards:
            return
        due = self.spots[-1].cards_due
        ui.label(cards_wanted(self.node, due - len(self.picked)))
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
            self.picked = toggled(self.picked, card)
            if len(self.picked) == due:
                ui.timer(0, take, once=True)
            else:
                self.cards.refresh()

        card_picker([each.card for each in self.node.cards], self.picked, pick, notes)
        if isinstance(self.opened.nodes, SolvedTree):
            self._runouts(self.opened.nodes)

    def _runouts(self, tree: SolvedTree) -> None:
        """A table of all next cards, made when it is asked for."""

        def rows() -> list[dict[str, Any]]:
            return [each.row() for each in find_runouts(tree, self.node.line)]

        @tells_errors
        async def report() -> None:
            place.content = runouts_html(await self.services.work(rows))

        small_button("Report of all cards", report)
        place = html_place().mark("runouts")

    def _exports(self) -> None:
        name, entry = self.opened.name, self.opened.entry

        @tells_errors
        async def copy_range() -> None:
            text = str(range_of(self.opened.game, self.node.seats[self.ranges.seat]))
            ui.clipboard.write(text)
            ui.notify(f"copied: {text[:80]}")

        def json_file() -> None:
            ui.download.content(json.dumps(self.node.to_json(), indent=1), f"{name}.json")

        def csv_file() -> None:
            ui.download.content(csv_text([*self.node.rows(self.ranges.seat)]), f"{name}.csv")

        with ui.row().classes("gap-2 items-center"):
            if self.node.ranks:
                small_button("Copy range", copy_range)
            small_button("Download JSON", json_file)
            small_button("Download CSV", csv_file)
            if entry is not None and entry.kind != "onnx":
                for text, path in (("Practise this spot", "train"), ("Show the tree", "tree")):
                    small_button(text, partial(self._leave, path, entry.id))
        note("Keys: 1 to 9 choose, Backspace goes back, Home to the start.")

    def _leave(self, path: str, id: str) -> None:
        step = self.opened.step if path == "tree" else None
        ui.navigate.to(
            f"/{path}/{quote(id)}?line={quote(self.node.line)}"
            + (f"&step={step}" if step is not None else "")
        )

    async def _press(self, key: str) -> None:
        choices = self.spots[-1].choices
        if key.isdecimal() and 0 < int(key) <= len(choices):
            await self.go(choices[int(key) - 1].line)
        elif key == "Backspace" and len(self.spots) > 1:
            await self.go(self.spots[-2].line)
        elif key == "Home":
            await self.go("")
