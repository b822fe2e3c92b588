# SPDX-License-Identifier: MIT
"""Boards of the turn as a network sees them: means over their rivers."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.networks.street_network import Sight, met_masses
from regretless.search.streets.random_ranges import all_rivers
from regretless.solvers.rivers import HANDS

_LEAST_MASS = 1e-9
_DEALT = 44  # rivers that hold no card of two hands


class TurnBoards:
    """Boards like `RiverBoards`, of the turn; who wins how often is kept for every two hands."""

    def __init__(
        self, boards: NDArray[np.uint8], bins: int, device: torch.device | str = "cpu"
    ) -> None:
        """`boards` are [boards, 4]."""
        matrices, signs = [], []
        compatible = met_masses(torch.eye(HANDS)).to(torch.int8)
        for board in boards:
            left = np.setdiff1d(np.arange(52, dtype=np.uint8), board)
            places = all_rivers(board, left)
            matrices.append(_mean_matrix(places, bins).to(device))
            won = torch.from_numpy(_native.win_signs(places))
            signs.append((won * compatible).to(device))
        self.matrix, self._signs = torch.stack(matrices), torch.stack(signs)
        self.possible = self.matrix.sum(2) > 0

    def see(self, ranges: Tensor, stacks: Tensor) -> Sight:
        """Returns the sight of spots [boards, spots, 2, hands] with stacks [boards, spots]."""
        possible = self.possible[:, None, None]
        ranges = ranges.float() * possible
        ranges = ranges / ranges.sum(3, keepdim=True).clamp_min(1e-30)
        theirs = ranges.flip(2)
        masses = met_masses(theirs) * possible
        shown = (
            torch.stack(
                [
                    each.flatten(0, 1) @ signs.float()
                    for each, signs in zip(theirs, self._signs, strict=True)
                ]
            ).view_as(ranges)
            / _DEALT
        )
        equities = torch.where(masses > _LEAST_MASS, shown / masses.clamp_min(_LEAST_MASS), 0.0)
        return Sight(self.matrix, ranges, equities, masses, stacks)


def _mean_matrix(places: NDArray[np.int16], bins: int) -> Tensor:
    """Returns the mean of `quantile_matrix` over the boards on which each hand is possible."""
    boards, hands = np.nonzero(places >= 0)
    left = (places >= 0).sum(axis=1)[boards]
    near = np.clip(places[boards, hands] * (bins / 2) / left - 0.5, 0, bins - 1)
    low = np.minimum(near.astype(np.int64), bins - 2)
    at, size = hands * bins + low, HANDS * bins
    summed = np.bincount(at, low + 1 - near, size) + np.bincount(at + 1, near - low, size)
    counts = np.maximum((places >= 0).sum(axis=0), 1)
    return torch.from_numpy((summed.reshape(HANDS, bins) / counts[:, None]).astype(np.float32))
