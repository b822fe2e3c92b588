# SPDX-License-Identifier: MIT
"""Where the values of leaves come from: a network, nothing, or solving to the end.

All answer a batch: states [rows] by number and ranges [rows, 2, hands] in, values [rows, 2, hands]
out, in chips: what a hand wins on average against the other range, where hands that cannot meet
count nothing.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from regretless import _native

States = NDArray[np.int32]
Ranges = NDArray[np.float32]
Values = NDArray[np.float32]


class LeafValues(Protocol):
    """Answers what leaves are worth."""

    def prepare(self, states: States) -> None:
        """The states that all questions up to the next call are about, in this order."""

    def __call__(self, ranges: Ranges) -> Values:
        """Values at these ranges; the array may change with the next call."""


class ZeroLeaves:
    """Nothing is worth anything: a baseline."""

    def prepare(self, states: States) -> None:
        pass

    def __call__(self, ranges: Ranges) -> Values:
        return np.zeros_like(ranges)


class JobLeaves:
    """Leaves that a job answers, which numbers its states as the search does."""

    def __init__(self, job: _native.Subgames) -> None:
        self.job = job
        self._states = np.zeros(0, np.int32)

    def prepare(self, states: States) -> None:
        self._states = np.array(states)


class SolvedLeaves(JobLeaves):
    """Leaves solved to the end of the game, as exactly as the iterations of the job make them.

    Its subgames must have no leaves.
    """

    def __call__(self, ranges: Ranges) -> Values:
        none = np.zeros(0, np.int32)
        self.job.begin(self._states, ranges.astype(np.float64), none, none, np.zeros(0, np.uint64))
        return self.job.root_values().astype(np.float32)
