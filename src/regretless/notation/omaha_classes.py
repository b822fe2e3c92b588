# SPDX-License-Identifier: MIT
"""Classes of Omaha hands of four cards or more: by their pairs, else by how they run, and suits."""

import numpy as np
from numpy.typing import NDArray

from regretless.notation.cards import RANKS

_NUM_SUITS = 4
_ACE, _KING, _TEN = RANKS.index("A"), RANKS.index("K"), RANKS.index("T")
KINDS = ("trips", "two pairs", "AA", "KK", "QQ-TT", "99-22", "rundown", "broadway", "other")
"""Kinds by rank, the first that fits; a rundown has at most one gap, broadway no card below T."""
SUITS = ("double-suited", "single-suited", "rainbow")
"""Two suits, one or none that two cards share."""
CLASS_NAMES = tuple(f"{kind}, {suits}" for kind in KINDS for suits in SUITS)


def omaha_classes(cards: NDArray[np.integer]) -> NDArray[np.intp]:
    """[hands]: the place in `CLASS_NAMES` of each hand, by its cards [hands, cards] of 52."""
    ranks, suits = cards // _NUM_SUITS, cards % _NUM_SUITS
    counts = (ranks[:, :, None] == np.arange(len(RANKS))).sum(axis=1)  # [hands, ranks]
    pairs = (counts == 2).sum(axis=1)
    highest = np.where(counts == 2, np.arange(len(RANKS)), -1).max(axis=1)
    span = ranks.max(axis=1) - ranks.min(axis=1)
    kinds = np.select(
        [
            (counts >= 3).any(axis=1),
            pairs >= 2,
            highest == _ACE,
            highest == _KING,
            highest >= _TEN,
            highest >= 0,
            span <= cards.shape[1],
            ranks.min(axis=1) >= _TEN,
        ],
        range(len(KINDS) - 1),
        len(KINDS) - 1,
    )
    shared = ((suits[:, :, None] == np.arange(_NUM_SUITS)).sum(axis=1) >= 2).sum(axis=1)
    places: NDArray[np.intp] = kinds * len(SUITS) + (2 - np.minimum(shared, 2))
    return places
