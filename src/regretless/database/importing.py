# SPDX-License-Identifier: MIT
"""Imports files and folders of hands into a database, a file at a time, and exports them."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from regretless import _native
from regretless.database.hand_database import HandDatabase
from regretless.errors import InputError
from regretless.histories.hand_files import (
    SUFFIXES,
    Reading,
    find_write_format,
    read_hands,
    watched,
    write_hands,
)
from regretless.storage.files import told_on_failure
from regretless.watch import UNWATCHED, Watch

_AT_ONCE = 200  # hands that are held


@dataclass
class ImportResult:
    """Counts of an import, and what could not be read."""

    files: int = 0
    known_files: int = 0
    """Files that had been imported before, by their content."""
    hands: int = 0
    duplicates: int = 0
    """Hands that are there already, by site and number, else by their text."""
    bad: list[tuple[str, int, str]] = field(default_factory=list)
    """(file, line, problem) of each hand or file that could not be read."""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        bad = [{"file": file, "line": line, "problem": text} for file, line, text in self.bad]
        return vars(self) | {"bad": bad}


Report = Callable[[ImportResult, int, int], None]
"""Receives the counts, the number of the file and how many there are."""


def import_hands(
    database: HandDatabase,
    paths: Iterable[str | Path],
    *,
    format: str | None = None,
    game: _native.Poker | None = None,
    report: Report = lambda *_: None,
) -> ImportResult:
    """Imports files, and folders with all files below them whose name ends as hands do."""
    begun, result = time.perf_counter(), ImportResult()
    files = list(_files(paths))
    for number, path in enumerate(files, 1):
        try:
            _import_file(
                database, path, result, partial(report, result, number, len(files)), format, game
            )
        except InputError as error:
            if str(error).startswith(str(database.path)):
                raise
            result.bad.append((str(path), 0, str(error)))
        result.seconds = time.perf_counter() - begun
        report(result, number, len(files))
    return result


def _files(paths: Iterable[str | Path]) -> Iterator[Path]:
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES and p.is_file())
        elif path.is_file():
            yield path
        else:
            raise InputError(f"{path}: there is no such file or folder")


def _import_file(
    database: HandDatabase,
    path: Path,
    result: ImportResult,
    report: Callable[[], None],
    format: str | None,
    game: _native.Poker | None,
) -> None:
    """Adds the hands of one file, all of them or none."""
    with told_on_failure(path):
        digest = sha256(path.read_bytes()).hexdigest()
    if database.is_imported(digest):
        result.known_files += 1
        return
    before = result.hands, result.duplicates, len(result.bad)
    try:
        with database.transaction():
            cursor = database.connection.execute(
                "INSERT INTO files (path, sha256, hands, duplicates, bad) VALUES (?, ?, 0, 0, 0)",
                (_text(path), digest),
            )
            file, read = cursor.lastrowid, list[Any]()
            assert file is not None
            for each in read_hands(path, format, game):
                if each.hand is None:
                    result.bad.append((str(path), each.line, each.problem))
                else:
                    read.append((each.line, each.hand))
                if len(read) == _AT_ONCE:
                    _add(database, file, read, result)
                    report()
            _add(database, file, read, result)
            counts = (result.hands - before[0], result.duplicates - before[1])
            bad = result.bad[before[2] :]
            database.connection.execute(
                "UPDATE files SET hands = ?, duplicates = ?, bad = ? WHERE id = ?",
                (*counts, len(bad), file),
            )
            database.connection.executemany(
                "INSERT INTO bad VALUES (?, ?, ?)",
                [(file, line, _text(problem)) for _, line, problem in bad],
            )
        result.files += 1
    except BaseException:
        result.hands, result.duplicates = before[:2]
        del result.bad[before[2] :]
        raise


def _text(written: object) -> str:
    """A text that SQLite takes: names of files may be no UTF-8."""
    return str(written).encode("utf-8", "backslashreplace").decode("utf-8")


def _add(database: HandDatabase, file: int, read: list[Any], result: ImportResult) -> None:
    new = database.add(file, read)
    result.hands += new
    result.duplicates += len(read) - new
    read.clear()


def export_hands(
    source: str | Path,
    target: str | Path,
    *,
    player: str | None = None,
    target_format: str | None = None,
    skip: Callable[[str], None] = lambda _: None,
    watch: Watch = UNWATCHED,
) -> int:
    """Writes the hands of a database, or of one player, to a file; returns their number.

    The latest come first. Formats are those of `convert_hands`; `skip` hears of what is left out.
    """
    format = find_write_format(Path(target), target_format)
    with HandDatabase(source) as database:
        if player is not None:
            database.require_player(player)
        hands = (Reading(each.line, each.recorded) for each in database.hands(player))
        return write_hands(watched(hands, watch, "writing"), Path(target), format, skip)
