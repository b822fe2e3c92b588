# SPDX-License-Identifier: MIT
"""Tables of a server: outside players, bots and strategies, any number of hands one by one.

Outside players act on the event loop. Tables with the same strategies are a lane, whose thread
plays all of them on that wait for a policy: what comes while it plays waits together and is asked
about together (`play_on`). A slow strategy keeps no other lane waiting.
"""

import asyncio
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import rules_record, unit_name
from regretless.histories.choices import read_bet, read_choice
from regretless.matches.intervals import Estimate, Moments
from regretless.matches.seatings import by_player, seat_of, seated
from regretless.policies.policy import Policy
from regretless.tables.seat_json import seat_json
from regretless.tables.table import Table, play_on
from regretless.web.errors import BusyError, ConflictError, NotFoundError
from regretless.web.play.hand_record import HandFile, hand_row, seen_row
from regretless.web.play.session import Session, filed_session, marked_player, token_mark
from regretless.web.settings import Limits

_T = TypeVar("_T")
_HANDS_AT_ONCE = 100  # that one table plays without anybody from outside, before others go on
_HANDS_KEPT = 100  # of a table, that can be asked for; the file has all
_SWEEP_SECONDS = 5.0
_MOST_LANES = 8  # beyond them, tables of other strategies share the last


@dataclass
class TablePlayer:
    """Who sits at a table from hand to hand."""

    name: str
    policy: Policy | None
    """None: somebody from outside, who acts with the token."""
    token: str | None = None
    total: int = 0
    """Chips won so far."""
    lane: str = ""
    """Of a strategy its id; bots are quick and share a lane."""


@dataclass(frozen=True)
class Action:
    """What an outside player does: a slot, an amount to bet or raise to, or either in words."""

    slot: int | None = None
    amount: int | None = None
    text: str | None = None


@dataclass(eq=False)
class OpenTable:
    """One table; what it shows may be read whenever it is settled."""

    id: str
    game: Game
    players: list[TablePlayer]
    seed: int
    is_auto: bool
    """Whether the next hand is dealt when one has ended; else somebody asks for it."""
    most_hands: int | None
    table: Table
    hand: int = 0
    """The number of the hand that is played, or was played last."""
    num_finished: int = 0
    results: Moments = field(default_factory=lambda: Moments(0))
    """What the players have won, in units for each hand."""
    kept: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=_HANDS_KEPT))
    last_used: float = field(default_factory=time.monotonic)
    is_closed: bool = False
    why_closed: str = ""
    version: int = 0
    """Grows with every change."""
    num_watchers: int = 0
    """Sockets that hear of changes."""
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set, and replaced by a new one, with every change."""

    def seat_of(self, player: int) -> int:
        """The seat of a player in this hand."""
        return seat_of(player, self.hand, len(self.players))

    @property
    def seated(self) -> list[int]:
        """The player on each seat."""
        return seated(range(len(self.players)), self.hand)

    @property
    def lane(self) -> str:
        return "+".join(sorted({each.lane for each in self.players if each.lane}))

    @property
    def is_done(self) -> bool:
        """Whether no hand follows."""
        return self.most_hands is not None and self.num_finished >= self.most_hands

    def result(self, player: int) -> dict[str, Any]:
        """What a player has won, in units for 100 hands."""
        return result_json(self.results.estimate(player), self.game)

    def state(self, player: int | None) -> dict[str, Any]:
        """What a player sees; None: somebody who only watches."""
        viewer = None if player is None else self.seat_of(player)
        return {
            "table": self.id,
            "hand": self.hand,
            "version": self.version,
            "num_finished": self.num_finished,
            "is_done": self.is_done,
            "is_closed": self.is_closed,
            "why_closed": self.why_closed,
            "player": player,
            "is_turn": viewer is not None and not self.is_closed and self.table.actor == viewer,
            "players": [
                {
                    "name": each.name,
                    "is_outside": each.policy is None,
                    "seat": self.seat_of(number),
                    "total": each.total,
                }
                for number, each in enumerate(self.players)
            ],
            "unit": self.game.unit,
            "session": None if player is None else self.result(player),
            "seen": seat_json(self.table, viewer),
            "last": seen_row(self.kept[-1], player) if self.kept else None,
        }

    @property
    def has_all(self) -> bool:
        """Whether all hands that ended are still kept."""
        return len(self.kept) == self.num_finished

    def session(self, player: int) -> Session:
        """The last hands that ended, as the player saw them."""
        return Session(self.game, self.seed, player, list(self.kept))

    def note_change(self) -> None:
        self.version += 1
        self.changed.set()
        self.changed = asyncio.Event()


class _Lane:
    """Tables that are played on by one thread."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="tables")
        self.waiting: list[OpenTable] = []
        self.wake = asyncio.Event()

    async def do(self, function: Callable[..., _T], *arguments: Any) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self.thread, function, *arguments)


class Tables:
    """All tables of a server. Used on its event loop, but for what `_play` does."""

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
            self._close(table, "the server ends")
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
    ) -> OpenTable:
        """Open a table and deal; its outside players get their tokens."""
        if len(players) != game.num_players:
            raise InputError(f"{game.name} has {game.num_players} seats, not {len(players)}")
        outside = [each for each in players if each.policy is None]
        if not outside:
            raise InputError("players: nobody is from outside; policies alone play a match")
        if seed is not None and len(outside) > 1:
            raise InputError("seed: would tell one outside player the cards of another")
        if len(self.open) + self._opening >= self.limits.tables:
            raise BusyError(f"there are {len(self.open):,} tables, as many as the server allows")
        for each in outside:
            each.token = secrets.token_urlsafe(16)
        seed = secrets.randbits(64) if seed is None else seed
        id = secrets.token_hex(6)
        self._opening += 1
        try:
            made = OpenTable(
                id, game, list(players), seed, is_auto, most_hands, _deal(game, players, seed, 0)
            )
            made.results = Moments(len(players))
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

    def find(self, id: str) -> OpenTable:
        """NotFoundError if it is not open any more."""
        if id not in self.open:
            raise NotFoundError(f"no table of the id {id[:80]!r} is open")
        return self.open[id]

    def player(self, table: OpenTable, token: str | None) -> int:
        """The player whose token this is."""
        return marked_player([token_mark(each.token) for each in table.players], token)

    def filed(self, id: str, token: str | None) -> Session:
        """All hands of a table that is or was, from the file; takes a while, so not on the loop."""
        return filed_session(self.data, id, token)

    async def settle(self, table: OpenTable) -> None:
        """Wait until it is somebody's turn from outside, or the hand is over."""
        table.last_used = time.monotonic()
        await table.settled.wait()

    async def act(
        self, table: OpenTable, player: int, action: Action, version: int | None = None
    ) -> None:
        """ConflictError if it is another's turn, or the table has gone on since `version`."""
        await self.settle(table)
        if table.is_closed:
            raise ConflictError(f"the table is closed: {table.why_closed}")
        if version is not None and version != table.version:
            raise ConflictError(f"the table has gone on: it is at version {table.version}")
        if table.table.is_over:
            raise ConflictError("the hand is over")
        if table.table.actor != table.seat_of(player):
            raise ConflictError("it is not this player's turn")
        _do(table.table, action)
        self._go_on(table)
        await table.settled.wait()

    async def deal(self, table: OpenTable, hand: int) -> None:
        """The next hand, after hand number `hand`; nothing is done if it has been dealt already."""
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
        table.hand += 1
        table.table = _deal(table.game, table.players, table.seed, table.hand)
        self._go_on(table)
        await table.settled.wait()

    async def close(self, table: OpenTable) -> None:
        await self.settle(table)
        self._close(table, "a player closed it")

    def _go_on(self, table: OpenTable) -> None:
        """Play on until somebody from outside is to act."""
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
        """In the thread: play these tables on; those that failed, and why."""
        broken: dict[OpenTable, str] = {}
        rows: list[dict[str, Any]] = []
        left = batch
        for _ in range(_HANDS_AT_ONCE):
            left = [table for table in left if _deals_on(table)]
            if not left:
                break
            broken |= _play_together(left)
            left = [table for table in left if table not in broken]
            rows += [_finish(table) for table in left if table.table.is_over]
            left = [table for table in left if table.table.is_over and table.is_auto]
        try:
            self.append(rows)
        except InputError as error:  # nobody is told of a hand that is not on disk
            told = {row["table"] for row in rows}
            broken |= {table: str(error) for table in batch if table.id in told}
        return broken

    def append(self, rows: list[dict[str, Any]]) -> None:
        """From any thread: on disk when this returns."""
        with self._file_lock:
            if self._file is None:
                self._file = HandFile(self.data)
            self._file.append(rows)

    async def _sweep(self) -> None:
        """Close tables that nobody has used for long."""
        while True:
            await asyncio.sleep(min(_SWEEP_SECONDS, self.limits.idle_seconds / 2))
            oldest = time.monotonic() - self.limits.idle_seconds
            for table in list(self.open.values()):
                if table.settled.is_set() and table.last_used < oldest:
                    self._close(table, "nobody has used it for long")

    def _close(self, table: OpenTable, why: str) -> None:
        if not table.is_closed:
            table.is_closed, table.why_closed = True, why
            self.open.pop(table.id, None)
            table.note_change()
            table.settled.set()


def result_json(won: Estimate, game: Game) -> dict[str, Any]:
    """Of what was won in units for each hand: so much for 100 hands, and its 95 % interval."""
    return {
        "hands": won.count,
        "unit": unit_name(game),
        "per_100": 100 * won.mean if won.count else None,
        "half_width": 100 * won.half_width if won.count > 1 else None,
    }


def _deal(game: Game, players: Sequence[TablePlayer], seed: int, hand: int) -> Table:
    return Table(game, [each.policy for each in seated(players, hand)], seed, hand)


def _deals_on(table: OpenTable) -> bool:
    """Whether there is something to play; where a hand is over, the next is dealt if it may be."""
    if not table.table.is_over or table.num_finished == table.hand:
        return True  # also where the one that is over has not been counted yet
    if not table.is_auto or table.is_done:
        return False
    table.hand += 1
    table.table = _deal(table.game, table.players, table.seed, table.hand)
    return True


def _play_together(tables: list[OpenTable]) -> dict[OpenTable, str]:
    """All in one batch; if that fails, each alone, so that only those that cannot go on end."""
    try:
        play_on([each.table for each in tables])
    except Exception:
        broken = {}
        for each in tables:
            try:
                play_on([each.table])
            except Exception as error:
                logging.getLogger("regretless.web").exception("table %s", each.id)
                line = str(error) if isinstance(error, InputError) else "its players failed"
                broken[each] = line
        return broken
    return {}


def _finish(table: OpenTable) -> dict[str, Any]:
    """Count a hand that is over."""
    episode, names = table.table.episode, [each.name for each in table.players]
    row = hand_row(table.id, table.hand, table.seated, names, episode)
    won = by_player(episode.payoffs, table.hand)
    for player, chips in zip(table.players, won, strict=True):
        player.total += chips
    table.results.add(np.array([won]) / table.game.unit)
    table.num_finished += 1
    table.kept.append(row)
    return row


def _do(table: Table, action: Action) -> None:
    given = [each for each in (action.slot, action.amount, action.text) if each is not None]
    if len(given) != 1:
        raise InputError("an action is one of slot, amount and text")
    if action.slot is not None:
        table.choose(action.slot)
    elif action.amount is not None:
        table.bet(action.amount)
    else:
        text = action.text or ""
        amount = read_bet(text, table.episode)
        if amount is None:
            table.choose(read_choice(text, table.episode))
        else:
            table.bet(amount)
