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
from regretless.notation.cards import RANKS, Deck, format_cards
from regretless.notation.hand_classes import grid_names, places_of
from regretless.notation.made_hands import DRAWS, MADE, MadeHands, made_hands
from regretless.pictures.result_table import (
    ResultTable,
    Tabular,
    grid_html,
    legend_html,
    share_colours,
    table_html,
)

Numbers = NDArray[np.float64]
VIEWS = ("strategy", "ev", "equity", "weight", "regret")
"""The figures of a class that a grid can show."""
_LEAST_BOARD = 3  # cards of a board on which hands have classes


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


@dataclass(frozen=True, eq=False, repr=False)
class NodeView(Tabular):
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

    def __repr__(self) -> str:
        words = ", ".join(f"{each.text} {each.share:.1%}" for each in self.choices)
        acts = f", {self.acting.name}: {words}" if self.choices else ""
        return f"<NodeView {self._place}, pot {self.pot:g} {self.unit}{acts}>"

    @property
    def _place(self) -> str:
        return " ".join(each for each in (self.board, self.line) if each) or "the start"

    def table(self) -> ResultTable:
        """A row for each hand of each seat; shares of actions where it is the seat's turn."""
        seats = range(len(self.seats))
        return ResultTable.of_rows(row for seat in seats for row in self.rows(seat))

    def _repr_html_(self) -> str:
        """The actions and, for hands of two cards, the range of the actor as a square."""
        head = ("action", "share", "EV")
        rows = ((each.text, f"{each.share:.1%}", each.value) for each in self.choices)
        title = f"{self._place}: {self.acting.name}, pot {self.pot:g} {self.unit}"
        shown = table_html(head, rows, title)
        if not self.ranks or not self.choices:
            return shown
        grid = self.grid(self.actor)
        names = [[cell.name for cell in row] for row in grid]
        shares = [[[cell.weight * p for p in cell.mix] for cell in row] for row in grid]
        colours = share_colours([each.word for each in self.choices])
        texts = [each.text for each in self.choices]
        return shown + legend_html(texts, colours) + grid_html(names, shares, colours)

    def with_equities(self) -> "NodeView":
        """Returns the node with the equities of its ranges."""
        found = self.find_equities()
        if found is None:
            return self
        pairs = zip(self.seats, found, strict=True)
        return replace(self, seats=tuple(replace(seat, equities=each) for seat, each in pairs))

    def only(self, seat: int, keeps: NDArray[np.bool_]) -> "NodeView":
        """Returns the node with these hands of a seat alone; shares are shares of them."""
        of = self.seats[seat]
        kept = np.where(keeps, of.shares, 0.0)
        shares = kept / kept.sum() if kept.sum() > 0 else kept
        only = replace(of, weights=np.where(keeps, of.weights, 0.0), shares=shares)
        choices = [
            replace(
                each,
                share=float(each.mix @ shares) if kept.sum() > 0 else float("nan"),
                value=mean_of(each.values, each.mix * shares),
            )
            for each in (self.choices if seat == self.actor else [])
        ]
        seats = (*self.seats[:seat], only, *self.seats[seat + 1 :])
        return replace(self, seats=seats, choices=choices or self.choices)

    def made_hands(self, seat: int) -> MadeHands | None:
        """The made hands and draws of a seat; None where hands or board have none."""
        if not self.ranks or len(self.board) < 2 * _LEAST_BOARD:
            return None
        deck = Deck(len(self.ranks), 4, RANKS.index(self.ranks[-1]))
        return made_hands(tuple(self.seats[seat].hands), self.board, deck)

    def regrets(self, seat: int) -> Numbers:
        """Chips that the mix of each hand loses against its best action here; NaN: unknown."""
        if seat != self.actor or not self.choices:
            return np.full(len(self.seats[seat].hands), np.nan)
        values = np.array([each.values for each in self.choices])
        mix = np.array([each.mix for each in self.choices])
        found: Numbers = values.max(axis=0) - (values * mix).sum(axis=0)
        return found

    @property
    def acting(self) -> SeatRange:
        """The range that decides; of seat 0 where nobody does."""
        return self.seats[max(self.actor, 0)]

    def rows(
        self, seat: int | None = None, only: Collection[str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """One for each hand that arrives, or of `only` those, with its mix if it is its turn."""
        player = max(self.actor, 0) if seat is None else seat
        of, classes, regrets = self.seats[player], self.made_hands(player), self.regrets(player)
        drawn = None if classes is None else classes.draw
        for h in np.flatnonzero(of.weights > 0).tolist():
            if only is not None and of.hands[h] not in only:
                continue
            row: dict[str, Any] = {"line": self.line, "seat": of.name, "hand": of.hands[h]}
            if classes is not None and drawn is not None:
                row |= {"made": MADE[classes.made[h]], "draw": DRAWS[drawn[h]]}
            row |= {
                "weight": float(of.weights[h]),
                "share": float(of.shares[h]),
                "equity": known(of.equities[h]),
                "ev": known(of.values[h]),
            }
            for choice in self.choices if player == self.actor else []:
                row[choice.word] = float(choice.mix[h])
                row[f"ev {choice.word}"] = known(choice.values[h])
            if player == self.actor:
                row["regret"] = known(regrets[h])
            yield row

    def class_rows(self, seat: int, by: str) -> list[dict[str, Any]]:
        """The hands of a seat that arrive by class: share of the range, equity, EV and mix.

        `by` is `made`, `draw` or `hand`, the classes of the grid. Empty where there are none.
        """
        of, classes = self.seats[seat], self.made_hands(seat)
        if by == "hand" and self.ranks:
            ranks = self.ranks[::-1]
            names = [name for row in grid_names(ranks) for name in row]
            places = places_of(tuple(of.hands), ranks)
        elif classes is not None:
            names = list(MADE if by == "made" else DRAWS)
            places = classes.made if by == "made" else classes.draw
        else:
            return []

        def sums(numbers: Numbers) -> Numbers:
            return np.bincount(places, numbers, len(names)).astype(np.float64)

        def means(numbers: Numbers) -> Numbers:
            """NaN where a hand that counts has no number."""
            with np.errstate(invalid="ignore"):
                return sums(np.where(of.shares > 0, numbers * of.shares, 0.0)) / sums(of.shares)

        combos, shares = sums(of.weights), sums(of.shares)
        columns = {"equity": means(of.equities), "ev": means(of.values)}
        columns |= {c.word: means(c.mix) for c in self.choices if seat == self.actor}
        return [
            {
                "seat": of.name,
                "class": names[place],
                "combos": float(combos[place]),
                "share": float(shares[place]),
                **{name: known(each[place]) for name, each in columns.items()},
            }
            for place in np.flatnonzero(combos > 0).tolist()
        ]

    def cells(self, seat: int, places: NDArray[np.intp], names: Sequence[str]) -> list["Cell"]:
        """The hands of a seat by class; `places` [hands] are the numbers of their `names`."""
        of = self.seats[seat]

        def sums(numbers: Numbers | None = None) -> Numbers:
            return np.bincount(places, numbers, len(names)).astype(np.float64)

        counts, weights = sums(), sums(of.weights)
        means = []
        with np.errstate(invalid="ignore"):
            for numbers in (of.equities, of.values, self.regrets(seat)):
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
                float(means[2][place]),
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
            "classes": {
                by: [row for seat in range(len(self.seats)) for row in self.class_rows(seat, by)]
                for by in ("made", "draw")
            },
            "grids": {
                each.name: [cell.to_json() for row in self.grid(each.seat) for cell in row]
                for each in self.seats
                if self.ranks
            },
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
    regret: float

    def of_view(self, view: str) -> float:
        """The figure that a view other than `strategy` shows; NaN: unknown."""
        figures = {"ev": self.value, "equity": self.equity, "weight": self.weight}
        return figures.get(view, self.regret)

    def to_json(self) -> dict[str, Any]:
        figures = {view: known(self.of_view(view)) for view in VIEWS[1:]}
        return {"name": self.name, "hands": self.hands, "mix": self.mix, **figures}


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
