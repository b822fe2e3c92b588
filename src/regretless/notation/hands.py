# SPDX-License-Identifier: MIT
"""Hands as indices: the hand {c1 < c2 < ...} is number C(c1, 1) + C(c2, 2) + ... (colex order)."""

from collections.abc import Iterable
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray


@cache
def all_hands(num_cards: int, num_hole: int) -> NDArray[np.uint8]:
    """Every hand of `num_hole` cards, ascending within a hand: [hands, num_hole], read-only."""
    if num_hole == 0:
        return np.zeros((1, 0), np.uint8)
    smaller = all_hands(num_cards, num_hole - 1)
    blocks = []
    for highest in range(num_hole - 1, num_cards):
        block = np.empty((comb(highest, num_hole - 1), num_hole), np.uint8)
        block[:, :-1] = smaller[: len(block)]
        block[:, -1] = highest
        blocks.append(block)
    hands = np.concatenate(blocks)
    hands.flags.writeable = False
    return hands


def hand_index(cards: Iterable[int]) -> int:
    return sum(comb(card, k) for k, card in enumerate(sorted(cards), start=1))
