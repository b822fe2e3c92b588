# SPDX-License-Identifier: MIT
"""A hold'em spot: board, pot, stacks, two ranges and bet sizes, as a game that begins there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.games.cards import parse_cards
from regretless.games.ranges import Range
from regretless.games.variants import make_poker, make_variant

_STREETS = {3: [3, 1, 1], 4: [4, 1], 5: [5]}


@dataclass(frozen=True)
class Spot:
    """The problem; seat 0 is out of position."""

    game: "_native.Poker"
    board: tuple[int, ...]
    ranges: tuple[Range, Range]
    pot: int
    stack: int


def make_spot(
    board: str,
    pot: int,
    stack: int,
    range_oop: str,
    range_ip: str,
    menu: str | Mapping[str, Any],
    min_bet: int = 1,
) -> Spot:
    """The spot, with `pot` chips in the middle and `stack` behind for each player."""
    deck = _native.Deck()
    cards = parse_cards(board, deck)
    if len(cards) not in _STREETS:
        raise InputError(f"board: must be 3, 4 or 5 cards, not {len(cards)}")
    if pot <= 0 or pot % 2:
        raise InputError(f"pot: must be a positive even number of chips, not {pot}")
    if stack <= 0:
        raise InputError(f"stack: must be positive, not {stack}")
    row = {
        "name": "spot",
        "board_cards": _STREETS[len(cards)],
        "antes": pot // 2,
        "stacks": stack + pot // 2,
        "bets": min_bet,
        "unit": 1,
        "menu": menu,
    }
    game = make_poker(make_variant(row, "spot"), "spot")
    ranges = (Range.parse(range_oop, deck), Range.parse(range_ip, deck))
    return Spot(game, cards, ranges, pot, stack)
