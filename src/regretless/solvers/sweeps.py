# SPDX-License-Identifier: MIT
"""Sweeps over a public tree on a torch device: reaches down, values up, a level at a time.

Tensors over the tree are [rows, batch, hands], so a gather of rows moves the whole batch of a row
at once. Every node gets a row. The root is row 0; the other rows are sorted by the actor above
them, then by the number of their siblings, then by level. So the children of a family are
consecutive rows, and so are all rows below the decisions of one player: the player's entries
(node, action).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.networks.placement import Placement
from regretless.solvers.batch import SubgameBatch
from regretless.solvers.endings import make_endings


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


@dataclass(frozen=True)
class _Chance:
    """The masks and probabilities of public chance between the parents and children of a family."""

    masks: tuple[Tensor, Tensor]  # [player][children, 1, hands]: is the hand still possible?
    probabilities: Tensor  # [children, 1, 1], of all outcomes that a child stands for


@dataclass(frozen=True)
class _Orbits:
    """Hands whose values must be equal in some rows: symmetries of the public state exchange them.

    Merged public cards stand for each other only as long as that holds exactly.
    """

    rows: Tensor  # [rows]
    shares: tuple[Tensor, Tensor]  # [player][hands, orbits], which take the mean of an orbit
    orbits: tuple[Tensor, Tensor]  # [player][hands]: the orbit of each hand

    def even_out(self, player: int, values: Tensor) -> None:
        """In these rows of values [rows, batch, hands] the mean of its orbit for every hand."""
        means = values.index_select(0, self.rows) @ self.shares[player]
        values.index_copy_(0, self.rows, means.index_select(2, self.orbits[player]))


@dataclass(frozen=True)
class _TensorFamily:
    actor: int
    shape: tuple[int, int]  # parents, children of each
    rows: slice
    entries: slice  # the same among the entries of the actor
    parents: Tensor  # [parents]
    chance: _Chance | None
    orbits: list[_Orbits]


class Sweeps:
    """The public tree of a batch of subgames as tensors, and how numbers move through it."""

    def __init__(self, subgames: SubgameBatch, placement: Placement) -> None:
        self.placement = placement
        arrays = subgames.problem.arrays()
        tree = make_level_tree(subgames.problem)
        self.entries = tree.entries
        self._rows = tree.rows
        self._first_children = subgames.problem.first_children
        self._num_children = subgames.problem.num_children
        self._weights = [placement.put(weights) for weights in subgames.weights]
        self._families = [_put_family(family, tree, arrays, placement) for family in tree.families]
        self._endings = list(make_endings(subgames, tree.rows, placement))
        self._ending_orbits = _put_orbits(arrays["terminal_nodes"], tree, arrays, placement)
        self._blocks = [_action_blocks(tree, player) for player in range(2)]
        most = max(weights.numel() for weights in self._weights)
        self._workspace = self._weights[0].new_empty(len(tree.rows) * most)

    def new_entries(self) -> list[Tensor]:
        """Zeros for each player: [entries, batch, hands]."""
        counts = [entries.stop - entries.start for entries in self.entries]
        return [w.new_zeros(n, *w.shape) for n, w in zip(counts, self._weights, strict=True)]

    def new_reaches(self, player: int) -> Tensor:
        """Room for a player's reaches [rows, batch, hands], those of the root filled in."""
        weights = self._weights[player]
        reaches = weights.new_empty(len(self._rows), *weights.shape)
        reaches[0] = weights
        return reaches

    def workspace(self, player: int) -> Tensor:
        """Room for a player's values [rows, batch, hands]; there is only one such room."""
        shape = (len(self._rows), *self._weights[player].shape)
        return self._workspace[: math.prod(shape)].view(shape)

    def action_rows(self, player: int, node: int) -> slice:
        """The rows of a node's actions among the entries of the player."""
        first = int(self._rows[self._first_children[node]]) - self.entries[player].start
        return slice(first, first + int(self._num_children[node]))

    def fill_reaches(self, player: int, strategy: Tensor, reaches: Tensor) -> None:
        """From the root's reach in row 0 to all rows, by the strategy [entries, batch, hands]."""
        for family in self._families:
            above = reaches.index_select(0, family.parents).unsqueeze(1)
            below = self._children(family, reaches)
            if family.chance is not None:
                torch.mul(above, family.chance.masks[player].view(*family.shape, 1, -1), out=below)
            elif family.actor == player:
                torch.mul(above, strategy[family.entries].view_as(below), out=below)
            else:
                below.copy_(above.expand_as(below))

    def fill_values(
        self, player: int, opponent_reaches: Tensor, strategy: Tensor | None, values: Tensor
    ) -> None:
        """Counterfactual values of a strategy, or of the best answer where there is none.

        Row 0 gets those of the root. Below decisions of the player stands, under a strategy, what
        the action is worth more than the strategy: its regret.
        """
        for ending in self._endings:
            ending.fill_values(player, opponent_reaches, values)
        for orbits in self._ending_orbits:
            orbits.even_out(player, values)
        for family in reversed(self._families):
            below = self._children(family, values)
            if family.chance is not None:
                kept = below.flatten(0, 1) * family.chance.masks[player]
                above = kept.mul_(family.chance.probabilities).view_as(below).sum(1)
            elif family.actor != player:
                above = below.sum(1)
            elif strategy is None:
                above = below.amax(1)
            else:
                above = (below * strategy[family.entries].view_as(below)).sum(1)
                below.sub_(above.unsqueeze(1))
            values.index_copy_(0, family.parents, above)
            for orbits in family.orbits:
                orbits.even_out(player, values)

    def normalize(self, player: int, weights: Tensor, out: Tensor) -> None:
        """Weights [entries, batch, hands] that sum to 1 at each node; uniform where all are 0."""
        for num_actions, rows in self._blocks[player]:
            shape = (-1, num_actions, *weights.shape[1:])
            block = weights[rows].view(shape)
            total = block.sum(1, keepdim=True)
            shares = torch.where(total > 0, block / total, 1 / num_actions)
            out[rows].view(shape).copy_(shares)

    def _children(self, family: _TensorFamily, tensor: Tensor) -> Tensor:
        return tensor[family.rows].view(*family.shape, *tensor.shape[1:])


def _put_family(
    family: Family, tree: LevelTree, arrays: dict[str, Any], placement: Placement
) -> _TensorFamily:
    shape = (len(family.parents), family.num_children)
    first = tree.entries[family.actor].start if family.actor >= 0 else 0
    entries = slice(family.rows.start - first, family.rows.stop - first)
    is_chance = family.actor == _native.CHANCE
    chance = _put_chance(family, arrays, placement) if is_chance else None
    nodes = tree.nodes[family.parents]
    orbits = _put_orbits(nodes, tree, arrays, placement) if is_chance else []
    parents = placement.put_indices(family.parents)
    return _TensorFamily(family.actor, shape, family.rows, entries, parents, chance, orbits)


def _put_chance(family: Family, arrays: dict[str, Any], placement: Placement) -> _Chance:
    edges = np.searchsorted(arrays["edge_nodes"], family.nodes)
    masks = [arrays[f"masks_{p}"][arrays[f"edge_masks_{p}"][edges]] != 0 for p in range(2)]
    on_device = [torch.as_tensor(mask).unsqueeze(1).to(placement.device) for mask in masks]
    probabilities = placement.put(arrays["edge_probabilities"][edges])
    return _Chance((on_device[0], on_device[1]), probabilities[:, None, None])


def _put_orbits(
    nodes: NDArray[np.integer], tree: LevelTree, arrays: dict[str, Any], placement: Placement
) -> list[_Orbits]:
    """The orbits of some nodes, for each symmetry that there is among them."""
    found = []
    names = arrays["node_orbits"][nodes]
    for name in np.unique(names[names >= 0]):
        rows = placement.put_indices(tree.rows[nodes[names == name]])
        orbits = [arrays[f"orbits_{p}"][name] for p in range(2)]  # [hands]
        shares = [np.eye(each.max() + 1)[each] / np.bincount(each) for each in orbits]
        first, second = (placement.put(each) for each in shares)
        kept = [placement.put_indices(each) for each in orbits]
        found.append(_Orbits(rows, (first, second), (kept[0], kept[1])))
    return found


def _action_blocks(tree: LevelTree, player: int) -> list[tuple[int, slice]]:
    """The entries of a player by number of actions: (actions, entries), a block each."""
    first = tree.entries[player].start
    ends: dict[int, list[int]] = {}
    for family in tree.families:
        if family.actor == player:
            ends.setdefault(family.num_children, []).extend([family.rows.start, family.rows.stop])
    return [(count, slice(min(at) - first, max(at) - first)) for count, at in ends.items()]
