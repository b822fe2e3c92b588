# SPDX-License-Identifier: MIT
"""The hands of a node by class, where they are too many for a grid: those of Omaha."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from regretless.explorer.node_view import Cell, NodeView
from regretless.notation.cards import FULL_DECK, parse_cards
from regretless.notation.omaha_classes import CLASS_NAMES, omaha_classes

_LEAST_CARDS = 4  # of a hand of Omaha


def has_classes(node: NodeView) -> bool:
    """Whether the hands are those of Omaha."""
    hands = node.seats[0].hands
    return bool(hands) and len(hands[0]) >= 2 * _LEAST_CARDS


def class_cells(node: NodeView, seat: int | None = None) -> list[Cell]:
    """Every class that a seat may hold: how much of it arrives, and what it does."""
    player = max(node.actor, 0) if seat is None else seat
    of, choices = node.seats[player], node.choices if player == node.actor else []
    places = _places(tuple(of.hands))
    cells = []
    for place in np.unique(places).tolist():
        mine = places == place
        weights = of.weights[mine]
        total = float(weights.sum())
        mix = [float(each.mix[mine] @ weights) / total for each in choices] if total > 0 else []
        equity, value = (_mean(each[mine], weights) for each in (of.equities, of.values))
        name, count = CLASS_NAMES[place], int(mine.sum())
        cells.append(Cell(name, count, total / count, mix, equity, value))
    return cells


def class_members(node: NodeView, name: str, seat: int | None = None) -> list[str]:
    """The hands of a class that the node tells of."""
    of = node.seats[max(node.actor, 0) if seat is None else seat]
    places = _places(tuple(of.hands))
    return [of.hands[h] for h in np.flatnonzero(places == CLASS_NAMES.index(name)).tolist()]


@lru_cache(maxsize=32)
def _places(hands: tuple[str, ...]) -> NDArray[np.intp]:
    return omaha_classes(np.array([parse_cards(hand, FULL_DECK) for hand in hands]))


def _mean(numbers: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    known = np.isfinite(numbers) & (weights > 0)
    total = float(weights[known].sum())
    return float(numbers[known] @ weights[known]) / total if total > 0 else float("nan")
