# SPDX-License-Identifier: MIT
"""Networks as plain data: what they look like, and their numbers; torch is not needed for it."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from regretless.errors import InputError

_Width = Annotated[int, Field(ge=1, le=16_384, strict=True)]
_Flag = Annotated[bool, Field(strict=True)]
_MOST_PARAMETERS = 1 << 31


class RowEncoder(Protocol):
    """What makes the rows that networks see, and expands them to features."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def num_features(self) -> int: ...

    def expand(self, rows: NDArray[np.uint8]) -> NDArray[np.float32]: ...


class NetworkShape(BaseModel):
    """A network from the features of an encoder to one number for each slot."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["mlp"] = "mlp"
    """Linear layers one after the other."""
    inputs: Annotated[int, Field(ge=1, le=1 << 20, strict=True)]
    widths: Annotated[tuple[_Width, ...], Field(max_length=64)]
    """Of the hidden layers."""
    outputs: Annotated[int, Field(ge=1, le=64, strict=True)]
    """Slots of the game."""
    head: Literal["advantages", "probabilities", "values"]
    """What the outputs are: regrets, which are matched; logits, of which the softmax is played;
    or values, of which the largest is played."""
    activation: Literal["relu", "gelu", "silu", "tanh"] = "relu"
    layer_norm: _Flag = False
    """After each hidden layer, before its activation."""
    residual: _Flag = False
    """A hidden layer that is as wide as its input adds to it."""

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """The shape of each parameter by its name."""
        shapes: dict[str, tuple[int, ...]] = {}
        before = self.inputs
        for number, width in enumerate(self.widths):
            shapes[f"layers.{number}.weight"] = (width, before)
            shapes[f"layers.{number}.bias"] = (width,)
            if self.layer_norm:
                shapes[f"norms.{number}.weight"] = shapes[f"norms.{number}.bias"] = (width,)
            before = width
        return shapes | {"output.weight": (self.outputs, before), "output.bias": (self.outputs,)}

    def num_parameters(self) -> int:
        return sum(int(np.prod(shape, dtype=object)) for shape in self.parameters().values())


@dataclass(frozen=True)
class NetworkWeights:
    """The numbers of one network or of many that are alike, each of which counts with a weight."""

    shape: NetworkShape
    parameters: dict[str, NDArray[np.float32]]  # [networks, ...] as `shape` says
    weights: NDArray[np.float64]  # [networks], positive

    def __len__(self) -> int:
        return len(self.weights)

    def check(self, place: str) -> None:
        """InputError unless all is there, of the right shape, and finite."""
        if self.shape.num_parameters() * len(self) > _MOST_PARAMETERS:
            raise InputError(f"{place}: more than {_MOST_PARAMETERS:,} parameters")
        check_shapes(self.shape, self.parameters, self.weights, place)
        if not (np.isfinite(self.weights).all() and (self.weights > 0).all()):
            raise InputError(f"{place}: weights of networks must be positive")
        for name, parameter in self.parameters.items():
            if not np.isfinite(parameter).all():
                raise InputError(f"{place}: {name} must be finite")


def check_shapes(
    shape: NetworkShape, parameters: dict[str, NDArray[Any]], weights: NDArray[Any], place: str
) -> None:
    """InputError unless there is every parameter of every network, and nothing else."""
    if weights.ndim != 1 or len(weights) == 0:
        raise InputError(f"{place}: weights must be [networks]")
    expected = {name: (len(weights), *each) for name, each in shape.parameters().items()}
    for name in sorted(expected.keys() | parameters.keys()):
        if name not in parameters:
            raise InputError(f"{place}: {name} is missing")
        if name not in expected:
            raise InputError(f"{place}: no network has a parameter {name!r}")
        if parameters[name].shape != expected[name]:
            found = list(parameters[name].shape)
            raise InputError(f"{place}: {name} must be {list(expected[name])}, not {found}")
