# SPDX-License-Identifier: MIT
"""Fitting a value network to examples: minibatches, a schedule, and a moving average."""

import copy
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from regretless import _native
from regretless.algorithm import Arrays
from regretless.learning.networks import ValueNetwork, huber
from regretless.learning.replay import Replay


class FittingConfig(Protocol):
    """What fitting is told."""

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


class Fitting:
    """Adam on Huber's loss over the hands that a public state leaves."""

    def __init__(
        self,
        network: ValueNetwork,
        config: FittingConfig,
        job: _native.Subgames,
        device: torch.device,
    ) -> None:
        self.network, self.config, self.device = network, config, device
        self.features = torch.as_tensor(job.features()).to(device)
        self.possible = torch.as_tensor(job.possible(), dtype=torch.float32).to(device)
        self.optimizer = torch.optim.Adam(
            network.parameters(), lr=config.learning_rate, foreach=True
        )
        self.searcher = copy.deepcopy(network) if config.average else network
        """The network that searches and plays."""

    def learning_rate(self, epoch: int) -> float:
        halvings = min(epoch // self.config.halve_every, self.config.halvings)
        return self.config.learning_rate / 2**halvings

    def epoch(self, epoch: int, replay: Replay, draws: torch.Generator) -> float:
        """So many minibatches; the mean loss."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(epoch)
        total = torch.zeros((), device=self.device)
        for _ in range(self.config.minibatches):
            loss = self.loss(replay.draw(self.config.batch, draws))
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.config.clip)
            self.optimizer.step()
            if self.config.average:
                self._follow()
            total += loss.detach()
        return float(total) / max(self.config.minibatches, 1)

    def loss(self, rows: dict[str, Tensor]) -> Tensor:
        """Mean over the hands that can be held."""
        states = rows["states"].long()
        predicted = self.network(self.network.place(self.features[states]), rows["ranges"])
        mask = self.possible[states][:, None].expand_as(predicted)
        return (huber(predicted - rows["values"]) * mask).sum() / mask.sum()

    def state(self) -> Arrays:
        arrays = {
            f"network/{k}": v.cpu().numpy().copy() for k, v in self.network.state_dict().items()
        }
        if self.searcher is not self.network:
            arrays |= {
                f"searcher/{k}": v.cpu().numpy().copy()
                for k, v in self.searcher.state_dict().items()
            }
        for number, moments in self.optimizer.state_dict()["state"].items():
            for key, value in moments.items():
                arrays[f"adam/{number}/{key}"] = np.asarray(value.cpu().numpy()).copy()
        return arrays

    def restore(self, state: Arrays) -> None:
        for prefix, network in (("network", self.network), ("searcher", self.searcher)):
            if prefix == "network" or self.searcher is not self.network:
                network.load_state_dict(
                    {k: torch.as_tensor(state[f"{prefix}/{k}"]) for k in network.state_dict()}
                )
        saved = self.optimizer.state_dict()
        moments: dict[int, dict[str, Tensor]] = {}
        for name, array in state.items():
            if name.startswith("adam/"):
                _, number, key = name.split("/")
                moments.setdefault(int(number), {})[key] = torch.as_tensor(array)
        self.optimizer.load_state_dict({"state": moments, "param_groups": saved["param_groups"]})

    def _follow(self) -> None:
        with torch.no_grad():
            mine, theirs = self.searcher.parameters(), self.network.parameters()
            torch._foreach_lerp_(list(mine), list(theirs), 1 - self.config.average)
