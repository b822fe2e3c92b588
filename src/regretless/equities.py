# SPDX-License-Identifier: MIT
"""Equity: the share of the pot that each of 2 to 9 players wins on average."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.notation.cards import parse_cards
from regretless.notation.ranges import Range, count_hole_cards
from regretless.pictures.result_table import ResultTable, Tabular

Method = Literal["auto", "exact", "monte-carlo"]

DEFAULT_SAMPLES = 1_000_000
MOST_AUTO_EVALUATIONS = 2e9
MOST_EXACT_EVALUATIONS = 1e12
MOST_SAMPLES = 10**12


@dataclass(frozen=True)
class Rule:
    """The deck, the showdown rule and the numbers of hole cards of a game."""

    showdown: _native.Showdown
    deck: _native.Deck
    hole_cards: tuple[int, ...]  # allowed numbers, the usual one first


RULES = {
    "holdem": Rule(_native.Showdown.HOLDEM, _native.Deck(13, 4, 0), (2,)),
    "short-deck": Rule(_native.Showdown.SHORT_DECK, _native.Deck(9, 4, 4), (2,)),
    "omaha": Rule(_native.Showdown.OMAHA, _native.Deck(13, 4, 0), (4, 5)),
}


@dataclass(frozen=True, repr=False)
class Equity(Tabular):
    """Equities and probabilities of the players, in the order given."""

    equities: tuple[float, ...]  # sum 1: a pot is split evenly among its winners
    wins: tuple[float, ...]  # chance of being the only winner
    ties: tuple[float, ...]  # chance of being one of several winners
    standard_errors: tuple[float, ...]  # of the equities; 0 if exact
    method: str  # "exact" or "monte-carlo"
    samples: int  # 0 if exact
    ranges: tuple[Range, ...]  # as understood, before board and dead cards remove hands
    board: tuple[int, ...]
    dead: tuple[int, ...]

    def __repr__(self) -> str:
        pairs = zip(self.ranges, self.equities, strict=True)
        return f"<Equity {', '.join(f'{each}: {share:.2%}' for each, share in pairs)}>"

    def table(self) -> ResultTable:
        """A row for each range."""
        names = ("equities", "wins", "ties", "standard_errors", "combos")
        columns = {name: getattr(self, name) for name in names}
        return ResultTable({"range": [str(each) for each in self.ranges], **columns}, self.method)

    @property
    def combos(self) -> tuple[int, ...]:
        """The number of hands in each range without board and dead cards."""
        return tuple(int((weights > 0).sum()) for weights in self._weights_left())

    @property
    def weights(self) -> tuple[float, ...]:
        """The total weight of each range without board and dead cards."""
        return tuple(float(weights.sum()) for weights in self._weights_left())

    def _weights_left(self) -> Iterator[NDArray[np.float64]]:
        for each in self.ranges:
            is_left = ~np.isin(each.hands, (*self.board, *self.dead)).any(axis=1)
            yield each.weights[each.weights > 0][is_left]


def equity(
    hands: Sequence[str | Range],
    board: str = "",
    dead: str = "",
    *,
    rule: str = "holdem",
    method: Method = "auto",
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
    threads: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Equity:
    """Computes the equity of each player, whose hand or range is notation or a `Range`.

    A deal is as likely as the product of its hands' weights; deals that use a card twice do not
    happen. "auto" is exact below about 2e9 comparisons and otherwise draws `samples` deals, which
    depend on `seed` and not on `threads` (0: all processors). `progress` receives the share done.
    InputError where the notation is wrong or no deal is possible.
    """
    if rule not in RULES:
        raise InputError(f"unknown rule {rule!r}, expected one of {', '.join(RULES)}")
    if not 1 <= samples <= MOST_SAMPLES:
        raise InputError(f"the number of samples lies between 1 and {MOST_SAMPLES:.0e}")
    if not 0 <= seed < 2**64 or not 0 <= threads < 2**16:
        raise InputError("seed and threads are numbers from 0 on")
    deck = RULES[rule].deck
    num_hole = _num_hole(hands, RULES[rule])
    ranges = tuple(_read_range(each, deck, num_hole) for each in hands)
    board_cards, dead_cards = parse_cards(board, deck), parse_cards(dead, deck)
    with refusing():
        matchup = _native.Matchup.of(
            RULES[rule].showdown,
            deck,
            [(each.hands, each.weights[each.weights > 0]) for each in ranges],
            list(board_cards),
            list(dead_cards),
        )
        work = _choose_work(matchup, method, samples, seed)
        _run(work, threads, progress)
        result = work.result()
    return Equity(
        equities=tuple(result.equities),
        wins=tuple(result.wins),
        ties=tuple(result.ties),
        standard_errors=tuple(result.standard_errors),
        method="exact" if isinstance(work, _native.ExactEquity) else "monte-carlo",
        samples=result.samples,
        ranges=ranges,
        board=board_cards,
        dead=dead_cards,
    )


def _num_hole(hands: Sequence[str | Range], rule: Rule) -> int:
    """The number of hole cards of the first explicit hand, else the usual one."""
    for each in hands:
        count = each.num_hole if isinstance(each, Range) else count_hole_cards(each)
        if count in rule.hole_cards:
            return count
    return rule.hole_cards[0]


def _read_range(given: str | Range, deck: _native.Deck, num_hole: int) -> Range:
    if isinstance(given, str):
        return Range.parse(given, deck, num_hole)
    if given.num_hole != num_hole or len(given.weights) != comb(deck.num_cards, num_hole):
        raise InputError(f"a range of {given.num_hole}-card hands does not fit the rule")
    return given


def _choose_work(
    matchup: _native.Matchup, method: Method, samples: int, seed: int
) -> _native.ExactEquity | _native.SampledEquity:
    if method not in ("auto", "exact", "monte-carlo"):
        raise InputError(f"unknown method {method!r}, expected auto, exact or monte-carlo")
    if method != "monte-carlo":
        exact = _native.ExactEquity(matchup)
        if method == "exact" and exact.num_evaluations > MOST_EXACT_EVALUATIONS:
            raise InputError(
                f"the exact equity needs about {exact.num_evaluations:.0e} comparisons: "
                "use Monte Carlo"
            )
        if method == "exact" or exact.num_evaluations <= MOST_AUTO_EVALUATIONS:
            return exact
    return _native.SampledEquity(matchup, samples, seed)


def _run(
    work: _native.ExactEquity | _native.SampledEquity,
    threads: int,
    progress: Callable[[float], None] | None,
) -> None:
    """Counts in slices, to report progress and notice interrupts."""
    slice_size = 16 * max(4, threads or os.cpu_count() or 1)
    for done in range(0, work.num_chunks, slice_size):
        work.run(slice_size, threads)
        if progress is not None:
            progress(min(1.0, (done + slice_size) / work.num_chunks))
