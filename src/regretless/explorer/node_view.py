# SPDX-License-Identifier: MIT
"""A node as plain data: ranges, mixes, equities and values."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.games import Game
from regretless.histories.lines import Step
from regretless.notation.cards import format_cards
from regretless.notation.hand_classes import grid_names, places_of

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SeatRange:
    """One player's hands at a node, in the order of the problem."""

    seat: int
    name: str  # `OOP` and `IP` in a spot, else the seat
    hands: list[str]
    weights: Numbers  # [hands]: how much of each hand arrives, 0 to its weight at the root
    shares: Numbers  # [hands]: how likely each is here, sum 1; all 0 where nobody arrives
    equities: Numbers  # [hands]: share of the pot if nobody bets any more; NaN: unknown
    values: Numbers
    """[hands]: chips won from the start to the end of the hand, on average; NaN: meets nobody.

    In a spot the pot at its start counts as won or not, and chips put in since then are lost. So a
    node has the value that the action had which leads to it."""

    @property
    def combos(self) -> float:
        """The weights together."""
        return float(self.weights.sum())

    @property
    def equity(self) -> float:
        return mean_of(self.equities, self.shares)

    @property
    def value(self) -> float:
        return mean_of(self.values, self.shares)


@dataclass(frozen=True, eq=False)
class Choice:
    """An action of the actor at a decision."""

    word: str  # as a line writes it
    text: str  # the action in words
    share: float  # the share over all hands of the range; NaN for an empty range
    value: float  # the mean value of the hands that choose it
    mix: Numbers  # [hands of the actor]
    values: Numbers  # [hands of the actor], if they do it; NaN: unknown


@dataclass(frozen=True)
class CardCase:
    """A public card that may come."""

    card: str
    values: tuple[float, ...]  # values by seat


@dataclass(frozen=True, eq=False)
class NodeView:
    """A public state with everything that there is to say of it."""

    line: str
    board: str
    street: str
    actor: int  # a seat, or what an episode says where cards are due and at the end
    pot: float
    to_call: float
    unit: str
    seats: tuple[SeatRange, ...]
    choices: list[Choice]
    cards: list[CardCase]
    ranks: str  # ranks of the deck, highest first, where hands have two cards; else empty
    cards_due: int = 1  # number of public cards that come together
    hands_in_all: int = 0  # hands of the game, where the ranges are a sample of them
    steps: tuple[Step, ...] = field(default=(), repr=False)  # the line, read
    find_equities: Callable[[], list[Numbers] | None] = field(default=lambda: None, repr=False)
    """Computes equities, [player][hands]; None where they are not known."""

    def with_equities(self) -> "NodeView":
        """Returns the node with the equities of its ranges."""
        found = self.find_equities()
        if found is None:
            return self
        pairs = zip(self.seats, found, strict=True)
        return replace(self, seats=tuple(replace(seat, equities=each) for seat, each in pairs))

    @property
    def acting(self) -> SeatRange:
        """The range that decides; of seat 0 where nobody does."""
        return self.seats[max(self.actor, 0)]

    def rows(
        self, seat: int | None = None, only: Collection[str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """One for each hand that arrives, or of `only` those, with its mix if it is its turn."""
        player = max(self.actor, 0) if seat is None else seat
        of = self.seats[player]
        for h in np.flatnonzero(of.weights > 0).tolist():
            if only is not None and of.hands[h] not in only:
                continue
            row = {
                "line": self.line,
                "seat": of.name,
                "hand": of.hands[h],
                "weight": float(of.weights[h]),
                "share": float(of.shares[h]),
                "equity": known(of.equities[h]),
                "ev": known(of.values[h]),
            }
            for choice in self.choices if player == self.actor else []:
                row[choice.word] = float(choice.mix[h])
                row[f"ev {choice.word}"] = known(choice.values[h])
            yield row

    def cells(self, seat: int, places: NDArray[np.intp], names: Sequence[str]) -> list["Cell"]:
        """The hands of a seat by class; `places` [hands] are the numbers of their `names`."""
        of = self.seats[seat]

        def sums(numbers: Numbers | None = None) -> Numbers:
            return np.bincount(places, numbers, len(names)).astype(np.float64)

        counts, weights = sums(), sums(of.weights)
        means = []
        with np.errstate(invalid="ignore"):
            for numbers in (of.equities, of.values):
                counted = np.where(np.isfinite(numbers), of.weights, 0.0)
                means.append(sums(counted * np.nan_to_num(numbers)) / sums(counted))
            choices = self.choices if seat == self.actor else []
            mixes = [sums(of.weights * each.mix) / weights for each in choices]
        return [
            Cell(
                name,
                int(counts[place]),
                float(weights[place] / counts[place]) if counts[place] else 0.0,
                [float(each[place]) for each in mixes] if weights[place] > 0 else [],
                float(means[0][place]),
                float(means[1][place]),
            )
            for place, name in enumerate(names)
        ]

    def grid(self, seat: int) -> list[list["Cell"]]:
        """The hands of a seat by class, highest rank first; pairs on the diagonal, suited above."""
        ranks, size = self.ranks[::-1], len(self.ranks)
        names = [name for row in grid_names(ranks) for name in row]
        cells = self.cells(seat, places_of(tuple(self.seats[seat].hands), ranks), names)
        return [cells[begin : begin + size] for begin in range(0, len(cells), size)]

    def to_json(self) -> dict[str, Any]:
        return {
            "line": self.line,
            "board": self.board,
            "street": self.street,
            "actor": self.seats[self.actor].name if self.actor >= 0 else None,
            "pot": self.pot,
            "to_call": self.to_call,
            "unit": self.unit,
            "ranges": [
                {
                    "seat": each.name,
                    "combos": each.combos,
                    "equity": known(each.equity),
                    "ev": known(each.value),
                }
                for each in self.seats
            ],
            "choices": [
                {
                    "word": each.word,
                    "text": each.text,
                    "share": known(each.share),
                    "ev": known(each.value),
                }
                for each in self.choices
            ],
            "cards": [
                {"card": each.card, "ev": [known(value) for value in each.values]}
                for each in self.cards
            ],
            "hands": [row for seat in range(len(self.seats)) for row in self.rows(seat)],
        }


@dataclass(frozen=True)
class Cell:
    """A class of hands, as a grid shows it."""

    name: str
    hands: int  # combos of the class that the range had at the root
    weight: float  # the weight of the class, 0 to 1
    mix: list[float]  # by choice, of those that arrive
    equity: float
    value: float


def mean_of(numbers: Numbers, weights: Numbers) -> float:
    """NaN where nothing has weight, or a number that has is unknown."""
    counts = weights > 0
    total = float(weights[counts].sum())
    return float(numbers[counts] @ weights[counts]) / total if total > 0 else float("nan")


def known(number: float) -> float | None:
    """The number, or None for NaN."""
    return float(number) if np.isfinite(number) else None


def hand_cards(game: Game, hands: NDArray[Any]) -> NDArray[np.int64]:
    """The cards, or the dice, of each hand: [hands, cards]."""
    deck = game.deck
    if deck is None:
        return np.array([game.hand_parts(hand) for hand in hands.tolist()], np.int64)
    cards: NDArray[np.int64] = _native.hand_cards(deck, game.hand_size)[hands].astype(np.int64)
    return cards


def hand_names(game: Game, hands: NDArray[Any]) -> list[str]:
    """The name of each hand, highest cards first. The list is cached: do not change it."""
    deck = game.deck
    if deck is None:
        return ["".join(map(str, each)) for each in hand_cards(game, hands).tolist()]
    return _card_names(deck, game.hand_size, hands.astype(np.int64).tobytes())


@lru_cache(maxsize=64)
def _card_names(deck: "_native.Deck", hand_size: int, hands: bytes) -> list[str]:
    cards = _native.hand_cards(deck, hand_size)[np.frombuffer(hands, np.int64)]
    return [format_cards(each[::-1], deck) for each in cards.tolist()]
