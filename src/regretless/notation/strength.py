# SPDX-License-Identifier: MIT
"""Poker hands in words."""

from regretless._native import Category, Showdown, category

RANKS = ["deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
RANKS += ["jack", "queen", "king", "ace"]


def describe(strength: int, rule: Showdown = Showdown.HOLDEM) -> str:
    """The name of a strength: "two pair, kings and fours". Not for the pair rule."""
    main, kickers = _ranks(strength >> 13), _ranks(strength)
    match category(rule, strength):
        case Category.HIGH_CARD:
            return f"{kickers[0]} high"
        case Category.PAIR:
            return f"pair of {_plural(main[0])}"
        case Category.TWO_PAIR:
            return f"two pair, {_plural(main[0])} and {_plural(main[1])}"
        case Category.TRIPS:
            return f"trips, {_plural(main[0])}"
        case Category.STRAIGHT:
            return f"straight to the {main[0]}"
        case Category.FLUSH:
            return f"flush, {main[0]} high"
        case Category.FULL_HOUSE:
            return f"full house, {_plural(main[0])} over {_plural(kickers[0])}"
        case Category.QUADS:
            return f"quads, {_plural(main[0])}"
        case _:
            return f"straight flush to the {main[0]}"


def _ranks(bits: int) -> list[str]:
    """Names of the 13 lowest bits that are set, highest first."""
    return [RANKS[rank] for rank in reversed(range(13)) if bits >> rank & 1]


def _plural(rank: str) -> str:
    return rank + ("es" if rank == "six" else "s")
