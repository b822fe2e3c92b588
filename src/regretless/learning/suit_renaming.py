# SPDX-License-Identifier: MIT
"""Rows of hands that differ in the names of suits and the order of hole cards alone, made anew.

A network whose encoder shows cards as they are learns from each row as if it were any of them. A
minibatch is renamed as bytes, on the device where it is.
"""

import itertools

import numpy as np
import torch
from torch import Tensor

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game


class SuitRenaming:
    """All renamings of suits, each with and without the hole cards swapped."""

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
        """Numbers from 0 to below it name the renamings; 0 changes nothing."""
        self._table = torch.as_tensor(table.reshape(-1)).to(device)
        self._bytes = torch.tensor(hole + board, device=device)
        swapped = [*reversed(range(len(hole))), *range(len(hole), len(hole) + len(board))]
        self._swapped = torch.tensor(swapped, device=device)

    def __call__(self, rows: Tensor, drawn: Tensor) -> Tensor:
        """Rows uint8 [batch, row_bytes] by the renamings `drawn`, int64 [batch]."""
        orders, swaps = drawn % self._num_orders, drawn >= self._num_orders
        cards = rows[:, self._bytes]
        cards = torch.where(swaps[:, None], cards[:, self._swapped], cards)
        renamed = rows.clone()
        renamed[:, self._bytes] = self._table[orders[:, None] * 256 + cards]
        return renamed
