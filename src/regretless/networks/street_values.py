# SPDX-License-Identifier: MIT
"""The kind of networks that value all hands of both players at the start of a street of hold'em.

A hand is seen by its place in the order of strength alone, so suits and boards have no names, and
boards that differ by a renaming of suits have the same values.
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
    from regretless.networks.street_network import StreetNetwork

_PARTS = 4  # numbers for each bin, in and out: two for each player
_STACK = 2  # numbers that describe the stack


class StreetValuesShape(Shape):
    """Counterfactual values of all hands, in pots, from the ranges and the stack."""

    kind: Literal["street-values"] = "street-values"
    street: Literal["preflop", "flop", "turn", "river"] = "river"
    """The street whose start is valued."""
    hands: Literal[1326] = 1326
    bins: Annotated[int, Field(ge=2, le=1024, strict=True)] = 128
    """Quantiles of the order of strength that ranges are summed over."""
    width: Width = 1024
    hidden: Annotated[int, Field(ge=1, le=64, strict=True)] = 5
    """Hidden layers."""
    embedding: Annotated[int, Field(ge=0, le=1024, strict=True)] = 0
    """Learned numbers of a hand beside its bins, computed once for a board."""

    @property
    def inputs(self) -> int:
        return _PARTS * self.bins + 2 * self.embedding + _STACK

    @property
    def outputs(self) -> int:
        return _PARTS * (self.bins + self.embedding)

    @property
    def sizes(self) -> str:
        """The widths from the inputs to the outputs, for people."""
        return " x ".join(map(str, (self.inputs, *[self.width] * self.hidden, self.outputs)))

    def layers(self) -> Layers:
        found: Layers = {}
        for number in range(self.hidden):
            inputs = self.width if number else self.inputs
            found[f"layers.{number}"] = Linear(inputs, self.width)
            found[f"norms.{number}"] = Norm(self.width)
        if self.embedding:
            found["embed"] = Linear(self.bins, self.embedding)
            found["embed_again"] = Linear(self.embedding, self.embedding)
        return found | {"output": Linear(self.width, self.outputs)}


@dataclass(frozen=True)
class StreetWeights:
    """The parameters of a network, as a bundle keeps them."""

    shape: StreetValuesShape
    parameters: Mapping[str, NDArray[np.float32]]

    def build(self) -> "StreetNetwork":
        """The network in torch, ready for inference."""
        from regretless.networks.street_network import StreetNetwork

        network = StreetNetwork(self.shape)
        network.load_arrays(self.parameters)
        return network.eval().requires_grad_(False)
