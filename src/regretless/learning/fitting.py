# SPDX-License-Identifier: MIT
"""Fitting a network to examples: minibatches, a schedule, and a moving average."""

import copy
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

import torch
from torch import Tensor

from regretless.algorithm import Arrays
from regretless.learning.replay import Replay
from regretless.networks.torch_arrays import (
    load_moments,
    load_network,
    moment_arrays,
    tensor_arrays,
)


class FittingConfig(Protocol):
    """The settings of a fit."""

    @property
    def batch(self) -> int: ...
    @property
    def minibatches(self) -> int: ...
    @property
    def learning_rate(self) -> float: ...
    @property
    def halve_every(self) -> int: ...
    @property
    def halvings(self) -> int: ...
    @property
    def clip(self) -> float: ...
    @property
    def average(self) -> float: ...


Network = TypeVar("Network", bound=torch.nn.Module)


class Fitting(Generic[Network]):
    """Adam."""

    def __init__(
        self,
        name: str,
        network: Network,
        loss: Callable[[Network, dict[str, Tensor]], Tensor],
        config: FittingConfig,
        device: torch.device,
    ) -> None:
        """`name` is the prefix of the arrays in a checkpoint."""
        self.name, self.loss, self.config, self.device = name, loss, config, device
        self.network = network
        self.average = copy.deepcopy(self.network) if config.average else self.network
        """A moving average of the network over the minibatches."""
        self._loss = torch.zeros((), device=device)
        is_cuda = device.type == "cuda"  # there a captured step reads its rate from memory
        rate = (
            torch.tensor(config.learning_rate, device=device) if is_cuda else config.learning_rate
        )
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), lr=rate, capturable=is_cuda, fused=True
        )
        self._graph: _StepGraph | None = None

    def learning_rate(self, epoch: int) -> float:
        halvings = min(epoch // self.config.halve_every, self.config.halvings)
        return float(self.config.learning_rate / 2**halvings)

    def epoch(self, epoch: int, replay: Replay, draws: torch.Generator) -> float:
        """So many minibatches; the mean loss."""
        group = self.optimizer.param_groups[0]
        if isinstance(group["lr"], Tensor):
            group["lr"].fill_(self.learning_rate(epoch))
        else:
            group["lr"] = self.learning_rate(epoch)
        self._loss.zero_()
        shape = (self.config.minibatches, self.config.batch)
        chosen = torch.randint(len(replay), shape, generator=draws).to(self.device)
        if self.device.type == "cuda" and self._graph is None:
            self._graph = _StepGraph(self, replay, chosen[0])
        for places in chosen:
            if self._graph is None:
                self.step(replay, places)
            else:
                self._graph.step(places)
        return float(self._loss) / max(self.config.minibatches, 1)

    def step(self, replay: Replay, places: Tensor) -> None:
        """One minibatch."""
        self.optimizer.zero_grad()
        loss = self.loss(self.network, replay.rows(places))
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
        self.optimizer.step()
        self._loss += loss.detach()
        if self.config.average:
            with torch.no_grad():
                mine, theirs = self.average.parameters(), self.network.parameters()
                torch._foreach_lerp_(list(mine), list(theirs), 1 - self.config.average)

    def state(self) -> Arrays:
        arrays: Arrays = {}
        for key, network in self._networks().items():
            arrays |= tensor_arrays(f"{self.name}/{key}", network.state_dict())
        return arrays | moment_arrays(f"{self.name}/adam", self.optimizer)

    def restore(self, state: Arrays) -> None:
        for key, network in self._networks().items():
            load_network(network, f"{self.name}/{key}", state)
        load_moments(self.optimizer, f"{self.name}/adam", state)
        self._graph = None

    def _networks(self) -> Mapping[str, torch.nn.Module]:
        has_average = self.average is not self.network
        return {"network": self.network} | ({"average": self.average} if has_average else {})


class _StepGraph:
    """A step on a CUDA device, captured once and then replayed."""

    def __init__(self, fitting: Fitting[Any], replay: Replay, places: Tensor) -> None:
        self.places = places.clone()
        stream: Any = torch.cuda.Stream(fitting.device)  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream(fitting.device))
        with torch.cuda.stream(stream):
            for _ in range(3):  # Adam makes its moments, libraries set themselves up
                fitting.step(replay, self.places)
        torch.cuda.current_stream(fitting.device).wait_stream(stream)
        self.graph = torch.cuda.CUDAGraph()
        fitting.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(self.graph):
            fitting.step(replay, self.places)

    def step(self, places: Tensor) -> None:
        self.places.copy_(places)
        self.graph.replay()
