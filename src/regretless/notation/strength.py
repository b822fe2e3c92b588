# SPDX-License-Identifier: MIT
"""Poker hands in words."""

from regretless._native import Category, Showdown, category

RANKS = ["deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
RANKS += ["jack", "queen", "king", "ace"]
_TEXTS = {
    Category.HIGH_CARD: "{kickers[0]} high",
    Category.PAIR: "pair of {plurals[0]}",
    Category.TWO_PAIR: "two pair, {plurals[0]} and {plurals[1]}",
    Category.TRIPS: "trips, {plurals[0]}",
    Category.STRAIGHT: "straight to the {main[0]}",
    Category.FLUSH: "flush, {main[0]} high",
    Category.FULL_HOUSE: "full house, {plurals[0]} over {plurals[1]}",
    Category.QUADS: "quads, {plurals[0]}",
    Category.STRAIGHT_FLUSH: "straight flush to the {main[0]}",
}


def describe(strength: int, rule: Showdown = Showdown.HOLDEM) -> str:
    """The name of a strength: "two pair, kings and fours". Not for the pair rule."""
    main, kickers = _ranks(strength >> 13), _ranks(strength)
    plurals = [rank + ("es" if rank == "six" else "s") for rank in main + kickers]
    text = _TEXTS[category(rule, strength)]
    return text.format(main=main, kickers=kickers, plurals=plurals)


def _ranks(bits: int) -> list[str]:
    """Names of the 13 lowest bits that are set, highest first."""
    return [RANKS[rank] for rank in reversed(range(13)) if bits >> rank & 1]
