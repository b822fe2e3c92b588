# SPDX-License-Identifier: MIT
"""A node in other forms: classes of Omaha hands, equity graphs, ranges as text."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.explorer.node_view import NodeView, SeatRange
from regretless.games import Game
from regretless.notation.cards import FULL_DECK, parse_cards
from regretless.notation.omaha_classes import omaha_classes
from regretless.notation.ranges import Range

POINTS = 101  # of a curve: from the weakest hand to the best, at each hundredth of the range
_DIGITS = 4  # of weights in a text
_LEAST_CARDS = 4  # of a hand of Omaha


def has_classes(node: NodeView) -> bool:
    """Whether the hands are those of Omaha."""
    hands = node.seats[0].hands
    return bool(hands) and len(hands[0]) >= 2 * _LEAST_CARDS


def class_places(node: NodeView, seat: int) -> NDArray[np.intp]:
    """[hands]: the class of each hand of Omaha, a number of `CLASS_NAMES`."""
    return _places(tuple(node.seats[seat].hands))


@lru_cache(maxsize=32)
def _places(hands: tuple[str, ...]) -> NDArray[np.intp]:
    return omaha_classes(np.array([parse_cards(hand, FULL_DECK) for hand in hands]))


def equity_curve(seat: SeatRange, points: int = POINTS) -> NDArray[np.float64] | None:
    """[points]: equities of a range, sorted, by the share of the range that has less.

    None where no hand that arrives has a known equity.
    """
    counts = (seat.shares > 0) & np.isfinite(seat.equities)
    if not counts.any():
        return None
    order = np.argsort(seat.equities[counts], kind="stable")
    equities, shares = seat.equities[counts][order], seat.shares[counts][order]
    ends = np.cumsum(shares) / shares.sum()
    where = np.linspace(0, 1, points)
    places = np.searchsorted(ends, where * (1 - 1e-9), side="right")
    return equities[np.minimum(places, len(equities) - 1)]


def equity_curves(node: NodeView, points: int = POINTS) -> dict[str, list[float]]:
    """The curve of every seat that has one, by name."""
    found = {each.name: equity_curve(each, points) for each in node.seats}
    return {name: curve.tolist() for name, curve in found.items() if curve is not None}


def range_of(game: Game, seat: SeatRange) -> Range:
    """The range of a seat; InputError in games without cards."""
    deck = game.deck
    if deck is None:
        raise InputError(f"{game.name}: has no ranges of cards")
    items = [
        f"{hand}:{min(round(float(weight), _DIGITS), 1.0)}"
        for hand, weight in zip(seat.hands, seat.weights, strict=True)
        if weight > 0
    ]
    if not items:
        raise InputError(f"{seat.name}: the range is empty here")
    return Range.parse(",".join(items), deck, game.hand_size)
