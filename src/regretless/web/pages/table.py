# SPDX-License-Identifier: MIT
"""`/table`: play any game with bots, bundles and ONNX models at the other seats."""

import contextlib
import json
from collections.abc import Awaitable, Iterator
from typing import Any

from nicegui import ui

from regretless.errors import InputError
from regretless.games.amounts import Amounts
from regretless.histories.seat_view import result_text
from regretless.tables.review import ReviewedChoice
from regretless.web.errors import NotFoundError
from regretless.web.pages.frame import WAIT, chosen_unit, frame
from regretless.web.parts.elements import note, on_keys, small_button, tell_error, tells_errors
from regretless.web.parts.table_panels import BettingPanel, HandReplay, TableSetup
from regretless.web.parts.table_view import (
    log_text,
    session_text,
    show_board,
    show_log,
    show_results,
    show_review,
    show_seats,
)
from regretless.web.play.finished_hands import Session, seen_row
from regretless.web.play.open_table import Action, OpenTable, SessionResult
from regretless.web.services import Services

_LOOK_SECONDS = 1.0  # between looks at changes by another window of the same player
_SEAT = "regretless-seat"  # the key of the seat in the storage of the browser
_ANSWER_SECONDS = 30.0  # for a browser to answer


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
        self.services, self.ids, self.unit = services, ids, chosen_unit()
        self.setup = TableSetup(services, ids)
        self.replay = HandReplay(services)
        self.betting = BettingPanel(self._act)
        self.table: OpenTable | None = None
        self.kept: OpenTable | None = None  # a table that the visitor may go back to
        self.past: Session | None = None  # the session of a table that is closed
        self.version = -1  # the version of the table that is shown
        self.reviewed: list[ReviewedChoice] | None = None
        self.is_waiting = False

    def show(self) -> None:
        on_keys(self._press, repeating=False)
        ui.timer(_LOOK_SECONDS, self._look)
        self.start()
        self.hand()
        self.replay.show()
        with ui.row().classes("w-full items-start gap-4"):
            for part in (self.log, self.session):
                with ui.column().classes("flex-1 min-w-72 gap-1"):
                    part()

    # Sitting down, coming back, leaving.

    async def come_back(self, is_asked: bool) -> None:
        """Returns to the table that the browser remembers; `is_asked` offers a button instead."""
        kept = await _read_seat()
        if kept is None:
            return
        tables = self.services.tables
        try:
            table = tables.find(kept["id"])
            tables.player(table, kept["token"])
        except InputError as error:
            _store_seat(None)
            if isinstance(error, NotFoundError):
                with contextlib.suppress(InputError):
                    self.past = await self.services.work(tables.filed, **kept)
                self.start.refresh()
            return
        self.kept = table
        if is_asked:
            self.start.refresh()
        else:
            await self._sit(table)

    async def _sit(self, table: OpenTable) -> None:
        self.table = table
        await self.services.tables.settle(table)
        self.start.refresh()
        self._after()

    @ui.refreshable_method
    def start(self) -> None:
        if self.table is not None:
            return
        if (kept := self.kept) is not None:
            ui.button("Go back to your table", on_click=lambda: self._sit(kept))
        if (past := self.past) is not None:
            ui.label("Your last table is closed. Its finished hands are kept:")
            with ui.row().classes("gap-3 items-center"):
                ui.label(session_text(SessionResult.of(past.won, past.game))).mark("past")
                if past.rows:
                    small_button("Download PHH", self._download).classes("px-2")
        self.setup.show()
        with ui.row():
            ui.button("Sit down", on_click=self._open).mark("sit-down")

    @tells_errors
    async def _open(self) -> None:
        if self.is_waiting:
            return
        with self._waiting():
            table = await self.services.tables.create(*await self.setup.seated())
        _store_seat({"table": table.id, "token": table.players[0].token})
        self.past = None
        await self._sit(table)

    async def _leave(self) -> None:
        _store_seat(None)
        if self.table is not None and not self.table.is_closed:
            await self.services.tables.close(self.table)
        ui.navigate.to("/table")

    # Playing.

    @contextlib.contextmanager
    def _waiting(self) -> Iterator[None]:
        """Refuses further actions of the visitor meanwhile."""
        self.is_waiting = True
        try:
            yield
        finally:
            self.is_waiting = False

    async def _do(self, table: OpenTable, change: Awaitable[None]) -> None:
        """Waits for a change of the table and shows the table, unless the change was refused."""
        before = table.version
        with self._waiting():
            try:
                await change
            except InputError as error:
                tell_error(error)
        if table.version != before or table.version != self.version:
            self._after()

    def _after(self) -> None:
        """Shows the table when the visitor is to act, or the hand is over."""
        table = self.table
        assert table is not None
        self.version = table.version
        self.betting.reset(table.table, self._amounts(table))
        for part in (self.hand, self.replay.show, self.log, self.session):
            part.refresh()

    def _amounts(self, table: OpenTable) -> Amounts:
        return Amounts.of(table.game, self.unit)

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
        if table is not None and not self.is_waiting and not table.is_closed:
            await self._do(table, self.services.tables.act(table, 0, action, self.version))

    async def _deal(self) -> None:
        table = self.table
        if table is not None and not self.is_waiting and table.table.is_over:
            self.reviewed = None
            self.replay.close()
            await self._do(table, self.services.tables.deal(table, table.hand))

    @ui.refreshable_method
    def hand(self) -> None:
        if (table := self.table) is None:
            return
        state, amounts = table.state(0), self._amounts(table)
        seen, title = state.seen, f"hand {table.hand + 1}"
        show_board(seen, title, amounts, id="hand", data_version=table.version)
        show_seats(seen, state.names, amounts)
        if table.is_closed:
            ui.label(f"The table is closed: {table.why_closed}.")
        elif seen["is_over"]:
            self._ended(table, seen)
        else:
            self.betting.show(table.table)

    @ui.refreshable_method
    def log(self) -> None:
        if self.table is None:
            return
        state = self.table.state(0)
        ui.label("This hand").classes("font-bold")
        show_log(log_text(state.seen, state.names, self._amounts(self.table)), "this hand")
        note("Keys: f folds, c checks or calls, r bets the amount, a goes all-in, n deals.")

    def _ended(self, table: OpenTable, seen: dict[str, Any]) -> None:
        payoff = seen["seats"][seen["viewer"]]["payoff"]
        with ui.row().classes("gap-3 items-center"):
            result = ui.label(result_text(payoff, self._amounts(table))).mark("result")
            result.classes("text-xl font-bold").props("role=status")
            ui.button("Next hand", on_click=self._deal).mark("next-hand")
            ui.button("Review", on_click=lambda: self._review(table)).props("outline")
        if self.reviewed is not None:
            amounts = self._amounts(table)
            show_review(self.reviewed, self._reviewer(table), table.game, amounts)

    def _reviewer(self, table: OpenTable) -> str:
        """The first strategy at the table, else the first bot."""
        names = [each.name for each in table.players[1:]]
        return next((each for each in names if each in self.ids), names[0])

    @tells_errors
    async def _review(self, table: OpenTable) -> None:
        asked = (table.session(0), table.hand, self._reviewer(table))
        self.reviewed = await self.services.work(self.services.seating.review, *asked)
        self.hand.refresh()

    # Finished hands.

    @ui.refreshable_method
    def session(self) -> None:
        if (table := self.table) is None:
            return
        with ui.row().classes("gap-3 items-center"):
            ui.label(session_text(table.result(0))).mark("session")
            if table.num_finished and table.game.deck is not None:
                small_button("Download PHH", self._download).classes("px-2")
            small_button("Leave", self._leave).classes("px-2")
        if table.kept:
            ui.label("Finished hands (click to replay)").classes("font-bold")
            show_results(
                [seen_row(each, 0) for each in table.kept],
                lambda hand: self.replay.open(table.session(0), hand, self._amounts(table)),
                self._amounts(table),
            )

    @tells_errors
    async def _download(self) -> None:
        """All hands, from the file where memory has only the last ones."""
        work, table, session = self.services.work, self.table, self.past
        if table is not None:
            session = table.session(0)
            if not table.has_all:
                filed = self.services.tables.filed
                session = await work(filed, table.id, table.players[0].token)
        assert session is not None
        ui.download.content(await work(session.phhs), "hands.phhs")

    async def _press(self, key: str) -> None:
        table, key = self.table, key.lower()
        if table is None:
            return
        if self.replay.is_open and key in ("arrowleft", "arrowright", "escape"):
            self.replay.press(key)
        elif not table.table.is_over:
            await self.betting.press(key, table.table)
        elif key == "n":
            await self._deal()


# The seat lies in the storage of the browser and comes over the page's own socket, so that the
# token is in no address and in no log.


async def _read_seat() -> dict[str, str] | None:
    """The table and the token that the browser keeps, if any."""
    script = f"try {{ return localStorage.getItem('{_SEAT}') }} catch {{ return null }}"
    try:
        told = await ui.run_javascript(f"return (() => {{ {script} }})()", timeout=_ANSWER_SECONDS)
        match json.loads(told or "null"):
            case {"table": str(table), "token": str(token)}:
                return {"id": table[:64], "token": token[:200]}
    except (TimeoutError, ValueError):
        pass
    return None


def _store_seat(seat: dict[str, Any] | None) -> None:
    """Stores the seat; None removes it."""
    act = f"removeItem('{_SEAT}')"
    if seat is not None:
        act = f"setItem('{_SEAT}', {json.dumps(json.dumps(seat))})"
    ui.run_javascript(f"try {{ localStorage.{act} }} catch {{}}")
