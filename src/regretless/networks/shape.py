# SPDX-License-Identifier: MIT
"""Networks as plain data: what they look like, and their numbers; torch is not needed for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from regretless import _native
from regretless.errors import InputError
from regretless.networks.history_shape import HistoryShape

_Width = Annotated[int, Field(ge=1, le=16_384, strict=True)]
_Flag = Annotated[bool, Field(strict=True)]
_MOST_PARAMETERS = 1 << 31
_NEWER = ("history", "stream", "dueling")  # fields that files without them never heard of


class RowEncoder(Protocol):
    """What makes the rows that networks see, and expands them to features."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def num_features(self) -> int: ...

    @property
    def buckets(self) -> Sequence[_native.HandBuckets]:
        """Those that it sees, of one abstraction or none."""
        ...

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
    history: HistoryShape | None = None
    """How the last of the inputs are read, if they are what was done so far."""
    stream: Annotated[int, Field(ge=0, le=16_384, strict=True)] = 0
    """Width of one more hidden layer before the outputs, with ReLU and without a norm; 0: none."""
    dueling: _Flag = False
    """Of values only: the outputs are advantages, whose mean over all slots is taken off, and one
    value that is added, which has a stream of its own."""

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        if self.history is not None and self.history.inputs > self.inputs:
            records = f"{self.history.records} records of {self.history.record}"
            raise ValueError(f"a history of {records} is more than {self.inputs} inputs")
        if self.dueling and self.head != "values":
            raise ValueError(f"dueling: for a head of values, not of {self.head}")
        return self

    @model_serializer(mode="wrap")
    def _without_absent(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """A network without the newer parts is written as it always was."""
        row: dict[str, Any] = write(self)
        return {key: value for key, value in row.items() if key not in _NEWER or value}

    @property
    def trunk_inputs(self) -> int:
        """Of the first hidden layer: the features, with what was made of the history."""
        if self.history is None:
            return self.inputs
        return self.inputs - self.history.inputs + self.history.outputs

    @property
    def sizes(self) -> str:
        """From the inputs to the outputs, in writing."""
        stream = [self.stream] if self.stream else []
        return " x ".join(map(str, (self.inputs, *self.widths, *stream, self.outputs)))

    @property
    def traits(self) -> list[str]:
        """What else it is, in writing."""
        traits: list[str] = [self.activation]
        if self.history is not None:
            traits.append(f"attention over {self.history.records} records")
        if self.dueling:
            traits.append("dueling")
        return traits

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """The shape of each parameter by its name."""
        shapes: dict[str, tuple[int, ...]] = {}
        before = self.trunk_inputs
        for number, width in enumerate(self.widths):
            shapes[f"layers.{number}.weight"] = (width, before)
            shapes[f"layers.{number}.bias"] = (width,)
            if self.layer_norm:
                shapes[f"norms.{number}.weight"] = shapes[f"norms.{number}.bias"] = (width,)
            before = width
        shapes |= self._head("stream", "output", before, self.outputs)
        if self.dueling:
            shapes |= self._head("value_stream", "value_output", before, 1)
        if self.history is not None:
            found = self.history.parameters()
            shapes |= {f"history.{name}": shape for name, shape in found.items()}
        return shapes

    def _head(
        self, stream: str, output: str, before: int, outputs: int
    ) -> dict[str, tuple[int, ...]]:
        shapes: dict[str, tuple[int, ...]] = {}
        if self.stream:
            shapes = {f"{stream}.weight": (self.stream, before), f"{stream}.bias": (self.stream,)}
            before = self.stream
        return shapes | {f"{output}.weight": (outputs, before), f"{output}.bias": (outputs,)}

    def num_parameters(self) -> int:
        return sum(int(np.prod(shape, dtype=object)) for shape in self.parameters().values())


@dataclass(frozen=True)
class NetworkWeights:
    """The numbers of one network or of many that are alike, each of which counts with a weight."""

    shape: NetworkShape
    parameters: dict[str, NDArray[np.float32]]  # [networks, ...] as `shape` says
    weights: NDArray[np.float64]  # [networks], positive
    seats: NDArray[np.integer] | None = None  # [networks]: where each plays; None: everywhere

    @classmethod
    def by_seat(cls, parts: Sequence["NetworkWeights"]) -> "NetworkWeights":
        """Those that play at each seat, in the order of seats, as one; all must be alike."""
        shape = parts[0].shape
        if any(part.shape != shape for part in parts):
            raise InputError("networks of several seats must be alike")
        return cls(
            shape,
            {
                name: np.concatenate([part.parameters[name] for part in parts])
                for name in shape.parameters()
            },
            np.concatenate([part.weights for part in parts]),
            np.repeat(np.arange(len(parts)), [len(part) for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def num_seats(self) -> int | None:
        """How many seats have networks of their own; None: all networks play at every seat."""
        return None if self.seats is None else int(self.seats.max()) + 1

    def at(self, seat: int) -> NDArray[np.intp]:
        """The numbers of the networks that play at a seat."""
        if self.seats is None:
            return np.arange(len(self))
        return np.flatnonzero(self.seats == seat)

    def some(self, count: int) -> "NetworkWeights":
        """At most `count` networks of each seat, drawn at even steps through all their weight."""
        if count < 1:
            raise InputError(f"networks: must be at least 1, not {count}")
        weights = np.zeros(len(self))
        for seat in range(self.num_seats or 1):
            group = self.at(seat)
            mine = self.weights[group]
            weights[group] = mine if len(group) <= count else _even(mine, count)
        kept = weights > 0
        return NetworkWeights(
            self.shape,
            {name: each[kept] for name, each in self.parameters.items()},
            weights[kept],
            None if self.seats is None else self.seats[kept],
        )

    def check(self, place: str) -> None:
        """InputError unless all is there, of the right shape, and finite."""
        if self.shape.num_parameters() * len(self) > _MOST_PARAMETERS:
            raise InputError(f"{place}: more than {_MOST_PARAMETERS:,} parameters")
        check_shapes(self.shape, self.parameters, self.weights, place)
        if not (np.isfinite(self.weights).all() and (self.weights > 0).all()):
            raise InputError(f"{place}: weights of networks must be positive")
        if self.seats is not None:
            check_seats(self.seats, len(self), place)
        for name, parameter in self.parameters.items():
            if not np.isfinite(parameter).all():
                raise InputError(f"{place}: {name} must be finite")


def _even(weights: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """How many of `count` even steps through weights, one after the other, fall on each."""
    steps = (np.arange(count) + 0.5) / count
    drawn = np.searchsorted(np.cumsum(weights)[:-1] / weights.sum(), steps, side="right")
    return np.bincount(drawn, minlength=len(weights)).astype(np.float64)


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


def check_seats(seats: NDArray[Any], count: int, place: str) -> None:
    """InputError unless every network has a seat, and every seat up to the last a network."""
    if seats.shape != (count,) or seats.dtype.kind not in "iu":
        raise InputError(f"{place}: seats must be whole numbers [{count}]")
    last = int(seats.max())
    if int(seats.min()) < 0 or last >= count or len(np.unique(seats)) != last + 1:
        raise InputError(f"{place}: seats must be 0 and up, with a network for each")
