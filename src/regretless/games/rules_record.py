# SPDX-License-Identifier: MIT
"""A game as plain data that a file can keep, and the game again from such data."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from regretless import _native
from regretless.errors import InputError
from regretless.explicit.explicit_game import ExplicitGame
from regretless.games.loading import Game
from regretless.games.variants import make_rules, make_variant
from regretless.notation.cards import deck_ranks

Record = dict[str, Any]

_Size = Annotated[str, Field(max_length=40)]
_Sizes = Annotated[list[_Size], Field(max_length=64)]
_Situations = Annotated[list[_Sizes], Field(min_length=3, max_length=4)]  # donk the fourth
_Streets = Annotated[list[_Situations], Field(max_length=4)]
_Count = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
_Ratio = Annotated[float, Field(ge=0, le=1e8, allow_inf_nan=False)]
_Weights = Annotated[list[Annotated[float, Field(allow_inf_nan=False)]], Field(max_length=1326)]


class _Menu(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=100)]
    slots: Annotated[list[_Size], Field(max_length=64)]
    max_raises: _Count
    rows: Annotated[list[_Streets], Field(max_length=10)]
    add_all_in: _Ratio = 0.0
    force_all_in: _Ratio = 0.0
    merge: _Ratio = 0.0
    limp: Annotated[bool, Field(strict=True)] = True


class _Start(BaseModel):
    model_config = ConfigDict(extra="forbid")

    board: Annotated[list[_Count], Field(max_length=5)]
    weights: Annotated[list[_Weights], Field(max_length=2)]
    aggressor: Annotated[int, Field(ge=-1, le=9, strict=True)] = -1


class _Dice(BaseModel):
    model_config = ConfigDict(extra="forbid")

    dice: Annotated[int, Field(ge=1, le=100, strict=True)]
    faces: Annotated[int, Field(ge=1, le=100, strict=True)]
    players: Annotated[int, Field(ge=2, le=10, strict=True)]


def rules_record(game: Game) -> Record:
    """Everything that makes the game what it is: `poker` with its `menu`, or `liars_dice`.

    A game that begins at a spot has its board and the weights of the hands as `start`, and the
    seat that bet last before it where its menu asks for that. Of a game
    written out in full it is the size and a hash, as `explicit`: its tree is kept beside them.
    """
    if isinstance(game, ExplicitGame):
        size = {"players": game.num_players, **game.count_tree()}
        return {"explicit": {"name": game.name, **size, "sha256": game.digest}}
    if isinstance(game, _native.LiarsDice):
        dice = {"dice": game.num_dice, "faces": game.num_faces, "players": game.num_players}
        return {"liars_dice": dice}
    rules, menu = game.rules, game.menu
    row = {
        "name": rules.name,
        "players": rules.num_players,
        "deck": {"ranks": deck_ranks(rules.deck), "suits": rules.deck.num_suits},
        "hole_cards": rules.num_hole_cards,
        "board_cards": rules.board_cards,
        "limit": rules.limit.name.lower(),
        "bets": rules.bets,
        "max_raises": rules.max_raises,
        "blinds": rules.blinds,
        "antes": rules.antes,
        "stacks": rules.stacks,
        "first_actors": rules.first_actors,
        "rake": {
            "fraction": rules.rake.fraction,
            "cap": rules.rake.cap,
            "no_flop_no_drop": rules.rake.no_flop_no_drop,
        },
        "showdown": rules.showdown.name.lower().replace("_", "-"),
        "unit": rules.unit,
    }
    sizes = {
        "name": menu.name,
        "slots": menu.slots,
        "max_raises": menu.max_raises,
        "rows": menu.rows(rules.num_streets),
        "add_all_in": menu.add_all_in,
        "force_all_in": menu.force_all_in,
        "merge": menu.merge,
        "limp": menu.limp,
    }
    start = {"board": game.board, "weights": game.weights}
    if game.aggressor >= 0:
        start["aggressor"] = game.aggressor
    is_begun = any((game.board, game.weights, game.aggressor >= 0))
    return {"poker": row, "menu": sizes} | ({"start": start} if is_begun else {})


def recorded_game(record: Record, place: str) -> Game:
    """The game that `rules_record` wrote; InputError names what makes no sense."""
    if "explicit" in record:
        raise InputError(f"{place}: a game written out in full is not there, only its name")
    try:
        if record.keys() == {"liars_dice"}:
            dice = _Dice.model_validate(record["liars_dice"])
            return _native.LiarsDice(dice.dice, dice.faces, dice.players)
        if record.keys() - {"start"} != {"poker", "menu"} or not isinstance(record["poker"], dict):
            raise InputError(f"{place}: rules must be of poker with a menu, or of liars_dice")
        menu = _Menu.model_validate(record["menu"])
        start = _Start.model_validate(record.get("start", {"board": [], "weights": []}))
        rules = make_rules(make_variant(record["poker"], place), place)
        return _native.Poker(rules, _native.BetMenu(**menu.model_dump()), **start.model_dump())
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(f"{place}: {field}: {first['msg']}") from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{place}: {error}") from None


def check_record(game: Game, place: str) -> None:
    """InputError if the record of a game is not read back as the same game."""
    if isinstance(game, ExplicitGame):
        raise InputError(f"{place}: only a bundle can carry {game.name}, written out in full")
    record = rules_record(game)
    if rules_record(recorded_game(record, place)) != record:
        raise InputError(f"{place}: the rules of {game.name} cannot be written down")


def infoset_probe(game: Game) -> int:
    """The infoset key at a fixed decision: it differs where keys are made in another way."""
    if isinstance(game, ExplicitGame):
        return int(game.infoset_keys[0])
    if isinstance(game, _native.LiarsDice):
        dice = [[1] * game.num_dice for _ in range(game.num_players)]
        episode: _native.PokerEpisode | _native.LiarsDiceEpisode
        episode = _native.LiarsDiceEpisode(game, dice=dice)
    else:
        size, rules = game.rules.num_hole_cards, game.rules
        cards = [card for card in range(rules.deck.num_cards) if card not in game.board]
        hole = [cards[p * size : (p + 1) * size] for p in range(game.num_players)]
        rest = cards[game.num_players * size :]
        board = game.board + rest[: rules.num_board_cards - len(game.board)]
        episode = _native.PokerEpisode(game, hole=hole, board=board)
    key = 0
    for _ in range(4):
        if episode.actor < 0:
            break
        key = episode.infoset
        slots = [slot for slot, is_legal in enumerate(episode.legal) if is_legal]
        episode.choose(slots[len(slots) // 2])
    return key
