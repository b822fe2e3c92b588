# SPDX-License-Identifier: MIT
"""The newest networks of a learner, in memory or in a file."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from regretless.buffers import Column, Ring
from regretless.networks.network import Network
from regretless.networks.shape import NetworkShape, NetworkWeights

_ROOM = 1 << 42  # a file may be large


class NetworkRing:
    """The newest networks of one shape, at most `capacity`; a row of the ring is one network."""

    def __init__(self, shape: NetworkShape, capacity: int, directory: Path | None = None) -> None:
        self.shape = shape
        column = Column("numbers", "float32", (shape.num_parameters(),))
        self.buffer = Ring([column], capacity, directory=directory, max_bytes=_ROOM)

    def __len__(self) -> int:
        return self.buffer.size

    @property
    def num_added(self) -> int:
        return self.buffer.num_added

    def add(self, network: Network) -> None:
        state = network.state_dict()
        numbers = [state[name].detach().float().reshape(-1) for name in self.shape.parameters()]
        self.buffer.add({"numbers": torch.cat(numbers).cpu().numpy()[None]})

    def weights(self, weights: NDArray[np.float64]) -> NetworkWeights:
        """Returns all networks, the oldest first, each with its weight."""
        newest = self.buffer.num_added
        rows = self._rows(np.arange(newest - len(self), newest) % self.buffer.capacity)
        return NetworkWeights(self.shape, self._parts(rows), weights)

    def mean(self) -> NetworkWeights:
        """Returns one network whose parameters are the means of all."""
        total = np.zeros(self.shape.num_parameters())
        for index in range(len(self)):
            total += self._rows(np.array([index]))[0]
        mean = (total / len(self)).astype(np.float32)[None]
        return NetworkWeights(self.shape, self._parts(mean), np.ones(1))

    def _rows(self, indices: NDArray[np.int64]) -> NDArray[np.float32]:
        return self.buffer.get(indices).view(np.float32)

    def _parts(self, rows: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        parts, begin = {}, 0
        for name, shape in self.shape.parameters().items():
            end = begin + int(np.prod(shape))
            parts[name] = rows[:, begin:end].reshape(len(rows), *shape)
            begin = end
        return parts
