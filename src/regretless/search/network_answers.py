# SPDX-License-Identifier: MIT
"""Answers of networks to a search: values of leaves, initial strategies; imports torch.

On a CPU the rows go through the network in blocks that fit into its caches. On a CUDA device the
copies to and from the device and the network are one CUDA graph, so a batch of leaves costs one
launch. A graph serves any number of leaves up to its size.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless.networks.belief_network import PolicyNetwork, ValueNetwork
from regretless.networks.placement import ALONE, capture, replay
from regretless.search.leaf_values import Features, Possible, Ranges, Stakes, Values

_LEAST_ROWS = 256  # of a graph
_KERNEL_ROWS = 4  # of fewer, a matrix product is rounded differently
_BLOCK = 960  # rows, for each of torch's threads


class NetworkLeaves:
    """Returns the values of a network, in chips."""

    def __init__(self, network: ValueNetwork, device: torch.device) -> None:
        self.network, self.device = network, device
        self._embedded = self._stakes = self._values = torch.empty(0)
        self._graphs: dict[int, _Graph] = {}
        self._graph: _Graph | None = None

    def prepare(self, features: Features, stakes: Stakes, possible: Possible) -> None:
        with ALONE, torch.inference_mode():
            padded = np.resize(features, (max(len(features), _KERNEL_ROWS), features.shape[1]))
            embedded = self.network.embed(torch.as_tensor(padded).to(self.device))
            self._embedded = embedded[: len(features)]
            chips = torch.as_tensor(stakes, dtype=torch.float32).to(self.device)
            self._stakes = chips[:, None, None]
            self._values = torch.empty((len(features), 2, self.network.num_hands))
        if self.device.type == "cuda":
            grain = max(_LEAST_ROWS, 1 << max(0, len(features).bit_length() - 4))
            rows = -(-len(features) // grain) * grain
            if rows not in self._graphs:
                self._graphs[rows] = _Graph(self.network, rows, self.device)
            self._graph = self._graphs[rows]
            self._graph.prepare(self._embedded, self._stakes)

    def __call__(self, ranges: Ranges) -> Values:
        if self._graph is not None:
            return self._graph(ranges)
        block = _BLOCK * torch.get_num_threads() if self.device.type == "cpu" else len(ranges)
        with torch.inference_mode():
            for first in range(0, len(ranges), block):
                rows = slice(first, first + block)
                shown = torch.tensor(ranges[rows], device=self.device)
                self._values[rows] = self.network(self._embedded[rows], shown) * self._stakes[rows]
        values: Values = self._values.numpy()
        return values


class _Graph:
    """The network on a CUDA device, from host memory to host memory, captured once."""

    def __init__(self, network: ValueNetwork, rows: int, device: torch.device) -> None:
        shape = (rows, 2, network.num_hands)
        self.host_in = torch.zeros(shape, pin_memory=True)
        self.host_out = torch.zeros(shape, pin_memory=True)
        self.numpy_in, self.numpy_out = self.host_in.numpy(), self.host_out.numpy()
        self.ranges = torch.zeros(shape, device=device)
        self.embedded = torch.zeros((rows, network.output.in_features), device=device)
        self.stakes = torch.zeros((rows, 1, 1), device=device)
        self.rows = 0
        self.network = network
        self.stream: Any = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        with ALONE, torch.inference_mode():
            torch.cuda.synchronize(device)
            with torch.cuda.stream(self.stream):
                self._answer()  # libraries initialise themselves before a capture
                self.stream.synchronize()
            self.graph, _ = capture(self._answer, self.stream)

    def _answer(self) -> None:
        self.ranges.copy_(self.host_in, non_blocking=True)
        values = self.network(self.embedded, self.ranges) * self.stakes
        self.host_out.copy_(values, non_blocking=True)

    def prepare(self, embedded: Tensor, stakes: Tensor) -> None:
        self.rows = len(embedded)
        with torch.inference_mode():
            self.embedded[: self.rows] = embedded
            self.stakes[: self.rows] = stakes
        torch.cuda.current_stream(embedded.device).synchronize()

    def __call__(self, ranges: Ranges) -> Values:
        np.copyto(self.numpy_in[: self.rows], ranges)
        replay(self.graph, self.stream)
        return self.numpy_out[: self.rows]


class NetworkStrategies:
    """Returns the strategies of a network at decisions."""

    def __init__(self, network: PolicyNetwork, device: torch.device) -> None:
        self.network, self.device = network, device

    def __call__(
        self,
        features: NDArray[np.float32],
        legal: NDArray[np.uint8],
        ranges: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Returns probabilities [rows, slots, hands]."""
        with ALONE, torch.inference_mode():
            embedded = self.network.embed(torch.as_tensor(features).to(self.device))
            logits = self.network(embedded, torch.as_tensor(ranges.copy()).to(self.device))
            allowed = torch.as_tensor(legal.astype(np.bool_)).to(self.device)
            logits = logits.masked_fill(~allowed[:, :, None], -1e9)
            probabilities: NDArray[np.float32] = torch.softmax(logits, 1).cpu().numpy()
        return probabilities
