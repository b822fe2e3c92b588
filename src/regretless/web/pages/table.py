# SPDX-License-Identifier: MIT
"""`/table`: play any game with bots, bundles and ONNX models at the other seats."""

import contextlib
from html import escape
from typing import Any

import numpy as np
from nicegui import events, ui

from regretless import _native
from regretless.errors import InputError, TooLargeError
from regretless.evaluation.intervals import Moments
from regretless.evaluation.policies import load_policy
from regretless.evaluation.slot_values import SlotValues
from regretless.games.units import unit_name
from regretless.players.review import ReviewedChoice, review
from regretless.policy import Policy
from regretless.telling.choices import read_bet
from regretless.telling.phh import write_phh
from regretless.telling.seat_view import result_text
from regretless.web.pages.frame import WAIT, frame, tell_error
from regretless.web.pages.node_tables import number_text, share_text
from regretless.web.pages.palette import cards_html
from regretless.web.seating import DEFAULT_GAME, Wanted, bot_names, known_games
from regretless.web.services import Services
from regretless.web.tables import Action, OpenTable

_FRACTIONS = (33, 50, 75, 100, 150)
_MOST_SEATS = 9
_YOU = "you"


def add(services: Services) -> None:
    @ui.page("/table", response_timeout=WAIT)
    async def table(against: str = "") -> None:
        with frame("Table"):
            entries = await services.work(services.library.entries)
            page = TablePage(services, [each.id for each in entries])
            if against:
                opened = await services.work(lambda: services.library.opened(against, "table"))
                page.opponents = [against] * (opened.strategy.game.num_players - 1)
                page.game = ""
            page.show()


class TablePage:
    """One visitor at one table."""

    def __init__(self, services: Services, ids: list[str]) -> None:
        self.services, self.ids = services, ids
        self.game = DEFAULT_GAME
        """Empty: that of the strategies."""
        self.opponents = ["pot-odds"]
        self.table: OpenTable | None = None
        self.results = Moments(1)
        self.histories: list[str] = []
        self.counted = -1
        self.amount = 0
        self.log: list[str] = []
        self.reviewed: list[ReviewedChoice] | None = None
        self.values: SlotValues | None = None
        self.are_values_tried = False
        self.is_waiting = False

    def show(self) -> None:
        ui.keyboard(on_key=self._key)
        self.setup()
        self.hand()

    @ui.refreshable_method
    def setup(self) -> None:
        if self.table is not None:
            return
        with ui.row().classes("items-end gap-4"):
            games = {"": "that of the strategies", **{each: each for each in known_games()}}
            ui.select(games, label="game").bind_value(self, "game").classes("min-w-48")
            seats = list(range(2, _MOST_SEATS + 1))
            number = ui.select(seats, label="seats", value=len(self.opponents) + 1)
            number.on_value_change(self._set_seats).classes("min-w-20")
        with ui.row().classes("gap-4"):
            for place, name in enumerate(self.opponents):
                select = ui.select(self._choices(), label=f"player {place + 2}", value=name)
                select.classes("min-w-48").on_value_change(
                    lambda event, place=place: self._set_opponent(place, event.value)
                )
        ui.button("Sit down", on_click=self._open).props("no-caps").mark("sit-down")

    def _choices(self) -> dict[str, str]:
        return {
            **{each: f"bot {each}" for each in bot_names()},
            **{each: each for each in self.ids},
        }

    def _set_seats(self, event: events.ValueChangeEventArguments[Any]) -> None:
        last = self.opponents[-1]
        self.opponents = (self.opponents + [last] * _MOST_SEATS)[: event.value - 1]
        self.setup.refresh()

    def _set_opponent(self, place: int, name: str) -> None:
        self.opponents[place] = name
        if name in self.ids:
            self.game = ""

    async def _open(self) -> None:
        wanted = [Wanted("outside", _YOU)]
        wanted += [Wanted("strategy" if n in self.ids else "bot", n) for n in self.opponents]
        game = self.game or None
        has_strategies = any(each in self.ids for each in self.opponents)
        players = None if has_strategies and game is None else len(wanted)
        seating, tables = self.services.seating, self.services.tables
        try:
            found, seated = await self.services.work(lambda: seating.seat(wanted, game, players))
            self.table = await tables.create(found, seated)
        except InputError as error:
            tell_error(error)
            return
        self.setup.refresh()
        self._after()

    def _after(self) -> None:
        """The table waits for the visitor, or the hand is over."""
        table = self.table
        assert table is not None
        episode, seat = table.table.episode, table.seat_of(0)
        self.amount = table.table.bet_range[0] if table.table.bet_range else 0
        if table.table.is_over and self.counted < table.hand:
            self.counted = table.hand
            payoff = int(episode.payoffs[seat])
            self.results.add(np.array([[payoff / table.game.unit]]))
            self.log.insert(0, f"hand {table.hand + 1}: {result_text(payoff)}")
            if isinstance(episode, _native.PokerEpisode):
                names = [table.players[player].name for player in table.seated]
                with contextlib.suppress(InputError):  # the format has no code for some games
                    self.histories.append(write_phh(episode, names))
        self.hand.refresh()

    async def _act(self, action: Action) -> None:
        if self.table is None or self.is_waiting:
            return
        self.is_waiting = True
        try:
            await self.services.tables.act(self.table, 0, action)
        except InputError as error:
            tell_error(error)
        finally:
            self.is_waiting = False
        self._after()

    async def _deal(self) -> None:
        if self.table is None or self.is_waiting or not self.table.table.is_over:
            return
        self.is_waiting, self.reviewed = True, None
        try:
            await self.services.tables.deal(self.table, self.table.hand)
        except InputError as error:
            tell_error(error)
        finally:
            self.is_waiting = False
        self._after()

    async def _leave(self) -> None:
        if self.table is not None:
            await self.services.tables.close(self.table)
        ui.navigate.to("/table")

    @ui.refreshable_method
    def hand(self) -> None:
        if self.table is None:
            return
        state = self.table.state(0)
        seen = state["seen"]
        _show_board(seen, self.table)
        _show_seats(state)
        if self.table.is_closed:
            ui.label(f"The table is closed: {self.table.why_closed}.")
        elif seen["is_over"]:
            self._ended(seen)
        else:
            self._actions(seen)
        self._session()
        with ui.row().classes("w-full items-start gap-4"):
            lines = "\n".join(_log_lines(state))
            with ui.column().classes("flex-1 min-w-[280px] gap-1"):
                ui.label("this hand").classes("font-bold")
                _log(lines, "this hand")
            with ui.column().classes("flex-1 min-w-[280px] gap-1"):
                ui.label("results").classes("font-bold")
                _log("\n".join(self.log), "results")

    def _actions(self, seen: dict[str, Any]) -> None:
        table = self.table
        assert table is not None
        episode, bets = table.table.episode, seen["bet_range"]
        is_free = bets is not None and bets[0] < bets[1]
        with ui.row().classes("gap-2 items-center"):
            for choice in seen["choices"]:
                slot = choice["slot"]
                offer = episode.offer if isinstance(episode, _native.PokerEpisode) else None
                if is_free and offer is not None and (offer[slot] or 0) > 0:
                    continue
                button = ui.button(
                    choice["text"], on_click=lambda _, slot=slot: self._act(Action(slot=slot))
                )
                button.props("no-caps").mark("act")
        if is_free:
            self._slider(bets)

    def _slider(self, bets: tuple[int, int]) -> None:
        assert self.table is not None
        episode = self.table.table.episode
        least, most = bets

        def set_share(percent: int) -> None:
            amount = read_bet(f"{percent}%", episode)
            self.amount = min(max(amount or least, least), most)

        with ui.row().classes("gap-2 items-center w-full max-w-2xl"):
            for percent in _FRACTIONS:
                button = ui.button(f"{percent}%", on_click=lambda _, p=percent: set_share(p))
                button.props("outline dense no-caps").classes("px-2")
            all_in = ui.button("all-in", on_click=lambda: setattr(self, "amount", most))
            all_in.props("outline dense no-caps").classes("px-2")
        with ui.row().classes("gap-4 items-center w-full max-w-2xl no-wrap"):
            slider = ui.slider(min=least, max=most).bind_value(self, "amount").classes("flex-1")
            slider.props('aria-label="amount"')
            number = ui.number(min=least, max=most, format="%d").classes("w-24")
            number.props('aria-label="amount in chips" dense')
            number.bind_value(self, "amount", forward=lambda v: int(v or least))
            word = "bet" if not getattr(episode, "to_call", 0) else "raise to"
            ui.button(on_click=self._bet).props("no-caps").bind_text_from(
                self, "amount", lambda amount: f"{word} {amount:,}"
            ).mark("bet")

    async def _bet(self) -> None:
        await self._act(Action(amount=int(self.amount)))

    def _ended(self, seen: dict[str, Any]) -> None:
        payoff = seen["seats"][seen["viewer"]]["payoff"]
        with ui.row().classes("gap-3 items-center"):
            ui.label(result_text(payoff)).classes("text-xl font-bold").mark("result")
            ui.button("Next hand", on_click=self._deal).props("no-caps").mark("next-hand")
            ui.button("Look at it again", on_click=self._review).props("no-caps outline")
        if self.reviewed is not None:
            _show_review(self.reviewed, unit_name(self.table.game) if self.table else "")

    async def _review(self) -> None:
        table = self.table
        assert table is not None
        if any(entry.seen for entry in table.table.log):
            ui.notify("A bet off the menu was made: the strategy does not know this hand.")
            return
        name = next((each for each in self.opponents if each in self.ids), self.opponents[0])
        episode, seat = table.table.episode, table.seat_of(0)

        def look() -> list[ReviewedChoice]:
            if name not in self.ids:
                return review(episode, seat, load_policy(name, table.game))
            opened = self.services.library.opened(name)
            with opened.lock:
                return review(episode, seat, *self._valued(opened.strategy.policy))

        try:
            self.reviewed = await self.services.work(look)
        except InputError as error:
            tell_error(error)
            return
        self.hand.refresh()

    def _valued(self, policy: Policy) -> tuple[Policy, SlotValues | None]:
        assert self.table is not None
        if not self.are_values_tried:
            self.are_values_tried = True
            try:
                self.values = SlotValues(self.table.game, policy)
            except TooLargeError:
                self.values = None
        return policy, self.values

    def _session(self) -> None:
        assert self.table is not None
        found = self.results.estimate(0, 100)
        count = self.results.count
        told = f"{count} hand{'' if count == 1 else 's'}"
        if count:
            unit = unit_name(self.table.game)
            width = f" ± {found.half_width:,.1f}" if count > 1 else ""
            per = "bb/100" if unit == "big blinds" else f"{unit} per 100 hands"
            told += f", {found.mean:+,.1f}{width} {per}"
        with ui.row().classes("gap-3 items-center"):
            ui.label(told).mark("session")
            if self.histories:
                ui.button("Hands as PHH", on_click=self._download).props("outline dense no-caps")
            ui.button("Leave", on_click=self._leave).props("outline dense no-caps")

    def _download(self) -> None:
        hands = [f"[{number}]\n{text}" for number, text in enumerate(self.histories, 1)]
        ui.download.content("\n".join(hands), "hands.phhs")

    async def _key(self, event: events.KeyEventArguments) -> None:
        if self.table is None or not event.action.keydown or event.modifiers.ctrl:
            return
        key = event.key.name.lower()
        if self.table.table.is_over:
            if key == "n":
                await self._deal()
        elif key in ("f", "c", "a") and isinstance(self.table.table.episode, _native.PokerEpisode):
            await self._act(Action(text=key))
        elif key == "r" and self.table.table.bet_range:
            await self._bet()


def _show_board(seen: dict[str, Any], table: OpenTable) -> None:
    parts = [escape(seen["game"]), f"hand {table.hand + 1}"]
    if "pot" in seen:
        parts += [f"pot {seen['pot']:,}", cards_html("".join(seen["board"]))]
    line = " · ".join(each for each in parts if each)
    content = f'<div class="text-lg" id="hand" data-version="{table.version}">{line}</div>'
    ui.html(content, sanitize=False)


def _show_seats(state: dict[str, Any]) -> None:
    seen = state["seen"]
    names = {each["seat"]: each["name"] for each in state["players"]}
    told = "".join(_seat_html(seen, seat, names[seat]) for seat in range(len(seen["seats"])))
    ui.html(f'<div class="seats">{told}</div>', sanitize=False).classes("w-full")


def _seat_html(seen: dict[str, Any], seat: int, name: str) -> str:
    each = seen["seats"][seat]
    classes = "seat" + (" acts" if seen["actor"] == seat else "")
    classes += "" if each["is_live"] else " out"
    if each["hand"]:
        hand = cards_html(each["hand"])
    else:
        hand = '<span class="card back" role="img" aria-label="hidden">?</span>'
    chips = ""
    if "stack" in each:
        chips = f"<div>{each['stack']:,} behind, bet {each['bet']:,}</div>"
    if each["payoff"] is not None:
        chips += f"<div><b>{each['payoff']:+,}</b></div>"
    folded = "" if each["is_live"] else " (folded)"
    return (
        f'<div class="{classes}"><div><b>{escape(name)}</b> {escape(each["name"])}{folded}</div>'
        f"<div>{hand}</div>{chips}</div>"
    )


def _log_lines(state: dict[str, Any]) -> list[str]:
    seen = state["seen"]
    names = {each["seat"]: each["name"] for each in state["players"]}
    lines = []
    for entry in seen["log"]:
        if entry["seat"] is None:
            lines.append(entry["text"])
        else:
            seat = entry["seat"]
            taken = f" (seen as {entry['seen']})" if entry["seen"] else ""
            place = seen["seats"][seat]["name"]
            lines.append(f"  {names[seat]} ({place}): {entry['text']}{taken}")
    return lines


def _log(text: str, name: str) -> None:
    content = (
        f'<div class="log" tabindex="0" role="region" aria-label="{name}">{escape(text)}</div>'
    )
    ui.html(content, sanitize=False).classes("w-full")


def _show_review(choices: list[ReviewedChoice], unit: str) -> None:
    if not choices:
        ui.label("You decided nothing in this hand.")
        return
    rows = "".join(
        f"<tr><td>{escape(each.place)}</td><td>{escape(each.chosen)}</td><td>"
        + ", ".join(f"{escape(text)} {share_text(p)}" for text, p in each.mix if p >= 0.0005)
        + f"</td><td>{number_text(each.lost)}</td></tr>"
        for each in choices
    )
    head = f"<tr><th>where</th><th>you</th><th>the strategy</th><th>EV lost, {unit}</th></tr>"
    table = f'<table class="plain">{head}{rows}</table>'
    with ui.element("div").classes("scroll").props('tabindex=0 role=region aria-label="review"'):
        ui.html(table, sanitize=False).mark("review")
