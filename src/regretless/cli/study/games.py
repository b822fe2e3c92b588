# SPDX-License-Identifier: MIT
"""`regretless games`: what can be played, and what one game is."""

from typing import Annotated, Any

import typer
from rich.table import Table

from regretless.cli.output import JsonFlag, console, print_facts, print_json, value_text
from regretless.cli.progress import Telling
from regretless.games import game_names, load_game
from regretless.histories.seat_view import playthrough
from regretless.seats.descriptions import describe


def games(
    name: Annotated[
        str | None, typer.Argument(help="A game, a .yaml variant or an ACPC .game file.")
    ] = None,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
    count: Annotated[
        bool, typer.Option("--count", help="Count histories and infosets (small games).")
    ] = False,
    episode: Annotated[
        int | None,
        typer.Option(
            min=0, max=(1 << 64) - 1, help="Show a random game with this seed, step by step."
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """List the games, or describe one."""
    if name is None:
        rows = [describe(load_game(each)) for each in game_names()]
        if json:
            print_json({"games": rows})
        else:
            _show_all(rows)
        return
    game = load_game(name, **({} if players is None else {"players": players}))
    row = describe(game)
    if count:
        with Telling(for_programs=json) as telling, telling.watch().over("counting"):
            row["tree"] = game.count_tree()
    if episode is not None:
        row["episode"] = playthrough(game, episode)
    if json:
        print_json(row)
        return
    actions = ", ".join(row["actions"])
    print_facts({key: value_text(value) for key, value in row.items()} | {"actions": actions})


def _show_all(rows: list[dict[str, Any]]) -> None:
    table = Table(box=None)
    for heading in ("game", "players", "hands", "actions"):
        table.add_column(heading, justify="left" if heading == "game" else "right", no_wrap=True)
    table.add_column("what it is", overflow="fold")
    for row in rows:
        counts = (str(row["players"]), f"{row['hands']:,}", str(len(row["actions"])))
        table.add_row(row["name"], *counts, row["description"])
    console.print(table)
