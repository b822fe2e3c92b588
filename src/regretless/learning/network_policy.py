# SPDX-License-Identifier: MIT
"""Networks as a policy: one of them, or many of which a seat draws one for each episode.

Drawing one network for a whole episode, each as often as its weight says, plays the average of
their strategies (Single Deep CFR, Steinberger 2019).
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from regretless.learning.network_shape import NetworkWeights, RowEncoder
from regretless.learning.networks import make_networks, shares
from regretless.policy import Needs, Probabilities


class NetworkPolicy:
    """Networks that see the rows of an encoder."""

    def __init__(
        self,
        weights: NetworkWeights,
        encoder: RowEncoder,
        name: str = "networks",
        *,
        device: str = "cpu",
    ) -> None:
        weights.check(name)
        self.weights, self.encoder, self.name = weights, encoder, name
        self.needs = Needs(encoders=(encoder.name,), seeds=len(weights) > 1)
        self._device = torch.device(device)
        self._networks = make_networks(weights, device)
        self._ends = np.cumsum(weights.weights) / weights.weights.sum()

    def __call__(self, questions: Any) -> Probabilities:
        legal = np.array(questions.legal)  # torch wants to be able to write
        features = self.encoder.expand(questions.rows(self.encoder.name))
        if len(self._networks) == 1:
            return self._answers(0, features, legal)
        drawn = self.drawn(questions.seeds)
        answers = np.empty(legal.shape, np.float32)
        for number in np.unique(drawn).tolist():
            mine = drawn == number
            answers[mine] = self._answers(number, features[mine], legal[mine])
        return answers

    def drawn(self, seeds: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Which network each seat plays with, by its seed."""
        uniform = (seeds >> np.uint64(11)) * 2.0**-53
        last = len(self._networks) - 1
        return np.minimum(np.searchsorted(self._ends, uniform, side="right"), last)

    def _answers(
        self, number: int, features: NDArray[np.float32], legal: NDArray[np.bool_]
    ) -> Probabilities:
        with torch.inference_mode():
            outputs = self._networks[number](torch.as_tensor(features).to(self._device)).float()
            mask = torch.as_tensor(legal).to(self._device)
            rows: Probabilities = shares(self.weights.shape.head, outputs, mask).cpu().numpy()
        return rows
