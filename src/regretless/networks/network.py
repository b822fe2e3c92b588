# SPDX-License-Identifier: MIT
"""Networks in torch, built from a shape, and the probabilities that follow from their outputs.

Nothing here touches the global random generator of torch. Networks and the moments of Adam become
the arrays of a checkpoint, and back.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from regretless.algorithm import Arrays
from regretless.networks.layers import Layer, Linear, Norm
from regretless.networks.shape import NetworkShape, NetworkWeights

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "gelu": nn.functional.gelu,
    "silu": nn.functional.silu,
    "tanh": torch.tanh,
}
_MOST_OUTPUT = 1e30  # larger outputs are clamped, so that shares stay finite
_LEAST_TOTAL = 1e-30  # of regrets that are matched; less counts as nothing


class _ZeroLinear(nn.Linear):
    """A linear layer whose parameters begin as 0, to be drawn or loaded.

    `nn.utils.skip_init` would do, too, but imports sympy: two seconds for every program.
    """

    def reset_parameters(self) -> None:
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.zero_()


def add_layers(module: nn.Module, layers: Mapping[str, Layer]) -> None:
    """Registers layers by their dotted names; parts that are numbered become lists."""
    for name, layer in layers.items():
        parts, inner = name.split("."), module
        last = parts[-1]
        for part, following in itertools.pairwise(parts):
            if part not in inner._modules:
                inner.add_module(part, nn.ModuleList() if following.isdigit() else nn.Module())
            inner = inner.get_submodule(part)
        if isinstance(layer, Linear):
            inner.add_module(last, _ZeroLinear(layer.inputs, layer.outputs, bias=layer.has_bias))
        elif isinstance(layer, Norm):
            inner.add_module(last, nn.LayerNorm(layer.width))
        else:
            inner.register_parameter(last, nn.Parameter(torch.zeros(layer.rows, layer.width)))


def draw_linear(layer: nn.Linear, generator: torch.Generator) -> None:
    """Draws a linear layer as torch does by default, from the given generator."""
    bound = layer.in_features**-0.5
    with torch.no_grad():
        layer.weight.uniform_(-bound, bound, generator=generator)
        layer.bias.uniform_(-bound, bound, generator=generator)


class Network(nn.Module):
    """Features [batch, inputs] in, one number for each slot out, [batch, outputs]."""

    def __init__(self, shape: NetworkShape, generator: torch.Generator | None = None) -> None:
        """Drawn from the generator; without one all parameters are 0, to be loaded."""
        super().__init__()
        self.shape = shape
        add_layers(self, shape.layers())
        if generator is not None:
            for module in self.modules():
                if isinstance(module, nn.Linear):
                    draw_linear(module, generator)
            shape.draw(self, generator)

    def forward(self, features: Tensor) -> Tensor:
        return self.shape.forward(self, features)


def shares(
    head: str, outputs: Tensor, legal: Tensor, temperature: Tensor | float | None = None
) -> Tensor:
    """Probabilities of the legal slots [batch, slots], from the outputs of a head.

    With a temperature a value v is played in proportion to exp(v / temperature); without one the
    largest is played. Sums are in single precision at least.
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
    """The parameters of networks of one shape; without weights all count the same.

    With `seats` each network plays at its seat only.
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
    """The networks in torch, ready for inference."""
    networks = []
    for number in range(len(weights)):
        network = Network(weights.shape)
        network.load_state_dict(
            {name: torch.tensor(each[number]) for name, each in weights.parameters.items()}
        )
        networks.append(network.to(device).eval().requires_grad_(False))
    return networks


def tensor_arrays(place: str, tensors: Mapping[str, Tensor]) -> Arrays:
    """Copies, as `place/name`; a network's tensors are its `state_dict()`."""
    return {f"{place}/{key}": tensor.cpu().numpy().copy() for key, tensor in tensors.items()}


def load_network(network: torch.nn.Module, place: str, arrays: Arrays) -> None:
    network.load_state_dict(
        {key: torch.as_tensor(arrays[f"{place}/{key}"]) for key in network.state_dict()}
    )


def moment_arrays(place: str, optimizer: torch.optim.Optimizer) -> Arrays:
    """`place/number of the parameter/name of the moment`."""
    arrays: Arrays = {}
    for number, moments in optimizer.state_dict()["state"].items():
        arrays |= tensor_arrays(f"{place}/{number}", moments)
    return arrays


def load_moments(optimizer: torch.optim.Optimizer, place: str, arrays: Arrays) -> None:
    """Those that are there: a parameter without any begins anew."""
    moments: dict[int, dict[str, Tensor]] = {}
    for name, array in arrays.items():
        if name.startswith(f"{place}/"):
            number, key = name.removeprefix(f"{place}/").split("/")
            moments.setdefault(int(number), {})[key] = torch.as_tensor(array)
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": moments, "param_groups": groups})
