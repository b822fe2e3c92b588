# SPDX-License-Identifier: MIT
"""Leaves that a value network answers; imports torch.

On a CUDA device the copy there, the network and the copy back are captured once for the states at
hand and then replayed, so a question costs one launch.
"""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from regretless import _native
from regretless.learning.networks import ValueNetwork
from regretless.search.leaf_values import Ranges, States, Values


class NetworkLeaves:
    """The network's values, in chips, at the numbered states of a job."""

    def __init__(self, network: ValueNetwork, job: _native.Subgames, device: torch.device) -> None:
        self.network, self.device = network, device
        self.features = torch.as_tensor(job.features()).to(device)
        self.stakes = torch.as_tensor(job.stakes(), dtype=torch.float32).to(device)
        self._placed: Tensor = torch.empty(0)
        self._stakes: Tensor = torch.empty(0)
        self._shape = (2, job.num_hands)
        self._graph: _Graph | None = None

    def prepare(self, states: States) -> None:
        with torch.inference_mode():
            chosen = torch.as_tensor(states.astype(np.int64)).to(self.device)
            self._placed = self.network.place(self.features)[chosen]
            self._stakes = self.stakes[chosen][:, None, None]
        if self.device.type == "cuda":
            self._graph = _Graph(self._values, (len(states), *self._shape), self.device)

    def __call__(self, ranges: Ranges) -> Values:
        if self._graph is not None:
            return self._graph(ranges)
        with torch.inference_mode():
            shown = torch.from_numpy(ranges).to(self.device)
            answer: Values = self._values(shown).cpu().numpy()
        return answer

    def _values(self, ranges: Tensor) -> Tensor:
        values: Tensor = self.network(self._placed, ranges) * self._stakes
        return values


class _Graph:
    """A function on a CUDA device, from host memory to host memory, captured once."""

    _capturing = threading.Lock()  # one thread at a time

    def __init__(
        self, function: Callable[[Tensor], Tensor], shape: tuple[int, ...], device: torch.device
    ) -> None:
        self.host_in = torch.zeros(shape, pin_memory=True)
        self.host_out = torch.zeros(shape, pin_memory=True)
        self.numpy_in, self.numpy_out = self.host_in.numpy(), self.host_out.numpy()
        on_device = torch.zeros(shape, device=device)
        with self._capturing, torch.inference_mode():
            self.stream: Any = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
            self.stream.wait_stream(torch.cuda.current_stream(device))
            with torch.cuda.stream(self.stream):
                function(on_device)  # libraries set themselves up outside of captures
            self.stream.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(
                self.graph, stream=self.stream, capture_error_mode="thread_local"
            ):
                on_device.copy_(self.host_in, non_blocking=True)
                self.host_out.copy_(function(on_device), non_blocking=True)

    def __call__(self, ranges: Ranges) -> Values:
        np.copyto(self.numpy_in, ranges)
        with torch.cuda.stream(self.stream):
            self.graph.replay()
        self.stream.synchronize()
        return self.numpy_out
