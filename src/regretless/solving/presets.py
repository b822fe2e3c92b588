# SPDX-License-Identifier: MIT
"""Spots to begin with: pots of positions and stacks, with ranges made by hand (presets.yaml)."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from regretless.errors import InputError
from regretless.notation.text_file import read_yaml

PRESETS_FILE = Path(__file__).parent / "presets.yaml"
CHIPS = 10  # in a big blind
_SPOT = ("pot", "stack", "range_oop", "range_ip", "aggressor")


@dataclass(frozen=True)
class Preset:
    """A pot of two positions; amounts are chips, `CHIPS` of them a big blind."""

    name: str
    title: str
    pot_type: str  # single-raised, 3-bet or 4-bet
    stacks: int  # big blinds at the beginning of the hand
    play: str  # before the flop
    oop: str  # the position that acts first
    ip: str
    pot: int
    stack: int
    aggressor: str
    hands: list[float]  # percent of all hands in each range
    range_oop: str
    range_ip: str

    @property
    def spot(self) -> dict[str, Any]:
        """The fields of `SpotOptions`, besides the board: the usual sizes, and no donk bets."""
        return {**{key: vars(self)[key] for key in _SPOT}, "donks": "none"}


@cache
def presets() -> dict[str, Preset]:
    """All presets by name, in the order of the file."""
    return {name: Preset(name, **row) for name, row in read_yaml(PRESETS_FILE).items()}


def find_preset(name: str) -> Preset:
    """The preset of a name; InputError if there is none."""
    if name not in presets():
        raise InputError.unknown(f"preset: no {name!r}", name, presets())
    return presets()[name]
