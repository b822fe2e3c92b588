# SPDX-License-Identifier: MIT
"""Buckets of hands, street by street, and which bucket a hand is in."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.notation.cards import BOARD_CARDS, RANKS, STREETS, parse_cards

RuleName = Literal["holdem", "short-deck"]
_SHOWDOWNS = {"holdem": _native.Showdown.HOLDEM, "short-deck": _native.Showdown.SHORT_DECK}


@dataclass(frozen=True)
class Cards:
    """The deck and the showdown rule of an abstraction."""

    rule: RuleName = "holdem"
    ranks: str = RANKS
    """The ranks of the deck, which has four suits."""

    def __post_init__(self) -> None:
        if self.rule not in _SHOWDOWNS:
            raise InputError(f"rule: must be {' or '.join(_SHOWDOWNS)}, not {self.rule!r}")
        if not self.ranks or self.ranks not in RANKS:
            raise InputError(f"ranks: {self.ranks!r} is not a part of {RANKS}")
        with refusing("ranks"):
            self.table_sizes  # noqa: B018  the deck may be too small, or not fit the rule

    @property
    def showdown(self) -> _native.Showdown:
        return _SHOWDOWNS[self.rule]

    @property
    def deck(self) -> _native.Deck:
        return _native.Deck(len(self.ranks), 4, RANKS.find(self.ranks))

    @cached_property
    def table_sizes(self) -> dict[str, int]:
        """Entries of the table of each street: canonical deals, and on the river scores."""
        sizes = _native.HandBuckets.table_sizes(self.showdown, self.deck)
        return dict(zip(STREETS, sizes, strict=True))


@dataclass(frozen=True)
class StreetBuckets:
    """The buckets of one street, the weakest first."""

    table: NDArray[np.uint16]
    """Buckets by canonical index of hole cards and board as a set; on the river by score."""
    deals: NDArray[np.uint64]
    """[buckets]: how many deals of hole cards and board are in each."""
    equities: NDArray[np.float32]
    """[buckets]: what their hands win on average against a hand drawn at random."""

    def __len__(self) -> int:
        return len(self.deals)


@dataclass(frozen=True)
class CardAbstraction:
    """Buckets of all hands and boards; cards that differ by suits renamed share one."""

    cards: Cards
    streets: Mapping[str, StreetBuckets]
    made: Mapping[str, Any]
    """The options that the buckets were built with."""

    def __post_init__(self) -> None:
        for name, size in self.cards.table_sizes.items():
            street = self.streets[name]
            if street.table.shape != (size,) or street.deals.shape != street.equities.shape:
                raise InputError(f"{name}: a table of {size:,} entries is needed")
            if int(street.table.max()) >= len(street):
                raise InputError(f"{name}: the table names a bucket that is not there")

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the cards and the tables, which identifies the buckets."""
        text = f"regretless buckets 1 {self.cards.rule} {self.cards.ranks}\n"
        whole = hashlib.sha256(text.encode())
        for name in STREETS:
            whole.update(np.ascontiguousarray(self.streets[name].table, "<u2").data)
        return whole.hexdigest()

    @cached_property
    def buckets(self) -> _native.HandBuckets:
        """The buckets for native jobs, named by the digest."""
        tables = {name: np.ascontiguousarray(self.streets[name].table) for name in STREETS}
        equities = [np.ascontiguousarray(self.streets[name].equities) for name in STREETS]
        return _native.HandBuckets(
            self.digest, self.cards.showdown, self.cards.deck, **tables, equities=equities
        )

    def find(self, hand: str, board: str = "") -> tuple[str, int]:
        """The street and the bucket of cards as they are written; InputError if they are wrong."""
        hole, public = parse_cards(hand, self.cards.deck), parse_cards(board, self.cards.deck)
        if len(hole) != 2:
            raise InputError(f"hand: must be two cards, not {hand!r}")
        if len(public) not in BOARD_CARDS:
            raise InputError(f"board: must be 0, 3, 4 or 5 cards, not {len(public)}")
        if set(hole) & set(public):
            raise InputError("hand and board share a card")
        cards = np.array([[*hole, *public]], np.uint8)
        return STREETS[BOARD_CARDS.index(len(public))], int(self.buckets.buckets(cards)[0])
