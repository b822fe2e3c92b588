# SPDX-License-Identifier: MIT
"""Ranges of hands: `AA,AKs,TT+,QQ-88,A9s-A6s,K9o+,AsKs:0.5` as one weight per hand.

Items stand between commas; a later item overrides an earlier one. An item is

- `random` or `100%`: every hand;
- a hand, as its cards: `AsKs`, `AsKsQdJd`;
- for hands of two cards also a pair `AA`, suited `AKs`, offsuit `AKo` or both `AK`;
- `TT+`: this pair and the higher ones; `A2s+`: this kicker and the higher ones;
- `QQ-88`, `A9s-A6s`, `54s-JTs`: from one to the other, with the same first rank or gap;
- of hold'em `15%`: the strongest hands, this part of all, in the order of `ORDER`;

each optionally with a weight in [0, 1] after `:` or `@` (1 if none is given, 0 removes hands).
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.notation.cards import (
    FULL_DECK,
    RANKS,
    Deck,
    deck_ranks,
    format_cards,
    parse_card_token,
)
from regretless.notation.hand_classes import (
    class_grid,
    find_runs,
    grid_names,
    parse_classes,
    starts_with_two_ranks,
)
from regretless.notation.tokens import Token
from regretless.pictures.result_table import grid_html

_NUMBER = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_MOST_SHOWN = 60  # characters of a range
_EVERYTHING = ("random", "100%")
_PART = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)%")
_NAMES = """
    AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo
    A7s A9o KJo 55 QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s
    JTs A2s QTo 44 A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s
    33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o
    22 Q2s Q5o J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o
    T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s
    84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o
    43s 74o 72s 54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""
ORDER = tuple(_NAMES.split())
"""Classes of hold'em by exact all-in equity against a random hand (`starting_hands.h`)."""


@cache
def all_hands(deck: Deck, num_hole: int) -> NDArray[np.uint8]:
    """Every hand of `num_hole` cards by number: [hands, num_hole], ascending, read-only."""
    hands = _native.hand_cards(deck, num_hole)
    hands.flags.writeable = False
    return hands


class Range:
    """A weight in [0, 1] for every hand of `num_hole` cards. Immutable."""

    def __init__(self, weights: NDArray[Any], deck: Deck, num_hole: int = 2) -> None:
        num_hands = comb(deck.num_cards, num_hole)
        if weights.shape != (num_hands,):
            raise InputError(f"a range needs {num_hands} weights, not an array {weights.shape}")
        self.weights = np.array(weights, np.float64)  # [hands]
        if not np.all((self.weights >= 0) & (self.weights <= 1)):
            raise InputError("the weights of a range lie between 0 and 1")
        self.weights.flags.writeable = False
        self.deck = deck
        self.num_hole = num_hole

    @classmethod
    def parse(cls, text: str, deck: Deck = FULL_DECK, num_hole: int = 2) -> "Range":
        """The range written in `text`; InputError points at the first item that is wrong."""
        weights = np.zeros(comb(deck.num_cards, num_hole))
        for item in Token.whole(text).split(","):
            hands, weight = _parse_item(item, deck, num_hole)
            weights[hands] = weight
        return cls(weights, deck, num_hole)

    @property
    def num_combos(self) -> int:
        """The number of hands with a weight above zero."""
        return int(np.count_nonzero(self.weights))

    @property
    def total_weight(self) -> float:
        return float(self.weights.sum())

    @property
    def hands(self) -> NDArray[np.uint8]:
        """The hands of weight above zero: [combos, num_hole]."""
        return all_hands(self.deck, self.num_hole)[self.weights > 0]

    def combos(self) -> Iterator[tuple[str, float]]:
        """Each hand of weight above zero with its weight, highest cards first."""
        present = np.flatnonzero(self.weights)[::-1]
        hands = all_hands(self.deck, self.num_hole)
        for index in present:
            cards = [int(card) for card in hands[index]]
            yield format_cards(reversed(cards), self.deck), float(self.weights[index])

    def echo(self) -> str:
        """One line that says how the range was understood."""
        combos = "1 combo" if self.num_combos == 1 else f"{self.num_combos} combos"
        return f"{self}: {combos}, total weight {round(self.total_weight, 6):g}"

    def __str__(self) -> str:
        """A compact text that parses back to an equal range."""
        first = float(self.weights[0])
        if np.all(self.weights == first):
            return _with_weight("random", first)
        runs = find_runs(self.weights, self.deck) if _has_classes(self.deck, self.num_hole) else []
        rest = self.weights.copy()
        for run in runs:
            rest[run.hands(self.deck.num_suits)] = 0.0
        ranks = deck_ranks(self.deck)
        items = [_with_weight(run.name(ranks), run.weight) for run in runs]
        alone = Range(rest, self.deck, self.num_hole).combos()
        return ",".join(items + [_with_weight(name, weight) for name, weight in alone])

    def __repr__(self) -> str:
        text = str(self)
        shown = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
        return f"<Range {shown}: {self.num_combos} of {len(self.weights)} hands>"

    def _repr_html_(self) -> str:
        """The classes of hands as a square, for a notebook; elsewhere the text."""
        if not _has_classes(self.deck, self.num_hole):
            return f"<code>{escape(self.echo())}</code>"
        shares = [[[weight] for weight in row] for row in grid_weights(self)]
        names = grid_names(deck_ranks(self.deck))
        return f"{grid_html(names, shares)}<code>{escape(self.echo())}</code>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Range)
            and self.num_hole == other.num_hole
            and deck_ranks(self.deck) == deck_ranks(other.deck)
            and np.array_equal(self.weights, other.weights)
        )

    __hash__ = None  # type: ignore[assignment]


def count_hole_cards(text: str) -> int | None:
    """The number of cards of the first hand in the text (`AsKsQdJd`: 4), None without one."""
    for item in Token.whole(text).split(","):
        name = next(item.split("[:@]")).text
        if name and name.lower() not in _EVERYTHING and not _PART.fullmatch(name):
            return len("".join(name.split())) // 2
    return None


def _has_classes(deck: Deck, num_hole: int) -> bool:
    return num_hole == 2 and deck.num_suits > 1


def _parse_item(item: Token, deck: Deck, num_hole: int) -> tuple[list[int] | slice, float]:
    hands, *weights = item.split("[:@]")
    if not hands.text:
        raise item.error("empty item in a range")
    if len(weights) > 1:
        raise item.error("more than one weight")
    weight = _parse_weight(weights[0]) if weights else 1.0
    if hands.text.lower() in _EVERYTHING:
        return slice(None), weight
    ranks = deck_ranks(deck)
    if part := _PART.fullmatch(hands.text):
        return _top_hands(hands, float(part[1]), deck, num_hole), weight
    if _has_classes(deck, num_hole) and starts_with_two_ranks(hands.text, ranks):
        classes = parse_classes(hands, ranks)
        return [hand for group in classes for hand in group.hands(deck.num_suits)], weight
    cards = parse_card_token(hands, deck)
    if len(cards) != num_hole:
        raise hands.error(f"a hand has {num_hole} cards")
    return _native.hand_index(deck, np.array([cards], np.uint8)).tolist(), weight


def _top_hands(token: Token, percent: float, deck: Deck, num_hole: int) -> list[int]:
    ranks = deck_ranks(deck)
    if ranks != RANKS or not _has_classes(deck, num_hole):
        raise token.error("only the hands of hold'em have an order; list them")
    if not 0 < percent <= 100:
        raise token.error("a part of all hands is above 0 and at most 100%")
    wanted = percent / 100 * comb(52, 2)
    found: list[int] = []
    for name in ORDER:  # while that comes nearer; ties go to the smaller set
        (group,) = parse_classes(Token.whole(name), ranks)
        more = group.hands(deck.num_suits)
        if found and len(found) + len(more) - wanted >= wanted - len(found):
            break
        found += more
    return found


def _parse_weight(token: Token) -> float:
    if not _NUMBER.fullmatch(token.text) or float(token.text) > 1:
        raise token.error("a weight is a number from 0 to 1")
    return float(token.text)


def _with_weight(name: str, weight: float) -> str:
    return name if weight == 1.0 else f"{name}:{weight!r}"


def grid_weights(of: Range) -> list[list[float]]:
    """The mean weight of each class of `class_grid`."""
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
