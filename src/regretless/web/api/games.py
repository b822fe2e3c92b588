# SPDX-License-Identifier: MIT
"""/api/games: what can be played."""

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel

from regretless.errors import TooLargeError
from regretless.games import Game
from regretless.games.face import unit_name
from regretless.matches.bots import BOTS
from regretless.seats.descriptions import describe
from regretless.web.api.shared import Shared, make_router
from regretless.web.play.seating import known_games, named_game

router = make_router("/games", "games")

_SMALL = ("kuhn", "leduc", "liars-dice-1x")  # names that begin so are small enough to count
_MOST_FACES = 6  # of Liar's Dice that is counted


class GameModel(BaseModel):
    """A game."""

    name: str
    description: str
    players: int
    hands: int  # that a player may hold
    actions: list[str]  # by slot
    unit: str


class Sizes(BaseModel):
    """Counted one by one, in games that are small."""

    histories: int
    terminals: int
    infosets: int
    public_nodes: int


class GameDetail(GameModel):
    sizes: Sizes | None = None


class GamesModel(BaseModel):
    games: list[GameModel]
    bots: list[str]  # that play any of them; some need cards


@router.get("")
def list_games(services: Shared) -> GamesModel:
    """The games that have a name; Liar's Dice comes in other sizes, too (`liars-dice-2x6f-3p`)."""
    games = [GameModel(**_row(named_game(each))) for each in known_games()]
    return GamesModel(games=games, bots=list(BOTS))


@router.get("/{name}")
def describe_game(
    services: Shared,
    name: Annotated[str, Path(max_length=80)],
    players: Annotated[int | None, Query(ge=2, le=10)] = None,
    count: Annotated[bool, Query(description="Count the tree, of small games.")] = False,
) -> GameDetail:
    """One game."""
    game = named_game(name, players)
    return GameDetail(**_row(game), sizes=_sizes(game) if count else None)


def _row(game: Game) -> dict[str, Any]:
    return {**describe(game), "unit": unit_name(game)}


def _sizes(game: Game) -> Sizes:
    if not game.name.startswith(_SMALL) or game.num_players > 2 or game.num_hands > _MOST_FACES:
        raise TooLargeError(f"{game.name}: too large to be counted")
    return Sizes(**game.count_tree())
