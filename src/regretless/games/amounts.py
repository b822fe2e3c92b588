# SPDX-License-Identifier: MIT
"""Amounts for people: chips as big blinds or as chips, one unit on every screen.

Rules, files and lines of the API count chips. Everything that a player reads or types goes through
`Amounts`, so that one choice, `bb` or `chips`, holds everywhere.
"""

import math
import os
import re
from dataclasses import dataclass

from regretless.errors import InputError
from regretless.games.face import Game, face, unit_name

UNITS = ("bb", "chips")
UNIT_VARIABLE = "REGRETLESS_UNIT"
"""The environment variable that chooses the unit of every screen."""
_CHIPS_IN_TEXT = re.compile(
    r"(?P<words>\b(?:call|bet|to|from|all-in|pot) )(?P<after>[0-9]+)"
    r"|\b(?P<before>[0-9]+)(?= (?:to call|behind)\b)"
)
_TYPED = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(bb)?")
_MOST_CHIPS = 1e12


def preferred_unit(asked: str | None = None) -> str:
    """The unit asked for, else that of REGRETLESS_UNIT, else `bb`."""
    for unit, place in ((asked, "--unit"), (os.environ.get(UNIT_VARIABLE), UNIT_VARIABLE)):
        if unit:
            if unit not in UNITS:
                raise InputError(f"{place}: must be bb or chips, not {unit!r}")
            return unit
    return UNITS[0]


@dataclass(frozen=True)
class Amounts:
    """Amounts of one game in one unit."""

    name: str
    """The unit of values: `bb`, `chips`, `antes` or `points`."""
    chips: float
    """Chips in one unit."""

    @classmethod
    def of(cls, game: Game, unit: str | None = None) -> "Amounts":
        """The unit for a game; a game without a big blind has one unit only."""
        found = preferred_unit(unit)
        if unit_name(game) != "big blinds":
            return cls(unit_name(game), game.unit)
        return cls("bb", game.unit) if found == "bb" else cls("chips", 1)

    def of_chips(self, chips: float) -> float:
        """The amount in the unit."""
        return chips / self.chips

    def of_units(self, value: float, game: Game) -> float:
        """The amount in the unit of a value in the unit of the game."""
        return value * game.unit / self.chips

    def text(self, chips: float, *, sign: bool = False) -> str:
        """`2.5 bb`; `250` in any other unit."""
        number = number_text(self.of_chips(chips))
        plus = "+" if sign and chips >= 0 else ""
        return plus + number + (" bb" if self.name == "bb" else "")

    def in_text(self, text: str) -> str:
        """A text of an action or a state, `raise to 250`, `pot 600`, with its chips in the unit."""
        if self.name != "bb":
            return text

        def in_unit(found: re.Match[str]) -> str:
            return (found["words"] or "") + self.text(int(found["after"] or found["before"]))

        return _CHIPS_IN_TEXT.sub(in_unit, text)

    def word(self, word: str) -> str:
        """A bet of a line of play, `r250`, in the unit: `r2.5bb`."""
        if self.name != "bb" or not word[1:].isdecimal():
            return word
        return f"{word[0]}{self.of_chips(int(word[1:])):.4f}".rstrip("0").rstrip(".") + "bb"


CHIPS = Amounts("chips", 1)


def read_amount(text: str, game: Game, amounts: Amounts = CHIPS) -> int | None:
    """The chips of an amount: `250`, or `2.5bb`; None if it is none.

    A number alone is in the unit of `amounts`.
    """
    typed = _TYPED.fullmatch(text)
    if typed is None:
        return None
    in_blinds = typed[2] or amounts.name == "bb"
    if in_blinds and face(game).unit_name != "big blinds":
        return None
    chips = min(float(typed[1]), _MOST_CHIPS) * (game.unit if in_blinds else 1)
    return round(chips) if in_blinds or chips == int(chips) else None


def number_text(value: float, digits: int = 2) -> str:
    """A number with thousands apart and few digits: `1,250`, `2.5`; a dash for NaN."""
    if math.isnan(value):
        return "–"
    text = f"{value:,.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
