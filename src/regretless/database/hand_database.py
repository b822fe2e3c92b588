# SPDX-License-Identifier: MIT
"""One SQLite file of hands: its tables, and how hands are written and found.

A hand is kept as the text of its hand history (PHH), with what statistics need beside it. Every
file is imported in one transaction, so that a process that is killed leaves no part of a file.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from regretless.database.seat_facts import (
    SeatFacts,
    adjusted_results,
    big_blind,
    is_all_in_early,
    seat_facts,
)
from regretless.errors import InputError
from regretless.histories.phh import format_fields, read_phh_hand, write_phh
from regretless.histories.recorded_hand import RecordedHand
from regretless.histories.sites.site_hand import HERO

_VERSION = 1
_APPLICATION = 0x52474C53  # "RGLS"
_BUSY_SECONDS = 60
_SEAT_FIELDS = tuple(SeatFacts.__dataclass_fields__)
_SCHEMA = f"""
CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, sha256 TEXT NOT NULL UNIQUE,
    hands INTEGER NOT NULL, duplicates INTEGER NOT NULL, bad INTEGER NOT NULL);
CREATE TABLE bad (file INTEGER NOT NULL, line INTEGER NOT NULL, problem TEXT NOT NULL);
CREATE TABLE players (id INTEGER PRIMARY KEY, site TEXT NOT NULL, name TEXT NOT NULL,
    UNIQUE (name, site));
CREATE TABLE hands (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, file INTEGER NOT NULL, line INTEGER NOT NULL,
    site TEXT NOT NULL, number TEXT NOT NULL, played TEXT NOT NULL, stakes TEXT NOT NULL,
    players INTEGER NOT NULL, hero INTEGER, all_in INTEGER NOT NULL, phh TEXT NOT NULL);
CREATE TABLE seats (
    hand INTEGER NOT NULL, seat INTEGER NOT NULL, player INTEGER NOT NULL, adjusted REAL,
    {", ".join(_SEAT_FIELDS)}, PRIMARY KEY (hand, seat)) WITHOUT ROWID;
CREATE INDEX seats_of_player ON seats (player, hand);
"""


def default_place() -> Path:
    """The file in the user's data folder."""
    folder = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(folder) / "regretless" / "hands.db"


@dataclass(frozen=True)
class KeptHand:
    """A hand of the database."""

    id: int
    site: str
    number: str
    played: str
    stakes: str
    file: str
    line: int
    recorded: RecordedHand

    @property
    def name(self) -> str:
        """`PokerStars 123`, or the place where it was read."""
        is_numbered = self.site and self.number
        place = f"{Path(self.file).name}: line {self.line}"
        return f"{self.site} {self.number}" if is_numbered else place


class HandDatabase:
    """An open database."""

    def __init__(self, path: str | Path, *, create: bool = False) -> None:
        """Opens the file; InputError if it is none of ours, or is missing and not to be made."""
        self.path = Path(path)
        with self._refusing():
            if self.path.exists() and not self.path.is_file():
                raise InputError(f"{path}: is no file")
            if not create and not (self.path.exists() and self.path.stat().st_size):
                raise InputError(f"{path}: there is no database; `regretless import` makes one")
            if create:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None
            )
            self._prepare()

    def __enter__(self) -> "HandDatabase":
        return self

    def __exit__(self, *error: object) -> None:
        self.connection.close()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(f"{self.path}: {error}") from None
        except OSError as error:
            raise InputError(f"{self.path}: {error.strerror or error}") from None
        except UnicodeEncodeError as error:
            raise InputError(f"{self.path}: {error.object!r} is no text") from None

    def _prepare(self) -> None:
        run = self.connection.execute
        if run("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            if run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise InputError(f"{self.path}: a database, but not one of hands")
            run("PRAGMA journal_mode = WAL")
            statements = [each for each in _SCHEMA.split(";") if each.strip()]
            with self.transaction():
                if run("PRAGMA application_id").fetchone()[0] != _APPLICATION:
                    for each in statements:
                        run(each)
                    run(f"PRAGMA user_version = {_VERSION}")
                    run(f"PRAGMA application_id = {_APPLICATION}")
        run("PRAGMA synchronous = NORMAL")
        version = run("PRAGMA user_version").fetchone()[0]
        if version != _VERSION:
            raise InputError(f"{self.path}: of version {version}, and this program has {_VERSION}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Writes all of it or nothing."""
        with self._refusing():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    def rows(self, question: str, *values: Any) -> list[Any]:
        """The rows that answer a question."""
        with self._refusing():
            return self.connection.execute(question, values).fetchall()

    def is_imported(self, digest: str) -> bool:
        """Whether a file of this hash was imported."""
        return bool(self.rows("SELECT 1 FROM files WHERE sha256 = ?", digest))

    def add(self, file: int, hands: Sequence[tuple[int, RecordedHand]]) -> int:
        """Adds hands with their lines, within a transaction, and returns how many are new."""
        records = {(row := _hand_row(file, line, hand))[0]: (row, hand) for line, hand in hands}
        known = set[str]()
        keys = list(records)
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            marks = ",".join("?" * len(part))
            known |= {
                key for (key,) in self.rows(f"SELECT key FROM hands WHERE key IN ({marks})", *part)
            }
        new = [records[key] for key in keys if key not in known]
        (first,) = self.rows("SELECT coalesce(max(id), 0) FROM hands")[0]
        named = [(row[3], name) for row, hand in new for name in _names(hand)]
        players = self._players(list(dict.fromkeys(named)))
        rows, seats = [], []
        for number, (row, hand) in enumerate(new, first + 1):
            rows.append((number, *row))
            for seat, (name, facts) in enumerate(zip(_names(hand), seat_facts(hand), strict=True)):
                player = players[row[3], name]
                seats.append((number, seat, player, None, *vars(facts).values()))
        marks = ", ".join("?" * (4 + len(_SEAT_FIELDS)))
        self.connection.executemany(f"INSERT INTO hands VALUES ({', '.join('?' * 12)})", rows)
        self.connection.executemany(f"INSERT INTO seats VALUES ({marks})", seats)
        return len(new)

    def _players(self, named: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """The numbers of players by site and name, given to those who are new."""
        run = self.connection.executemany
        run("INSERT OR IGNORE INTO players (site, name) VALUES (?, ?)", named)
        found = {}
        for start in range(0, len(named), 400):
            part = named[start : start + 400]
            marks = ",".join(["(?, ?)"] * len(part))
            question = f"SELECT site, name, id FROM players WHERE (site, name) IN (VALUES {marks})"
            for site, name, number in self.rows(question, *chain.from_iterable(part)):
                found[site, name] = int(number)
        return found

    def hero(self) -> str:
        """The name that most files belong to; InputError if no file says whose it is."""
        found = self.rows(
            "SELECT p.name FROM hands h JOIN seats s ON s.hand = h.id AND s.seat = h.hero "
            "JOIN players p ON p.id = s.player GROUP BY p.name ORDER BY count(*) DESC LIMIT 1"
        )
        if not found:
            raise InputError(f"{self.path}: no hand says whose it is; give --player")
        return str(found[0][0])

    def require_player(self, name: str) -> None:
        """Raises InputError if nobody has this name."""
        if not self.rows("SELECT 1 FROM players WHERE name = ?", name):
            near = [each for (each,) in self.rows("SELECT DISTINCT name FROM players LIMIT 5000")]
            raise InputError.unknown(f"{self.path}: no player {name!r}", name, near)

    def hands(self, player: str | None = None, *, last: int | None = None) -> Iterator[KeptHand]:
        """The hands of a player, or all, the latest first; `last` are so many of them."""
        joined = (
            ""
            if player is None
            else ("JOIN seats s ON s.hand = h.id JOIN players p ON p.id = s.player AND p.name = ? ")
        )
        question = (
            "SELECT h.id, h.site, h.number, h.played, h.stakes, f.path, h.line, h.phh FROM hands h "
            f"JOIN files f ON f.id = h.file {joined}ORDER BY h.played DESC, h.id DESC LIMIT ?"
        )
        values = [*([] if player is None else [player]), -1 if last is None else last]
        with self._refusing():
            for row in self.connection.execute(question, values):
                number, site, name, played, stakes, file, line, text = row
                recorded = read_phh_hand(text, f"{self.path}: hand {number}")
                yield KeptHand(number, site, name, played, stakes, file, line, recorded)

    def adjust(self, player: str) -> int:
        """Computes the adjusted results of a player's hands that lack them; returns how many."""
        wanted = self.rows(
            "SELECT DISTINCT h.id, h.phh FROM hands h JOIN seats s ON s.hand = h.id "
            "JOIN players p ON p.id = s.player "
            "WHERE p.name = ? AND h.all_in = 1 AND s.adjusted IS NULL AND s.won IS NOT NULL",
            player,
        )
        for start in range(0, len(wanted), 100):
            found = []
            for hand, text in wanted[start : start + 100]:
                recorded = read_phh_hand(text, f"{self.path}: hand {hand}")
                values = adjusted_results(recorded)
                for seat, facts in enumerate(seat_facts(recorded)):
                    found.append((facts.won if values is None else values[seat], hand, seat))
            with self.transaction():
                self.connection.executemany(
                    "UPDATE seats SET adjusted = ? WHERE hand = ? AND seat = ?", found
                )
        return len(wanted)


def _names(hand: RecordedHand) -> Sequence[str]:
    return hand.players or [f"seat {i}" for i in range(hand.episode.game.num_players)]


def _hand_row(file: int, line: int, hand: RecordedHand) -> tuple[Any, ...]:
    fields = hand.fields or {}
    text = format_fields(fields) if fields else write_phh(hand.episode, hand.players)
    site, number = str(fields.get("venue", "")), str(fields.get("hand", ""))
    has_name = bool(site and number)
    body = f"{text}{hand.number}" if not fields else text
    key = f"{site}:{number}" if has_name else sha256(body.encode("utf-8", "replace")).hexdigest()
    hero = fields.get(HERO)
    count = hand.episode.game.num_players
    is_hero = isinstance(hero, int) and 1 <= hero <= count
    return (
        key,
        file,
        line,
        site,
        number,
        _played(fields),
        _stakes(hand),
        count,
        hero - 1 if is_hero and isinstance(hero, int) else None,
        int(is_all_in_early(hand)),
        text,
    )


def _played(fields: Any) -> str:
    """`2013-10-04 13:53:27`, or as much of it as is known."""
    if not isinstance(fields.get("year"), int):
        return ""
    parts = [f"{fields['year']:04d}"]
    for name in ("month", "day"):
        if not isinstance(fields.get(name), int):
            return "-".join(parts)
        parts.append(f"{fields[name]:02d}")
    time = fields.get("time")
    return "-".join(parts) + (f" {time!s:.8}" if time is not None else "")


def _stakes(hand: RecordedHand) -> str:
    """`$0.05/$0.10 NT`, the blinds and the code of the game."""
    fields, rules = hand.fields or {}, hand.episode.game.rules
    symbol = "T" if "event" in fields else str(fields.get("currency_symbol", ""))[:3]
    big = big_blind(hand)
    small = [each for each in rules.blinds if 0 < each < big]
    sizes = [min(small, default=big), big] if small else [big]
    amounts = "/".join(f"{size / hand.scale:g}" for size in sizes)
    return f"{symbol}{amounts} {fields.get('variant', rules.name)}"
