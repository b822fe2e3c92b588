# SPDX-License-Identifier: MIT
"""Frozen validation sets: examples of a few epochs that are never trained on."""

import numpy as np
import torch

from regretless.algorithm import Arrays, Metrics
from regretless.networks.belief_network import ValueNetwork
from regretless.search.belief_losses import value_loss


class Holdouts:
    """`size` examples of the epochs 1, 4, 16, 64 ...: forgetting shows as a rising loss."""

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
