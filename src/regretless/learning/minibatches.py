# SPDX-License-Identifier: MIT
"""Minibatches of the rows of a buffer as tensors, and a copy of a buffer on a device."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless.buffers import Buffer, Column

Rows = dict[str, Tensor]
"""Columns by name, each [rows, ...]."""


class RowSource(Buffer, Protocol):
    """A buffer to fit from: a `Ring` or a `Reservoir`."""

    @property
    def size(self) -> int:
        """Rows in the buffer."""

    def sample_into(self, seed: int, step: int, rows: Mapping[str, NDArray[Any]]) -> None: ...


def minibatches(
    buffer: RowSource, seed: int, steps: Sequence[int], count: int, device: torch.device
) -> Iterator[Rows]:
    """Yields `count` rows for each step, drawn natively by seed and step."""
    for step in steps:
        arrays = {
            column.name: np.empty((count, *column.shape), column.type) for column in buffer.columns
        }
        buffer.sample_into(seed, step, arrays)
        yield {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}


def indexed_minibatches(
    buffer: RowSource, seed: int, steps: Sequence[int], count: int, device: torch.device
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
        width = sum(column.num_bytes for column in buffer.columns)
        self._bytes = torch.zeros((buffer.capacity, width), dtype=torch.uint8, device=device)

    def forget(self) -> None:
        """Makes the next refresh copy all rows, after the buffer was emptied."""
        self._since = 0

    def refresh(self) -> None:
        indices = self.buffer.changed(self._since)
        rows = torch.from_numpy(self.buffer.get(indices))
        where = torch.from_numpy(indices).to(self._bytes.device)
        self._bytes[where] = rows.to(self._bytes.device)
        self._since = self.buffer.num_added

    def rows(self, indices: Tensor) -> Rows:
        return split_columns(self._bytes[indices], self.buffer.columns)


def split_columns(rows: Tensor, columns: Sequence[Column]) -> Rows:
    """Returns the columns of rows that are bytes [rows, bytes of a row]."""
    found, begin = {}, 0
    for column in columns:
        part = rows[:, begin : begin + column.num_bytes].contiguous()
        dtype = torch.from_numpy(np.empty(0, column.type)).dtype
        found[column.name] = part.view(dtype).reshape(len(rows), *column.shape)
        begin += column.num_bytes
    return found
