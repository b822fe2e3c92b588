# SPDX-License-Identifier: MIT
"""Networks that look at public belief states: features of the public state, and both ranges.

The features of a state are the same whenever it comes up, so their part of the first layer is
computed once for each state (`embed`) and looked up after that.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

_ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "relu": lambda: nn.ReLU(inplace=True),  # half the memory that goes through a cache
    "gelu": nn.GELU,
}


class BeliefNetwork(nn.Module):
    """Hidden layers of equal width over a public belief state; the output layer starts near 0."""

    def __init__(
        self,
        num_features: int,
        num_hands: int,
        num_outputs: int,
        *,
        width: int = 256,
        layers: int = 2,
        activation: str = "relu",
        layer_norm: bool = False,
        products: torch.dtype = torch.float32,
        generator: torch.Generator | None = None,
    ) -> None:
        """`products` are made in this type; weights and outputs are float32."""
        super().__init__()
        self.num_hands, self.products = num_hands, products
        self.public = nn.Linear(num_features, width)
        self.ranges = nn.Linear(2 * num_hands, width, bias=False)
        hidden: list[nn.Module] = []
        for layer in range(layers):
            hidden += [nn.Linear(width, width)] if layer else []
            hidden += [nn.LayerNorm(width)] if layer_norm else []
            hidden += [_ACTIVATIONS[activation]()]
        self.hidden = nn.Sequential(*hidden)
        self.output = nn.Linear(width, num_outputs)
        self._begin(generator)

    def embed(self, features: Tensor) -> Tensor:
        """The part of the first layer that the public states make: [states, width]."""
        embedded: Tensor = self.public(features)
        return embedded

    def look(self, embedded: Tensor, ranges: Tensor) -> Tensor:
        """Raw outputs [rows, outputs] at embedded states [rows, width] and ranges [rows, 2, hands].

        Ranges are shown times the number of hands, so a uniform one is all ones.
        """
        shown, scale = ranges.flatten(1), float(self.num_hands)
        # Without its cache, so that a captured graph reads the weights anew when it is replayed.
        is_cast = self.products != torch.float32
        with torch.autocast(shown.device.type, self.products, enabled=is_cast, cache_enabled=False):
            first = torch.addmm(embedded, shown, self.ranges.weight.mT, alpha=scale)
            looked: Tensor = self.output(self.hidden(first))
        return looked.float()

    def _begin(self, generator: torch.Generator | None) -> None:
        """He et al.'s uniform weights from one generator, so that a seed fixes the network."""
        with torch.no_grad():
            for module in self.modules():
                if not isinstance(module, nn.Linear):
                    continue
                fan_in = module.in_features
                if module in (self.public, self.ranges):
                    fan_in = self.public.in_features + self.ranges.in_features
                bound = (3 / fan_in) ** 0.5
                module.weight.uniform_(-bound, bound, generator=generator)
                if module.bias is not None:
                    module.bias.zero_()
            self.output.weight.mul_(0.01)


class ValueNetwork(BeliefNetwork):
    """What every hand of both players wins on average against the other range, in stakes.

    Hands that cannot meet count nothing, so what the ranges win sums to zero over the players:
    half of what is too much is taken from each.
    """

    def __init__(self, num_features: int, num_hands: int, **shape: object) -> None:
        super().__init__(num_features, num_hands, 2 * num_hands, **shape)  # type: ignore[arg-type]

    def forward(self, embedded: Tensor, ranges: Tensor) -> Tensor:
        """Values [rows, 2, hands]."""
        values = self.look(embedded, ranges).view_as(ranges)
        excess = (values * ranges).sum((1, 2), keepdim=True)
        return values - excess / 2


class PolicyNetwork(BeliefNetwork):
    """Logits of the slots for every hand of the actor."""

    def __init__(
        self, num_features: int, num_hands: int, num_actions: int, **shape: object
    ) -> None:
        super().__init__(num_features, num_hands, num_actions * num_hands, **shape)  # type: ignore[arg-type]
        self.num_actions = num_actions

    def forward(self, embedded: Tensor, ranges: Tensor) -> Tensor:
        """Logits [rows, slots, hands]."""
        return self.look(embedded, ranges).view(-1, self.num_actions, self.num_hands)
