# SPDX-License-Identifier: MIT
"""One table of a server: its players, the hand that is played, and the hands that have ended."""

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
import pydantic.dataclasses
from pydantic import Field, Strict

from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import unit_name
from regretless.histories.choices import read_bet, read_choice
from regretless.matches.intervals import Estimate, Moments
from regretless.matches.seatings import by_player, seat_of, seated
from regretless.policies.policy import Policy
from regretless.tables.seat_json import last_steps, seat_json
from regretless.tables.table import Table
from regretless.web.play.finished_hands import Session, hand_row, seen_row

_HANDS_KEPT = 100  # in memory; the file has all


@dataclass
class TablePlayer:
    """A player who stays at a table from hand to hand."""

    name: str
    policy: Policy | None  # None for an outside player, who acts with the token
    token: str | None = None
    total: int = 0  # chips won so far
    lane: str = ""  # the id of a strategy; bots are quick and share a lane


@pydantic.dataclasses.dataclass(frozen=True)
class Action:
    """An action of an outside player: one of slot, amount and text."""

    slot: Annotated[int, Strict()] | None = Field(default=None, ge=0, lt=1 << 31)
    amount: Annotated[int, Strict()] | None = Field(default=None, ge=0, lt=1 << 62)
    """To bet or raise to, in all on this street; need not be on the menu."""
    text: str | None = Field(default=None, max_length=80)  # a typed action: `call`, `r250`, `75%`


@dataclass(frozen=True)
class PlayerState:
    """A player in the current hand."""

    name: str
    is_outside: bool
    seat: int  # the seat in the current hand
    total: int  # chips won so far


@dataclass(frozen=True)
class SessionResult:
    """The winnings of a player, with their 95 % interval."""

    hands: int
    unit: str
    per_100: float | None  # winnings of the player, in units per 100 hands
    half_width: float | None  # half the width of the 95 % interval

    @classmethod
    def of(cls, won: Estimate, game: Game) -> "SessionResult":
        """The result from winnings per hand, in units."""
        mean = 100 * won.mean if won.count else None
        half_width = 100 * won.half_width if won.count > 1 else None
        return cls(won.count, unit_name(game), mean, half_width)


@dataclass(frozen=True)
class TableState:
    """A table as one player sees it."""

    table: str
    hand: int
    version: int  # grows with every change
    num_finished: int
    is_done: bool
    is_closed: bool
    why_closed: str
    player: int
    is_turn: bool
    players: list[PlayerState]
    unit: float  # chips per big blind, or per ante
    session: SessionResult
    seen: dict[str, Any]  # cards, chips, choices and the log (docs/web.md)
    last: dict[str, Any] | None  # the last finished hand
    steps: list[dict[str, Any]]
    """The state before the player's last action, and all that happened since, as in a replay."""

    @property
    def names(self) -> list[str]:
        """The names of the players, by seat."""
        return [each.name for each in sorted(self.players, key=lambda each: each.seat)]


@dataclass(eq=False)
class OpenTable:
    """One table; its state may be read whenever it is settled."""

    id: str
    game: Game
    players: list[TablePlayer]
    seed: int
    is_auto: bool  # whether the next hand is dealt when one has ended; else a player asks for it
    most_hands: int | None
    hand: int = 0  # the number of the hand that is played, or was played last
    num_finished: int = 0
    kept: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=_HANDS_KEPT))
    """Rows of the last finished hands."""
    last_used: float = field(default_factory=time.monotonic)
    is_used: bool = False  # whether an outside player has acted
    client: str | None = None  # the address that opened the table, if it is limited
    is_closed: bool = False
    why_closed: str = ""
    version: int = 0  # grows with every change
    num_watchers: int = 0  # sockets that follow the table
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set, and replaced by a new event, with every change."""

    def __post_init__(self) -> None:
        self.results = Moments(len(self.players))
        self.table = self._dealt()

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
        """Whether the last hand has been played."""
        return self.most_hands is not None and self.num_finished >= self.most_hands

    @property
    def has_all(self) -> bool:
        """Whether all finished hands are in memory."""
        return len(self.kept) == self.num_finished

    def session(self, player: int) -> Session:
        """The finished hands in memory, as the player saw them."""
        return Session(self.game, self.seed, player, list(self.kept))

    def result(self, player: int) -> SessionResult:
        """The winnings of a player over all hands."""
        return SessionResult.of(self.results.estimate(player), self.game)

    def state(self, player: int) -> TableState:
        """The table as a player sees it."""
        viewer = self.seat_of(player)
        return TableState(
            self.id,
            self.hand,
            self.version,
            self.num_finished,
            self.is_done,
            self.is_closed,
            self.why_closed,
            player,
            is_turn=not self.is_closed and self.table.actor == viewer,
            players=[
                PlayerState(each.name, each.policy is None, self.seat_of(number), each.total)
                for number, each in enumerate(self.players)
            ],
            unit=self.game.unit,
            session=self.result(player),
            seen=seat_json(self.table, viewer),
            last=seen_row(self.kept[-1], player) if self.kept else None,
            steps=last_steps(self.table.episode, viewer),
        )

    def act(self, action: Action) -> None:
        """Acts for the seat whose turn it is."""
        table = self.table
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

    def deal(self) -> None:
        """Deals the next hand."""
        self.hand += 1
        self.table = self._dealt()

    def has_work(self) -> bool:
        """Whether there is something to play; deals the next hand where that may be."""
        if not self.table.is_over or self.num_finished == self.hand:
            return True  # also where the last hand has not been counted yet
        if not self.is_auto or self.is_done:
            return False
        self.deal()
        return True

    def finish(self) -> dict[str, Any]:
        """Counts a hand that is over; returns its row."""
        episode, names = self.table.episode, [each.name for each in self.players]
        row = hand_row(self.id, self.hand, self.seated, names, episode)
        won = by_player(episode.payoffs, self.hand)
        for player, chips in zip(self.players, won, strict=True):
            player.total += chips
        self.results.add(np.array([won]) / self.game.unit)
        self.num_finished += 1
        self.kept.append(row)
        return row

    def close(self, why: str) -> None:
        self.is_closed, self.why_closed = True, why
        self.note_change()
        self.settled.set()

    def note_change(self) -> None:
        self.version += 1
        self.changed.set()
        self.changed = asyncio.Event()

    def _dealt(self) -> Table:
        policies = [each.policy for each in seated(self.players, self.hand)]
        return Table(self.game, policies, self.seed, self.hand)
