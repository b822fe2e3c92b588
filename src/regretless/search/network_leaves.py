# SPDX-License-Identifier: MIT
"""Leaves that a value network answers; imports torch."""

import numpy as np
import torch
from torch import Tensor

from regretless import _native
from regretless.learning.networks import ValueNetwork
from regretless.search.leaf_values import Ranges, States, Values


class NetworkLeaves:
    """The network's values, in chips, at the numbered states of a job."""

    def __init__(self, network: ValueNetwork, job: _native.Subgames, device: torch.device) -> None:
        self.network, self.device = network, device
        self.features = torch.as_tensor(job.features()).to(device)
        self.stakes = torch.as_tensor(job.stakes(), dtype=torch.float32).to(device)
        self._placed: Tensor = torch.empty(0)
        self._stakes: Tensor = torch.empty(0)

    def prepare(self, states: States) -> None:
        with torch.inference_mode():
            chosen = torch.as_tensor(states.astype(np.int64)).to(self.device)
            self._placed = self.network.place(self.features)[chosen]
            self._stakes = self.stakes[chosen][:, None, None]

    def __call__(self, ranges: Ranges) -> Values:
        with torch.inference_mode():
            shown = torch.from_numpy(ranges).to(self.device)
            values = self.network(self._placed, shown) * self._stakes
            answered: Values = values.cpu().numpy()
        return answered
