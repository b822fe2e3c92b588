# SPDX-License-Identifier: MIT
"""Losses of networks over public belief states, over the hands that public cards leave."""

import torch
from torch import Tensor
from torch.nn.functional import huber_loss

from regretless.networks.belief_network import PolicyNetwork, ValueNetwork


def value_loss(network: ValueNetwork, rows: dict[str, Tensor]) -> Tensor:
    """Huber loss of values in stakes: x^2 up to 1, then 2 |x| - 1."""
    predicted = network(network.embed(rows["features"]), rows["ranges"])
    mask = rows["possible"].float()[:, None].expand_as(predicted)
    losses = huber_loss(predicted, rows["values"], reduction="none")
    return 2 * (losses * mask).sum() / mask.sum()


def strategy_loss(network: PolicyNetwork, rows: dict[str, Tensor]) -> Tensor:
    """Cross entropy of strategies at decisions, less that of a perfect fit."""
    logits = network(network.embed(rows["features"]), rows["ranges"])
    logits = logits.masked_fill(~rows["legal"].bool()[:, :, None], -1e9)
    wanted, mask = rows["strategies"], rows["possible"].float()
    missed = torch.xlogy(wanted, wanted) - wanted * torch.log_softmax(logits, 1)
    return (missed.sum(1) * mask).sum() / mask.sum()
