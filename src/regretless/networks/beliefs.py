# SPDX-License-Identifier: MIT
"""Networks over public belief states: features of the public state and the ranges of both players.

ReBeL's value network answers at the leaves of a search; its policy network warm-starts one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from regretless.networks.layers import Layers, Linear, Norm, Shape
from regretless.networks.mlp import Width

if TYPE_CHECKING:
    from regretless.networks.belief_network import ValueNetwork

_Count = Annotated[int, Field(ge=1, le=1 << 20, strict=True)]


class _BeliefShape(Shape):
    """Hidden layers of equal width over a public belief state."""

    features: _Count
    """Numbers that describe a public state."""
    hands: Annotated[int, Field(ge=1, le=1 << 16, strict=True)]
    """Hands of a player, in each range."""
    width: Width = 256
    hidden: Annotated[int, Field(ge=1, le=64, strict=True)] = 2
    """Hidden layers."""
    activation: Literal["relu", "gelu"] = "relu"
    layer_norm: Annotated[bool, Field(strict=True)] = False

    @property
    def outputs(self) -> int:
        raise NotImplementedError

    @property
    def sizes(self) -> str:
        """The widths from the inputs to the outputs, for people."""
        widths = [self.width] * self.hidden
        return " x ".join(map(str, (self.features + 2 * self.hands, *widths, self.outputs)))

    def layers(self) -> Layers:
        """The first layer has two parts: one for the public state, one for the ranges."""
        width = self.width
        found: Layers = {
            "public": Linear(self.features, width),
            "ranges": Linear(2 * self.hands, width, has_bias=False),
        }
        for number in range(self.hidden):
            found |= {f"hidden_{number}": Linear(width, width)} if number else {}
            found |= {f"norm_{number}": Norm(width)} if self.layer_norm else {}
        return found | {"output": Linear(width, self.outputs)}


class BeliefValuesShape(_BeliefShape):
    """The average winnings of every hand of both players against the other range, in stakes."""

    kind: Literal["belief-values"] = "belief-values"

    @property
    def outputs(self) -> int:
        return 2 * self.hands


@dataclass(frozen=True)
class BeliefWeights:
    """The parameters of a value network, as a bundle keeps them."""

    shape: BeliefValuesShape
    parameters: Mapping[str, NDArray[np.float32]]

    def build(self) -> "ValueNetwork":
        """The network in torch, ready for inference."""
        from regretless.networks.belief_network import ValueNetwork

        network = ValueNetwork(self.shape)
        network.load_arrays(self.parameters)
        return network.eval().requires_grad_(False)


class BeliefPolicyShape(_BeliefShape):
    """Logits of the slots for every hand of the actor."""

    kind: Literal["belief-policy"] = "belief-policy"
    slots: Annotated[int, Field(ge=1, le=64, strict=True)]

    @property
    def outputs(self) -> int:
        return self.slots * self.hands
