# SPDX-License-Identifier: MIT
"""A ring of examples: the newest ones, drawn from uniformly."""

import numpy as np
import torch
from torch import Tensor

from regretless.algorithm import Arrays


class Replay:
    """Examples of several columns, `capacity` of them at most, on a torch device."""

    def __init__(self, capacity: int, columns: dict[str, Tensor]) -> None:
        """`columns` are examples of one row each, for shape and type; nothing is kept of them."""
        self.capacity = capacity
        self.columns = {
            name: torch.zeros((capacity, *row.shape[1:]), dtype=row.dtype, device=row.device)
            for name, row in columns.items()
        }
        self.num_added = 0

    def __len__(self) -> int:
        return min(self.num_added, self.capacity)

    def add(self, rows: dict[str, Tensor]) -> None:
        """Rows of every column, equally many; the oldest make room."""
        count = len(next(iter(rows.values())))
        kept = min(count, self.capacity)
        places = (self.num_added + torch.arange(count - kept, count)) % self.capacity
        for name, column in self.columns.items():
            column[places.to(column.device)] = rows[name][count - kept :]
        self.num_added += count

    def rows(self, places: Tensor) -> dict[str, Tensor]:
        """The examples at some places."""
        return {name: column[places] for name, column in self.columns.items()}

    def state(self, prefix: str) -> Arrays:
        """What is filled, as arrays `buffer/PREFIX/...`."""
        filled = {
            f"buffer/{prefix}/{name}": column[: len(self)].cpu().numpy().copy()
            for name, column in self.columns.items()
        }
        return {f"buffer/{prefix}/num_added": np.array([self.num_added]), **filled}

    def restore(self, prefix: str, state: Arrays) -> None:
        """From `state`; without its arrays the ring is empty."""
        added = state.get(f"buffer/{prefix}/num_added")
        self.num_added = 0 if added is None else int(added[0])
        for name, column in self.columns.items():
            if added is not None:
                column[: len(self)] = torch.as_tensor(state[f"buffer/{prefix}/{name}"])
