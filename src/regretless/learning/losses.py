# SPDX-License-Identifier: MIT
"""Losses of networks over the slots of a game, on rows with features, targets and weights."""

from dataclasses import dataclass

import torch
from torch import Tensor

from regretless.learning.minibatches import Rows
from regretless.networks.expansion import Features
from regretless.networks.network import Network


def imitation_loss(network: Network, rows: Rows) -> Tensor:
    """Returns the weighted cross-entropy over the legal slots."""
    logits = network(rows["features"]).float().masked_fill(~rows["legal"], -torch.inf)
    logs = torch.log_softmax(logits, dim=1).masked_fill(~rows["legal"], 0.0)
    return -(rows["weight"] * (rows["target"] * logs).sum(dim=1)).mean()


def value_loss(network: Network, rows: Rows) -> Tensor:
    """Returns the weighted squared error of one value for each row."""
    errors: Tensor = network(rows["features"]).float() - rows["target"]
    return (rows["weight"] * errors.square().sum(dim=1)).mean()


@dataclass(frozen=True)
class AdvantageLoss:
    """The weighted squared error over the legal slots.

    With a `last` network its positive outputs, discounted, are added to the targets.
    """

    last: Network | None = None
    discount: float = 0.0

    def __call__(self, network: Network, rows: Rows) -> Tensor:
        targets = rows["target"]
        if self.last is not None:
            with torch.no_grad():
                last = self.last(rows["features"]).float()
                targets = targets + self.discount * last.clamp(min=0)
        outputs = network(rows["features"]).float()
        errors = torch.where(rows["legal"], outputs - targets, 0.0)
        return (rows["weight"] * errors.square().sum(dim=1)).mean()


@dataclass(frozen=True)
class DoubleQLoss:
    """Huber's loss of the value of the played slot, against the goal of double Q-learning."""

    target: Network
    features: Features
    huber: float

    def __call__(self, network: Network, rows: Rows) -> Tensor:
        with torch.no_grad():
            goals = rows["reward"] + self._next_values(network, rows)
        values = network(rows["features"]).float().gather(1, rows["slot"].long()[:, None])[:, 0]
        return torch.nn.functional.huber_loss(values, goals, delta=self.huber)

    def _next_values(self, network: Network, rows: Rows) -> Tensor:
        """Returns the target's values of the next decisions, at the slots best for the network."""
        growth, legal, later = rows["growth"], rows["next_legal"], rows["next_row"]
        going, is_cpu = growth > 0, growth.device.type == "cpu"
        if is_cpu:  # a CUDA graph needs all rows
            legal, later = legal[going], later[going]
        features = self.features(later)
        best = network(features).float().masked_fill(~legal, -torch.inf).argmax(dim=1)
        values: Tensor = self.target(features).float().gather(1, best[:, None])[:, 0]
        if is_cpu:
            return torch.zeros_like(growth).masked_scatter(going, growth[going] * values)
        return growth * values
