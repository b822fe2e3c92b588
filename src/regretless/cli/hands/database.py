# SPDX-License-Identifier: MIT
"""`regretless import` and `regretless stats`: hands from anywhere, and figures of their players."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.cli.output import CsvFile, JsonFlag, print_json, print_line, print_note, print_rows
from regretless.cli.progress import Telling
from regretless.cli.result_files import require_places
from regretless.database.hand_database import HandDatabase, default_place
from regretless.database.importing import ImportResult, import_hands
from regretless.database.statistics import GROUPS, PlayerStatistics, player_statistics
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.face import require_poker
from regretless.histories.hand_files import READ_FORMATS, require_format
from regretless.storage.row_files import write_rows

_MOST_LISTED = 20  # hands that could not be read, in the terminal

DatabaseFile = Annotated[
    Path | None,
    typer.Option(
        "--database", help="The file of the database; default: hands.db in the data folder."
    ),
]
PlayerName = Annotated[
    str | None, typer.Option("--player", help="The player; default: whose files they are.")
]


def open_database(path: Path | None, *, create: bool = False) -> HandDatabase:
    """Opens the database of a command."""
    return HandDatabase(path or default_place(), create=create)


def import_(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and folders.")],
    database: DatabaseFile = None,
    source_format: Annotated[
        str | None, typer.Option("--from", help=f"{', '.join(READ_FORMATS)}; default: looked up.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="The game of ACPC logs.")] = None,
    json: JsonFlag = False,
) -> None:
    """Import hand histories (PokerStars, GGPoker, 888, PHH, ACPC, own logs) into a database."""
    require_format(source_format, READ_FORMATS)
    poker = None if game is None else require_poker(load_game(game), "only hands of poker are kept")
    with open_database(database, create=True) as opened, Telling(for_programs=json) as telling:

        def report(result: ImportResult, number: int, files: int) -> None:
            hands = result.hands + result.duplicates + len(result.bad)
            telling.say(f"file {number:,} of {files:,}   {hands:,} hands")

        telling.say("looking for files")
        result = import_hands(opened, paths, format=source_format, game=poker, report=report)
    if result.bad and not (result.hands or result.duplicates or result.known_files):
        raise InputError(result.bad[0][2])
    if json:
        print_json({"database": str(opened.path), **result.to_json()})
        return
    known = f", {result.known_files:,} known" if result.known_files else ""
    print_line(
        f"{opened.path}: {result.hands:,} hands of {result.files:,} files{known}; "
        f"{result.duplicates:,} duplicates, {len(result.bad):,} not read"
    )
    for _, line, problem in result.bad[:_MOST_LISTED]:
        print_note(problem if f"line {line}" in problem else f"{problem} (line {line})")
    if len(result.bad) > _MOST_LISTED:
        print_note(f"and {len(result.bad) - _MOST_LISTED:,} more; --json lists all")


def stats(
    database: DatabaseFile = None,
    player: PlayerName = None,
    by: Annotated[str, typer.Option(help=f"Group by {', '.join(GROUPS)}.")] = "all",
    least: Annotated[
        int, typer.Option(min=1, max=10**9, help="Leave out groups with fewer hands.")
    ] = 1,
    csv: CsvFile = None,
    json: JsonFlag = False,
) -> None:
    """Show the figures of a player over time: VPIP, PFR, 3-bet, showdowns, bb/100, adjusted."""
    require_places(csv)
    with open_database(database) as opened, Telling(for_programs=json) as telling:
        telling.say("counting")
        name = None if by == "player" and player is None else player or opened.hero()
        found = player_statistics(opened, name, by, least=least)
    write_rows(lambda: [_flat(each.to_json()) for each in found], csv)
    if json:
        print_json({"player": name, "by": by, "groups": [each.to_json() for each in found]})
        return
    if name is not None:
        hands = sum(each.hands for each in found)
        print_line(f"{name}: {hands:,} hands; 95 % intervals in brackets and behind ±")
    shares = [f"{head} %" for head in ("VPIP", "PFR", "3-bet", "WTSD", "W$SD")]
    rows = (list(_texts(each)) for each in found)
    head = by if by != "all" else ""
    print_rows([head, "hands", *shares, "AF", "bb/100", "adjusted"], rows)


def _texts(each: PlayerStatistics) -> Iterator[str]:
    yield each.group or "–"
    yield f"{each.hands:,}"
    facts = each.to_json()
    for name in each.shares:
        yield _bounded(facts[name], 100, 1)
    yield _bounded(facts["aggression"], 1, 2)
    for result in (each.won, each.adjusted):
        spread = f" ± {result.half_width:,.1f}" if result.count > 1 else ""
        yield f"{result.mean:+,.1f}{spread}" if result.count else "–"


def _bounded(rate: dict[str, Any], scale: float, places: int) -> str:
    """`24.3 (22.1–26.6)`; odds without a call are infinite."""
    if not rate["of"]:
        return "–"
    value, low, high = (
        "∞" if each is None else f"{scale * each:.{places}f}"
        for each in (rate["value"], rate["low"], rate["high"])
    )
    return f"{value} ({low}–{high})"


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat |= {f"{name}_{key}": each for key, each in value.items()}
        else:
            flat[name] = value
    return flat
