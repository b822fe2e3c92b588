# SPDX-License-Identifier: MIT
"""The tables of a server, and the threads that play their bots and strategies.

Outside players act on the event loop. Tables with the same strategies share a lane. The thread of
a lane plays all tables that wait for a policy in one batch (`play_on`); tables that come meanwhile
are the next batch. A slow strategy keeps no other lane waiting.
"""

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import rules_record
from regretless.tables.table import play_on
from regretless.web.errors import BusyError, ConflictError, NotFoundError
from regretless.web.play.finished_hands import (
    HandFile,
    Session,
    filed_session,
    marked_player,
    token_mark,
)
from regretless.web.play.open_table import Action, OpenTable, TablePlayer
from regretless.web.settings import Limits

_T = TypeVar("_T")
_HANDS_AT_ONCE = 100  # hands without an outside decision, before other tables go on
_SWEEP_SECONDS = 5.0
_MOST_LANES = 8  # further strategies share the last lane


class _Lane:
    """Tables that one thread plays."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="tables")
        self.waiting: list[OpenTable] = []
        self.wake = asyncio.Event()

    async def do(self, function: Callable[..., _T], *arguments: Any) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, function, *arguments)


class Tables:
    """All tables of a server. Used on the event loop, except for `_play`."""

    def __init__(self, data: Path, limits: Limits) -> None:
        self.data, self.limits = data, limits
        self.open: dict[str, OpenTable] = {}
        self._file: HandFile | None = None
        self._file_lock = threading.Lock()
        self._lanes: dict[str, _Lane] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._opening = 0

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._sweep())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for table in list(self.open.values()):
            self._close(table, "the server has stopped")
        for lane in self._lanes.values():
            await asyncio.to_thread(lane.thread.shutdown, wait=True, cancel_futures=True)
        if self._file is not None:
            self._file.close()

    async def create(
        self,
        game: Game,
        players: Sequence[TablePlayer],
        *,
        seed: int | None = None,
        is_auto: bool = False,
        most_hands: int | None = None,
        client: str | None = None,
    ) -> OpenTable:
        """Opens a table and deals; each outside player gets a token.

        `client` is the address that asks, if it is to be limited.
        """
        if len(players) != game.num_players:
            raise InputError(f"{game.name} has {game.num_players} seats, not {len(players)}")
        outside = [each for each in players if each.policy is None]
        if not outside:
            raise InputError("players: none is from outside; use a match for policies alone")
        if seed is not None and len(outside) > 1:
            raise InputError("seed: would tell one outside player the cards of another")
        self._make_room(client)
        for each in outside:
            each.token = secrets.token_urlsafe(16)
        seed = secrets.randbits(64) if seed is None else seed
        id = secrets.token_hex(6)
        self._opening += 1
        try:
            made = OpenTable(id, game, list(players), seed, is_auto, most_hands)
            made.client = client
            row = {
                "kind": "table",
                "table": id,
                "game": game.name,
                "rules": rules_record(game),
                "seed": seed,
                "players": [each.name for each in players],
                "tokens": [token_mark(each.token) for each in players],
            }
            await self._lane(made).do(self.append, [row])
            self.open[id] = made
        finally:
            self._opening -= 1
        self._go_on(made)
        await made.settled.wait()
        return made

    def _make_room(self, client: str | None) -> None:
        """Closes an unused table if the server is full; BusyError if there is no room."""
        limits = self.limits
        mine = sum(each.client == client for each in self.open.values())
        if client is not None and mine >= limits.tables_each:
            raise BusyError(f"{client} has {mine:,} tables, as many as one address may have")
        if len(self.open) + self._opening < limits.tables:
            return
        before = time.monotonic() - limits.unused_seconds
        unused = [each for each in self.open.values() if not each.is_used]
        oldest = min(unused, key=lambda each: each.last_used, default=None)
        if oldest is None or oldest.last_used > before:
            raise BusyError(f"there are {len(self.open):,} tables, as many as the server allows")
        self._close(oldest, "nobody acted, and room was needed")

    def find(self, id: str) -> OpenTable:
        """The open table of an id, or NotFoundError."""
        if id not in self.open:
            raise NotFoundError(f"no table of the id {id[:80]!r} is open")
        return self.open[id]

    def player(self, table: OpenTable, token: str | None) -> int:
        """The player that a token belongs to."""
        return marked_player([token_mark(each.token) for each in table.players], token)

    def filed(self, id: str, token: str | None) -> Session:
        """All finished hands of a table from the file; too slow for the event loop."""
        return filed_session(self.data, id, token)

    async def settle(self, table: OpenTable) -> None:
        """Waits until an outside player is to act, or the hand is over."""
        table.last_used = time.monotonic()
        await table.settled.wait()

    async def act(
        self, table: OpenTable, player: int, action: Action, version: int | None = None
    ) -> None:
        """Acts; ConflictError if it is another player's turn, or the table is not at `version`."""
        await self.settle(table)
        if table.is_closed:
            raise ConflictError(f"the table is closed: {table.why_closed}")
        if version is not None and version != table.version:
            raise ConflictError(f"the table has gone on: it is at version {table.version}")
        if table.table.is_over:
            raise ConflictError("the hand is over")
        if table.table.actor != table.seat_of(player):
            raise ConflictError("it is not this player's turn")
        table.act(action)
        table.is_used = True
        self._go_on(table)
        await table.settled.wait()

    async def deal(self, table: OpenTable, hand: int) -> None:
        """Deals the hand after hand number `hand`, unless it has been dealt already."""
        await self.settle(table)
        if table.is_closed:
            raise ConflictError(f"the table is closed: {table.why_closed}")
        if hand > table.hand:
            raise ConflictError(f"hand {hand} has not been dealt yet")
        if hand < table.hand:
            return
        if not table.table.is_over:
            raise ConflictError("the hand is not over")
        if table.is_done:
            raise ConflictError("all hands have been played")
        table.deal()
        self._go_on(table)
        await table.settled.wait()

    async def close(self, table: OpenTable) -> None:
        await self.settle(table)
        self._close(table, "a player closed it")

    def _go_on(self, table: OpenTable) -> None:
        table.last_used = time.monotonic()
        table.settled.clear()
        lane = self._lane(table)
        lane.waiting.append(table)
        lane.wake.set()

    def _lane(self, table: OpenTable) -> _Lane:
        name = table.lane
        if name not in self._lanes and len(self._lanes) >= _MOST_LANES:
            name = list(self._lanes)[-1]
        if name not in self._lanes:
            self._lanes[name] = _Lane()
            self._tasks.append(asyncio.create_task(self._drive(self._lanes[name])))
        return self._lanes[name]

    async def _drive(self, lane: _Lane) -> None:
        while True:
            await lane.wake.wait()
            lane.wake.clear()
            batch, lane.waiting = lane.waiting, []
            try:
                broken = await lane.do(self._play, batch)
            except Exception:
                logging.getLogger("regretless.web").exception("tables")
                broken = dict.fromkeys(batch, "an error in the server")
            for table in batch:
                if table in broken:
                    self._close(table, broken[table])
                elif table.is_auto and table.table.is_over and not table.is_done:
                    self._go_on(table)  # others first
                    continue
                table.note_change()
                table.settled.set()

    def _play(self, batch: list[OpenTable]) -> dict[OpenTable, str]:
        """Plays a batch in the thread of its lane; returns tables that failed, and why."""
        broken: dict[OpenTable, str] = {}
        rows: list[dict[str, Any]] = []
        left = batch
        for _ in range(_HANDS_AT_ONCE):
            left = [table for table in left if table.has_work()]
            if not left:
                break
            broken |= _play_together(left)
            left = [table for table in left if table not in broken]
            rows += [table.finish() for table in left if table.table.is_over]
            left = [table for table in left if table.table.is_over and table.is_auto]
        try:
            self.append(rows)
        except InputError as error:  # a hand that is not on disk is not shown
            lost = {row["table"] for row in rows}
            broken |= {table: str(error) for table in batch if table.id in lost}
        return broken

    def append(self, rows: list[dict[str, Any]]) -> None:
        """Writes rows to disk before it returns; for any thread."""
        with self._file_lock:
            if self._file is None:
                self._file = HandFile(self.data)
            self._file.append(rows)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(_SWEEP_SECONDS, self.limits.idle_seconds / 2))
            oldest = time.monotonic() - self.limits.idle_seconds
            for table in list(self.open.values()):
                if table.settled.is_set() and table.last_used < oldest:
                    self._close(table, "it was idle for too long")

    def _close(self, table: OpenTable, why: str) -> None:
        if not table.is_closed:
            self.open.pop(table.id, None)
            table.close(why)


def _play_together(tables: list[OpenTable]) -> dict[OpenTable, str]:
    """Plays one batch; if that fails, each table alone, so that only broken tables end."""
    try:
        play_on([each.table for each in tables])
    except Exception:
        broken = {}
        for each in tables:
            try:
                play_on([each.table])
            except Exception as error:
                logging.getLogger("regretless.web").exception("table %s", each.id)
                line = str(error) if isinstance(error, InputError) else "one of its players failed"
                broken[each] = line
        return broken
    return {}
