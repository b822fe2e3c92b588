# SPDX-License-Identifier: MIT
"""Games that are played from subgame to subgame, all through one solver."""

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays
from regretless.search.subgames import number_roots


class Flight:
    """Games at public belief states; a game that is over begins again at the root.

    Games at the root share one subgame and differ in where they stop, so no example comes twice.
    """

    def __init__(self, job: _native.Subgames, games: int) -> None:
        self.job = job
        self.states = np.zeros(games, np.int32)
        self.ranges = np.tile(job.states.root_ranges(), (games, 1, 1))
        self.roots = self.states  # of the subgames, [subgames]
        roots = number_roots(job)  # so that checkpoints name states by number
        self._sizes = np.zeros(len(job.states), np.int64)
        self._sizes[roots] = [_num_nodes(job.outline(root)) for root in roots]

    def begin(self, random: np.random.Generator, exploration: float) -> None:
        """Sets up the subgames, each game with a random iterate to stop at."""
        begins = self.states == 0
        shared = int(begins.any())
        others = np.flatnonzero(~begins)
        self.roots = np.concatenate([np.zeros(shared, np.int32), self.states[others]])
        root = np.tile(self.job.states.root_ranges(), (shared, 1, 1))
        ranges = np.concatenate([root, self.ranges[others]])
        places = np.zeros(len(begins), np.int32)
        places[others] = shared + np.arange(len(others))
        stops = random.integers(1, self.job.iterations + 1, len(begins), dtype=np.int32)
        seeds = random.integers(0, 1 << 63, len(begins), dtype=np.uint64)
        self.job.begin(self.roots, ranges, places, stops, seeds, exploration=exploration)

    def num_nodes(self) -> int:
        """Returns the nodes touched by the solves: each node with each hand, for both players."""
        return int(self._sizes[self.roots].sum()) * self.job.iterations * 2 * self.job.num_hands

    def examples(self) -> Arrays:
        """Returns the roots with their ranges and values, in stakes."""
        states, ranges, values = self.job.value_examples()
        catalogue = self.job.states
        return {
            "features": catalogue.features(states),
            "possible": catalogue.possible(states),
            "ranges": ranges,
            "values": values,
        }

    def strategy_examples(self, seed: int) -> Arrays:
        """Returns a random decision of each subgame with the average strategy there."""
        states, ranges, strategies = self.job.strategy_examples(seed)
        catalogue = self.job.states
        return {
            "features": catalogue.features(states),
            "legal": catalogue.legal(states),
            "possible": catalogue.possible(states),
            "ranges": ranges,
            "strategies": strategies,
        }

    def go_on(self) -> None:
        """Moves the games to the leaves that were reached."""
        self.states = np.maximum(self.job.next_states(), 0)
        self.ranges = self.job.next_ranges()


def _num_nodes(outline: NDArray[np.int64]) -> int:
    """Counts decisions, endings and leaves, but not chance."""
    return int((outline[:, 2] != _native.CHANCE).sum())
