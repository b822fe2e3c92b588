# SPDX-License-Identifier: MIT
"""Games made again from their records (`rules_record`)."""

from typing import Annotated

from pydantic import Field

from regretless import _native
from regretless.custom_code import check_same
from regretless.errors import InputError, refusing
from regretless.games.face import Game, Record, face, rules_record
from regretless.games.loading import load_game
from regretless.games.poker_rules import make_rules
from regretless.games.variants import Count, Row, make_variant
from regretless.options import read_model

_Size = Annotated[str, Field(max_length=40)]
_Sizes = Annotated[list[_Size], Field(max_length=64)]
_Situations = Annotated[list[_Sizes], Field(min_length=3, max_length=4)]  # donk the fourth
_Streets = Annotated[list[_Situations], Field(max_length=4)]
_Ratio = Annotated[float, Field(ge=0, le=1e8, allow_inf_nan=False)]
_Weights = Annotated[list[Annotated[float, Field(allow_inf_nan=False)]], Field(max_length=1326)]


class _Menu(Row):
    name: Annotated[str, Field(max_length=100)]
    slots: Annotated[list[_Size], Field(max_length=64)]
    max_raises: Count
    rows: Annotated[list[_Streets], Field(max_length=10)]
    add_all_in: _Ratio = 0.0
    force_all_in: _Ratio = 0.0
    merge: _Ratio = 0.0
    limp: Annotated[bool, Field(strict=True)] = True


class _Start(Row):
    board: Annotated[list[Count], Field(max_length=5)]
    weights: Annotated[list[_Weights], Field(max_length=2)]
    aggressor: Annotated[int, Field(ge=-1, le=9, strict=True)] = -1


class _Dice(Row):
    dice: Annotated[int, Field(ge=1, le=100, strict=True)]
    faces: Annotated[int, Field(ge=1, le=100, strict=True)]
    players: Annotated[int, Field(ge=2, le=10, strict=True)]


def recorded_game(record: Record, place: str) -> Game:
    """The game that `rules_record` describes; InputError names what makes no sense."""
    if not isinstance(record, dict):
        raise InputError(f"{place}: rules must be a mapping")
    if "explicit" in record:
        raise InputError(f"{place}: an explicit game is recorded by its name only")
    if record.keys() == {"liars_dice"}:
        dice = read_model(_Dice, record["liars_dice"], f"{place}: ")
        with refusing(place):
            return _native.LiarsDice(dice.dice, dice.faces, dice.players)
    if record.keys() - {"start"} != {"poker", "menu"} or not isinstance(record["poker"], dict):
        raise InputError(f"{place}: rules must be of poker with a menu, or of liars_dice")
    menu = read_model(_Menu, record["menu"], f"{place}: ")
    start = read_model(_Start, record.get("start", {"board": [], "weights": []}), f"{place}: ")
    rules = make_rules(make_variant(record["poker"], place), place)
    with refusing(place):
        return _native.Poker(rules, _native.BetMenu(**menu.model_dump()), **start.model_dump())


def portable_record(game: Game) -> Record:
    """The record by which another process of this user makes the game again; code by its name."""
    explicit, record = face(game).explicit, rules_record(game)
    if explicit is None:
        return record
    if explicit.origin is None:
        raise InputError(f"{game.name}: only games of load_game travel to other machines")
    return {**record, "origin": explicit.origin}


def ported_game(record: Record, place: str) -> Game:
    """The game of `portable_record`, which may import code: never for a record of a stranger.

    InputError if the code is missing or differs, or if it gives another game.
    """
    if "origin" not in record:
        return recorded_game(record, place)
    origin = record["origin"]
    if "sha256" in origin:
        check_same(origin["name"], origin["sha256"])
    game = load_game(origin["name"], **origin["options"])
    if rules_record(game)["explicit"] != record["explicit"]:
        raise InputError(f"{origin['name']}: is another game here than on the learner's machine")
    return game


def check_record(game: Game, place: str) -> None:
    """Raises InputError if the record of a game is not read back as the same game."""
    if face(game).explicit is not None:
        raise InputError(f"{place}: only a bundle can carry the explicit game {game.name}")
    record = rules_record(game)
    if rules_record(recorded_game(record, place)) != record:
        raise InputError(f"{place}: the rules of {game.name} cannot be written down")
