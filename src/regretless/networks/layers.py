# SPDX-License-Identifier: MIT
"""The layers that networks are made of, as plain data: names, sizes and shapes without torch."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from pydantic import BaseModel, ConfigDict

Sizes = tuple[int, ...]


@dataclass(frozen=True)
class Linear:
    """A linear layer."""

    inputs: int
    outputs: int
    has_bias: bool = True

    def parameters(self) -> dict[str, Sizes]:
        bias = {".bias": (self.outputs,)} if self.has_bias else {}
        return {".weight": (self.outputs, self.inputs), **bias}


@dataclass(frozen=True)
class Norm:
    """A layer normalisation over the last axis, with gain and bias."""

    width: int

    def parameters(self) -> dict[str, Sizes]:
        return {".weight": (self.width,), ".bias": (self.width,)}


@dataclass(frozen=True)
class Table:
    """A learned table, one row for each position."""

    rows: int
    width: int

    def parameters(self) -> dict[str, Sizes]:
        return {"": (self.rows, self.width)}


Layer = Linear | Norm | Table
Layers = dict[str, Layer]


class Shape(BaseModel):
    """The base of all kinds of networks: fields of a manifest, and the layers that follow."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def layers(self) -> Layers:
        """Every layer by its name, in the order in which a module registers them."""
        raise NotImplementedError

    def parameters(self) -> dict[str, Sizes]:
        """The shape of each parameter by its name."""
        return {
            name + part: sizes
            for name, layer in self.layers().items()
            for part, sizes in layer.parameters().items()
        }

    def num_parameters(self) -> int:
        return sum(int(np.prod(sizes, dtype=object)) for sizes in self.parameters().values())


def within(name: str, layers: Mapping[str, Layer]) -> Layers:
    """The layers of a part of a network, named `name.layer`."""
    return {f"{name}.{key}": layer for key, layer in layers.items()}
