# SPDX-License-Identifier: MIT
"""Shapes of networks for tests, of either kind that chooses a slot."""

from typing import Any

from regretless.networks.history import Attention, HistoryShape
from regretless.networks.mlp import MlpShape
from regretless.networks.shape import NetworkShape


def make_shape(history: Attention | None = None, **options: Any) -> NetworkShape:
    """A perceptron, or one around which attention reads the last inputs."""
    perceptron = MlpShape(**options)
    if history is None:
        return perceptron
    return HistoryShape.around(perceptron, **history.model_dump())
