# SPDX-License-Identifier: MIT
"""Sources of leaf values: zero, or a solve to the end (networks: `network_answers.py`).

Values are in chips, [rows, 2, hands]: what a hand wins on average against the other player's range
of sum 1, where hands that cannot meet count nothing.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from regretless import _native

Features = NDArray[np.float32]
Stakes = NDArray[np.float64]
Possible = NDArray[np.uint8]
Ranges = NDArray[np.float32]
Values = NDArray[np.float32]


class LeafValues(Protocol):
    """Returns the values of leaves, a batch at a time."""

    def prepare(self, features: Features, stakes: Stakes, possible: Possible) -> None:
        """Sets the leaves of all calls up to the next `prepare`, by their public states.

        `features` are [rows, features], `stakes` [rows] in chips, `possible` [rows, hands].
        """

    def __call__(self, ranges: Ranges) -> Values:
        """Returns the values at ranges [rows, 2, hands]; the next call may reuse the array."""


class ZeroLeaves:
    """Returns 0 for every leaf: a baseline."""

    def prepare(self, features: Features, stakes: Stakes, possible: Possible) -> None:
        pass

    def __call__(self, ranges: Ranges) -> Values:
        return np.zeros_like(ranges)


class SolvedLeaves:
    """Solves every leaf to the end of the game by a job whose subgames have no leaves.

    The job shares the catalogue of the search (`make_subgames(..., states=job.states)`), or has
    met all leaves before: they are found by their features.
    """

    def __init__(self, job: _native.Subgames) -> None:
        self.job = job
        self._states = np.zeros(0, np.int32)

    def prepare(self, features: Features, stakes: Stakes, possible: Possible) -> None:
        self._states = self.job.states.find(features)

    def __call__(self, ranges: Ranges) -> Values:
        self.job.begin(self._states, ranges.astype(np.float64))
        return self.job.root_values().astype(np.float32)
