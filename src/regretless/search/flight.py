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
        self._stakes, self._twins, self._twin_hands = job.stakes(), job.twins(), job.twin_hands()
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
        """The roots, their ranges, and what they turned out to be worth, in stakes: of their twins,
        which are all that a network is asked about."""
        values = self.job.root_values() / self._stakes[self.roots][:, None, None]
        names = self._twin_hands[self.roots][:, None]
        return {
            "states": self._twins[self.roots],
            "ranges": _renamed(self.job.ranges(), names),
            "values": _renamed(values, names),
        }

    def go_on(self) -> None:
        """To the leaves that were reached."""
        self.states = np.maximum(self.job.next_states(), 0)
        self.ranges = self.job.next_ranges()


def _renamed(rows: NDArray[np.float64], names: NDArray[np.int32]) -> NDArray[np.float64]:
    """What hand h has, at names[h]."""
    renamed = np.empty_like(rows)
    np.put_along_axis(renamed, np.broadcast_to(names, rows.shape), rows, axis=2)
    return renamed


def _num_nodes(outline: NDArray[np.int64]) -> int:
    """Decisions, endings and leaves; cards that are dealt are none."""
    return int((outline[:, 2] != _native.CHANCE).sum())
