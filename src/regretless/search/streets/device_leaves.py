# SPDX-License-Identifier: MIT
"""A network of the next street at the leaves of spots that are solved on a CUDA device."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless.errors import InputError
from regretless.networks.street_network import StreetNetwork, leaf_values
from regretless.search.streets.sights import SeenBoards
from regretless.solvers.cuda.layout import Layout
from regretless.solvers.rivers import HANDS


class DeviceLeaves:
    """Implements `LeafNetwork`: rows of positions become ranges of all hands, and back."""

    def __init__(
        self, network: StreetNetwork, boards: SeenBoards, stacks: NDArray[np.float64]
    ) -> None:
        """`boards` are those after the next card, root by root, the card with the least number
        first; `stacks` [spots, lines] are what is behind at the leaves, in pots.
        """
        self.network, self._boards, self._given = network, boards, stacks

    def prepare(self, layout: Layout, sets: NDArray[np.int64], device: torch.device) -> None:
        if layout.leaves is None or layout.num_hands != (HANDS, HANDS):
            raise InputError(
                "a network of a street needs trees with all hands, cut where it begins"
            )
        self._cards, lines = len(layout.leaves.boards), len(layout.leaves.stakes)
        self._roots = len(self._boards.possible) // self._cards
        if not np.array_equal(sets, np.repeat(np.arange(self._roots), len(sets) // self._roots)):
            raise InputError("leaves: spots of a board must stand together, as many on each board")
        rows = np.arange(self._roots)[:, None] * layout.num_boards + layout.leaves.boards

        def put(name: str) -> Tensor:
            return torch.from_numpy(layout.arrays[name][rows].astype(np.int64)).to(device)

        self._width = 32 * layout.leaves.units[0]
        self._at = put("places_0").clamp_min(0)  # [roots, cards, hands]
        self._order = put("hands_0")[:, :, : self._width]
        self._is_hand = torch.arange(self._width, device=device) < put("boards")[:, :, 2:3]
        self.network.to(device)
        stacks = np.broadcast_to(self._given, (len(sets), lines)).astype(np.float32)
        self._stacks = torch.from_numpy(stacks).to(device).view(self._roots, 1, -1)
        bets = np.flatnonzero(np.tile(stacks.max(axis=0) > 0, len(sets) // self._roots))
        self._bets = torch.from_numpy(bets).to(device)  # elsewhere both are all-in

    def __call__(self, ranges: Tensor, cards: Tensor | None = None) -> Tensor:
        numbers = torch.arange(self._cards, device=ranges.device) if cards is None else cards
        lines, count = ranges.shape[1:3]
        # [roots, cards, spots x lines, 2, positions]
        by_root = ranges.view(self._roots, -1, *ranges.shape[1:])
        by_board = by_root.permute(0, 3, 1, 2, 4, 5).flatten(2, 3)
        at, order, is_hand = self._at, self._order, self._is_hand
        boards = self._boards
        if cards is not None:
            at, order, is_hand = (each[:, cards] for each in (at, order, is_hand))
            first = torch.arange(self._roots, device=ranges.device)[:, None] * self._cards
            boards = boards.part((first + numbers).flatten())
        at = at[:, :, None, None].expand(*by_board.shape[:4], HANDS)
        hands = by_board.gather(4, at).flatten(0, 1)
        stacks = self._stacks.expand(-1, count, -1).flatten(0, 1)
        values = leaf_values(self.network, boards.see(hands, stacks), self._bets).view(at.shape)
        order = order[:, :, None, None].expand(by_board.shape)
        found = values.gather(4, order) * is_hand[:, :, None, None]
        by_line = found.view(self._roots, count, -1, lines, 2, self._width)
        return by_line.permute(0, 2, 3, 1, 4, 5).reshape(ranges.shape)
