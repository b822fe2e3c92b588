# SPDX-License-Identifier: MIT
"""Finished hands: lines of JSON in `hands.jsonl`, on disk before anybody sees the result.

A `table` line is written when a table is opened, with its rules, its players and hashes of their
tokens; a `hand` line when a hand has ended, with all cards and chips. Every line ends with a hash
of itself. A line that does not fit its hash, torn by a crash or damaged later, is left out and
logged once.
"""

import json
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from regretless.games.episodes import Episode, actions_of
from regretless.games.face import view
from regretless.histories.seat_view import shown_seats
from regretless.storage.files import told_on_failure

HANDS = "hands.jsonl"
_HASH = b',"sha256":"'
_HASH_DIGITS = 16
_logged: set[tuple[Path, int]] = set()
"""Damaged lines that the log has, by their places in the file."""


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


def _log_damage(path: Path, place: int) -> None:
    if (path, place) not in _logged:
        _logged.add((path, place))
        logging.getLogger("regretless.web").warning(
            "%s: the line at byte %d is damaged and left out", path, place
        )


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
