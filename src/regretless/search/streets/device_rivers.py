# SPDX-License-Identifier: MIT
"""A network of the river at the leaves of turns that are solved on a CUDA device."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless.errors import InputError
from regretless.networks.street_network import RiverBoards, StreetNetwork
from regretless.solvers.cuda.layout import Layout
from regretless.solvers.rivers import HANDS

_LEAST_STACK = 1e-3  # pots: where both are all-in


class DeviceRivers:
    """Implements `LeafNetwork`: rows of positions become ranges of all hands, and back."""

    def __init__(self, network: StreetNetwork, stacks: NDArray[np.float64]) -> None:
        """`stacks` [spots, lines] are what is behind at the leaves, in pots."""
        self.network = network
        self._given = stacks
        self._boards: RiverBoards

    def prepare(self, layout: Layout, sets: NDArray[np.int64], device: torch.device) -> None:
        if layout.leaves is None or layout.num_hands != (HANDS, HANDS):
            raise InputError("a network of the river needs turns with all hands, cut at the river")
        rows = sets[:, None] * layout.num_boards + layout.leaves.boards
        self._sizes = rows.shape
        found = torch.from_numpy(layout.arrays["places_0"][rows].astype(np.int64)).to(device)
        order = torch.from_numpy(layout.arrays["hands_0"][rows].astype(np.int64)).to(device)
        count = torch.from_numpy(layout.arrays["boards"][rows, 2].astype(np.int64)).to(device)
        width = 32 * layout.leaves.units[0]
        self._is_hand = (torch.arange(width, device=device) < count[:, :, None])[:, :, None, None]
        self._order = order[:, :, None, None, :width]
        self._at = found.clamp_min(0)[:, :, None, None]
        ranks = layout.arrays["ranks_0"].reshape(-1, HANDS)[layout.arrays["boards"][rows, 1]]
        ranked = torch.from_numpy(ranks.astype(np.int64)).to(device)
        places = _places(torch.where(found >= 0, ranked, -1).flatten(0, 1))
        self.network.to(device)
        self._boards = RiverBoards(places, self.network.shape.bins)
        stacks = np.broadcast_to(self._given, (len(sets), len(layout.leaves.stakes)))
        pots = torch.from_numpy(np.maximum(stacks, _LEAST_STACK).astype(np.float32)).to(device)
        self._stacks = pots[:, None].expand(-1, rows.shape[1], -1).flatten(0, 1)

    def __call__(self, ranges: Tensor) -> Tensor:
        by_board = ranges.transpose(1, 2)  # [spots, cards, lines, 2, positions]
        shape = (*by_board.shape[:4], HANDS)
        hands = by_board.gather(4, self._at.expand(shape)).flatten(0, 1)
        values = self.network(self._boards.see(hands, self._stacks)).view(shape)
        found = values.gather(4, self._order.expand(by_board.shape)) * self._is_hand
        by_line: Tensor = found.transpose(1, 2)
        return by_line


def _places(ranks: Tensor) -> Tensor:
    """Returns what `river_places` does, from ranks [boards, hands] that are -1 where blocked."""
    ranked = ranks.sort(dim=1).values
    blocked = (ranks < 0).sum(1, keepdim=True)
    weaker = torch.searchsorted(ranked, ranks) - blocked
    not_stronger = torch.searchsorted(ranked, ranks, right=True) - blocked
    return torch.where(ranks >= 0, weaker + not_stronger, -1)
