# SPDX-License-Identifier: MIT
"""The nodes of a public tree as arrays."""

import numpy as np
from numpy.typing import NDArray

from regretless import _native

LEAF, TERMINAL = -3, -2
"""Actors of nodes where a tree is cut, or ends."""


class Tree:
    """The nodes of the public tree: street, the root of the street's subtree, ply, board."""

    def __init__(self, problem: _native.VectorProblem) -> None:
        self.actors = np.asarray(problem.actors).astype(np.int32)
        self.parents = np.asarray(problem.parents).astype(np.int64)
        self.first_children = np.asarray(problem.first_children).astype(np.int64)
        self.num_children = np.asarray(problem.num_children).astype(np.int64)
        self.boards = problem.boards()["of_nodes"].astype(np.int32)
        size = len(self.actors)
        self.streets, self.plies = np.zeros(size, np.int32), np.zeros(size, np.int32)
        self.roots = np.zeros(size, np.int64)
        self.is_dealt = np.zeros(size, np.bool_)  # right after a card
        first, end = 0, 1
        while end > first:  # nodes of one depth stand together
            first, end = end, end + int(self.num_children[first:end].sum())
            nodes = np.arange(first, end)
            above = self.parents[nodes]
            dealt = self.actors[above] == _native.CHANCE
            self.is_dealt[nodes] = dealt
            self.streets[nodes] = self.streets[above] + dealt
            self.roots[nodes] = np.where(dealt, nodes, self.roots[above])
            self.plies[nodes] = np.where(dealt, 0, self.plies[above] + 1)

    def depths(self) -> list[NDArray[np.int64]]:
        """The nodes of each depth below the root."""
        found, first, end = [], 0, 1
        while end > first:
            first, end = end, end + int(self.num_children[first:end].sum())
            found.append(np.arange(first, end))
        return found
