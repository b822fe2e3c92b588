# SPDX-License-Identifier: MIT
"""Panels of the table page: the form before a table is opened, bets, replays of hands."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from regretless.errors import InputError
from regretless.games import Game
from regretless.games.amounts import CHIPS, Amounts
from regretless.matches.bots import BOTS
from regretless.tables.seat_json import BettingControls, betting_controls
from regretless.tables.table import Table
from regretless.web.parts.elements import small_button, tells_errors
from regretless.web.parts.table_view import show_board, show_seats
from regretless.web.play.finished_hands import Session
from regretless.web.play.open_table import Action, TablePlayer
from regretless.web.play.seating import DEFAULT_GAME, Wanted, known_games
from regretless.web.services import Services

_MOST_SEATS = 9
_YOU = "you"


class TableSetup:
    """One visitor's choice."""

    def __init__(self, services: Services, ids: list[str]) -> None:
        self.services, self.ids = services, ids
        self.game = DEFAULT_GAME  # empty for the game of the strategies
        self.opponents = ["pot-odds"]
        self._changing = asyncio.Lock()  # held while a choice changes the others

    async def against(self, id: str) -> None:
        """Puts a strategy on all other seats, in its own game."""
        opened = await self.services.work(self.services.library.opened, id, "table")
        self.opponents = [id] * (opened.strategy.game.num_players - 1)
        self.game = ""

    @ui.refreshable_method
    def show(self) -> None:
        with ui.row().classes("items-end gap-4"):
            games = {"": "game of the strategies", **{each: each for each in known_games()}}
            ui.select(games, label="game").bind_value(self, "game").classes("min-w-48")
            seats = list(range(2, _MOST_SEATS + 1))
            number = ui.select(seats, label="seats", value=len(self.opponents) + 1)
            number.on_value_change(lambda event: self._set_seats(event.value))
            number.classes("min-w-20")
        with ui.row().classes("gap-4"):
            names = {each: f"bot {each}" for each in BOTS} | {each: each for each in self.ids}
            for place, name in enumerate(self.opponents):
                select = ui.select(names, label=f"player {place + 2}", value=name)
                select.classes("min-w-48").on_value_change(
                    lambda event, place=place: self._set_opponent(place, event.value)
                )

    async def seated(self) -> tuple[Game, list[TablePlayer]]:
        """The game and all players; InputError if they do not play one game.

        Waits until the last choice has taken effect.
        """
        async with self._changing:
            return await self._seated()

    async def _seated(self) -> tuple[Game, list[TablePlayer]]:
        wanted = [Wanted("outside", _YOU)]
        wanted += [Wanted("strategy" if n in self.ids else "bot", n) for n in self.opponents]
        return await self.services.work(self.services.seating.seat, wanted, self.game or None)

    def _set_seats(self, seats: int) -> None:
        last = self.opponents[-1]
        self.opponents = (self.opponents + [last] * _MOST_SEATS)[: seats - 1]
        self.show.refresh()

    async def _set_opponent(self, place: int, name: str) -> None:
        """A strategy for another game than the chosen one brings its game and its seats."""
        async with self._changing:
            self.opponents[place] = name
            if name not in self.ids:
                return
            try:
                await self._seated()
            except InputError:
                await self._take_game_of(place, name)

    @tells_errors
    async def _take_game_of(self, place: int, name: str) -> None:
        opened = await self.services.work(self.services.library.opened, name, "table")
        self.game, seats = "", opened.strategy.game.num_players
        if len(self.opponents) + 1 != seats:
            kept = [name, *(each for n, each in enumerate(self.opponents) if n != place)]
            self.opponents = (kept + [name] * seats)[: seats - 1]
            self.show.refresh()


class BettingPanel:
    """The controls of one visitor; `act` is called with the action that was chosen."""

    def __init__(self, act: Callable[[Action], Awaitable[None]]) -> None:
        self.act = act
        self.amount = 0
        self.amounts = CHIPS

    def reset(self, table: Table, amounts: Amounts) -> None:
        """Sets the slider to the smallest bet."""
        self.amounts = amounts
        self.amount = table.bet_range[0] if table.bet_range else 0

    def show(self, table: Table) -> None:
        controls = betting_controls(table)
        with ui.row().classes("gap-2 items-center"):
            for each in controls.buttons:
                action = Action(slot=each.slot, amount=each.amount)
                text = self.amounts.in_text(each.text)
                button = ui.button(text, on_click=lambda _, action=action: self.act(action))
                button.mark("act")
        if controls.bets is not None:
            self._slider(controls, *controls.bets)

    async def press(self, key: str, table: Table) -> None:
        """Acts by a key: f, c, r or a in poker, else the number of a button."""
        controls = betting_controls(table)
        if table.episode.game.deck is None:
            if key.isdecimal() and 0 < int(key) <= len(controls.buttons):
                button = controls.buttons[int(key) - 1]
                await self.act(Action(slot=button.slot, amount=button.amount))
        elif key in ("f", "c"):
            await self.act(Action(text=key))
        elif key == "r" and controls.bets is not None:
            await self._bet()
        elif key in ("r", "a"):
            single = [each for each in controls.buttons if each.amount is not None]
            all_in = [amount for text, amount in controls.marks if text == "all-in"]
            if single:
                await self.act(Action(slot=single[0].slot, amount=single[0].amount))
            elif key == "a" and all_in:
                await self.act(Action(amount=all_in[0]))

    def _slider(self, controls: BettingControls, least: int, most: int) -> None:
        with ui.row().classes("gap-2 items-center w-full max-w-2xl"):
            for text, amount in controls.marks:
                button = small_button(text, lambda _, a=amount: setattr(self, "amount", a))
                button.classes("px-2")
        with ui.row().classes("gap-4 items-center w-full max-w-2xl no-wrap"):
            amounts = self.amounts
            slider = ui.slider(min=least, max=most).bind_value(self, "amount").classes("flex-1")
            slider.props('aria-label="amount"')
            first, last = amounts.of_chips(least), amounts.of_chips(most)
            number = ui.number(min=first, max=last, step=amounts.of_chips(1)).classes("w-24")
            number.props(f'aria-label="amount in {amounts.name}" dense')
            number.bind_value(
                self,
                "amount",
                forward=lambda v: round((v or first) * amounts.chips),
                backward=lambda chips: round(amounts.of_chips(chips), 4),
            )
            button = ui.button(on_click=self._bet).mark("bet")
            told = f"{controls.word} {{}}"
            button.bind_text_from(self, "amount", lambda chips: told.format(amounts.text(chips)))

    async def _bet(self) -> None:
        await self.act(Action(amount=int(self.amount)))


class HandReplay:
    """The hand that one visitor replays, if any."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._amounts = CHIPS
        self._steps: list[dict[str, Any]] = []
        self._names: list[str] = []
        self._hand, self._step = 0, 0

    @property
    def is_open(self) -> bool:
        return bool(self._steps)

    @tells_errors
    async def open(self, session: Session, hand: int, amounts: Amounts) -> None:
        self._amounts = amounts
        self._steps = await self.services.work(session.steps, hand)
        self._names, self._hand, self._step = session.row(hand)["players"], hand, 0
        self.show.refresh()

    def close(self) -> None:
        self._steps = []
        self.show.refresh()

    def press(self, key: str) -> None:
        """Handles an arrow key, or Escape."""
        if key == "escape":
            self.close()
        else:
            self._go(self._step + (1 if key == "arrowright" else -1))

    @ui.refreshable_method
    def show(self) -> None:
        if not self._steps:
            return
        step, last = self._steps[self._step], len(self._steps) - 1
        with ui.card().classes("w-full").props('role=region aria-label="replay"').mark("replay"):
            title = f"replay of hand {self._hand + 1}"
            show_board(step["seen"], title, self._amounts, id="replay", data_step=self._step)
            show_seats(step["seen"], self._names, self._amounts)
            seat, text = step["seat"], self._amounts.in_text(step["text"])
            text = "the deal" if seat is None else f"{self._names[seat]}: {text}"
            ui.label(f"{self._step} of {last}: {text}").props("role=status")
            with ui.row().classes("gap-2"):
                back, forward = max(self._step - 1, 0), min(self._step + 1, last)
                steps = {"First": 0, "Back": back, "Forward": forward, "Last": last}
                for text, to in steps.items():
                    button = small_button(text, lambda _, to=to: self._go(to))
                    button.classes("px-2").set_enabled(to != self._step)
                small_button("Close replay", self.close).classes("px-2")

    def _go(self, step: int) -> None:
        if 0 <= step < len(self._steps):
            self._step = step
            self.show.refresh()
