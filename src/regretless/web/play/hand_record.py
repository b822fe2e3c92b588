# SPDX-License-Identifier: MIT
"""Hands that were played at tables of a server: lines of JSON, on disk before anybody is told.

`hands.jsonl` has two kinds of lines: `table` when one is opened, with its rules, its players and
hashes of their tokens, and `hand` when a hand has ended, with all cards and chips. A last line that
a crash has torn is left.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from regretless.games.episodes import Episode, actions_of
from regretless.games.face import view
from regretless.histories.seat_view import shown_seats
from regretless.storage.files import told_on_failure

HANDS = "hands.jsonl"


class HandFile:
    """Appended to by one thread at a time."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / HANDS
        with told_on_failure(self.path):
            directory.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab")
            if self._file.tell() and not _ends_whole(self.path):
                self._file.write(b"\n")

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """On disk when this returns."""
        text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
        if not text:
            return
        with told_on_failure(self.path):
            self._file.write(text.encode())
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def read_hands(directory: Path, table: str | None = None) -> Iterator[dict[str, Any]]:
    """All lines that are whole, or those of one table, in the order in which they were written."""
    path = directory / HANDS
    part = b"" if table is None else table.encode("utf-8", "replace")
    if not path.exists():
        return
    with told_on_failure(path), path.open("rb") as file:
        for line in file:
            if part not in line:
                continue
            try:
                row = json.loads(line)
            except ValueError:
                continue  # torn
            if isinstance(row, dict) and table in (None, row.get("table")):
                yield row


def hand_row(
    table: str, number: int, seats: Sequence[int], names: Sequence[str], episode: Episode
) -> dict[str, Any]:
    """A hand that has ended; `seats` says which player sat where."""
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


def seen_row(row: dict[str, Any], player: int | None) -> dict[str, Any]:
    """What a player has seen of a hand; None: somebody who only watched."""
    hands = [
        hand if seat in row["shown"] or row["seats"][seat] == player else None
        for seat, hand in enumerate(row["hands"])
    ]
    return {**row, "hands": hands}


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
