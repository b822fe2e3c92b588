# SPDX-License-Identifier: MIT
"""Learning to play as somebody else did."""

import torch
from torch import Tensor

from regretless.learning.minibatches import Rows
from regretless.networks.network import Network


def imitation_loss(network: Network, rows: Rows) -> Tensor:
    """The weighted cross-entropy over the legal slots."""
    logits = network(rows["features"]).float().masked_fill(~rows["legal"], -torch.inf)
    logs = torch.log_softmax(logits, dim=1).masked_fill(~rows["legal"], 0.0)
    return -(rows["weight"] * (rows["target"] * logs).sum(dim=1)).mean()
