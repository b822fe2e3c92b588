# SPDX-License-Identifier: MIT
"""A ring of examples on a torch device: the newest ones, drawn from uniformly."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless.buffers import Column, num_bytes
from regretless.errors import InputError


class Replay:
    """Examples of several columns, `capacity` of them at most. Implements `Buffer`."""

    def __init__(self, capacity: int, rows: dict[str, Tensor]) -> None:
        """`rows` are examples of one row each, for shape, type and device; none is kept."""
        self.capacity, self.num_added = capacity, 0
        self.columns = tuple(
            Column(name, str(row.dtype).removeprefix("torch."), tuple(row.shape[1:]))
            for name, row in rows.items()
        )
        self.device = next(iter(rows.values())).device
        try:
            self.tensors = {
                name: torch.zeros((capacity, *row.shape[1:]), dtype=row.dtype, device=row.device)
                for name, row in rows.items()
            }
        except RuntimeError:  # torch has no other class for it on the CPU
            size = f"{capacity:,} examples take {num_bytes(self):,} bytes"
            raise InputError(f"replay: {size}, more than {self.device} has free") from None

    def __len__(self) -> int:
        return min(self.num_added, self.capacity)

    @property
    def memory_bytes(self) -> int:
        """None where the device has a memory of its own."""
        return num_bytes(self) if self.device.type == "cpu" else 0

    @property
    def disk_bytes(self) -> int:
        return 0

    def add(self, rows: dict[str, Tensor]) -> None:
        """Rows of every column, equally many; the oldest make room."""
        count = len(next(iter(rows.values())))
        kept = min(count, self.capacity)
        indices = (self.num_added + torch.arange(count - kept, count)) % self.capacity
        for name, tensor in self.tensors.items():
            tensor[indices.to(tensor.device)] = rows[name][count - kept :]
        self.num_added += count

    def rows(self, indices: Tensor) -> dict[str, Tensor]:
        """The examples at some indices."""
        return {name: tensor[indices] for name, tensor in self.tensors.items()}

    # For checkpoints.

    def changed(self, since: int) -> NDArray[np.int64]:
        first = max(since, self.num_added - self.capacity)
        return np.sort(np.arange(first, self.num_added) % self.capacity)

    def get(self, indices: NDArray[np.int64]) -> NDArray[np.uint8]:
        rows = self.rows(torch.as_tensor(indices, device=self.device))
        parts = [
            rows[column.name].cpu().numpy().reshape(-1).view(np.uint8).reshape(-1, column.num_bytes)
            for column in self.columns
        ]
        return np.concatenate(parts, axis=1)

    def put(self, indices: NDArray[np.int64], rows: NDArray[np.uint8]) -> None:
        where, begin = torch.as_tensor(indices, device=self.device), 0
        for column in self.columns:
            part = rows[:, begin : begin + column.num_bytes].copy()
            values = part.view(column.type).reshape(len(indices), *column.shape)
            self.tensors[column.name][where] = torch.as_tensor(values).to(self.device)
            begin += column.num_bytes

    def resume(self, num_added: int) -> None:
        self.num_added = num_added
