# SPDX-License-Identifier: MIT
"""Poker variants as rows of data; `poker_rules` makes games of them.

Amounts are chips. Seats are numbered in the order of play after the first street: the last seat
is the button; heads-up, seat 0 is the big blind and seat 1 the button and small blind.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from regretless.notation.cards import RANKS
from regretless.options import read_model

Chips = Annotated[int, Field(ge=0, le=100_000_000, strict=True)]
Count = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must be printable text")
    return text


Text = Annotated[str, AfterValidator(_printable)]


class Row(BaseModel):
    """A mapping without other keys than its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class DeckRow(Row):
    """The cards: consecutive ranks, low to high, and how many suits."""

    ranks: str = RANKS
    suits: Annotated[int, Field(ge=1, le=4)] = 4


class RakeRow(Row):
    """The rake: a fraction of the pot, at most `cap` chips (0: no cap)."""

    fraction: Annotated[float, Field(ge=0, lt=1)] = 0.0
    cap: Chips = 0
    no_flop_no_drop: bool = True


class Variant(Row):
    """One poker variant. A list shorter than the table is filled with zeros (blinds, antes)."""

    name: Text
    description: Text = ""
    players: Annotated[int, Field(ge=2, le=10)] = 2
    max_players: Annotated[int, Field(ge=2, le=10)] = 10
    deck: DeckRow = DeckRow()
    hole_cards: Annotated[int, Field(ge=1, le=5)] = 2
    board_cards: list[Annotated[int, Field(ge=0, le=5)]] = [0, 3, 1, 1]
    """Cards dealt before the betting of each street; one entry for each street."""
    limit: Literal["fixed", "pot", "none"] = "none"
    bets: Chips | list[Chips] | None = None
    """Size of a bet and raise (fixed limit) or the least bet, by street; default: the big blind."""
    max_raises: Count | list[Count] | None = None
    """Bets and raises allowed on a street; none means no cap."""
    small_blind: Chips = 0
    big_blind: Chips = 0
    straddle: Chips = 0
    """Posted by the seat after the big blind; needs three players."""
    button_blind: Chips = 0
    """Posted by the last seat (short deck)."""
    blinds: list[Chips] | None = None
    """Blinds by seat, instead of the four above."""
    antes: Chips | list[Chips] = 0
    stacks: Chips | list[Chips] = 10_000
    first_actors: list[Count] | None = None
    """Seat that speaks first on each street; default: after the last blind, then seat 0."""
    rake: RakeRow = RakeRow()
    showdown: Literal["holdem", "short-deck", "omaha", "pair"] = "holdem"
    unit: Chips | None = None
    """Chips in the unit that values are counted in; default: the big blind, or 1."""
    menu: str | dict[str, Any] | None = None
    """A menu by name, as a line of sizes, or as a mapping (see `menus`)."""


_ONE_CARD = {"hole_cards": 1, "limit": "fixed", "showdown": "pair"}
_HOLDEM = {"small_blind": 50, "big_blind": 100, "stacks": 10_000, "max_players": 9}
_HEADS_UP = {"small_blind": 1, "big_blind": 2, "max_players": 2}  # few chips and few bets

_OMAHA = {"limit": "pot", "showdown": "omaha"}

VARIANTS: dict[str, dict[str, Any]] = {
    "kuhn": {
        "description": "Kuhn poker: one card each of J Q K (three players: J Q K A), one bet of 1",
        **_ONE_CARD,
        "max_players": 3,
        "deck": {"ranks": "JQK", "suits": 1},
        "board_cards": [0],
        "bets": 1,
        "max_raises": 1,
        "antes": 1,
        "stacks": 2,
    },
    "leduc": {
        "description": "Leduc hold'em: J Q K in two suits, one board card, bets of 2 and 4",
        **_ONE_CARD,
        "max_players": 2,
        "deck": {"ranks": "JQK", "suits": 2},
        "board_cards": [0, 1],
        "bets": [2, 4],
        "max_raises": 2,
        "antes": 1,
        "stacks": 13,
    },
    "leduc3": {
        "description": "Leduc hold'em for three: J Q K A in two suits; 2 chips are an ante",
        **_ONE_CARD,
        "players": 3,
        "max_players": 3,
        "deck": {"ranks": "JQKA", "suits": 2},
        "board_cards": [0, 1],
        "bets": [4, 8],
        "max_raises": 2,
        "antes": 2,
        "stacks": 26,
        "unit": 2,
    },
    "limit-holdem": {
        "description": "Fixed-limit Texas hold'em: bets of one and two big blinds, four a street",
        **_HOLDEM,
        "limit": "fixed",
        "bets": [100, 100, 200, 200],
        "max_raises": [3, 4, 4, 4],
    },
    "nlhe": {"description": "No-limit Texas hold'em, 100 big blinds", **_HOLDEM, "menu": "nfsp-9"},
    "hunl-100bb": {
        "description": "Heads-up no-limit hold'em to train on: 100 big blinds, seven slots",
        **_HEADS_UP,
        "stacks": 200,
        "menu": "deep-cfr-7",
    },
    "hunl-25bb": {
        "description": "Heads-up no-limit hold'em to train on: 25 bb, three raises a street",
        **_HEADS_UP,
        "stacks": 50,
        "menu": "sd-cfr",
    },
    "turn-endgame": {
        "description": "No-limit hold'em from the turn on, one big blind each in the pot",
        "max_players": 2,
        "board_cards": [4, 1],
        "antes": 100,
        "bets": 100,
        "unit": 100,
        "stacks": 20_000,
        "menu": {"slots": ["50%", "100%", "all-in"], "all": "50%,100%,a"},
    },
    "plo4": {
        "description": "Pot-limit Omaha with four hole cards",
        **_HOLDEM,
        **_OMAHA,
        "hole_cards": 4,
        "menu": "pot-limit",
    },
    "plo5": {
        "description": "Pot-limit Omaha with five hole cards",
        **_HOLDEM,
        **_OMAHA,
        "hole_cards": 5,
        "menu": "pot-limit",
    },
    "plo5-100bb": {
        "description": "Heads-up Omaha with five hole cards to train on: half the pot or the pot",
        **_HEADS_UP,
        **_OMAHA,
        "stacks": 200,
        "hole_cards": 5,
        "menu": "half-or-pot",
    },
    "short-deck": {
        "description": "Short-deck no-limit hold'em: six to ace, antes and a button blind",
        "deck": {"ranks": "6789TJQKA"},
        "max_players": 9,
        "antes": 100,
        "button_blind": 100,
        "bets": 100,
        "unit": 100,
        "stacks": 10_000,
        "showdown": "short-deck",
        "menu": "nfsp-9",
    },
}


def make_variant(row: Mapping[str, Any], place: str) -> Variant:
    """The checked row; InputError names the key within `place`."""
    return read_model(Variant, dict(row), f"{place}: ", most_keys=1)
