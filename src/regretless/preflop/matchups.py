# SPDX-License-Identifier: MIT
"""Class against class: how often each of the 169 starting hands beats each other all-in.

A class is its place in a chart of 13 x 13, row by row from AA: suited hands right of the
diagonal, offsuit ones left of it. The counts are exact, over all pairs of hands without a common
card and all boards. They ship as a file, which scripts/class_wins.py writes.
"""

import hashlib
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.notation.cards import RANKS
from regretless.notation.hand_classes import class_grid, class_places, grid_names

NUM_CLASSES = 169
NUM_BOARDS = comb(48, 5)  # 1,712,304 for each pair of hands
WINS_FILE = Path(__file__).parent / "class_wins.bin"  # [classes, classes], 32 bits, little end
WINS_SHA256 = "3cb21508fd4edf6d52a2fea036cc5adcb80958815e72ecde8cb028bb0771f3b4"

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

CLASSES = tuple(each for row in class_grid(13) for each in row)
CLASS_NAMES = tuple(each for row in grid_names(RANKS) for each in row)
COMBOS: Counts = np.array([len(each.hands(4)) for each in CLASSES])  # 6, 4 or 12


@dataclass(frozen=True)
class Matchups:
    """Counts over all deals of two hands and a board, by classes of the one and the other."""

    pairs: Counts  # [classes, classes]: pairs of hands without a common card
    wins: Counts  # [classes, classes]: deals that the first wins

    @cached_property
    def ties(self) -> Counts:
        """[classes, classes]"""
        return self.pairs * NUM_BOARDS - self.wins - self.wins.T

    @cached_property
    def equities(self) -> Floats:
        """[classes, classes]: the share of the pot that the first wins on average."""
        shares: Floats = (self.wins + self.ties / 2) / (self.pairs * NUM_BOARDS)
        return shares


def count_pairs() -> Counts:
    """[classes, classes]: pairs of hands without a common card."""
    member = np.eye(NUM_CLASSES)[class_places(13, 4)]  # [hands, classes]
    holds = np.zeros((len(member), 52))  # [hands, cards]
    cards = _native.hand_cards(_native.Deck(), 2)
    np.put_along_axis(holds, cards.astype(np.int64), 1, axis=1)
    is_apart = holds @ holds.T == 0
    pairs: Counts = (member.T @ is_apart.astype(np.float64) @ member).astype(np.int64)
    return pairs


@cache
def load_matchups() -> Matchups:
    """The table that ships; InputError if the file is not what was shipped."""
    try:
        data = WINS_FILE.read_bytes()
    except OSError as error:
        raise InputError(f"{WINS_FILE}: {error.strerror}") from None
    if hashlib.sha256(data).hexdigest() != WINS_SHA256:
        raise InputError(f"{WINS_FILE}: damaged: its hash is another")
    wins = np.frombuffer(data, "<u4").reshape(NUM_CLASSES, NUM_CLASSES).astype(np.int64)
    matchups = Matchups(count_pairs(), wins)
    for array in (matchups.pairs, matchups.wins):
        array.flags.writeable = False
    return matchups
