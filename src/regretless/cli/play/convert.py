# SPDX-License-Identifier: MIT
"""`regretless convert`: hands from one format into another."""

from pathlib import Path
from typing import Annotated, Any

import typer

from regretless.cli.output import JsonFlag, print_json, print_line, print_note
from regretless.cli.progress import Telling
from regretless.database.importing import export_hands
from regretless.errors import InputError
from regretless.histories.hand_files import READ_FORMATS, WRITE_FORMATS, convert_hands

_READ, _WRITE = ", ".join(READ_FORMATS), ", ".join(WRITE_FORMATS)


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The file to read.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    source_format: Annotated[
        str | None, typer.Option("--from", help=f"{_READ}; default: by the suffix of IN.")
    ] = None,
    target_format: Annotated[
        str | None, typer.Option("--to", help=f"{_WRITE}; default: by the suffix of OUT.")
    ] = None,
    game: Annotated[
        str | None, typer.Option(help="The game of an ACPC log: a name, a .yaml or a .game file.")
    ] = None,
    scale: Annotated[
        int | None, typer.Option(min=1, help="Chips in one unit of PHH; default: found by itself.")
    ] = None,
    player: Annotated[
        str | None, typer.Option(help="Only hands of this player, out of a database.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Convert hands: PHH, PokerStars text, ACPC logs, hand logs; also out of a database (.db)."""
    is_database = source.suffix == ".db"
    of_files = {"--from": source_format, "--game": game, "--scale": scale}
    for name, given in (of_files if is_database else {"--player": player}).items():
        if given is not None:
            where = "hand histories" if is_database else "a database (.db)"
            raise InputError(f"{name} belongs to {where}, which {source} is not")
    with Telling(for_programs=json) as telling:
        heard: dict[str, Any] = {"skip": print_note, "watch": telling.watch()}
        if is_database:
            count = export_hands(
                source, target, player=player, target_format=target_format, **heard
            )
        else:
            count = convert_hands(
                source,
                target,
                source_format=source_format,
                target_format=target_format,
                game=game,
                scale=scale,
                **heard,
            )
    if json:
        print_json({"hands": count, "target": str(target)})
    else:
        print_line(f"{target}: {count:,} hands")
