# SPDX-License-Identifier: MIT
"""`/tree/<id>?line=…`: the game tree with ranges and values, and the infosets of a small game."""

from collections.abc import Iterable
from html import escape
from typing import Any
from urllib.parse import quote

from nicegui import events, ui

from regretless.errors import InputError, TooLargeError
from regretless.explorer.game_tree import InfosetPage, TreeNode, game_tree, infosets
from regretless.explorer.node_view import NodeView, SeatRange
from regretless.web.pages.frame import WAIT, chosen_unit, frame
from regretless.web.parts.elements import (
    fields,
    html_place,
    note,
    plain_link,
    show_error,
    small_button,
    tell_error,
)
from regretless.web.parts.html import cards_html, link, mix_bar, row, scrolled, table, tag
from regretless.web.parts.palette import choice_colours
from regretless.web.parts.texts import number_text, share_text
from regretless.web.services import Services
from regretless.web.trees import OpenedNodes, address_of, open_nodes

_OPEN_DEPTH = 1  # levels that are open at first
_ROWS = 100
_MOST_TOLD = 12  # the likeliest hands of a range


def add(services: Services) -> None:
    @ui.page("/tree/{id}", response_timeout=WAIT)
    async def tree(
        id: str, line: str = "", step: int | None = None, hand: str = "", page: int = 1
    ) -> None:
        with frame(f"Tree of {id}"):
            opened = await services.work(open_nodes, services.library, id, step)
            shown = TreePage(services, opened, line, hand, page)
            await shown.show()


class TreePage:
    """One visitor's view of a whole game."""

    def __init__(
        self, services: Services, opened: OpenedNodes, line: str, hand: str, page: int
    ) -> None:
        self.services, self.opened, self.unit = services, opened, chosen_unit()
        self.line, self.hand, self.page = line, hand, max(page, 1)
        self.found: InfosetPage
        self.shown = (line, hand)  # the filter of the rows that are shown

    async def show(self) -> None:
        opened, line = self.opened, self.line
        below = f" below {line}" if line else ""
        note(f"{opened.game.name}{below}: {opened.strength}")
        asked = (opened.game, self._ask, line)
        most, unit = opened.most_nodes, self.unit
        root = await self.services.work(game_tree, *asked, most=most, unit=unit)
        if line:
            plain_link("Show the whole tree", _address(opened, "/tree", ""))
        html_place(scrolled(tag("div", self._tree(root), class_="tree"), "game tree"))
        ui.html("Infosets", sanitize=False, tag="h2").classes("text-xl")
        try:
            await self._load()
        except TooLargeError as error:
            show_error(error)
            return
        with fields():
            for name, key in (("at and below the line", "line"), ("hand", "hand")):
                field = ui.input(name, value=getattr(self, key)).classes("w-56")
                field.on("keydown.enter", self._filter).on("blur", self._filter)
                field.bind_value(self, key)
            small_button("Previous", lambda: self._turn(-1))
            small_button("Next", lambda: self._turn(1))
            self.count = note().mark("count")
        self.table = html_place()
        self._fill()

    async def _load(self) -> None:
        self.found = await self.services.work(
            infosets,
            self.opened.game,
            self._ask,
            line=self.line,
            hand=self.hand,
            begin=(self.page - 1) * _ROWS,
            count=_ROWS,
        )

    def _ask(self, line: str) -> NodeView:
        return self.opened.node(line, equities=False, unit=self.unit)

    async def _filter(self, _: events.GenericEventArguments) -> None:
        if self.shown != (self.line, self.hand):
            await self._turn(1 - self.page)

    async def _turn(self, pages: int) -> None:
        before = self.page
        last = max(1, -(-self.found.total // _ROWS)) if pages > 0 else self.page
        self.page = max(1, min(self.page + pages, max(last, 1)))
        try:
            await self._load()
        except InputError as error:
            self.page = before
            tell_error(error)
            return
        self.shown = (self.line, self.hand)
        page = self.page if self.page > 1 else None
        address = _address(self.opened, "/tree", self.line, hand=self.hand, page=page)
        ui.navigate.history.replace(address)
        self._fill()

    def _fill(self) -> None:
        found = self.found
        last = found.begin + len(found.rows)
        self.count.text = (
            f"{found.begin + 1:,} to {last:,} of {found.total:,} infosets"
            if found.rows
            else f"none of {found.total:,} infosets"
        )
        words = list(dict.fromkeys(word for row in found.rows for word in row["mix"]))
        rows = [self._row(each, words) for each in found.rows]
        head = ["line", "seat", "hand", "own reach", "share", "EV", *words]
        self.table.content = scrolled(table(head, rows), "infosets")

    def _row(self, each: dict[str, Any], words: list[str]) -> str:
        mix = each["mix"]
        cells = [
            link(each["line"] or "the start", _address(self.opened, "/explore", each["line"])),
            escape(each["seat"]),
            cards_html(each["hand"]),
            number_text(each["reach"]),
            share_text(each["share"]),
            number_text(each["ev"]),
            *(share_text(mix[word]) if word in mix else "" for word in words),
        ]
        return row(cells, data_infoset=f"{each['line']} {each['hand']}")

    def _tree(self, root: TreeNode) -> str:
        place, node = root.place, root.node
        name = place.text or place.line or "the start"
        share = "" if root.share is None else f" · {root.share:.1%}"
        told = f"<b>{cards_html(name)}</b>{share}"
        if node.actor >= 0:
            told += f" · {escape(node.seats[node.actor].name)} to act "
            told += mix_bar((each.share for each in node.choices), choice_colours(node.choices))
        told += _values(node)
        links = link("explore", _address(self.opened, "/explore", place.line))
        if root.is_cut:
            more = _address(self.opened, "/tree", place.line)
            links += f" · {link('more of the tree', more)}"
        said = tag("div", _beliefs(node.seats) + links, class_="said")
        if not root.children:
            return tag("div", told + said, class_="leaf")
        is_open = " open" if place.depth < _OPEN_DEPTH else ""
        below = "".join(map(self._tree, root.children))
        return f"<details{is_open}><summary>{told}</summary>{said}{below}</details>"


def _values(node: NodeView) -> str:
    known = [each for each in node.seats if each.value == each.value]
    told = ", ".join(f"{escape(each.name)} {number_text(each.value)}" for each in known)
    return " " + tag("span", f"EV {told}", class_="dim") if told else ""


def _beliefs(seats: Iterable[SeatRange]) -> str:
    parts = []
    for each in seats:
        likely = sorted(
            ((float(p), hand) for p, hand in zip(each.shares, each.hands, strict=True) if p > 0),
            key=lambda pair: -pair[0],
        )
        told = " ".join(f"{cards_html(hand)}{p:.0%}" for p, hand in likely[:_MOST_TOLD])
        more = " …" if len(likely) > _MOST_TOLD else ""
        parts.append(f"<div>{escape(each.name)} holds {told or 'nothing'}{more}</div>")
    return tag("div", "".join(parts), class_="dim")


def _address(opened: OpenedNodes, path: str, line: str, **more: Any) -> str:
    assert opened.entry is not None  # only entries of the library have a tree page
    return address_of(f"{path}/{quote(opened.entry.id)}", line=line, step=opened.step, **more)
