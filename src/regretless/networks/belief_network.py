# SPDX-License-Identifier: MIT
"""Networks over public belief states in torch, as `beliefs` describes them.

The features of a state are the same whenever it comes up, so their part of the first layer is
computed once for each state (`embed`) and looked up after that.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from regretless.algorithm import Arrays
from regretless.networks.beliefs import BeliefPolicyShape, BeliefValuesShape
from regretless.networks.network import ACTIVATIONS, add_layers


class BeliefNetwork(nn.Module):
    """Hidden layers of equal width over a public belief state; the output layer starts near 0."""

    shape: BeliefValuesShape | BeliefPolicyShape
    public: nn.Linear
    ranges: nn.Linear
    output: nn.Linear

    def __init__(
        self, shape: BeliefValuesShape | BeliefPolicyShape, generator: torch.Generator | None = None
    ) -> None:
        """Drawn from the generator; without one all parameters are 0."""
        super().__init__()
        self.shape, self.num_hands = shape, shape.hands
        self.products = torch.float32
        """The type of the matrix products; parameters and outputs are float32."""
        add_layers(self, shape.layers())
        if generator is not None:
            self._draw(generator)

    def arrays(self) -> Arrays:
        """Returns copies of the parameters by name."""
        return {name: each.cpu().numpy().copy() for name, each in self.state_dict().items()}

    def load_arrays(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        self.load_state_dict({name: torch.tensor(np.array(each)) for name, each in arrays.items()})

    def embed(self, features: Tensor) -> Tensor:
        """The part of the first layer that the public states make: [states, width]."""
        embedded: Tensor = self.public(features)
        return embedded

    def look(self, embedded: Tensor, ranges: Tensor) -> Tensor:
        """Raw outputs [rows, outputs] at embedded states [rows, width] and ranges [rows, 2, hands].

        Ranges are scaled by the number of hands, so that a uniform one is all ones.
        """
        scaled, scale = ranges.flatten(1), float(self.num_hands)
        # Without its cache, so that a captured graph reads the weights anew when it is replayed.
        is_cast = self.products != torch.float32
        device = scaled.device.type
        with torch.autocast(device, self.products, enabled=is_cast, cache_enabled=False):
            hidden = torch.addmm(embedded, scaled, self.ranges.weight.mT, alpha=scale)
            for number in range(self.shape.hidden):
                hidden = self._layer(number, hidden)
            outputs: Tensor = self.output(hidden)
        return outputs.float()

    def _layer(self, number: int, hidden: Tensor) -> Tensor:
        layers: Any = self._modules
        hidden = layers[f"hidden_{number}"](hidden) if number else hidden
        hidden = layers[f"norm_{number}"](hidden) if self.shape.layer_norm else hidden
        return ACTIVATIONS[self.shape.activation](hidden)

    def _draw(self, generator: torch.Generator) -> None:
        """He et al.'s uniform weights."""
        first = self.public.in_features + self.ranges.in_features
        with torch.no_grad():
            for module in self.modules():
                if isinstance(module, nn.Linear):
                    is_first = module in (self.public, self.ranges)
                    bound = (3 / (first if is_first else module.in_features)) ** 0.5
                    module.weight.uniform_(-bound, bound, generator=generator)
            self.output.weight.mul_(0.01)


class ValueNetwork(BeliefNetwork):
    """The average winnings of every hand of both players against the other range, in stakes.

    Hands that cannot meet count nothing, so the winnings of the ranges sum to zero over the
    players: half of the excess is subtracted from each.
    """

    shape: BeliefValuesShape

    def forward(self, embedded: Tensor, ranges: Tensor) -> Tensor:
        """Values [rows, 2, hands]."""
        values = self.look(embedded, ranges).view_as(ranges)
        excess = (values * ranges).sum((1, 2), keepdim=True)
        return values - excess / 2


class PolicyNetwork(BeliefNetwork):
    """Logits of the slots for every hand of the actor."""

    shape: BeliefPolicyShape

    def forward(self, embedded: Tensor, ranges: Tensor) -> Tensor:
        """Logits [rows, slots, hands]."""
        return self.look(embedded, ranges).view(-1, self.shape.slots, self.num_hands)
