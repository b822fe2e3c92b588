# SPDX-License-Identifier: MIT
"""Boards of the turn as a network sees them: means over their rivers."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless.networks.street_network import Sight, met_masses, quantile_matrix
from regretless.search.streets.random_ranges import all_rivers

_LEAST_MASS = 1e-9
_DEALT = 44  # rivers that hold no card of two hands


class TurnBoards:
    """The same as `RiverBoards` for the turn; who wins how often is kept for every two hands."""

    def __init__(
        self, boards: NDArray[np.uint8], bins: int, device: torch.device | str = "cpu"
    ) -> None:
        """`boards` are [boards, 4]."""
        matrices, signs = [], []
        for board in boards:
            left = np.setdiff1d(np.arange(52, dtype=np.uint8), board)
            places = torch.from_numpy(all_rivers(board, left)).to(device)
            summed = quantile_matrix(places.int(), bins).sum(0)
            matrices.append(summed / summed.sum(1, keepdim=True).clamp_min(1))
            signs.append(_win_signs(places))
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


def _win_signs(places: Tensor) -> Tensor:
    """Returns wins less losses of the second hand over all rivers: int8 [hands, hands]."""
    hands = places.shape[1]
    found = torch.zeros((hands, hands), dtype=torch.int8, device=places.device)
    for row in places:
        signs = (row[None, :] - row[:, None]).clamp_(-1, 1).to(torch.int8)
        blocked = row < 0
        signs[blocked] = 0
        signs[:, blocked] = 0
        found += signs
    return found * met_masses(torch.eye(hands, device=found.device)).to(torch.int8)
