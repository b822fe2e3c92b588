# SPDX-License-Identifier: MIT
"""Linear layers that never touch the generator that everybody shares."""

import torch
from torch import nn


def zero_linear(inputs: int, outputs: int) -> nn.Linear:
    """All 0, to be drawn or loaded."""
    layer: nn.Linear = nn.utils.skip_init(nn.Linear, inputs, outputs)  # type: ignore[no-untyped-call]
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def draw_linear(layer: nn.Linear, generator: torch.Generator) -> None:
    """As torch does by default, from a generator of its own."""
    bound = layer.in_features**-0.5
    with torch.no_grad():
        layer.weight.uniform_(-bound, bound, generator=generator)
        layer.bias.uniform_(-bound, bound, generator=generator)
