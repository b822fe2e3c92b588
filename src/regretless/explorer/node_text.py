# SPDX-License-Identifier: MIT
"""A node as text: a range in the notation of `regretless`, hands as CSV."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from regretless.errors import InputError
from regretless.explorer.node_view import SeatRange
from regretless.games import Game
from regretless.notation.ranges import Range

_DIGITS = 4  # of weights in a text


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


def class_hands(game: Game, name: str) -> list[str]:
    """The hands of a class such as `AKs`, as nodes name them."""
    assert game.deck is not None
    return [hand for hand, _ in Range.parse(name, game.deck).combos()]


def csv_text(rows: Sequence[dict[str, Any]]) -> str:
    """Rows of `NodeView.rows` as CSV, one line for each hand."""
    text = io.StringIO()
    names = list(rows[0]) if rows else ["line", "seat", "hand"]
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
