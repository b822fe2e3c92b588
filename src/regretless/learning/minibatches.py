# SPDX-License-Identifier: MIT
"""Rows of a buffer as tensors: minibatches, a copy on a device, other suits, distinct rows."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.buffers import Buffer, Column
from regretless.errors import InputError
from regretless.games import Game

_ENCODED = ("row", "next_row")
_COPIED_BYTES = 1 << 28  # at once, to a device
_PIECE = 1 << 18  # rows of a buffer read at once, to find the distinct ones

Rows = dict[str, Tensor]
"""Columns by name, each [rows, ...]."""


def minibatches(
    buffer: Buffer, seed: int, steps: Sequence[int], count: int, device: torch.device
) -> Iterator[Rows]:
    """Yields `count` rows for each step, drawn natively by seed and step."""
    for step in steps:
        arrays = {
            column.name: np.empty((count, *column.shape), column.type) for column in buffer.columns
        }
        buffer.sample_into(seed, step, arrays)
        yield {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}


def indexed_minibatches(
    buffer: Buffer, seed: int, steps: Sequence[int], count: int, device: torch.device
) -> Iterator[Rows]:
    """Yields `count` rows for each step, whose indices torch draws for all steps at once."""
    draws = torch.Generator().manual_seed(seed)
    for indices in torch.randint(buffer.size, (len(steps), count), generator=draws):
        rows = torch.from_numpy(buffer.get(indices.numpy())).to(device)
        yield split_columns(rows, buffer.columns)


class Mirror:
    """A copy of the rows of a buffer on a device; `refresh` copies only the changed rows."""

    def __init__(self, buffer: Buffer, device: torch.device) -> None:
        self.buffer, self._since = buffer, 0
        size = (buffer.capacity, buffer.row_bytes)
        self._bytes = torch.zeros(size, dtype=torch.uint8, device=device)

    def forget(self) -> None:
        """Makes the next refresh copy all rows, after the buffer was emptied."""
        self._since = 0

    def refresh(self) -> None:
        changed, device = self.buffer.changed(self._since), self._bytes.device
        at_once = max(1, _COPIED_BYTES // self.buffer.row_bytes)
        for first in range(0, len(changed), at_once):
            indices = changed[first : first + at_once]
            rows = torch.from_numpy(self.buffer.get(indices))
            self._bytes[torch.from_numpy(indices).to(device)] = rows.to(device)
        self._since = self.buffer.num_added

    def rows(self, indices: Tensor) -> Rows:
        return split_columns(self._bytes[indices], self.buffer.columns)


def split_columns(rows: Tensor, columns: Sequence[Column]) -> Rows:
    """Returns the columns of rows that are bytes [rows, bytes of a row]."""
    found, begin = {}, 0
    for column in columns:
        part = rows[:, begin : begin + column.num_bytes].clone(
            memory_format=torch.contiguous_format
        )
        dtype = torch.from_numpy(np.empty(0, column.type)).dtype
        found[column.name] = part.view(dtype).reshape(len(rows), *column.shape)
        begin += column.num_bytes
    return found


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


def distinct_rows(buffer: Buffer, most: int) -> dict[str, NDArray[Any]] | None:
    """Returns the rows that differ in more than target and weight; None if they are too many.

    Each has the mean of its targets [slots]: the squared error of equal rows equals that of their
    mean target, up to a constant, and so does cross-entropy. A mean by their weights is the mean
    over the buffer. So where a buffer has few distinct rows, one step can learn from all of it.
    """
    if len(np.unique(_keys(_columns(buffer, 0, min(buffer.size, 2 * most))))) > most:
        return None
    parts = []
    for begin in range(0, buffer.size, _PIECE):
        parts.append(_merged(_columns(buffer, begin, min(begin + _PIECE, buffer.size))))
        if len(parts[-1]["weight"]) > most:
            return None
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    found = _merged(joined)
    count = len(found["weight"])
    if count > most:
        return None
    found["weight"] = (found["weight"] * (count / buffer.size)).astype(np.float32)
    found["target"] = found["target"].astype(np.float32)
    return found


def _columns(buffer: Buffer, begin: int, end: int) -> dict[str, NDArray[Any]]:
    rows, at, found = buffer.get(np.arange(begin, end)), 0, {}
    for column in buffer.columns:
        part = np.ascontiguousarray(rows[:, at : at + column.num_bytes])
        found[column.name] = part.view(column.type).reshape(len(part), *column.shape)
        at += column.num_bytes
    return found


def _merged(columns: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Merges equal rows, in the order of their keys."""
    _, first, group = np.unique(_keys(columns), return_index=True, return_inverse=True)
    weights = columns["weight"].astype(np.float64)
    totals = np.bincount(group, weights)
    targets = [
        np.bincount(group, weights * columns["target"][:, slot])
        for slot in range(columns["target"].shape[1])
    ]
    means = np.stack(targets, axis=1) / np.where(totals > 0, totals, 1)[:, None]
    kept = {name: column[first] for name, column in columns.items()}
    return kept | {"target": means, "weight": totals}


def _keys(columns: dict[str, NDArray[Any]]) -> NDArray[np.uint64]:
    """Returns a hash of each row without target and weight; few rows do not collide."""
    inputs = [column for name, column in columns.items() if name not in ("target", "weight")]
    rows = np.concatenate([column.view(np.uint8) for column in inputs], axis=1)
    draws = np.random.Generator(np.random.Philox(key=[7, 11]))
    factors = draws.integers(1 << 63, size=(rows.shape[1],), dtype=np.uint64)
    keys = np.zeros(len(rows), np.uint64)
    for column, factor in enumerate(factors):
        keys = (keys ^ rows[:, column]) * (np.uint64(2) * factor + np.uint64(1))
        keys ^= keys >> np.uint64(29)
    return keys
