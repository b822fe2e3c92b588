# SPDX-License-Identifier: MIT
"""What networks are fitted to, over the hands that what is public leaves."""

import torch
from torch import Tensor
from torch.nn.functional import huber_loss

from regretless import _native
from regretless.search.belief_networks import PolicyNetwork, ValueNetwork


class ValueLoss:
    """Huber's, of values in stakes at public states: x^2 up to 1, then 2 |x| - 1."""

    def __init__(self, network: ValueNetwork, job: _native.Subgames, device: torch.device) -> None:
        self.network = network
        self.features = torch.as_tensor(job.features()).to(device)
        self.possible = torch.as_tensor(job.possible(), dtype=torch.float32).to(device)

    def __call__(self, rows: dict[str, Tensor]) -> Tensor:
        states = rows["states"].long()
        predicted = self.network(self.network.embed(self.features[states]), rows["ranges"])
        mask = self.possible[states][:, None].expand_as(predicted)
        losses = huber_loss(predicted, rows["values"], reduction="none")
        return 2 * (losses * mask).sum() / mask.sum()


class StrategyLoss:
    """Cross entropy of strategies at decisions, beyond that of a perfect fit."""

    def __init__(self, network: PolicyNetwork, job: _native.Subgames, device: torch.device) -> None:
        self.network = network
        self.features = torch.as_tensor(job.decision_features()).to(device)
        self.legal = torch.as_tensor(job.decision_legal(), dtype=torch.bool).to(device)
        self.possible = torch.as_tensor(job.decision_possible(), dtype=torch.float32).to(device)

    def __call__(self, rows: dict[str, Tensor]) -> Tensor:
        decisions = rows["decisions"].long()
        logits = self.network(self.network.embed(self.features[decisions]), rows["ranges"])
        logits = logits.masked_fill(~self.legal[decisions][:, :, None], -1e9)
        wanted, mask = rows["strategies"], self.possible[decisions]
        missed = torch.xlogy(wanted, wanted) - wanted * torch.log_softmax(logits, 1)
        return (missed.sum(1) * mask).sum() / mask.sum()
