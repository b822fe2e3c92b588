# SPDX-License-Identifier: MIT
"""Made hands and draws: the class of each hand of two cards on a board of three to five.

Straights and better are those of all cards. Below, the class says what the hand adds to the board:
a pair on the board alone makes no class. docs/reports.md defines each name.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.notation.cards import Deck, card_names, parse_cards

MADE = (
    "straight-flush",
    "quads",
    "full-house",
    "flush",
    "straight",
    "set",
    "trips",
    "two-pair",
    "overpair",
    "top-pair-top-kicker",
    "top-pair-good-kicker",
    "top-pair-weak-kicker",
    "pocket-pair",
    "second-pair",
    "low-pair",
    "underpair",
    "ace-high",
    "king-high",
    "nothing",
)
"""The classes of made hands, roughly from the strongest."""

DRAWS = (
    "combo-draw",
    "nut-flush-draw",
    "flush-draw",
    "open-ended",
    "gutshot",
    "backdoor-flush-draw",
    "backdoor-straight-draw",
    "no-draw",
)
"""The classes of draws; a hand with several is of the first."""

_GOOD_KICKERS = 4  # ranks that are not on the board, from the highest; the first is the top kicker
_CODES = {name: code for code, name in enumerate(MADE)}
_NUM_SUITS = 4

Places = NDArray[np.intp]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class MadeHands:
    """The classes of some hands on one board."""

    made: Places  # [hands]: numbers of `MADE`
    draws: Flags  # [hands, DRAWS]: all draws of a hand; `no-draw` where it has no other

    @property
    def draw(self) -> Places:
        """The first draw of each hand: [hands], numbers of `DRAWS`."""
        first: Places = np.argmax(self.draws, axis=1)
        return first

    def has_made(self, name: str) -> Flags:
        """Whether each hand is of a class, or of one that begins with its name: [hands]."""
        codes = [c for c, each in enumerate(MADE) if each == name or each.startswith(f"{name}-")]
        return np.isin(self.made, codes)

    def has_draw(self, name: str) -> Flags:
        """Whether each hand has a draw, perhaps beside others: [hands]."""
        found: Flags = self.draws[:, DRAWS.index(name)]
        return found


@lru_cache(maxsize=64)
def made_hands(hands: tuple[str, ...], board: str, deck: Deck) -> MadeHands:
    """Classifies hands by name, such as `AhKd`; hands that the board blocks get any class."""
    numbers = {name: card for card, name in enumerate(card_names(deck))}
    cards = np.array([(numbers[hand[:2]], numbers[hand[2:]]) for hand in hands], np.intp)
    return classify(cards, np.array(parse_cards(board, deck), np.intp), deck.num_ranks)


def classify(hole: NDArray[Any], board: NDArray[Any], num_ranks: int = 13) -> MadeHands:
    """Classifies hands [hands, 2] of cards `4 * rank + suit` on a board."""
    seen = _Seen(hole, board, num_ranks)
    made = seen.made()
    return MadeHands(made, seen.draws(made))


@cache
def _straight_tops(num_ranks: int) -> NDArray[np.int8]:
    """[sets of ranks]: 1 + the number of the highest straight in it; 0 for none."""
    sets = np.arange(1 << num_ranks)
    tops = np.zeros(len(sets), np.int8)
    for number, straight in enumerate(_straights(num_ranks)):
        tops[(sets & straight) == straight] = number + 1
    return tops


@cache
def _straights(num_ranks: int) -> list[int]:
    """Sets of five ranks as bits, the lowest first: the ace with the lowest four, and on."""
    wheel = 0b1111 | 1 << (num_ranks - 1)
    return [wheel, *(0b11111 << low for low in range(num_ranks - 4))]


class _Seen:
    """Ranks and suits of hands beside a board; sets of ranks are bits."""

    def __init__(self, hole: NDArray[Any], board: NDArray[Any], num_ranks: int) -> None:
        self.num_ranks = num_ranks
        self.to_come = 5 - len(board)
        ranks, suits = np.sort(hole // _NUM_SUITS, axis=1), hole % _NUM_SUITS
        self.low, self.high = ranks[:, 0], ranks[:, 1]
        self.is_pocket = self.low == self.high
        self.on_board = np.bincount(board // _NUM_SUITS, minlength=num_ranks)
        self.board_set = int(np.bitwise_or.reduce(1 << board // _NUM_SUITS))
        self.set = self.board_set | 1 << self.low | 1 << self.high
        each = np.arange(_NUM_SUITS)
        self.hole_suits = (suits[:, :, None] == each).sum(axis=1)  # [hands, suits]
        self.board_suits = (board[:, None] % _NUM_SUITS == each).sum(axis=0)
        self.suits = self.hole_suits + self.board_suits
        mine, others = hole // _NUM_SUITS, board // _NUM_SUITS
        own = np.where(suits[:, :, None] == each, 1 << mine[:, :, None], 0)
        self.board_of_suit = np.zeros(_NUM_SUITS, np.intp)
        np.bitwise_or.at(self.board_of_suit, board % _NUM_SUITS, 1 << others)
        self.hole_of_suit = np.bitwise_or.reduce(own, axis=1)  # [hands, suits]

    def made(self) -> Places:
        tops = _straight_tops(self.num_ranks)
        counts = np.repeat(self.on_board[None], len(self.low), axis=0)
        rows = np.arange(len(self.low))
        np.add.at(counts, (rows, self.low), 1)
        np.add.at(counts, (rows, self.high), 1)
        most = np.sort(counts, axis=1)
        is_flush = (self.suits >= 5).any(axis=1)
        in_suit = self.hole_of_suit | self.board_of_suit
        is_straight_flush = (tops[in_suit] > 0).any(axis=1)
        rules = {
            "straight-flush": is_straight_flush,
            "quads": most[:, -1] >= 4,
            "full-house": (most[:, -1] == 3) & (most[:, -2] >= 2),
            "flush": is_flush,
            "straight": tops[self.set] > 0,
            **self._pairs(),
            "ace-high": self.high == self.num_ranks - 1,
            "king-high": self.high == self.num_ranks - 2,
        }
        conditions = [rules[name] for name in MADE[:-1]]
        return np.select(conditions, range(len(conditions)), len(conditions)).astype(np.intp)

    def _pairs(self) -> dict[str, Flags]:
        """Sets down to pairs, each where no class before it holds."""
        on_low, on_high = self.on_board[self.low], self.on_board[self.high]
        there = np.flatnonzero(self.on_board)[::-1]
        top, least = there[0], there[-1]
        second = there[1] if len(there) > 1 else -1
        paired = np.where(on_high > 0, self.high, np.where(on_low > 0, self.low, -1))
        kicker = np.where(paired == self.high, self.low, self.high)
        free = np.flatnonzero(self.on_board == 0)[::-1][:_GOOD_KICKERS]
        is_top = paired == top
        return {
            "set": self.is_pocket & (on_high > 0),
            "trips": (on_low == 2) | (on_high == 2),
            "two-pair": ~self.is_pocket & (on_low > 0) & (on_high > 0),
            "overpair": self.is_pocket & (self.low > top),
            "top-pair-top-kicker": is_top & (kicker == free[0]),
            "top-pair-good-kicker": is_top & np.isin(kicker, free),
            "top-pair-weak-kicker": is_top,
            "pocket-pair": self.is_pocket & (self.low > least),
            "second-pair": (paired == second) & (paired >= 0),
            "low-pair": paired >= 0,
            "underpair": self.is_pocket,
        }

    def draws(self, made: Places) -> Flags:
        found = dict.fromkeys(DRAWS, np.zeros(len(made), bool))
        if self.to_come > 0:
            is_open = made > _CODES["flush"]  # a flush and better draw to nothing
            mine = (self.hole_suits > 0) & is_open[:, None]
            draws_flush = mine & (self.suits == 4)
            found["flush-draw"] = draws_flush.any(axis=1)
            found["nut-flush-draw"] = (draws_flush & self._holds_best_of_suit()).any(axis=1)
            is_open = made > _CODES["straight"]
            outs = self._straight_outs() * is_open
            found["open-ended"], found["gutshot"] = outs >= 2, outs == 1
            found["combo-draw"] = found["flush-draw"] & (outs >= 1)
            if self.to_come == 2:
                found["backdoor-flush-draw"] = (mine & (self.suits == 3)).any(axis=1)
                found["backdoor-straight-draw"] = self._has_three() & is_open & (outs == 0)
        drawn = np.stack([found[name] for name in DRAWS], axis=1)
        drawn[:, -1] = ~drawn.any(axis=1)
        return drawn

    def _holds_best_of_suit(self) -> Flags:
        """Whether a hand holds the highest card of a suit that the board lacks: [hands, suits]."""
        highest = np.zeros(_NUM_SUITS, np.intp)
        for rank in range(self.num_ranks):
            highest = np.where(self.board_of_suit >> rank & 1, highest, 1 << rank)
        holds: Flags = (self.hole_of_suit & highest) > 0
        return holds

    def _straight_outs(self) -> Places:
        """Ranks that make a straight better than the one on the board with them: [hands]."""
        tops, outs = _straight_tops(self.num_ranks), np.zeros(len(self.low), np.intp)
        for rank in range(self.num_ranks):
            outs += tops[self.set | 1 << rank] > tops[self.board_set | 1 << rank]
        return outs

    def _has_three(self) -> Flags:
        """Whether three ranks of a straight are there, one of them the hand's alone: [hands]."""
        own, found = self.set & ~self.board_set, np.zeros(len(self.low), bool)
        for straight in _straights(self.num_ranks):
            held = self.set & straight
            count = sum(held >> rank & 1 for rank in range(self.num_ranks))
            found |= (count == 3) & (own & straight > 0)
        return found
