# SPDX-License-Identifier: MIT
"""A public tree laid out for sweeps by level: what is computed together lies together.

Every node gets a row. The root is row 0; the other rows are sorted by the actor above them, then by
the number of their siblings, then by level. So the children of a family are consecutive rows, and
so are all rows below the decisions of one player: the player's entries (node, action).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretless import _native


@dataclass(frozen=True)
class Family:
    """The nodes of one level with one actor and one number of children, and these children."""

    actor: int
    num_children: int
    rows: slice
    """Rows of the children, siblings together, parent after parent."""
    nodes: NDArray[np.int64]  # [rows]: the children
    parents: NDArray[np.int64]  # [parents]: rows
    level: int


@dataclass(frozen=True)
class LevelTree:
    """The rows of a tree and its families, from the root down."""

    rows: NDArray[np.int64]  # [nodes]
    nodes: NDArray[np.int64]  # [rows]
    families: tuple[Family, ...]
    entries: tuple[slice, slice]
    """Rows below the decisions of each player."""


def make_level_tree(problem: _native.VectorProblem) -> LevelTree:
    """The levels of a public tree."""
    parents = problem.parents.astype(np.int64)
    above = parents[1:]
    actors, counts = problem.actors[above], problem.num_children[above]
    levels = _levels(parents)[1:]
    order = np.lexsort((levels, counts, actors))  # stable: siblings stay together
    nodes = np.concatenate([[0], order + 1])
    rows = np.empty_like(nodes)
    rows[nodes] = np.arange(len(nodes))
    keys = np.stack([actors[order], counts[order], levels[order]])
    starts = np.flatnonzero(np.any(np.diff(keys, prepend=-9) != 0, axis=0))
    families = []
    for first, end in zip(starts, [*starts[1:], len(order)], strict=True):
        actor, count, level = (int(key) for key in keys[:, first])
        children = nodes[first + 1 : end + 1]
        above = rows[parents[children[::count]]]
        block = slice(int(first) + 1, int(end) + 1)
        families.append(Family(actor, count, block, children, above, level))
    families.sort(key=lambda family: family.level)
    below = [np.flatnonzero(actors[order] == player) + 1 for player in range(2)]
    return LevelTree(rows, nodes, tuple(families), (_span(below[0]), _span(below[1])))


def _levels(parents: NDArray[np.int64]) -> NDArray[np.int64]:
    """Depth of each node [nodes]; parents come breadth first, so each level is one stretch."""
    levels = np.zeros(len(parents), dtype=np.int64)
    first, end, level = 0, 1, 0
    while end < len(parents):
        first, end, level = end, int(np.searchsorted(parents, end, side="left")), level + 1
        levels[first:end] = level
    return levels


def _span(rows: NDArray[np.int64]) -> slice:
    return slice(int(rows[0]), int(rows[-1]) + 1) if len(rows) else slice(0, 0)
