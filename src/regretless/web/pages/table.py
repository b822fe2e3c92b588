# SPDX-License-Identifier: MIT
"""`/table`: play any game with bots, bundles and ONNX models at the other seats."""

import contextlib
from typing import Any

from nicegui import events, ui

from regretless.errors import InputError
from regretless.games import Game
from regretless.histories.seat_view import result_text
from regretless.tables.betting_controls import BettingControls, Button, betting_controls
from regretless.tables.review import ReviewedChoice
from regretless.web.errors import NotFoundError
from regretless.web.pages.frame import WAIT, frame, tell_error
from regretless.web.pages.kept_seat import KeptSeat, forget_seat, keep_seat, read_seat
from regretless.web.parts.table_view import (
    log_text,
    show_board,
    show_log,
    show_results,
    show_review,
    show_seats,
)
from regretless.web.play.hand_record import seen_row
from regretless.web.play.seating import DEFAULT_GAME, Wanted, bot_names, known_games
from regretless.web.play.session import Session
from regretless.web.play.tables import Action, OpenTable, TablePlayer, result_json
from regretless.web.services import Services

_MOST_SEATS = 9
_LOOK_SECONDS = 1.0  # between looks at what another window of the same player did
_YOU = "you"
_SMALL = "outline dense no-caps"


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
            with contextlib.suppress(TimeoutError):  # nobody is there who could come back
                await ui.context.client.connected(timeout=WAIT)
                await page.come_back(is_asked=bool(against))


class TablePage:
    """One visitor at one table, where he is player 0."""

    def __init__(self, services: Services, ids: list[str]) -> None:
        self.services, self.ids = services, ids
        self.game = DEFAULT_GAME
        """Empty: that of the strategies."""
        self.opponents = ["pot-odds"]
        self.table: OpenTable | None = None
        self.kept: KeptSeat | None = None
        """A table that he may go back to."""
        self.past: Session | None = None
        """Of a table that is not open any more."""
        self.version = -1
        """Of the table as it is shown."""
        self.amount = 0
        self.reviewed: list[ReviewedChoice] | None = None
        self.replayed: list[dict[str, Any]] | None = None
        self.replayed_hand, self.replayed_step = 0, 0
        self.is_waiting = False

    def show(self) -> None:
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"])
        ui.timer(_LOOK_SECONDS, self._look)
        self.setup()
        self.hand()
        self.replay()
        with ui.row().classes("w-full items-start gap-4"):
            with ui.column().classes("flex-1 min-w-72 gap-1"):
                self.log()
            with ui.column().classes("flex-1 min-w-72 gap-1"):
                self.session()

    # Sitting down, coming back, leaving.

    async def come_back(self, is_asked: bool) -> None:
        """To the table that the browser remembers; `is_asked`: only if he wants to."""
        kept = await read_seat()
        if kept is None:
            return
        tables = self.services.tables
        try:
            tables.player(tables.find(kept.table), kept.token)
        except NotFoundError:
            forget_seat()
            with contextlib.suppress(InputError):
                self.past = await self.services.work(lambda: tables.filed(kept.table, kept.token))
            self.setup.refresh()
        except InputError:
            forget_seat()
        else:
            self.kept = kept
            if is_asked:
                self.setup.refresh()
            else:
                await self._go_back()

    async def _go_back(self) -> None:
        if self.kept is None:
            return
        try:
            self.table = self.services.tables.find(self.kept.table)
        except InputError as error:
            tell_error(error)
            return
        await self.services.tables.settle(self.table)
        self.setup.refresh()
        self._after()

    @ui.refreshable_method
    def setup(self) -> None:
        if self.table is not None:
            return
        if self.kept is not None:
            ui.button("Back to your table", on_click=self._go_back).props("no-caps")
        if self.past is not None:
            ui.label("Your last table is closed. What was played there is kept:")
            with ui.row().classes("gap-3 items-center"):
                ui.label(_session_text(result_json(self.past.won, self.past.game))).mark("past")
                if self.past.rows:
                    self._download_button()
        with ui.row().classes("items-end gap-4"):
            games = {"": "that of the strategies", **{each: each for each in known_games()}}
            ui.select(games, label="game").bind_value(self, "game").classes("min-w-48")
            seats = list(range(2, _MOST_SEATS + 1))
            number = ui.select(seats, label="seats", value=len(self.opponents) + 1)
            number.on_value_change(lambda event: self._set_seats(event.value))
            number.classes("min-w-20")
        with ui.row().classes("gap-4"):
            for place, name in enumerate(self.opponents):
                select = ui.select(self._choices(), label=f"player {place + 2}", value=name)
                select.classes("min-w-48").on_value_change(
                    lambda event, place=place: self._set_opponent(place, event.value)
                )
        with ui.row():
            ui.button("Sit down", on_click=self._open).props("no-caps").mark("sit-down")

    def _choices(self) -> dict[str, str]:
        return {
            **{each: f"bot {each}" for each in bot_names()},
            **{each: each for each in self.ids},
        }

    def _set_seats(self, seats: int) -> None:
        last = self.opponents[-1]
        self.opponents = (self.opponents + [last] * _MOST_SEATS)[: seats - 1]
        self.setup.refresh()

    async def _set_opponent(self, place: int, name: str) -> None:
        """A strategy that does not play the game that is chosen brings its own, with its seats."""
        self.opponents[place] = name
        if name not in self.ids:
            return
        try:
            await self._seated()
        except InputError:
            await self._take_game_of(place, name)

    async def _take_game_of(self, place: int, name: str) -> None:
        library = self.services.library
        try:
            opened = await self.services.work(lambda: library.opened(name, "table"))
        except InputError as error:
            tell_error(error)
            return
        self.game, seats = "", opened.strategy.game.num_players
        if len(self.opponents) + 1 != seats:
            kept = [name, *(each for n, each in enumerate(self.opponents) if n != place)]
            self.opponents = (kept + [name] * seats)[: seats - 1]
            self.setup.refresh()

    async def _seated(self) -> tuple[Game, list[TablePlayer]]:
        """Everybody who was chosen; InputError if they do not play one game."""
        wanted = [Wanted("outside", _YOU)]
        wanted += [Wanted("strategy" if n in self.ids else "bot", n) for n in self.opponents]
        game, seating = self.game or None, self.services.seating
        has_strategies = any(each in self.ids for each in self.opponents)
        players = None if has_strategies and game is None else len(wanted)
        return await self.services.work(lambda: seating.seat(wanted, game, players))

    async def _open(self) -> None:
        if self.is_waiting:
            return
        self.is_waiting = True
        try:
            self.table = await self.services.tables.create(*await self._seated())
        except InputError as error:
            tell_error(error)
            return
        finally:
            self.is_waiting = False
        token = self.table.players[0].token
        assert token is not None
        keep_seat(self.table.id, token)
        self.past = None
        self.setup.refresh()
        self._after()

    async def _leave(self) -> None:
        forget_seat()
        if self.table is not None and not self.table.is_closed:
            await self.services.tables.close(self.table)
        ui.navigate.to("/table")

    # Playing.

    def _after(self) -> None:
        """The table waits for the visitor, or the hand is over."""
        table = self.table
        assert table is not None
        self.version = table.version
        self.amount = table.table.bet_range[0] if table.table.bet_range else 0
        self.hand.refresh()
        self.replay.refresh()
        self.log.refresh()
        self.session.refresh()

    def _look(self) -> None:
        """Whether the table has gone on: in another window, or because it was closed."""
        table = self.table
        if table is None or self.is_waiting or not table.settled.is_set():
            return
        if table.version != self.version:
            self.reviewed = None
            self._after()

    async def _act(self, action: Action) -> None:
        table = self.table
        if table is None or self.is_waiting or table.is_closed:
            return
        self.is_waiting = True
        try:
            await self.services.tables.act(table, 0, action, self.version)
        except InputError as error:
            tell_error(error)
            if table.version == self.version:
                return
        finally:
            self.is_waiting = False
        self._after()

    async def _deal(self) -> None:
        table = self.table
        if table is None or self.is_waiting or not table.table.is_over:
            return
        self.is_waiting, self.reviewed, self.replayed = True, None, None
        try:
            await self.services.tables.deal(table, table.hand)
        except InputError as error:
            tell_error(error)
        finally:
            self.is_waiting = False
        self._after()

    @ui.refreshable_method
    def hand(self) -> None:
        table = self.table
        if table is None:
            return
        state = table.state(0)
        seen, names = state["seen"], _names(state)
        mark = f'id="hand" data-version="{table.version}"'
        show_board(seen, f"hand {table.hand + 1}", mark)
        show_seats(seen, names)
        if table.is_closed:
            ui.label(f"The table is closed: {table.why_closed}.")
        elif seen["is_over"]:
            self._ended(seen)
        else:
            self._controls(betting_controls(table.table))

    @ui.refreshable_method
    def log(self) -> None:
        if self.table is None:
            return
        state = self.table.state(0)
        ui.label("this hand").classes("font-bold")
        show_log(log_text(state["seen"], _names(state)), "this hand")
        ui.label(
            "Keys: f folds, c checks or calls, r bets what is set, a goes all-in, n deals."
        ).classes("dim")

    def _controls(self, controls: BettingControls) -> None:
        with ui.row().classes("gap-2 items-center"):
            for each in controls.buttons:
                button = ui.button(each.text, on_click=lambda _, each=each: self._press(each))
                button.props("no-caps").mark("act")
        if controls.bets is not None:
            self._slider(controls, *controls.bets)

    def _slider(self, controls: BettingControls, least: int, most: int) -> None:
        with ui.row().classes("gap-2 items-center w-full max-w-2xl"):
            for text, amount in controls.marks:
                button = ui.button(text, on_click=lambda _, a=amount: setattr(self, "amount", a))
                button.props(_SMALL).classes("px-2")
        with ui.row().classes("gap-4 items-center w-full max-w-2xl no-wrap"):
            slider = ui.slider(min=least, max=most).bind_value(self, "amount").classes("flex-1")
            slider.props('aria-label="amount"')
            number = ui.number(min=least, max=most, format="%d").classes("w-24")
            number.props('aria-label="amount in chips" dense')
            number.bind_value(self, "amount", forward=lambda v: int(v or least))
            ui.button(on_click=self._bet).props("no-caps").bind_text_from(
                self, "amount", lambda amount: f"{controls.word} {amount:,}"
            ).mark("bet")

    async def _press(self, button: Button) -> None:
        await self._act(Action(slot=button.slot, amount=button.amount))

    async def _bet(self) -> None:
        await self._act(Action(amount=int(self.amount)))

    def _ended(self, seen: dict[str, Any]) -> None:
        payoff = seen["seats"][seen["viewer"]]["payoff"]
        with ui.row().classes("gap-3 items-center"):
            told = ui.label(result_text(payoff)).classes("text-xl font-bold").mark("result")
            told.props("role=status")
            ui.button("Next hand", on_click=self._deal).props("no-caps").mark("next-hand")
            ui.button("Look at it again", on_click=self._review).props("no-caps outline")
        if self.reviewed is not None and self.table is not None:
            unit = self.table.result(0)["unit"]
            show_review(self.reviewed, self._reviewer, unit)

    @property
    def _reviewer(self) -> str:
        """Who says what he would have done: the first strategy at the table, else the first bot."""
        assert self.table is not None
        names = [each.name for each in self.table.players[1:]]
        return next((each for each in names if each in self.ids), names[0])

    async def _review(self) -> None:
        table = self.table
        if table is None:
            return
        session, hand, name = table.session(0), table.hand, self._reviewer
        try:
            self.reviewed = await self.services.work(
                lambda: self.services.reviews.review(session, hand, name)
            )
        except InputError as error:
            tell_error(error)
            return
        self.hand.refresh()

    # What was played.

    @ui.refreshable_method
    def session(self) -> None:
        table = self.table
        if table is None:
            return
        with ui.row().classes("gap-3 items-center"):
            ui.label(_session_text(table.result(0))).mark("session")
            if table.num_finished and table.game.deck is not None:
                self._download_button()
            ui.button("Leave", on_click=self._leave).props(_SMALL).classes("px-2")
        if table.kept:
            ui.label("hands that ended: click to replay").classes("font-bold")
            show_results([seen_row(each, 0) for each in table.kept], self._open_replay)

    @ui.refreshable_method
    def replay(self) -> None:
        if self.replayed is not None:
            self._show_replay(self.replayed)

    def _show_replay(self, steps: list[dict[str, Any]]) -> None:
        step = steps[self.replayed_step]
        assert self.table is not None
        row = next(each for each in self.table.kept if each["hand"] == self.replayed_hand)
        with ui.card().classes("w-full").props('role=region aria-label="replay"').mark("replay"):
            title = f"replay of hand {self.replayed_hand + 1}"
            show_board(step["seen"], title, f'id="replay" data-step="{self.replayed_step}"')
            show_seats(step["seen"], row["players"])
            seat = step["seat"]
            told = "the deal" if seat is None else f"{row['players'][seat]}: {step['text']}"
            ui.label(f"{self.replayed_step} of {len(steps) - 1}: {told}").props("role=status")
            with ui.row().classes("gap-2"):
                last = len(steps) - 1
                for text, to in (
                    ("First", 0),
                    ("Back", max(self.replayed_step - 1, 0)),
                    ("Forward", min(self.replayed_step + 1, last)),
                    ("Last", last),
                ):
                    button = ui.button(text, on_click=lambda _, to=to: self._step_to(to))
                    button.props(_SMALL).classes("px-2").set_enabled(to != self.replayed_step)
                close = ui.button("Close the replay", on_click=self._close_replay)
                close.props(_SMALL).classes("px-2")

    async def _open_replay(self, hand: int) -> None:
        if self.table is None:
            return
        session = self.table.session(0)
        try:
            self.replayed = await self.services.work(lambda: session.steps(hand))
        except InputError as error:
            tell_error(error)
            return
        self.replayed_hand, self.replayed_step = hand, 0
        self.replay.refresh()

    def _step_to(self, step: int) -> None:
        if self.replayed is not None and 0 <= step < len(self.replayed):
            self.replayed_step = step
            self.replay.refresh()

    def _close_replay(self) -> None:
        self.replayed = None
        self.replay.refresh()

    def _download_button(self) -> None:
        ui.button("Hands as PHH", on_click=self._download).props(_SMALL).classes("px-2")

    async def _download(self) -> None:
        """All hands, also those that are only on file by now."""
        try:
            text = await self.services.work(self._phhs)
        except InputError as error:
            tell_error(error)
            return
        ui.download.content(text, "hands.phhs")

    def _phhs(self) -> str:
        table = self.table
        if table is None:
            assert self.past is not None
            return self.past.phhs()
        if table.has_all:
            return table.session(0).phhs()
        return self.services.tables.filed(table.id, table.players[0].token).phhs()

    async def _key(self, event: events.KeyEventArguments) -> None:
        table, action = self.table, event.action
        if table is None or not action.keydown or action.repeat or event.modifiers.ctrl:
            return
        key = event.key.name.lower()
        if self.replayed is not None and key in ("arrowleft", "arrowright", "escape"):
            if key == "escape":
                self._close_replay()
            else:
                self._step_to(self.replayed_step + (1 if key == "arrowright" else -1))
        elif table.table.is_over:
            if key == "n":
                await self._deal()
        else:
            await self._key_to_act(key, betting_controls(table.table))

    async def _key_to_act(self, key: str, controls: BettingControls) -> None:
        assert self.table is not None
        if self.table.game.deck is None:
            if key.isdecimal() and 0 < int(key) <= len(controls.buttons):
                await self._press(controls.buttons[int(key) - 1])
        elif key in ("f", "c"):
            await self._act(Action(text=key))
        elif key == "r" and controls.bets is not None:
            await self._bet()
        elif key in ("r", "a"):
            single = [each for each in controls.buttons if each.amount is not None]
            all_in = [amount for text, amount in controls.marks if text == "all-in"]
            if single:
                await self._press(single[0])
            elif key == "a" and all_in:
                await self._act(Action(amount=all_in[0]))


def _names(state: dict[str, Any]) -> list[str]:
    """Of the players, by seat."""
    by_seat = sorted(state["players"], key=lambda each: each["seat"])
    return [each["name"] for each in by_seat]


def _session_text(session: dict[str, Any]) -> str:
    count = session["hands"]
    told = f"{count} hand{'' if count == 1 else 's'}"
    if count:
        unit = session["unit"]
        width = f" ± {session['half_width']:,.1f}" if session["half_width"] is not None else ""
        per = "bb/100" if unit == "big blinds" else f"{unit} per 100 hands"
        told += f", {session['per_100']:+,.1f}{width} {per}"
    return told
