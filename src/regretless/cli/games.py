# SPDX-License-Identifier: MIT
"""`regretless games`: what can be played, and what one game is."""

from typing import Annotated, Any

import typer
from rich.table import Table

from regretless.cli.output import JsonFlag, console, print_json
from regretless.games import Game, game_names, load_game
from regretless.games.variants import VARIANTS
from regretless.telling.playthrough import playthrough

_LIARS_DICE = "Liar's Dice, dice x faces, the highest face is wild (any size: liars-dice-2x6f-3p)"


def games(
    name: Annotated[
        str | None, typer.Argument(help="A game, a .yaml variant or an ACPC .game file.")
    ] = None,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
    count: Annotated[
        bool, typer.Option("--count", help="Count histories and infosets (small games).")
    ] = False,
    episode: Annotated[
        int | None, typer.Option(help="Show a random episode with this seed, step by step.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """List the games, or describe one."""
    if name is None:
        rows = [describe(load_game(each)) for each in game_names()]
        if json:
            print_json({"games": rows})
        else:
            console.print(_table(rows))
        return
    game = load_game(name, **({} if players is None else {"players": players}))
    row = describe(game)
    if count:
        row["tree"] = game.count_tree()
    if episode is not None:
        row["episode"] = playthrough(game, episode)
    if json:
        print_json(row)
        return
    for key, value in row.items():
        console.print(f"[bold]{key}[/bold]  {value}", highlight=False, soft_wrap=True)


def describe(game: Game) -> dict[str, Any]:
    """What there is to know about a game before playing it."""
    description = VARIANTS.get(game.name, {}).get("description", "")
    return {
        "name": game.name,
        "description": description or (_LIARS_DICE if "liars-dice" in game.name else ""),
        "players": game.num_players,
        "hands": game.num_hands,
        "actions": game.action_names,
    }


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(box=None)
    for heading in ("game", "players", "hands", "actions"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    table.add_column("what it is")
    for row in rows:
        table.add_row(
            row["name"],
            str(row["players"]),
            f"{row['hands']:,}",
            str(len(row["actions"])),
            row["description"],
        )
    return table
