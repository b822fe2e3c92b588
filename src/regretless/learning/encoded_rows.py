# SPDX-License-Identifier: MIT
"""Encoded rows of a minibatch with other suits."""

import itertools

import numpy as np
import torch
from torch import Tensor

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.learning.minibatches import Rows

_ENCODED = ("row", "next_row")


class SuitRenaming:
    """All permutations of the suits, each with and without the hole cards swapped.

    A network whose encoder shows cards as they are learns from each row as one of these.
    """

    def __init__(self, game: Game, encoder: _native.Encoder, device: torch.device) -> None:
        hole, board = list(encoder.hole_bytes), list(encoder.board_bytes)
        deck = game.deck
        if not hole or deck is None:
            raise InputError(f"rename_suits: encoder {encoder.name!r} shows no suits to rename")
        cards = np.arange(deck.num_ranks * deck.num_suits)
        orders = list(itertools.permutations(range(deck.num_suits)))
        table = np.full((len(orders), 256), 255, np.uint8)  # 255 is no card
        for renamed, order in zip(table, orders, strict=True):
            renamed[cards] = (
                cards - cards % deck.num_suits + np.array(order)[cards % deck.num_suits]
            )
        self._num_orders = len(orders)
        self.count = len(orders) * (2 if len(hole) == 2 else 1)
        """The number of renamings; number 0 changes nothing."""
        self._table = torch.as_tensor(table.reshape(-1)).to(device)
        self._bytes = torch.tensor(hole + board, device=device)
        swapped = [*reversed(range(len(hole))), *range(len(hole), len(hole) + len(board))]
        self._swapped = torch.tensor(swapped, device=device)

    def __call__(self, rows: Rows, renamings: Tensor) -> Rows:
        """Renames a row and its next row alike; `renamings` is int64 [batch]."""
        renamed = {key: self.rename(rows[key], renamings) for key in _ENCODED if key in rows}
        return {**rows, **renamed}

    def rename(self, rows: Tensor, renamings: Tensor) -> Tensor:
        """Returns encoded rows uint8 [batch, row_bytes], each by its renaming."""
        orders, swaps = renamings % self._num_orders, renamings >= self._num_orders
        cards = rows[:, self._bytes]
        cards = torch.where(swaps[:, None], cards[:, self._swapped], cards)
        renamed = rows.clone()
        renamed[:, self._bytes] = self._table[orders[:, None] * 256 + cards]
        return renamed
