# SPDX-License-Identifier: MIT
"""Classes of two-card hands, `AA`, `AKs`, `AKo`, `AK`, and runs of them, `TT+` and `A9s-A6s`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from regretless.notation.cards import Deck, deck_ranks, format_cards
from regretless.notation.tokens import Token


@dataclass(frozen=True)
class HandClass:
    """The hands of two ranks (indices into the deck, high >= low) and a kind."""

    high: int
    low: int
    kind: str  # "s" suited, "o" offsuit, "" both, or a pair

    def hands(self, num_suits: int) -> list[int]:
        """The hands by number: that of the cards c1 < c2 is C(c1, 1) + C(c2, 2) (colex order)."""
        suits = range(num_suits)
        pairs = [
            sorted((self.high * num_suits + a, self.low * num_suits + b))
            for a in suits
            for b in suits
            if (a < b if self.high == self.low else self.kind in ("", "s" if a == b else "o"))
        ]
        return [low + comb(high, 2) for low, high in pairs]

    def name(self, ranks: str) -> str:
        return ranks[self.high] + ranks[self.low] + self.kind


def class_grid(num_ranks: int) -> list[list[HandClass]]:
    """All classes by rank, the highest first: pairs on the diagonal, suited hands right of it."""
    ranks = range(num_ranks - 1, -1, -1)
    return [
        [HandClass(a, b, "s" if a > b else "") if a >= b else HandClass(b, a, "o") for b in ranks]
        for a in ranks
    ]


def grid_names(ranks: str) -> list[list[str]]:
    """The names of the classes of `class_grid`, for the ranks of a deck, lowest first."""
    return [[each.name(ranks) for each in row] for row in class_grid(len(ranks))]


@cache
def class_places(num_ranks: int, num_suits: int) -> NDArray[np.intp]:
    """[hands]: the place of each hand in `class_grid`, row by row."""
    grid = [each.hands(num_suits) for row in class_grid(num_ranks) for each in row]
    places = np.empty(sum(map(len, grid)), np.intp)
    for number, hands in enumerate(grid):
        places[hands] = number
    return places


@lru_cache(maxsize=64)
def places_of(hands: tuple[str, ...], ranks: str) -> NDArray[np.intp]:
    """[hands]: the place in `class_grid` of each hand of two cards, such as `AhKd`, row by row."""
    names = [name for row in grid_names(ranks) for name in row]
    numbers = {name: number for number, name in enumerate(names)}
    kinds = ("" if h[0] == h[2] else "s" if h[1] == h[3] else "o" for h in hands)
    return np.array([numbers[h[0] + h[2] + kind] for h, kind in zip(hands, kinds, strict=True)])


def hand_name(hand: Sequence[int], deck: Deck | None) -> str:
    """The class of a hand of two cards, `AKs`; else its cards, or its dice without a deck."""
    if deck is None:
        return " ".join(map(str, sorted(hand)))
    if len(hand) != 2:
        return format_cards(hand, deck)
    (low, first), (high, second) = (divmod(card, deck.num_suits) for card in sorted(hand))
    kind = "" if high == low else "s" if first == second else "o"
    return HandClass(high, low, kind).name(deck_ranks(deck))


@dataclass(frozen=True)
class Run:
    """Neighbouring classes, strongest first, whose hands all have the same weight."""

    classes: tuple[HandClass, ...]
    weight: float

    def hands(self, num_suits: int) -> list[int]:
        return [hand for group in self.classes for hand in group.hands(num_suits)]

    def name(self, ranks: str) -> str:
        strong, weak = self.classes[0], self.classes[-1]
        top = len(ranks) - 1 if strong.high == strong.low else strong.high - 1
        if strong == weak:
            return strong.name(ranks)
        if strong.low == top:
            return f"{weak.name(ranks)}+"
        return f"{strong.name(ranks)}-{weak.name(ranks)}"

    def of_kind(self, kind: str) -> "Run":
        return replace(self, classes=tuple(replace(group, kind=kind) for group in self.classes))


def starts_with_two_ranks(text: str, ranks: str) -> bool:
    return len(text) >= 2 and all(letter.upper() in ranks for letter in text[:2])


def parse_classes(token: Token, ranks: str) -> list[HandClass]:
    """The classes of one item: a class, a class and better (`+`), or a span (`-`)."""
    if token.text.endswith("+"):
        weakest = _parse_class(token.slice(0, len(token.text) - 1).strip(), ranks)
        if weakest.high == weakest.low:
            return [HandClass(rank, rank, "") for rank in range(weakest.low, len(ranks))]
        return [replace(weakest, low=kicker) for kicker in range(weakest.low, weakest.high)]
    ends = [_parse_class(end, ranks) for end in token.split("-")]
    if len(ends) == 1:
        return ends
    if len(ends) > 2:
        raise token.error("a span has two ends")
    return _span(token, *ends)


def _parse_class(token: Token, ranks: str) -> HandClass:
    text = token.text
    kind = text[2:]
    if not starts_with_two_ranks(text, ranks) or kind not in ("", "s", "o"):
        raise token.error("unknown hands, expected such as AA, AKs, AKo or AK")
    high, low = (ranks.index(letter.upper()) for letter in text[:2])
    if high < low:
        raise token.error("the higher rank comes first")
    if high == low and kind:
        raise token.error("a pair is neither suited nor offsuit")
    return HandClass(high, low, kind)


def _span(token: Token, strong: HandClass, weak: HandClass) -> list[HandClass]:
    """The classes from one to the other: both ranks step down, or only the second."""
    if (strong.high, strong.low) < (weak.high, weak.low):
        strong, weak = weak, strong
    steps = strong.low - weak.low
    if strong.kind != weak.kind or steps < 0 or strong.high - weak.high not in (0, steps):
        raise token.error("the ends of a span share their kind, and their first rank or their gap")
    if (strong.high == strong.low) != (weak.high == weak.low):
        raise token.error("a span runs over pairs or over two ranks, not both")
    falls = strong.high != weak.high
    return [
        HandClass(strong.high - falls * step, strong.low - step, strong.kind)
        for step in range(steps + 1)
    ]


def find_runs(weights: NDArray[np.float64], deck: Deck) -> list[Run]:
    """The longest runs of weight above zero; hands of classes with mixed weights are left out.

    Suited and offsuit runs of the same ranks and weight become one.
    """
    top = deck.num_ranks - 1
    runs = _column_runs([HandClass(rank, rank, "") for rank in range(top, -1, -1)], weights, deck)
    for high in range(top, 0, -1):
        lows = range(high - 1, -1, -1)
        suited = _column_runs([HandClass(high, low, "s") for low in lows], weights, deck)
        offsuit = _column_runs([HandClass(high, low, "o") for low in lows], weights, deck)
        both = [run for run in suited if run.of_kind("o") in offsuit]
        runs += [run.of_kind("") for run in both]
        runs += [run for run in suited if run not in both]
        runs += [run for run in offsuit if run.of_kind("s") not in both]
    return runs


def _column_runs(column: list[HandClass], weights: NDArray[np.float64], deck: Deck) -> list[Run]:
    runs: list[Run] = []
    previous = 0.0
    for group in column:
        members = weights[group.hands(deck.num_suits)]
        weight = float(members[0]) if np.all(members == members[0]) else 0.0
        if weight > 0 and weight == previous:
            runs[-1] = Run((*runs[-1].classes, group), weight)
        elif weight > 0:
            runs.append(Run((group,), weight))
        previous = weight
    return runs
