# SPDX-License-Identifier: MIT
"""Initial strategies of a search from a policy network; imports torch."""

import numpy as np
import torch
from numpy.typing import NDArray

from regretless.networks.belief_network import PolicyNetwork


class NetworkStrategies:
    """Returns the strategies of a network at decisions."""

    def __init__(self, network: PolicyNetwork, device: torch.device) -> None:
        self.network, self.device = network, device

    def __call__(
        self,
        features: NDArray[np.float32],
        legal: NDArray[np.uint8],
        ranges: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Returns probabilities [rows, slots, hands]."""
        with torch.inference_mode():
            embedded = self.network.embed(torch.as_tensor(features).to(self.device))
            logits = self.network(embedded, torch.as_tensor(ranges.copy()).to(self.device))
            allowed = torch.as_tensor(legal.astype(np.bool_)).to(self.device)
            logits = logits.masked_fill(~allowed[:, :, None], -1e9)
            probabilities: NDArray[np.float32] = torch.softmax(logits, 1).cpu().numpy()
        return probabilities
