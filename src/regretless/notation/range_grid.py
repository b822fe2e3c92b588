# SPDX-License-Identifier: MIT
"""A range of hold'em by class, as a grid that can be painted on."""

from collections.abc import Iterable

import numpy as np

from regretless.notation.cards import Deck, deck_ranks
from regretless.notation.hands import all_hands
from regretless.notation.ranges import Range


def grid_names(deck: Deck) -> list[list[str]]:
    """Names of the classes, highest rank first; pairs on the diagonal, suited above."""
    ranks = deck_ranks(deck)[::-1]
    return [
        [_name(ranks, row, column) for column in range(len(ranks))] for row in range(len(ranks))
    ]


def grid_weights(of: Range) -> list[list[float]]:
    """The mean weight of each class, in the same order."""
    num_suits, size = of.deck.num_suits, of.deck.num_ranks
    hands = all_hands(of.deck.num_ranks * num_suits, 2).astype(np.intp)
    places = size - 1 - hands // num_suits  # [hands, cards]: 0 for the highest rank
    first, second = places.min(axis=1), places.max(axis=1)
    is_suited = hands[:, 0] % num_suits == hands[:, 1] % num_suits
    rows, columns = np.where(is_suited, first, second), np.where(is_suited, second, first)
    sums, counts = np.zeros((size, size)), np.zeros((size, size))
    np.add.at(sums, (rows, columns), of.weights)
    np.add.at(counts, (rows, columns), 1)
    weights: list[list[float]] = (sums / counts).tolist()
    return weights


def with_classes(of: Range, names: Iterable[str], weight: float) -> Range:
    """The range with all hands of these classes at one weight."""
    weights = of.weights.copy()
    for name in names:
        weights[Range.parse(name, of.deck).weights > 0] = weight
    return Range(weights, of.deck)


def _name(ranks: str, row: int, column: int) -> str:
    high, low = sorted((row, column))
    kind = "" if row == column else "s" if row < column else "o"
    return ranks[high] + ranks[low] + kind
