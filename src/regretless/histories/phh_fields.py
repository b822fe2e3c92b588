# SPDX-License-Identifier: MIT
"""The fields of a PHH hand history as numbers of chips, and the game that they describe.

Readers of other formats make such fields too, so that every hand is played by the same code.

The scale, chips in one unit, is found by itself: 1, 100, or the least that makes amounts whole.
Antes that differ between players without `ante_trimming_status` are dead money, as are dead blinds.
The engine knows no dead money, so everybody antes an equal part of it, out of chips that are added
to or taken from the stacks: after the antes, pot and stacks are those of the hand. A stack of `inf`
is unknown and made large enough.
"""

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from regretless.errors import InputError
from regretless.histories.phh_actions import AMOUNT, MOST_CHIPS, is_plain, to_chips

_OMAHA = {"limit": "pot", "hole_cards": 4, "showdown": "omaha"}
CODES: dict[str, dict[str, Any]] = {
    "FT": {"name": "limit-holdem", "limit": "fixed", "max_raises": 4},
    "NT": {"name": "nlhe"},
    "NS": {"name": "short-deck", "deck": {"ranks": "6789TJQKA"}, "showdown": "short-deck"},
    "PO": {"name": "plo4", **_OMAHA},
    "FO": {"name": "limit-omaha", **_OMAHA, "limit": "fixed", "max_raises": 4},
    "PO5": {"name": "plo5", **_OMAHA, "hole_cards": 5},
    "PT": {"name": "pot-limit-holdem", "limit": "pot"},
}
"""Rows of variants by their code in PHH; those after PO are not in PHH itself."""
FIXED_LIMIT = ("FT", "FO")
"""Codes with a small and a big bet."""
_LISTS = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings")
_BETS = ("min_bet", "small_bet", "big_bet")
_RAISE = re.compile(rf" cbr ({AMOUNT})")
_MOST_SCALE = 10**9
_Amount = TypeVar("_Amount")
ADDED = "_added_to_pot"
"""The field of chips that the house adds to the pot; no field of the format itself."""


class HandFields:
    """The fields of one hand history, with amounts turned into chips."""

    def __init__(self, fields: Mapping[str, Any], place: str, scale: int | None = None) -> None:
        self.fields, self.place = fields, place
        self.code = self.get("variant")
        if not isinstance(self.code, str) or self.code not in CODES:
            known = ", ".join(CODES)
            raise InputError(f"{place}: variant: no code {self.code!r}; there are {known}")
        self.scale = scale or _scale(fields)
        self.stacks = self._stacks()
        self.dead = self._dead()
        share = sum(self.dead) + self._added
        if share % max(1, len(self.dead)):  # an equal part of it must be whole
            self.scale *= len(self.dead)
            self.stacks = self._stacks()
            self.dead = self._dead()

    def get(self, name: str) -> Any:
        if name not in self.fields:
            raise InputError(f"{self.place}: {name} is missing")
        return self.fields[name]

    def texts(self, name: str) -> list[str]:
        values = self.get(name)
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise InputError(f"{self.place}: {name}: must be a list of strings")
        return values

    def amount(self, name: str) -> int:
        return to_chips(self.get(name), self.scale, f"{self.place}: {name}")

    def amounts(
        self, name: str, count: int | None = None, may_be_negative: bool = False
    ) -> list[int]:
        """Amounts by seat; a list shorter than `count` is filled with zeros."""
        values = self.get(name)
        if not isinstance(values, list) or (count is not None and len(values) > count):
            raise InputError(f"{self.place}: {name}: must be a list with an amount for each player")
        chips = [
            to_chips(value, self.scale, f"{self.place}: {name}[{i}]", may_be_negative)
            for i, value in enumerate(values)
        ]
        return chips if count is None else turned(chips + [0] * (count - len(chips)))

    @cached_property
    def unknown(self) -> frozenset[int]:
        """Seats whose stacks are not known."""
        stacks = self.get("starting_stacks")
        if not isinstance(stacks, list):
            return frozenset()
        return frozenset(seat for seat, stack in enumerate(stacks) if _is_endless(stack))

    def _stacks(self) -> list[int | None]:
        """Chips of each seat before anything is posted; None where they are unknown."""
        values = self.get("starting_stacks")
        if not isinstance(values, list) or not 2 <= len(values) <= 10:
            raise InputError(f"{self.place}: starting_stacks: must be 2 to 10 players")
        return [
            None
            if seat in self.unknown
            else to_chips(value, self.scale, f"{self.place}: starting_stacks[{seat}]")
            for seat, value in enumerate(values)
        ]

    @property
    def _added(self) -> int:
        return self.amount(ADDED) if ADDED in self.fields else 0

    def _dead(self) -> list[int]:
        """Chips by seat that nobody has to match: antes that differ. Empty if there are none."""
        stacks = self.stacks
        antes = self.amounts("antes", len(stacks))
        posted = [
            ante if stack is None else min(ante, stack)
            for ante, stack in zip(antes, stacks, strict=True)
        ]
        is_even = len(set(posted)) == 1 or self.fields.get("ante_trimming_status") is True
        if is_even and not self._added:
            return []
        return [0] * len(posted) if is_even else posted

    def row(self, given: Mapping[int, int]) -> tuple[dict[str, Any], tuple[int, ...]]:
        """The variant of the game, and the chips that were moved to make dead money an ante.

        `given` has stacks in place of unknown ones.
        """
        code = self.code
        names = ["small_bet", "small_bet", "big_bet", "big_bet"]
        bets = [self.amount(name) for name in (names if code in FIXED_LIMIT else ["min_bet"] * 4)]
        count, dead = len(self.stacks), self.dead
        blinds = self.amounts("blinds_or_straddles", count, may_be_negative=True)
        antes = [0] * count if any(dead) else self.amounts("antes", count)
        large = self._large(bets[0])
        stacks = [
            given.get(seat, large) if stack is None else stack
            for seat, stack in enumerate(self.stacks)
        ]
        moved: tuple[int, ...] = ()
        if dead:
            part = (sum(dead) + self._added) // count
            moved = tuple(part - each for each in dead)
            antes = [ante + part for ante in antes]
            stacks = [stack + each for stack, each in zip(stacks, moved, strict=True)]
        row = {
            **CODES[code],
            "players": count,
            "stacks": stacks,
            "antes": antes,
            "blinds": [abs(blind) for blind in blinds],
            "bets": bets,
            "first_actors": [first_actor(antes, blinds, stacks), 0, 0, 0],
            "unit": bets[0],
        }
        return row, moved

    def _large(self, bet: int) -> int:
        """A stack that nobody plays to its end."""
        if not self.unknown:
            return 0
        raises = [Fraction(found[1]) for each in self.texts("actions") if (found := _found(each))]
        total = int(4 * max(raises, default=Fraction(0)) * self.scale)
        known = [stack for stack in self.stacks if stack is not None]
        return min(MOST_CHIPS // 2, max([100 * bet, *known]) + 2 * total)


def _found(action: str) -> re.Match[str] | None:
    return _RAISE.search(action)


def _is_endless(value: object) -> bool:
    return isinstance(value, Decimal | float) and math.isinf(value) and value > 0


def _scale(fields: Mapping[str, Any]) -> int:
    """Chips in a unit: 1, 100 for cents, or the least number that makes all amounts whole."""
    values = [fields.get(name) for name in (*_BETS, ADDED)]
    for name in _LISTS:
        listed = fields.get(name)
        values += listed if isinstance(listed, list) else []
    actions = fields.get("actions")
    if isinstance(actions, list):
        for each in actions:
            if isinstance(each, str) and "." in each and (found := _found(each)):
                values.append(Decimal(found[1]))
    scale = 1
    for value in values:
        if isinstance(value, Decimal):
            scale = math.lcm(scale, _denominator(value))
    return 100 if scale > 1 and 100 % scale == 0 else min(scale, _MOST_SCALE)


@lru_cache(maxsize=4096)
def _denominator(value: Decimal) -> int:
    return Fraction(value).denominator if is_plain(value) else 1


def first_actor(
    antes: list[int], blinds: list[int], stacks: list[int], first: int | None = None
) -> int:
    """The first seat with chips from `first` on, or from the seat after the largest blind posted.

    A blind below zero is posted out of turn.
    """
    seats = range(len(stacks))
    left = [max(0, stack - ante) for stack, ante in zip(stacks, antes, strict=True)]
    posted = [min(abs(blind), chips) for blind, chips in zip(blinds, left, strict=True)]
    if first is None:
        sign = [1 if blind >= 0 else -1 for blind in blinds]
        first = max(seats, key=lambda seat: (posted[seat] * sign[seat], seat)) + 1
    order = [(first + i) % len(stacks) for i in seats]
    return next((seat for seat in order if left[seat] > posted[seat]), 0)


def turned(values: list[_Amount]) -> list[_Amount]:
    """Heads-up in the other order: the format lists posts with the button first."""
    return values[::-1] if len(values) == 2 else values
