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
from regretless.web.pages.frame import WAIT, frame, show_error, small_button, tell_error
from regretless.web.parts.html_place import html_place, html_row
from regretless.web.parts.node_tables import mix_bar, number_text, plain_table, scrolled, share_text
from regretless.web.parts.palette import cards_html, choice_colours
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
            opened = await services.work(lambda: open_nodes(services.library, id, step))
            shown = TreePage(services, opened, line, hand, page)
            await shown.show()


class TreePage:
    """One visitor's view of a whole game."""

    def __init__(
        self, services: Services, opened: OpenedNodes, line: str, hand: str, page: int
    ) -> None:
        self.services, self.opened = services, opened
        self.line, self.hand, self.page = line, hand, max(page, 1)
        self.found: InfosetPage
        self.shown = (line, hand)  # the filter of the rows that are shown

    async def show(self) -> None:
        opened, line = self.opened, self.line
        below = f" below {line}" if line else ""
        ui.label(f"{opened.game.name}{below}: {opened.strength}").classes("dim")
        root = await self.services.work(
            lambda: game_tree(opened.game, self._ask, line, most=opened.most_nodes)
        )
        if line:
            ui.link("Show the whole tree", _address(opened, "/tree", "")).classes("plainlink")
        html_place(scrolled(f'<div class="tree">{self._tree(root)}</div>', "game tree"))
        ui.element("h2").classes("text-xl").add_slot("default", "Infosets")
        try:
            await self._load()
        except TooLargeError as error:
            show_error(error)
            return
        with ui.row().classes("items-end gap-4"):
            for name, key in (("at and below the line", "line"), ("hand", "hand")):
                field = ui.input(name, value=getattr(self, key)).classes("w-56")
                field.on("keydown.enter", self._filter).on("blur", self._filter)
                field.bind_value(self, key)
            small_button("Previous", lambda: self._turn(-1))
            small_button("Next", lambda: self._turn(1))
            self.count = ui.label().classes("dim").mark("count")
        self.table = html_place()
        self._fill()

    async def _load(self) -> None:
        game, line, hand, begin = self.opened.game, self.line, self.hand, (self.page - 1) * _ROWS
        self.found = await self.services.work(
            lambda: infosets(game, self._ask, line=line, hand=hand, begin=begin, count=_ROWS)
        )

    def _ask(self, line: str) -> NodeView:
        return self.opened.node(line, equities=False)

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
        rows = [self._row(row, words) for row in found.rows]
        head = ["line", "seat", "hand", "own reach", "share", "EV", *words]
        self.table.content = scrolled(plain_table(head, rows), "infosets")

    def _row(self, row: dict[str, Any], words: list[str]) -> str:
        place = _address(self.opened, "/explore", row["line"])
        cells = [
            f'<a class="plainlink" href="{escape(place)}">{escape(row["line"] or "the start")}</a>',
            escape(row["seat"]),
            cards_html(row["hand"]),
            number_text(row["reach"]),
            share_text(row["share"]),
            number_text(row["ev"]),
            *(share_text(row["mix"][word]) if word in row["mix"] else "" for word in words),
        ]
        return html_row(cells, f'data-infoset="{escape(row["line"])} {escape(row["hand"])}"')

    def _tree(self, root: TreeNode) -> str:
        place, node = root.place, root.node
        name = place.text or place.line or "the start"
        link = escape(_address(self.opened, "/explore", place.line))
        share = "" if root.share is None else f" · {root.share:.1%}"
        told = f"<b>{cards_html(name)}</b>{share}"
        if node.actor >= 0:
            shares = (0 if each.share != each.share else each.share for each in node.choices)
            told += f" · {escape(node.seats[node.actor].name)} to act "
            told += mix_bar(shares, choice_colours(node.choices))
        told += _values(node)
        links = f'<a class="plainlink" href="{link}">explore</a>'
        if root.is_cut:
            more = escape(_address(self.opened, "/tree", place.line))
            links += f' · <a class="plainlink" href="{more}">more of the tree</a>'
        said = f'<div class="said">{_beliefs(node.seats)}{links}</div>'
        if not root.children:
            return f'<div class="leaf">{told}{said}</div>'
        is_open = " open" if place.depth < _OPEN_DEPTH else ""
        below = "".join(map(self._tree, root.children))
        return f"<details{is_open}><summary>{told}</summary>{said}{below}</details>"


def _values(node: NodeView) -> str:
    known = [each for each in node.seats if each.value == each.value]
    told = ", ".join(f"{escape(each.name)} {number_text(each.value)}" for each in known)
    return f' <span class="dim">EV {told}</span>' if told else ""


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
    return f'<div class="dim">{"".join(parts)}</div>'


def _address(opened: OpenedNodes, path: str, line: str, **more: Any) -> str:
    assert opened.entry is not None  # only entries of the library have a tree page
    return address_of(f"{path}/{quote(opened.entry.id)}", line=line, step=opened.step, **more)
