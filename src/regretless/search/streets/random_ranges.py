# SPDX-License-Identifier: MIT
"""Random ranges and pots to learn from, as DeepStack draws them.

Moravcik et al., "DeepStack" (2017), supplement: R(S, p) gives a random part of the mass p to the
weaker half of the hands S, the rest to the stronger half, and so on down to single hands; pots are
uniform within one of five categories.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Randoms = np.random.Generator
_CATEGORIES = ((1, 1), (2, 4), (4, 20), (20, 60), (60, np.inf))  # big blinds that each has paid
LEAST_WEIGHT = np.float16(6e-8)
"""The weight of a hand in half precision, so that each has a value."""
_LEAST_LEFT = 0.5  # big blinds behind at least


class RangeDraws:
    """The random numbers of some ranges over `hands` hands, drawn board by board."""

    def __init__(self, hands: int) -> None:
        self.hands, self.levels = hands, hands.bit_length() - 1
        self._splits, self._pairs = (1 << self.levels) - 1, hands - (1 << self.levels)

    def draw(self, random: Randoms, count: int) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Returns shares [count, hands - 1] and sides of the odd hands [count, splits]."""
        shares = random.random((count, self._splits + self._pairs), np.float32)
        return shares, random.integers(0, 2, (count, self._splits), np.uint8)

    def ranges(self, shares: NDArray[np.float32], sides: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Returns R(S, 1) as [count, hands], weakest hand first.

        All sets of a level have one of two neighbouring sizes; the last one has a hand or two.
        """
        count = len(shares)
        sizes = np.full((count, 1), self.hands, np.int32)
        masses = np.ones((count, 1), np.float32)
        for level in range(self.levels):
            at = slice((1 << level) - 1, (2 << level) - 1)
            weaker = sizes // 2 + (sizes & 1) * sides[:, at]
            part = masses * shares[:, at]
            sizes = np.stack([weaker, sizes - weaker], axis=2).reshape(count, -1)
            masses = np.stack([part, masses - part], axis=2).reshape(count, -1)
        flat = sizes.reshape(-1)
        found = np.repeat(masses.reshape(-1), flat)
        first = (np.cumsum(flat) - flat)[flat == 2]  # of the last pairs
        part = found[first] * shares[:, self._splits :].reshape(-1)
        found[first + 1] -= part
        found[first] = part
        return found.reshape(count, self.hands)


def random_stacks(random: Randoms, count: int, depths: tuple[float, ...]) -> NDArray[np.float32]:
    """Returns stacks in pots [count], for games that begin with one of `depths` big blinds."""
    depth = random.choice(np.asarray(depths, np.float64), count)
    low, high = np.array(_CATEGORIES).T[:, random.integers(len(_CATEGORIES), size=count)]
    most = depth - _LEAST_LEFT
    low, high = np.minimum(low, most), np.minimum(high, most)
    paid = low + (high - low) * random.random(count)
    stacks: NDArray[np.float32] = ((depth - paid) / (2 * paid)).astype(np.float32)
    return stacks


def mean_order(places: Tensor) -> Tensor:
    """Returns all hands by their mean place over run-outs, blocked ones first: [boards, hands].

    `places` are [boards, run-outs, hands].
    """
    possible = places >= 0
    sums = places.clamp_min(0).sum(1, dtype=torch.int64).double()
    means = torch.where(possible.any(1), sums / possible.sum(1).clamp_min(1), -1.0)
    return means.argsort(dim=1, stable=True)
