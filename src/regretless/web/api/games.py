# SPDX-License-Identifier: MIT
"""/api/games: what can be played; /api/equity and /api/ranges: hands and ranges."""

from math import comb
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import Path, Query
from pydantic import BaseModel, Field

from regretless.equities import RULES as DECKS
from regretless.equities import equity
from regretless.errors import InputError, TooLargeError
from regretless.games import Game
from regretless.games.face import unit_name
from regretless.matches.bots import BOTS
from regretless.notation.cards import deck_ranks
from regretless.notation.hand_classes import grid_names
from regretless.notation.ranges import Range, grid_weights, with_classes
from regretless.seats.descriptions import describe, equity_json
from regretless.solving.spot_options import RULES
from regretless.web.api.shared import Number, Shared, Whole, example, make_router
from regretless.web.play.seating import known_games, named_game

router = make_router("/games", "games")
equity_router = make_router("/equity", "equity")
range_router = make_router("/ranges", "equity")

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
    chips_per_unit: float


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
    return {**describe(game), "unit": unit_name(game), "chips_per_unit": game.unit}


def _sizes(game: Game) -> Sizes:
    if not game.name.startswith(_SMALL) or game.num_players > 2 or game.num_hands > _MOST_FACES:
        raise TooLargeError(f"{game.name}: too large to be counted")
    return Sizes(**game.count_tree())


class EquityRequest(BaseModel):
    model_config = example(hands=["JsTs", "22"])

    hands: list[Annotated[str, Field(max_length=4000)]] = Field(min_length=2, max_length=9)
    """A hand or a range for each player: `JsTs`, `TT+,AKs:0.5`."""
    board: str = Field("", max_length=40)
    dead: str = Field("", max_length=200)
    rule: Literal["holdem", "short-deck", "omaha"] = "holdem"
    method: Literal["auto", "monte-carlo"] = "auto"
    """Auto counts all deals where that is quick, else draws `samples`."""
    samples: Whole = Field(200_000, ge=1, le=5_000_000)
    seed: Whole = Field(0, ge=0, lt=1 << 64)


class EquityAnswer(BaseModel):
    """By player, in the order given."""

    hands: list[str]
    rule: str
    board: str
    ranges: list[str]  # as understood
    combos: list[int]
    weights: list[float]
    method: str
    samples: int  # 0 if exact
    equities: list[float]  # shares of the pot, sum 1
    wins: list[float]
    ties: list[float]
    standard_errors: list[float]


@equity_router.post("")
def find_equity(services: Shared, request: EquityRequest) -> EquityAnswer:
    """The share of the pot that each hand or range wins on average."""
    result = equity(**request.model_dump(), threads=1)
    return EquityAnswer(**equity_json(request.hands, result, request.rule))


class RangeRequest(BaseModel):
    model_config = example(text="22+,AKs:0.5", paint=["AA", "KQs"], weight=0.5)

    text: str = Field(max_length=20_000)  # docs/notation.md has the notation; empty: no hands
    game: Literal["nlhe", "short-deck", "plo4"] = "nlhe"
    paint: list[Annotated[str, Field(max_length=3)]] = Field([], max_length=169)
    """Classes of two cards that get `weight` instead: `AKs`."""
    weight: Number = Field(1.0, ge=0, le=1)


class RangeAnswer(BaseModel):
    text: str  # in short
    combos: int
    total: float  # weight of all combos
    share: float  # of all hands
    weights: dict[str, float]  # mean weight by class, of hands of two cards


@range_router.post("")
def read_range(services: Shared, request: RangeRequest) -> RangeAnswer:
    """Reads a range, paints classes of hands if asked to, and returns it in short."""
    rule = DECKS[RULES[request.game]]
    deck, num_hole = rule.deck, rule.hole_cards[0]
    nothing = Range(np.zeros(comb(deck.num_cards, num_hole)), deck, num_hole)
    found = Range.parse(request.text, deck, num_hole) if request.text.strip() else nothing
    names = [] if num_hole != 2 else [each for row in grid_names(deck_ranks(deck)) for each in row]
    for each in request.paint:
        if each not in names:
            raise InputError.unknown(f"paint: no class {each!r}", each, names)
    if request.paint:
        found = with_classes(found, request.paint, request.weight)
    weights = [each for row in grid_weights(found) for each in row] if names else []
    return RangeAnswer(
        text=str(found) if found.num_combos else "",
        combos=found.num_combos,
        total=found.total_weight,
        share=found.total_weight / len(found.weights),
        weights=dict(zip(names, weights, strict=True)),
    )
