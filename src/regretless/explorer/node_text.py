# SPDX-License-Identifier: MIT
"""A node as texts to take along: a range as `regretless` reads it, hands as CSV."""

import csv
import io
from typing import Any

from regretless.errors import InputError
from regretless.explorer.node_view import NodeView, SeatRange
from regretless.games import Game
from regretless.notation.ranges import Range

_DIGITS = 4  # of weights in a text


def range_of(game: Game, seat: SeatRange) -> Range:
    """The hands that arrive, by weight; InputError in games without cards."""
    deck = game.deck
    if deck is None:
        raise InputError(f"{game.name}: has no ranges of cards")
    items = [
        f"{hand}:{min(round(float(weight), _DIGITS), 1.0)}"
        for hand, weight in zip(seat.hands, seat.weights, strict=True)
        if weight > 0
    ]
    if not items:
        raise InputError(f"{seat.name}: no hand arrives here")
    return Range.parse(",".join(items), deck, game.hand_size)


def class_hands(game: Game, name: str) -> list[str]:
    """The hands of a class such as `AKs`, as nodes name them."""
    assert game.deck is not None
    return [hand for hand, _ in Range.parse(name, game.deck).combos()]


def csv_text(node: NodeView, seat: int | None = None) -> str:
    """A line for each hand that arrives."""
    rows: list[dict[str, Any]] = list(node.rows(seat))
    text = io.StringIO()
    names = list(rows[0]) if rows else ["line", "seat", "hand"]
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
