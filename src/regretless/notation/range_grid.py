# SPDX-License-Identifier: MIT
"""A range of hold'em by class, as a grid that can be painted on."""

from collections.abc import Iterable

from regretless.notation.cards import Deck, deck_ranks
from regretless.notation.hand_classes import class_grid
from regretless.notation.ranges import Range


def grid_names(deck: Deck) -> list[list[str]]:
    """Names of the classes, as `class_grid` orders them."""
    ranks = deck_ranks(deck)
    return [[each.name(ranks) for each in row] for row in class_grid(deck.num_ranks)]


def grid_weights(of: Range) -> list[list[float]]:
    """The mean weight of each class, in the same order."""
    num_suits = of.deck.num_suits
    return [
        [float(of.weights[each.hands(num_suits)].mean()) for each in row]
        for row in class_grid(of.deck.num_ranks)
    ]


def with_classes(of: Range, names: Iterable[str], weight: float) -> Range:
    """The range with all hands of these classes at one weight."""
    weights = of.weights.copy()
    for name in names:
        weights[Range.parse(name, of.deck).weights > 0] = weight
    return Range(weights, of.deck)
