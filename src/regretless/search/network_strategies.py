# SPDX-License-Identifier: MIT
"""Strategies that a search begins with, from a policy network; imports torch."""

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.search.belief_networks import PolicyNetwork


class NetworkStrategies:
    """The network's strategies at the numbered decisions of a job."""

    def __init__(self, network: PolicyNetwork, job: _native.Subgames, device: torch.device) -> None:
        self.network, self.device = network, device
        self.features = torch.as_tensor(job.decision_features()).to(device)
        self.legal = torch.as_tensor(job.decision_legal(), dtype=torch.bool).to(device)

    def __call__(
        self, decisions: NDArray[np.int32], ranges: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Probabilities [rows, slots, hands]."""
        with torch.inference_mode():
            chosen = torch.as_tensor(decisions.astype(np.int64)).to(self.device)
            embedded = self.network.embed(self.features[chosen])
            logits = self.network(embedded, torch.as_tensor(ranges.copy()).to(self.device))
            logits = logits.masked_fill(~self.legal[chosen][:, :, None], -1e9)
            probabilities: NDArray[np.float32] = torch.softmax(logits, 1).cpu().numpy()
        return probabilities
