# SPDX-License-Identifier: MIT
"""Perceptrons in the native core: no torch, and the same answers on every processor."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.networks.mlp import MlpShape
from regretless.networks.shape import NetworkShape

_Numbers = NDArray[np.float32]
_Linear = tuple[_Numbers, _Numbers, _Numbers | None, _Numbers | None]


def make_perceptron(
    shape: NetworkShape, parameters: Mapping[str, _Numbers]
) -> _native.Perceptron | None:
    """Returns the network that answers on the CPU; None for a kind that torch alone computes."""
    if not isinstance(shape, MlpShape) or shape.activation != "relu":
        return None

    def linear(name: str, norm: str = "") -> _Linear:
        gain, shift = (parameters.get(f"{norm}.{part}") for part in ("weight", "bias"))
        return parameters[f"{name}.weight"], parameters[f"{name}.bias"], gain, shift

    def chain(*names: str) -> list[_Linear]:
        return [linear(name) for name in names if f"{name}.weight" in parameters]

    return _native.Perceptron(
        [linear(f"layers.{number}", f"norms.{number}") for number in range(len(shape.widths))],
        shape.residual,
        chain("stream", "output"),
        chain("value_stream", "value_output"),
        shape.head,
    )
