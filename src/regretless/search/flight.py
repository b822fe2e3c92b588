# SPDX-License-Identifier: MIT
"""Games that are played from subgame to subgame, all through one job."""

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays


class Flight:
    """Games at public belief states; one that is over begins anew at the root.

    Games at the root share one subgame and differ in where they stop, so no example comes twice.
    """

    def __init__(self, job: _native.Subgames, games: int) -> None:
        self.job = job
        self.states = np.zeros(games, np.int32)
        self.ranges = np.ones((games, 2, job.num_hands))
        self.roots = self.states  # of the subgames, [subgames]
        self._sizes = np.array([_num_nodes(job.outline(state)) for state in range(job.num_states)])

    def begin(self, random: np.random.Generator, exploration: float) -> None:
        """Set up the subgames, each game with a random iterate to stop at."""
        begins = self.states == 0
        shared = int(begins.any())
        others = np.flatnonzero(~begins)
        self.roots = np.concatenate([np.zeros(shared, np.int32), self.states[others]])
        ranges = np.concatenate([np.ones((shared, *self.ranges.shape[1:])), self.ranges[others]])
        places = np.zeros(len(begins), np.int32)
        places[others] = shared + np.arange(len(others))
        stops = random.integers(1, self.job.iterations + 1, len(begins), dtype=np.int32)
        seeds = random.integers(0, 1 << 63, len(begins), dtype=np.uint64)
        self.job.begin(self.roots, ranges, places, stops, seeds, exploration=exploration)

    def num_nodes(self) -> int:
        """Touched by solving the subgames: for both players, each node with each hand."""
        return int(self._sizes[self.roots].sum()) * self.job.iterations * 2 * self.job.num_hands

    def examples(self) -> Arrays:
        """The roots, their ranges, and what they turned out to be worth, in stakes."""
        names = ("states", "ranges", "values")
        return dict(zip(names, self.job.value_examples(), strict=True))

    def go_on(self) -> None:
        """To the leaves that were reached."""
        self.states = np.maximum(self.job.next_states(), 0)
        self.ranges = self.job.next_ranges()


def _num_nodes(outline: NDArray[np.int64]) -> int:
    """Decisions, endings and leaves; cards that are dealt are none."""
    return int((outline[:, 2] != _native.CHANCE).sum())
