# SPDX-License-Identifier: MIT
"""Bet menus of searches in hold'em, as data, and the game that one search solves.

The searching player chooses at the decision that is searched from more sizes (`first`) than both
players have everywhere else (`later`). Every bet that was really made is in the tree as it was
made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regretless import _native
from regretless.notation.cards import STREETS

Situation = tuple[int, int, int]
"""A row of a menu: seat, street, and 0, 1 or 2 for no, one or more raises on the street."""


@dataclass(frozen=True)
class SearchMenu:
    """The sizes of searches that begin on one street."""

    first: tuple[float, ...]
    """Sizes of the player's own bet or raise (shares of the pot after a call)."""
    later: Mapping[str, tuple[str, str, str]]
    """All other sizes by street: when nobody has raised, after one raise, after more; written as in
    `games/menus.py`."""
    all_in: float
    """All-in is offered wherever it is at most this many times the pot after a call."""
    iterations: int
    """Iterations of a search, if nobody says otherwise."""


# Flop trees hold 2,352 run-outs and must stay small: docs/search.md has the measured sizes.
SEARCH_MENUS = {
    "flop": SearchMenu(
        (0.75,),
        {"flop": ("75%", "a", ""), "turn": ("75%", "", ""), "river": ("75%", "", "")},
        all_in=1.5,
        iterations=40,
    ),
    "turn": SearchMenu(
        (0.5, 1.0),
        {"turn": ("75%", "100%", "a"), "river": ("75%", "100%", "a")},
        all_in=2.0,
        iterations=200,
    ),
    "river": SearchMenu(
        (0.33, 0.75, 1.5),
        {"river": ("33%,75%,150%", "50%,100%", "100%,a")},
        all_in=4.0,
        iterations=1000,
    ),
}
# Trees that end with their street have room for more sizes.
CUT_MENUS = {
    "flop": SearchMenu(
        (0.33, 0.75, 1.5),
        {"flop": ("50%,100%", "100%", "a")},
        all_in=2.0,
        iterations=100,
    ),
    "turn": SearchMenu(
        (0.33, 0.75, 1.5),
        {"turn": ("50%,100%", "100%", "a")},
        all_in=2.0,
        iterations=100,
    ),
}


def search_game(
    game: _native.Poker,
    menu: SearchMenu,
    made: Mapping[Situation, Sequence[str]],
    num_raises: int = 0,
) -> _native.Poker:
    """Returns the game with the sizes of a search; `made` has rows that replace those of the menu.

    Streets before the search have no sizes: their actions are given in chips. A street has at most
    two raises more than the `num_raises` before the decision.
    """
    rules = game.rules
    rows = [
        [
            [list(made.get((seat, street, n), _sizes(menu, street, n))) for n in range(3)]
            for street in range(rules.num_streets)
        ]
        for seat in range(2)
    ]
    width = 1 + max(
        sum(size != "a" for size in row) for table in rows for street in table for row in street
    )
    aligned = [[[_aligned(row, width) for row in street] for street in table] for table in rows]
    slots = ["fold", "call", *(f"raise {n + 1}" for n in range(width - 1)), "all-in"]
    bets = _native.BetMenu("search", slots, aligned, num_raises + 2, add_all_in=menu.all_in)
    return _native.Poker(rules, bets)


def _sizes(menu: SearchMenu, street: int, situation: int) -> list[str]:
    line = menu.later.get(STREETS[street], ("", "", ""))[situation]
    return line.split(",") if line else []


def _aligned(sizes: Sequence[str], width: int) -> list[str]:
    """Returns the sizes padded to the slots, with all-in in the last one."""
    others = [size for size in sizes if size != "a"]
    return [*others, *["-"] * (width - 1 - len(others)), "a" if "a" in sizes else "-"]
