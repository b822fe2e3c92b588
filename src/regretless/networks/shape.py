# SPDX-License-Identifier: MIT
"""The kinds of networks that choose a slot, and their parameters as arrays, without torch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from regretless.errors import InputError
from regretless.networks.history import HistoryShape
from regretless.networks.layers import Shape
from regretless.networks.mlp import MlpShape

_MOST_PARAMETERS = 1 << 31


NetworkShape = Annotated[MlpShape | HistoryShape, Field(discriminator="kind")]
"""The kinds of networks that choose a slot."""


@dataclass(frozen=True)
class NetworkWeights:
    """The parameters of one network, or of many of one shape, each of which has a weight."""

    shape: NetworkShape
    parameters: dict[str, NDArray[np.float32]]  # [networks, ...]
    weights: NDArray[np.float64]  # [networks], positive
    seats: NDArray[np.integer] | None = None  # [networks]: where each plays; None: everywhere

    @classmethod
    def by_seat(cls, parts: Sequence["NetworkWeights"]) -> "NetworkWeights":
        """Joins the networks of each seat, in the order of seats; all must have one shape."""
        shape = parts[0].shape
        if any(part.shape != shape for part in parts):
            raise InputError("networks of several seats must have one shape")
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
        """The number of seats with networks of their own; None: all play at every seat."""
        return None if self.seats is None else int(self.seats.max()) + 1

    def at(self, seat: int) -> NDArray[np.intp]:
        """The numbers of the networks that play at a seat."""
        if self.seats is None:
            return np.arange(len(self))
        return np.flatnonzero(self.seats == seat)

    def some(self, count: int) -> "NetworkWeights":
        """At most `count` networks of each seat, drawn at even steps of cumulative weight."""
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
        """InputError unless every parameter is present, of the right shape, and finite."""
        if self.shape.num_parameters() * len(self) > _MOST_PARAMETERS:
            raise InputError(f"{place}: more than {_MOST_PARAMETERS:,} parameters")
        if self.weights.ndim != 1 or len(self) == 0:
            raise InputError(f"{place}: weights must be [networks]")
        if not (np.isfinite(self.weights).all() and (self.weights > 0).all()):
            raise InputError(f"{place}: weights of networks must be positive")
        if self.seats is not None:
            _check_seats(self.seats, len(self), place)
        check_parameters(self.shape, self.parameters, place, len(self))


def _even(weights: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The number of `count` even steps of the cumulative weights that fall on each weight."""
    steps = (np.arange(count) + 0.5) / count
    drawn = np.searchsorted(np.cumsum(weights)[:-1] / weights.sum(), steps, side="right")
    return np.bincount(drawn, minlength=len(weights)).astype(np.float64)


def check_parameters(
    shape: Shape, parameters: Mapping[str, NDArray[Any]], place: str, *networks: int
) -> None:
    """InputError unless the parameters are those of the shape and finite; of so many networks."""
    expected = {name: (*networks, *each) for name, each in shape.parameters().items()}
    for name in sorted(expected.keys() | parameters.keys()):
        if name not in parameters:
            raise InputError(f"{place}: {name} is missing")
        if name not in expected:
            raise InputError(f"{place}: no network has a parameter {name!r}")
        found, sizes = parameters[name], expected[name]
        if found.shape != sizes:
            raise InputError(f"{place}: {name} must be {list(sizes)}, not {list(found.shape)}")
        if found.dtype != np.float32 or not np.isfinite(found).all():
            raise InputError(f"{place}: {name} must be finite float32")


def _check_seats(seats: NDArray[Any], count: int, place: str) -> None:
    """InputError unless every network has a seat, and every seat up to the last a network."""
    if seats.shape != (count,) or seats.dtype.kind not in "iu":
        raise InputError(f"{place}: seats must be whole numbers [{count}]")
    last = int(seats.max())
    if int(seats.min()) < 0 or last >= count or len(np.unique(seats)) != last + 1:
        raise InputError(f"{place}: seats must be 0 and up, with a network for each")
