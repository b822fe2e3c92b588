# SPDX-License-Identifier: MIT
"""`/table`: play any game with bots, bundles and ONNX models at the other seats."""

import contextlib
from typing import Any

from nicegui import events, ui

from regretless.errors import InputError
from regretless.histories.seat_view import result_text
from regretless.tables.review import ReviewedChoice
from regretless.web.errors import NotFoundError
from regretless.web.pages.frame import WAIT, frame, small_button, tell_error, tells_errors
from regretless.web.pages.kept_seat import KeptSeat, forget_seat, keep_seat, read_seat
from regretless.web.parts.betting_panel import BettingPanel
from regretless.web.parts.hand_replay import HandReplay
from regretless.web.parts.table_setup import TableSetup
from regretless.web.parts.table_view import (
    log_text,
    session_text,
    show_board,
    show_log,
    show_results,
    show_review,
    show_seats,
)
from regretless.web.play.hand_record import seen_row
from regretless.web.play.open_table import Action, OpenTable, result_json
from regretless.web.play.reviews import compare_hand
from regretless.web.play.session import Session
from regretless.web.services import Services

_LOOK_SECONDS = 1.0  # between looks at changes by another window of the same player


def add(services: Services) -> None:
    @ui.page("/table", response_timeout=WAIT)
    async def table(against: str = "") -> None:
        with frame("Table"):
            entries = await services.work(services.library.entries)
            page = TablePage(services, [each.id for each in entries])
            if against:
                await page.setup.against(against)
            page.show()
            with contextlib.suppress(TimeoutError):  # the visitor has left
                await ui.context.client.connected(timeout=WAIT)
                await page.come_back(is_asked=bool(against))


class TablePage:
    """One visitor at one table, as player 0."""

    def __init__(self, services: Services, ids: list[str]) -> None:
        self.services, self.ids = services, ids
        self.setup = TableSetup(services, ids)
        self.replay = HandReplay(services)
        self.betting = BettingPanel(self._act)
        self.table: OpenTable | None = None
        self.kept: KeptSeat | None = None  # a table that the visitor may go back to
        self.past: Session | None = None  # the session of a table that is closed
        self.version = -1  # the version of the table that is shown
        self.reviewed: list[ReviewedChoice] | None = None
        self.is_waiting = False

    def show(self) -> None:
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"])
        ui.timer(_LOOK_SECONDS, self._look)
        self.start()
        self.hand()
        self.replay.show()
        with ui.row().classes("w-full items-start gap-4"):
            with ui.column().classes("flex-1 min-w-72 gap-1"):
                self.log()
            with ui.column().classes("flex-1 min-w-72 gap-1"):
                self.session()

    # Sitting down, coming back, leaving.

    async def come_back(self, is_asked: bool) -> None:
        """Returns to the table that the browser remembers; `is_asked` offers a button instead."""
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
            self.start.refresh()
        except InputError:
            forget_seat()
        else:
            self.kept = kept
            if is_asked:
                self.start.refresh()
            else:
                await self._go_back()

    @tells_errors
    async def _go_back(self) -> None:
        if self.kept is None:
            return
        self.table = self.services.tables.find(self.kept.table)
        await self.services.tables.settle(self.table)
        self.start.refresh()
        self._after()

    @ui.refreshable_method
    def start(self) -> None:
        if self.table is not None:
            return
        if self.kept is not None:
            ui.button("Go back to your table", on_click=self._go_back).props("no-caps")
        if self.past is not None:
            ui.label("Your last table is closed. Its finished hands are kept:")
            with ui.row().classes("gap-3 items-center"):
                ui.label(session_text(result_json(self.past.won, self.past.game))).mark("past")
                if self.past.rows:
                    self._download_button()
        self.setup.show()
        with ui.row():
            ui.button("Sit down", on_click=self._open).props("no-caps").mark("sit-down")

    @tells_errors
    async def _open(self) -> None:
        if self.is_waiting:
            return
        self.is_waiting = True
        try:
            self.table = await self.services.tables.create(*await self.setup.seated())
        finally:
            self.is_waiting = False
        token = self.table.players[0].token
        assert token is not None
        keep_seat(self.table.id, token)
        self.past = None
        self.start.refresh()
        self._after()

    async def _leave(self) -> None:
        forget_seat()
        if self.table is not None and not self.table.is_closed:
            await self.services.tables.close(self.table)
        ui.navigate.to("/table")

    # Playing.

    def _after(self) -> None:
        """Shows the table when the visitor is to act, or the hand is over."""
        table = self.table
        assert table is not None
        self.version = table.version
        self.betting.reset(table.table)
        self.hand.refresh()
        self.replay.show.refresh()
        self.log.refresh()
        self.session.refresh()

    def _look(self) -> None:
        """Shows changes by another window, or that the table was closed."""
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
        self.is_waiting, self.reviewed = True, None
        self.replay.close()
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
            self.betting.show(table.table)

    @ui.refreshable_method
    def log(self) -> None:
        if self.table is None:
            return
        state = self.table.state(0)
        ui.label("This hand").classes("font-bold")
        show_log(log_text(state["seen"], _names(state)), "this hand")
        ui.label(
            "Keys: f folds, c checks or calls, r bets the amount, a goes all-in, n deals."
        ).classes("dim")

    def _ended(self, seen: dict[str, Any]) -> None:
        payoff = seen["seats"][seen["viewer"]]["payoff"]
        with ui.row().classes("gap-3 items-center"):
            result = ui.label(result_text(payoff)).classes("text-xl font-bold").mark("result")
            result.props("role=status")
            ui.button("Next hand", on_click=self._deal).props("no-caps").mark("next-hand")
            ui.button("Review", on_click=self._review).props("no-caps outline")
        if self.reviewed is not None and self.table is not None:
            unit = self.table.result(0)["unit"]
            show_review(self.reviewed, self._reviewer, unit)

    @property
    def _reviewer(self) -> str:
        """The first strategy at the table, else the first bot."""
        assert self.table is not None
        names = [each.name for each in self.table.players[1:]]
        return next((each for each in names if each in self.ids), names[0])

    @tells_errors
    async def _review(self) -> None:
        if (table := self.table) is None:
            return
        asked = (self.services.library, table.session(0), table.hand, self._reviewer)
        self.reviewed = await self.services.work(compare_hand, *asked)
        self.hand.refresh()

    # Finished hands.

    @ui.refreshable_method
    def session(self) -> None:
        table = self.table
        if table is None:
            return
        with ui.row().classes("gap-3 items-center"):
            ui.label(session_text(table.result(0))).mark("session")
            if table.num_finished and table.game.deck is not None:
                self._download_button()
            small_button("Leave", self._leave).classes("px-2")
        if table.kept:
            ui.label("Finished hands (click to replay)").classes("font-bold")
            show_results(
                [seen_row(each, 0) for each in table.kept],
                lambda hand: self.replay.open(table.session(0), hand),
            )

    def _download_button(self) -> None:
        small_button("Download PHH", self._download).classes("px-2")

    @tells_errors
    async def _download(self) -> None:
        ui.download.content(await self.services.work(self._phhs), "hands.phhs")

    def _phhs(self) -> str:
        """All hands, from the file where memory has only the last ones."""
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
        if self.replay.is_open and key in ("arrowleft", "arrowright", "escape"):
            self.replay.press(key)
        elif not table.table.is_over:
            await self.betting.press(key, table.table)
        elif key == "n":
            await self._deal()


def _names(state: dict[str, Any]) -> list[str]:
    return [each["name"] for each in sorted(state["players"], key=lambda each: each["seat"])]
