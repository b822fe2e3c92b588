# SPDX-License-Identifier: MIT
"""Networks that choose: built from a `NetworkShape`, never from code that a file brings along."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from regretless.learning.network_shape import NetworkShape, NetworkWeights

_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "gelu": nn.functional.gelu,
    "silu": nn.functional.silu,
    "tanh": torch.tanh,
}
_MOST_OUTPUT = 1e30  # what overflows is cut off there, so that shares stay finite


class Network(nn.Module):
    """Features [batch, inputs] in, one number for each slot out, [batch, outputs]."""

    def __init__(self, shape: NetworkShape, generator: torch.Generator | None = None) -> None:
        """Drawn from the generator; without one all numbers are 0, to be loaded."""
        super().__init__()
        self.shape = shape
        sizes = [shape.inputs, *shape.widths]
        self.layers = nn.ModuleList(map(_linear, sizes, shape.widths))
        norms = shape.widths if shape.layer_norm else ()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for width in norms)
        self.output = _linear(sizes[-1], shape.outputs)
        self._activation = _ACTIVATIONS[shape.activation]
        if generator is not None:
            self._draw(generator)

    def forward(self, features: Tensor) -> Tensor:
        for number, layer in enumerate(self.layers):
            hidden = layer(features)
            if self.shape.layer_norm:
                hidden = self.norms[number](hidden)
            hidden = self._activation(hidden)
            is_residual = self.shape.residual and hidden.shape == features.shape
            features = features + hidden if is_residual else hidden
        outputs: Tensor = self.output(features)
        return outputs

    def _draw(self, generator: torch.Generator) -> None:
        """As torch does by default, from a generator of its own."""
        for layer in [*self.layers, self.output]:
            bound = layer.in_features**-0.5
            with torch.no_grad():
                layer.weight.uniform_(-bound, bound, generator=generator)
                layer.bias.uniform_(-bound, bound, generator=generator)


def _linear(inputs: int, outputs: int) -> nn.Linear:
    """All 0: torch would draw from the generator that everybody shares."""
    layer: nn.Linear = nn.utils.skip_init(nn.Linear, inputs, outputs)  # type: ignore[no-untyped-call]
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def shares(head: str, outputs: Tensor, legal: Tensor) -> Tensor:
    """Probabilities of the legal slots [batch, slots], by what the outputs are."""
    outputs = outputs.nan_to_num(0.0).clamp(-_MOST_OUTPUT, _MOST_OUTPUT)
    if head == "probabilities":
        return torch.softmax(outputs.masked_fill(~legal, -torch.inf), dim=-1)
    masked = outputs.masked_fill(~legal, -torch.inf)
    best = (masked == masked.amax(dim=-1, keepdim=True)).float()
    best = best / best.sum(dim=-1, keepdim=True)
    if head == "values":
        return best
    positive = outputs.clamp(min=0) * legal
    total = positive.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, positive / total.clamp(min=1e-30), best)


def network_weights(
    networks: Sequence[Network],
    weights: Sequence[float] | None = None,
    seats: Sequence[int] | None = None,
) -> NetworkWeights:
    """The numbers of networks that are alike; without weights all count the same.

    With `seats` each plays at its seat only.
    """
    states = [network.state_dict() for network in networks]
    parameters = {
        name: torch.stack([state[name].detach().float().cpu() for state in states]).numpy()
        for name in states[0]
    }
    counts = np.ones(len(networks)) if weights is None else np.array(weights, np.float64)
    where = None if seats is None else np.array(seats, np.intp)
    return NetworkWeights(networks[0].shape, parameters, counts, where)


def make_networks(weights: NetworkWeights, device: str = "cpu") -> list[Network]:
    """The networks again, ready to be asked."""
    networks = []
    for number in range(len(weights)):
        network = Network(weights.shape)
        network.load_state_dict(
            {name: torch.tensor(each[number]) for name, each in weights.parameters.items()}
        )
        networks.append(network.to(device).eval().requires_grad_(False))
    return networks
