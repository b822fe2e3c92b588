# SPDX-License-Identifier: MIT
"""Finished hands: the file that keeps them, and the hands of a table as one player saw them.

The file has lines of JSON, on disk before anybody sees a result. A `table` line is written when a
table is opened, with its rules, its players and hashes of their tokens; a `hand` line when a hand
has ended, with all cards and chips. Every line ends with a hash of itself. A line that does not fit
its hash, torn by a crash or damaged later, is left out and logged once.
"""

import json
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from secrets import compare_digest
from typing import Any

import numpy as np

from regretless import _native
from regretless.games import Game
from regretless.games.episodes import Episode, actions_of, played, replayed, restarted
from regretless.games.face import require_poker, view
from regretless.games.rules_record import recorded_game
from regretless.histories.phh import write_phh
from regretless.histories.seat_view import shown_seats
from regretless.matches.intervals import Estimate, Moments
from regretless.storage.files import told_on_failure
from regretless.tables.seat_json import replay_steps
from regretless.web.errors import ForbiddenError, NotFoundError

HANDS = "hands.jsonl"
_HASH = b',"sha256":"'
_HASH_DIGITS = 16


class HandFile:
    """The file, open for appending by one thread at a time."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / HANDS
        with told_on_failure(self.path):
            directory.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab")
            if self._file.tell() and not _ends_whole(self.path):
                self._file.write(b"\n")

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """Writes rows to disk before it returns."""
        lines = b"".join(_line(row) for row in rows)
        if not lines:
            return
        with told_on_failure(self.path):
            self._file.write(lines)
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def read_hands(directory: Path, table: str = "") -> Iterator[dict[str, Any]]:
    """The rows of one table, or of all, in the order in which they were written."""
    path, part = directory / HANDS, table.encode("utf-8", "replace")
    if not path.exists():
        return
    with told_on_failure(path), path.open("rb") as file:
        place = 0
        for line in file:
            begin, place = place, place + len(line)
            if part not in line:
                continue
            row = _row(line)
            if row is None:
                _log_damage(path, begin)
            elif table in ("", row["table"]):
                yield row


def _line(row: dict[str, Any]) -> bytes:
    body = json.dumps(row, separators=(",", ":")).encode()[:-1]
    return body + _HASH + _digest(body) + b'"}\n'


def _row(line: bytes) -> dict[str, Any] | None:
    """The row of a line; None if the line does not fit its hash."""
    body, _, rest = line.rpartition(_HASH)
    if rest != _digest(body) + b'"}\n':
        return None
    row: dict[str, Any] = json.loads(body + b"}")
    return row


def _digest(body: bytes) -> bytes:
    return sha256(body).hexdigest()[:_HASH_DIGITS].encode()


@cache
def _log_damage(path: Path, place: int) -> None:
    """Logs a damaged line once."""
    message = "%s: the line at byte %d is damaged and left out"
    logging.getLogger("regretless.web").warning(message, path, place)


def hand_row(
    table: str, number: int, seats: Sequence[int], names: Sequence[str], episode: Episode
) -> dict[str, Any]:
    """The row of a finished hand; `seats` has the player of each seat."""
    shown = view(episode)
    return {
        "kind": "hand",
        "table": table,
        "hand": number,
        "players": [names[player] for player in seats],
        "seats": list(seats),
        "hands": [shown.hand_text(seat) for seat in range(len(seats))],
        "shown": shown_seats(episode),
        "street": shown.street(),
        "actions": [list(each) for each in actions_of(episode)],
        "payoffs": list(episode.payoffs),
    }


def seen_row(row: dict[str, Any], player: int) -> dict[str, Any]:
    """A row with the cards that a player has seen."""
    hands = [
        hand if seat in row["shown"] or row["seats"][seat] == player else None
        for seat, hand in enumerate(row["hands"])
    ]
    return {**row, "hands": hands}


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def token_mark(token: str | None) -> str | None:
    """The hash of a token: enough to recognise the token, and of no use to act with."""
    return None if token is None else sha256(token.encode("utf-8", "replace")).hexdigest()


def marked_player(marks: Iterable[str | None], token: str | None) -> int:
    """The player that a token belongs to, or ForbiddenError."""
    given = token_mark(token or "") or ""
    for number, mark in enumerate(marks):
        if mark is not None and compare_digest(mark, given):
            return number
    raise ForbiddenError("this is the token of no player at this table")


@dataclass(frozen=True)
class Session:
    """Rows of `hand_row`. Public results hold only cards that the player has seen."""

    game: Game
    seed: int
    player: int
    rows: list[dict[str, Any]]

    @cached_property
    def won(self) -> Estimate:
        """Winnings of the player, in units per hand."""
        moments = Moments(1)
        for row in self.rows:  # one by one, as at the table: equal to the last digit
            payoff = row["payoffs"][row["seats"].index(self.player)]
            moments.add(np.array([[payoff / self.game.unit]]))
        return moments.estimate(0)

    def hands(self, after: int = -1, most: int | None = None) -> list[dict[str, Any]]:
        """The last finished hands, as the player saw them."""
        rows = [row for row in self.rows if row["hand"] > after]
        return [self.shown(row) for row in rows[-(most or len(rows)) :]]

    def shown(self, row: dict[str, Any]) -> dict[str, Any]:
        """One hand as data: players by seat, the board, and each action in words."""
        seen, episode = seen_row(row, self.player), self.episode(row["hand"])
        positions = view(self.game.episode(self.seed)).seat_names()
        poker = view(episode).poker
        events = poker.events if poker is not None else []
        actions = [
            {
                "seat": seat,
                "street": _street(before)[0],
                "action": view(before).action_text(action),
                "chips": events[number][3] if events else None,
            }
            for number, (before, seat, action) in enumerate(replayed(episode))
        ]
        players = [
            {
                "name": name,
                "seat": seat,
                "position": positions[seat],
                "cards": seen["hands"][seat],
                "won": row["payoffs"][seat],
            }
            for seat, name in enumerate(row["players"])
        ]
        street, board = _street(episode)
        return {
            "hand": row["hand"],
            "table": row["table"],
            "board": board,
            "street": street,
            "seat": row["seats"].index(self.player),
            "players": players,
            "actions": actions,
        }

    def row(self, hand: int) -> dict[str, Any]:
        """The row of a hand; NotFoundError if it has not ended or is not kept."""
        for row in self.rows:
            if row["hand"] == hand:
                return row
        raise NotFoundError(f"hand {hand} is not among the finished hands of this table")

    def episode(self, hand: int) -> Episode:
        """With all cards: for what is asked about it, not to be shown."""
        return played(self.game.episode(self.seed, hand), _actions(self.row(hand)))

    def steps(self, hand: int) -> list[dict[str, Any]]:
        """The hand step by step."""
        seat = self.row(hand)["seats"].index(self.player)
        return replay_steps(self.episode(hand), seat)

    def phhs(self) -> str:
        """All hands as the text of a `.phhs` file; InputError if the format has no such game."""
        poker = require_poker(self.game, "hand histories (PHH) are for poker only")
        hands = [
            f"[{number}]\n{write_phh(self._seen(poker, row), row['players'])}"
            for number, row in enumerate(self.rows, 1)
        ]
        return "\n".join(hands)

    def _seen(self, game: _native.Poker, row: dict[str, Any]) -> _native.PokerEpisode:
        dealt = played(_native.PokerEpisode(game, self.seed, row["hand"]), _actions(row))
        seats = enumerate(row["seats"])
        known = [seat for seat, player in seats if seat in row["shown"] or player == self.player]
        return played(restarted(dealt, known), _actions(row))


def filed_session(data: Path, table: str, token: str | None) -> Session:
    """The session of a table, also a closed one, from the file; NotFoundError if it is not there.

    The whole file is searched.
    """
    opened: dict[str, Any] | None = None
    rows = []
    for row in read_hands(data, table):
        if row.get("kind") == "table":
            opened = row
        elif row.get("kind") == "hand":
            rows.append(row)
    if opened is None:
        raise NotFoundError(f"no table of the id {table[:80]!r} is in the file")
    player = marked_player(opened.get("tokens", ()), token)
    game = recorded_game(opened["rules"], HANDS)
    return Session(game, opened["seed"], player, rows)


def _street(episode: Episode) -> tuple[str, str]:
    """The name of the street, and the board."""
    board = "".join(view(episode).public_json().get("board", ()))
    return view(episode).street().removesuffix(board).rstrip(), board


def _actions(row: dict[str, Any]) -> list[int]:
    return [action for _, action in row["actions"]]
