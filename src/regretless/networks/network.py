# SPDX-License-Identifier: MIT
"""Networks that choose: built from a `NetworkShape`, never from code that a file brings along."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from regretless.networks.drawn_layers import draw_linear, zero_linear
from regretless.networks.history_network import HistoryNetwork
from regretless.networks.shape import NetworkShape, NetworkWeights

_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "gelu": nn.functional.gelu,
    "silu": nn.functional.silu,
    "tanh": torch.tanh,
}
_MOST_OUTPUT = 1e30  # what overflows is cut off there, so that shares stay finite
_LEAST_TOTAL = 1e-30  # of regrets that are matched; less is nothing


class Network(nn.Module):
    """Features [batch, inputs] in, one number for each slot out, [batch, outputs]."""

    def __init__(self, shape: NetworkShape, generator: torch.Generator | None = None) -> None:
        """Drawn from the generator; without one all numbers are 0, to be loaded."""
        super().__init__()
        self.shape = shape
        sizes = [shape.trunk_inputs, *shape.widths]
        self.layers = nn.ModuleList(map(zero_linear, sizes, shape.widths))
        norms = shape.widths if shape.layer_norm else ()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for width in norms)
        before = shape.stream or sizes[-1]
        self.stream = zero_linear(sizes[-1], shape.stream) if shape.stream else None
        self.output = zero_linear(before, shape.outputs)
        has_value_stream = shape.dueling and shape.stream
        self.value_stream = zero_linear(sizes[-1], shape.stream) if has_value_stream else None
        self.value_output = zero_linear(before, 1) if shape.dueling else None
        self.history = HistoryNetwork(shape.history) if shape.history is not None else None
        self._activation = _ACTIVATIONS[shape.activation]
        if generator is not None:
            self._draw(generator)

    def forward(self, features: Tensor) -> Tensor:
        if self.history is not None:
            features = self._with_history_read(features, self.history)
        for number, layer in enumerate(self.layers):
            hidden = layer(features)
            if self.shape.layer_norm:
                hidden = self.norms[number](hidden)
            hidden = self._activation(hidden)
            is_residual = self.shape.residual and hidden.shape == features.shape
            features = features + hidden if is_residual else hidden
        outputs: Tensor = self.output(_streamed(self.stream, features))
        if self.value_output is None:
            return outputs
        value: Tensor = self.value_output(_streamed(self.value_stream, features))
        return value + outputs - outputs.mean(dim=-1, keepdim=True)

    def _with_history_read(self, features: Tensor, history: HistoryNetwork) -> Tensor:
        count = history.shape.inputs
        others, records = torch.split(features, [self.shape.inputs - count, count], dim=1)
        return torch.cat([others, history(records)], dim=1)

    def _draw(self, generator: torch.Generator) -> None:
        heads = (self.stream, self.output, self.value_stream, self.value_output)
        for layer in [*self.layers, *heads]:
            if layer is not None:
                draw_linear(layer, generator)
        if self.history is not None:
            self.history.draw(generator)


def _streamed(stream: nn.Linear | None, hidden: Tensor) -> Tensor:
    return hidden if stream is None else torch.relu(stream(hidden))


def shares(
    head: str, outputs: Tensor, legal: Tensor, temperature: Tensor | float | None = None
) -> Tensor:
    """Probabilities of the legal slots [batch, slots], by what the outputs are.

    With a temperature a value v is played as exp(v / temperature), not only the largest one.
    In single precision at least: half of it has no room for what is cut off, nor for sums.
    """
    outputs = outputs.float() if outputs.dtype.itemsize < 4 else outputs
    outputs = outputs.nan_to_num(0.0).clamp(-_MOST_OUTPUT, _MOST_OUTPUT)
    if head == "probabilities":
        return torch.softmax(outputs.masked_fill(~legal, -torch.inf), dim=-1)
    masked = outputs.masked_fill(~legal, -torch.inf)
    if head == "values" and temperature is not None:
        return torch.softmax(masked / temperature, dim=-1)
    best = (masked == masked.amax(dim=-1, keepdim=True)).float()
    best = best / best.sum(dim=-1, keepdim=True)
    if head == "values":
        return best
    positive = outputs.clamp(min=0) * legal
    total = positive.sum(dim=-1, keepdim=True)
    return torch.where(total > _LEAST_TOTAL, positive / total.clamp(min=_LEAST_TOTAL), best)


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
