# SPDX-License-Identifier: MIT
"""The form before a table is opened: the game, the number of seats, the opponents."""

from nicegui import ui

from regretless.errors import InputError
from regretless.games import Game
from regretless.matches.bots import BOTS
from regretless.web.parts.elements import tells_errors
from regretless.web.play.open_table import TablePlayer
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
        """The game and all players; InputError if they do not play one game."""
        wanted = [Wanted("outside", _YOU)]
        wanted += [Wanted("strategy" if n in self.ids else "bot", n) for n in self.opponents]
        return await self.services.work(self.services.seating.seat, wanted, self.game or None)

    def _set_seats(self, seats: int) -> None:
        last = self.opponents[-1]
        self.opponents = (self.opponents + [last] * _MOST_SEATS)[: seats - 1]
        self.show.refresh()

    async def _set_opponent(self, place: int, name: str) -> None:
        """A strategy for another game than the chosen one brings its game and its seats."""
        self.opponents[place] = name
        if name not in self.ids:
            return
        try:
            await self.seated()
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
