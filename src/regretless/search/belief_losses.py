# SPDX-License-Identifier: MIT
"""Losses of networks over public belief states, and examples that are never trained on."""

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import huber_loss

from regretless.algorithm import Arrays, Metrics
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


class Holdouts:
    """Frozen validation sets: `size` examples of the epochs 1, 4, 16, 64 ...

    Forgetting shows as a rising loss.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.sets: dict[int, Arrays] = {}

    def take(self, epoch: int, examples: Arrays) -> Arrays:
        """Sets aside some examples of epoch 1, 4, 16 ...; returns the rest, for training."""
        is_due = epoch.bit_count() == 1 and epoch.bit_length() % 2 == 1
        kept = self.sets.get(epoch, {name: rows[:0] for name, rows in examples.items()})
        missing = self.size - len(kept["features"])
        if not is_due or missing <= 0:
            return examples
        self.sets[epoch] = {
            name: np.concatenate([kept[name], rows[:missing]]) for name, rows in examples.items()
        }
        return {name: rows[missing:] for name, rows in examples.items()}

    def losses(self, network: ValueNetwork, device: torch.device) -> Metrics:
        """Returns the loss on each set."""
        found = {}
        for epoch, columns in self.sets.items():
            rows = {name: torch.as_tensor(array).to(device) for name, array in columns.items()}
            if len(rows["features"]):
                with torch.no_grad():
                    found[f"loss_on_epoch_{epoch}"] = float(value_loss(network, rows))
        return found

    def state(self) -> Arrays:
        return {
            f"holdout/{epoch}/{name}": rows.copy()
            for epoch, columns in self.sets.items()
            for name, rows in columns.items()
        }

    def restore(self, state: Arrays) -> None:
        self.sets = {}
        for key, array in state.items():
            if key.startswith("holdout/"):
                _, epoch, name = key.split("/")
                self.sets.setdefault(int(epoch), {})[name] = array.copy()
