# SPDX-License-Identifier: MIT
"""Frozen validation sets: examples of a few epochs that are never trained on."""

import torch
from torch import Tensor

from regretless.algorithm import Arrays, Metrics
from regretless.search.belief_losses import ValueLoss


class Holdouts:
    """So many examples of the epochs 1, 4, 16, 64 ...: what is forgotten shows as a rising loss."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.sets: dict[int, dict[str, Tensor]] = {}

    def take(self, epoch: int, examples: dict[str, Tensor]) -> dict[str, Tensor]:
        """Set aside what is due of an epoch's examples, from 1; the rest is for training."""
        is_due = epoch.bit_count() == 1 and epoch.bit_length() % 2 == 1
        kept = self.sets.get(epoch, {name: rows[:0] for name, rows in examples.items()})
        missing = self.size - len(kept["states"])
        if not is_due or missing <= 0:
            return examples
        self.sets[epoch] = {
            name: torch.cat([kept[name], rows[:missing]]) for name, rows in examples.items()
        }
        return {name: rows[missing:] for name, rows in examples.items()}

    def losses(self, loss: ValueLoss) -> Metrics:
        with torch.no_grad():
            return {
                f"loss_on_epoch_{epoch}": float(loss(rows))
                for epoch, rows in self.sets.items()
                if len(rows["states"])
            }

    def state(self) -> Arrays:
        return {
            f"holdout/{epoch}/{name}": rows.cpu().numpy().copy()
            for epoch, columns in self.sets.items()
            for name, rows in columns.items()
        }

    def restore(self, state: Arrays, device: torch.device) -> None:
        self.sets = {}
        for key, array in state.items():
            if key.startswith("holdout/"):
                _, epoch, name = key.split("/")
                rows = torch.as_tensor(array).to(device)
                self.sets.setdefault(int(epoch), {})[name] = rows
