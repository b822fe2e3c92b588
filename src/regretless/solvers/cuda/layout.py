# SPDX-License-Identifier: MIT
"""A problem as the kernels want it: rows of numbers for the hands of a board, lists of work.

The words are those of kernels.cu, whose structs have their fields in the same order. Rows are
counted in units of 32 numbers.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.solvers.cuda.boards import Boards, boards_of
from regretless.solvers.cuda.tree import LEAF, TERMINAL, Tree

LANES = 4
"""Endings of a block."""
_IS_DEALT, _HAS_SHOWDOWN = 1, 2
_MOST_UNITS = (1 << 31) - 1

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Street:
    """The work between two public cards: ranges of subtrees, chance nodes and means."""

    subtrees: range
    chances: range
    evens: range
    widest: tuple[int, int]
    """Units of a row [player], at most."""
    most_decisions: int
    """Decisions of a ply of a subtree, at most."""


@dataclass(frozen=True)
class LeafRows:
    """The rows of the leaves of a cut tree: lines to a public card, times the cards."""

    boards: NDArray[np.int64]
    """[cards], of every line."""
    stakes: NDArray[np.float64]
    """[lines], in chips."""
    units: tuple[int, int]
    """Units of a row [player]."""
    reach: tuple[int, int]
    """The first unit of reaches [player]."""
    value: tuple[int, int]


@dataclass
class Layout:
    """Arrays for the device by name, and the sizes of what is worked on."""

    streets: list[Street] = field(default_factory=list)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    """Inputs of the kernels; names that end in _0 or _1 belong to a player."""
    num_groups: tuple[int, int] = (0, 0)
    num_boards: int = 0
    num_hands: tuple[int, int] = (0, 0)
    widths: tuple[int, int] = (0, 0)
    reach_units: int = 0
    value_units: int = 0
    table_units: int = 0
    num_scales: int = 0
    root_reach: tuple[int, int] = (0, 0)
    root_value: tuple[int, int] = (0, 0)
    decision_of: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    """[nodes]: the decision of a node, or -1."""
    endings: list[NDArray[np.int64]] = field(default_factory=list)
    """[player][tasks, (showdown, fold)]: the terminal of each task, or -1."""
    leaves: LeafRows | None = None


def make_layout(problem: _native.VectorProblem, boards: Boards | None = None) -> Layout:
    """The layout of a hold'em problem, for its own boards or those of a batch.

    InputError for other games.
    """
    flat = problem.arrays()
    if len(flat["cards_0"]) == 0:
        raise InputError("the kernels for CUDA are for games with two hole cards")
    tree = Tree(problem)
    return _Builder(tree, boards or boards_of(problem, flat, tree), flat).build()


def task_payoffs(payoffs: NDArray[np.float64], endings: NDArray[np.int64]) -> NDArray[np.float32]:
    """Payoffs [..., terminals, (lose, tie, win)] as [..., tasks, (lose, tie, win, fold)]."""
    shown, folded = (endings[:, column] for column in range(2))
    found = np.zeros((*payoffs.shape[:-2], len(endings), 4), np.float32)
    found[..., shown >= 0, :3] = payoffs[..., shown[shown >= 0], :]
    found[..., folded >= 0, 3] = payoffs[..., folded[folded >= 0], 2]
    return found


class _Builder:
    """Numbers rows and fills the lists of work."""

    def __init__(self, tree: Tree, boards: Boards, flat: dict[str, NDArray[Any]]) -> None:
        self.tree, self.boards, self.flat = tree, boards, flat
        self.layout = Layout()
        by_street = np.lexsort((np.arange(len(tree.actors)), tree.plies, tree.roots, tree.streets))
        self.decisions = by_street[tree.actors[by_street] >= 0]
        self.chances = np.flatnonzero(tree.actors == _native.CHANCE)
        self.chances = self.chances[np.argsort(tree.streets[self.chances], kind="stable")]
        self.leaves = np.flatnonzero(tree.actors == LEAF)
        self.reach = np.zeros((2, len(tree.actors)), np.int64)  # [player, nodes]
        self.value = np.zeros((2, len(tree.actors)), np.int64)

    def build(self) -> Layout:
        layout, boards = self.layout, self.boards
        self._number_rows()
        arrays = layout.arrays
        arrays |= boards.arrays()
        layout.num_boards = boards.size
        layout.num_hands, layout.widths = boards.num_hands, boards.widths
        self._list_subtrees()
        self._list_chances()
        self._list_means()
        self._list_endings(0)
        self._list_endings(1)
        arrays["shown"] = self._shown()
        self._list_streets()
        return layout

    def _units(self, player: int, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        units: NDArray[np.int64] = self.boards.units[player][self.tree.boards[nodes]]
        return units.astype(np.int64)

    def _number_rows(self) -> None:
        """Rows of reaches, values and tables; children of a decision stand together."""
        tree, layout = self.tree, self.layout
        decisions, actors = self.decisions, tree.actors[self.decisions]
        actions = tree.num_children[decisions]
        own_units = np.where(actors == 0, self._units(0, decisions), self._units(1, decisions))
        rows = actions * own_units
        self.table_at = np.cumsum(rows) - rows
        self.scale_at = np.cumsum(own_units) - own_units
        layout.table_units, layout.num_scales = int(rows.sum()), int(own_units.sum())
        # Reaches below decisions have the places of the tables; those after cards follow.
        self.child_reach = self.table_at
        at = layout.table_units
        begun = tree.is_dealt & (tree.actors != TERMINAL) & (tree.actors != LEAF)
        begun = np.concatenate([[0], np.flatnonzero(begun), self.leaves])
        first = np.zeros((2, len(tree.actors)), np.int64)
        for p in range(2):
            units = self._units(p, begun)
            first[p, begun] = at + np.cumsum(units) - units
            at += int(units.sum())
        layout.reach_units = at
        child_at = np.zeros(len(tree.actors), np.int64)
        child_at[decisions] = self.child_reach
        for p in range(2):
            self._pass_reaches(p, first[p], child_at)
        for p in range(2):
            self._number_values(p)
        sizes = (layout.table_units, layout.reach_units, layout.value_units)
        if max(sizes) > _MOST_UNITS:
            raise InputError("the tree is too large for the kernels: fewer sizes make it smaller")
        layout.root_reach = (int(self.reach[0, 0]), int(self.reach[1, 0]))
        layout.root_value = (int(self.value[0, 0]), int(self.value[1, 0]))
        if len(self.leaves) > 0:
            layout.leaves = self._leaf_rows()

    def _leaf_rows(self) -> LeafRows:
        tree, leaves = self.tree, self.leaves
        lines = len(np.unique(tree.parents[leaves]))
        boards = tree.boards[leaves].reshape(lines, -1).astype(np.int64)
        assert (boards == boards[0]).all()
        units = [int(self.boards.units[p][boards[0, 0]]) for p in range(2)]
        reach, value = self.reach[:, leaves[0]].tolist(), self.value[:, leaves[0]].tolist()
        stakes = self.flat["leaf_stakes"].reshape(lines, -1)[:, 0]
        return LeafRows(boards[0], stakes, (units[0], units[1]), tuple(reach), tuple(value))

    def _pass_reaches(
        self, player: int, first: NDArray[np.int64], child_at: NDArray[np.int64]
    ) -> None:
        """A node has the row of its parent, unless the player acts there or a card has come."""
        tree, reach = self.tree, self.reach[player]
        reach[0] = first[0]
        for nodes in tree.depths():
            above = tree.parents[nodes]
            units = self._units(player, above)
            acted = child_at[above] + (nodes - tree.first_children[above]) * units
            rows = np.where(tree.actors[above] == player, acted, reach[above])
            is_new = tree.is_dealt[nodes] & (tree.actors[nodes] != TERMINAL)
            reach[nodes] = np.where(is_new, first[nodes], rows)

    def _number_values(self, player: int) -> None:
        """Rows of values: the root, then the children of decisions, then those of chance."""
        tree, value = self.tree, self.value[player]
        below = np.repeat(self.decisions, tree.num_children[self.decisions])
        starts = np.repeat(
            np.cumsum(tree.num_children[self.decisions]), _counts(tree, self.decisions)
        )
        starts = starts - np.repeat(
            tree.num_children[self.decisions], _counts(tree, self.decisions)
        )
        nodes = tree.first_children[below] + np.arange(len(below)) - starts
        dealt = np.flatnonzero(tree.is_dealt & (tree.actors != LEAF))
        order = np.concatenate([[0], nodes, dealt, self.leaves])
        units = self._units(player, order)
        value[order] = np.cumsum(units) - units
        self.layout.value_units = max(self.layout.value_units, int(units.sum()))

    def _list_subtrees(self) -> None:
        tree, decisions = self.tree, self.decisions
        actors = tree.actors[decisions]
        first_child = tree.first_children[decisions]
        columns = [
            actors,
            tree.num_children[decisions],
            tree.boards[decisions],
            self.table_at,
            self.scale_at,
            np.where(actors == 0, self.reach[0, decisions], self.reach[1, decisions]),
            self.child_reach,
            *self.value[:, decisions],
            *self.value[:, first_child],
            decisions,
        ]
        self.layout.arrays["decisions"] = _table(columns)
        self.layout.decision_of = np.full(len(tree.actors), -1, np.int32)
        self.layout.decision_of[decisions] = np.arange(len(decisions))
        keys = np.stack([tree.roots[decisions], tree.plies[decisions]])
        is_level = np.ones(len(decisions), np.bool_)
        is_level[1:] = (np.diff(keys, axis=1) != 0).any(axis=0)
        begins = np.flatnonzero(is_level)
        level_roots = tree.roots[decisions[begins]]
        self.layout.arrays["levels"] = np.append(begins, len(decisions)).astype(np.int32)
        # Subtrees with decisions; chance right after a card and leaves, which take reaches on.
        passing = [self.chances[tree.is_dealt[self.chances]], self.leaves]
        roots = np.concatenate([np.unique(level_roots), *passing])
        roots = roots[np.lexsort((roots, tree.streets[roots]))]
        level_order = np.lexsort((level_roots, tree.streets[level_roots]))
        assert np.array_equal(level_order, np.arange(len(level_roots)))
        first = np.searchsorted(_by_street(tree, level_roots), _by_street(tree, roots), "left")
        last = np.searchsorted(_by_street(tree, level_roots), _by_street(tree, roots), "right")
        above = np.where(roots > 0, tree.parents[roots], 0)
        self.subtrees = roots
        self.level_sizes = np.diff(self.layout.arrays["levels"])
        self.subtree_levels = np.stack([first, last])
        self.layout.arrays["subtrees"] = _table(
            [
                tree.boards[roots],
                first,
                last - first,
                tree.is_dealt[roots],
                *self.reach[:, roots],
                *self.reach[:, above],
            ]
        )

    def _list_chances(self) -> None:
        tree, flat, chances = self.tree, self.flat, self.chances
        counts = tree.num_children[chances]
        edge_of = np.full(len(tree.actors), -1, np.int64)
        edge_of[flat["edge_nodes"]] = np.arange(len(flat["edge_nodes"]))
        children = np.repeat(tree.first_children[chances], counts)
        ends = np.cumsum(counts)
        children += np.arange(len(children)) - np.repeat(ends - counts, counts)
        self.layout.arrays["chances"] = _table(
            [
                tree.boards[chances],
                ends - counts,
                counts,
                chances,
                *self.value[:, chances],
                *self.reach[:, chances],
            ]
        )
        probabilities = flat["edge_probabilities"][edge_of[children]].astype(np.float32)
        self.layout.arrays["edges"] = _table(
            [tree.boards[children], *self.value[:, children], probabilities.view(np.int32)]
        )

    def _list_means(self) -> None:
        """The nodes whose values are averaged over orbits of hands."""
        rows = self.flat["node_orbits"]
        nodes = np.flatnonzero(rows >= 0)
        self.evens = nodes[np.argsort(self.tree.streets[nodes], kind="stable")]
        self.layout.arrays["evens"] = _table(
            [self.tree.boards[self.evens], rows[self.evens], *self.value[:, self.evens]]
        )
        for p in range(2):
            orbits = self.flat[f"orbits_{p}"].reshape(-1, self.boards.places[p].shape[1])
            members = np.argsort(orbits, axis=1, kind="stable")
            ends = np.zeros_like(orbits)
            for row, of_hand in enumerate(orbits):
                ends[row] = np.cumsum(np.bincount(of_hand, minlength=orbits.shape[1]))[
                    : orbits.shape[1]
                ]
            for name, array in (("", orbits), ("_ends", ends), ("_hands", members)):
                key = f"orbits_{p}" if not name else f"orbit{name}_{p}"
                self.layout.arrays[key] = array.astype(np.int16)

    def _list_endings(self, player: int) -> None:
        """Groups of endings on one board; a fold and a showdown of one reach are one task."""
        tree, flat = self.tree, self.flat
        ends, payoffs = flat["terminal_nodes"].astype(np.int64), flat["payoffs"].reshape(-1, 2, 3)
        is_fold = flat["tables"] < 0
        reach, boards = self.reach[1 - player, ends], tree.boards[ends].astype(np.int64)
        dealt = tree.is_dealt[ends]
        order = np.lexsort((is_fold, reach, dealt, boards))
        kinds = np.stack([boards, dealt, reach])[:, order]
        first = np.ones(len(order), np.bool_)
        same = (np.diff(kinds, axis=1) == 0).all(axis=0)
        is_pair = same & ~is_fold[order][:-1] & is_fold[order][1:]
        first[1:] = ~is_pair  # of a task: a showdown may have the fold that follows it
        task_of = np.cumsum(first) - 1
        size = int(first.sum())
        tasks = np.full((size, 4), -1, np.int64)
        of_task = np.full((size, 2), -1, np.int64)
        values = self.value[player, ends[order]]
        for column, kind in ((1, ~is_fold[order]), (2, is_fold[order])):
            tasks[task_of[kind], column] = values[kind]
            of_task[task_of[kind], column - 1] = order[kind]
        tasks[task_of, 0] = reach[order]
        task_boards, task_dealt = boards[order][first], dealt[order][first]
        has_showdown = tasks[:, 1] >= 0
        by_kind = np.lexsort((task_dealt, task_boards, ~has_showdown))
        tasks, of_task = tasks[by_kind], of_task[by_kind]
        kinds = np.stack([task_boards, task_dealt, has_showdown])[:, by_kind]
        begins = _group_starts(kinds)
        counts = np.diff(np.append(begins, size))
        flags = kinds[1] * _IS_DEALT + kinds[2] * _HAS_SHOWDOWN
        arrays = self.layout.arrays
        arrays[f"groups_{player}"] = _table([kinds[0][begins], begins, counts, flags[begins]])
        arrays[f"tasks_{player}"] = tasks.astype(np.int32)
        arrays[f"payoffs_{player}"] = task_payoffs(payoffs[:, player], of_task)
        self.layout.endings.append(of_task)
        groups = list(self.layout.num_groups)
        groups[player] = len(begins)
        self.layout.num_groups = (groups[0], groups[1])

    def _shown(self) -> Ints:
        """Decisions and chance nodes in the order of nodes."""
        nodes = np.flatnonzero((self.tree.actors >= 0) | (self.tree.actors == _native.CHANCE))
        rows = np.arange(len(nodes))
        boards = self.tree.boards[nodes]
        return _table([boards, rows, *self.value[:, nodes], *self.reach[:, nodes]])

    def _list_streets(self) -> None:
        tree = self.tree
        for street in range(int(tree.streets.max()) + 1):
            subtrees = _range_of(tree.streets[self.subtrees], street)
            levels = self.subtree_levels[:, subtrees.start : subtrees.stop]
            has_levels = levels.shape[1] > 0 and levels[1].max() > levels[0].min()
            sizes = self.level_sizes[levels[0].min() : levels[1].max()] if has_levels else [1]
            boards = tree.boards[self.subtrees[subtrees.start : subtrees.stop]]
            chances = _range_of(tree.streets[self.chances], street)
            on = np.concatenate([boards, tree.boards[self.chances[chances.start : chances.stop]]])
            widest = [int(self.boards.units[p][on].max(initial=1)) for p in range(2)]
            self.layout.streets.append(
                Street(
                    subtrees,
                    chances,
                    _range_of(tree.streets[self.evens], street),
                    (widest[0], widest[1]),
                    int(np.max(sizes)),
                )
            )


def _counts(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    return tree.num_children[nodes]


def _by_street(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number that sorts nodes by street, then by number."""
    return tree.streets[nodes].astype(np.int64) * len(tree.actors) + nodes


def _group_starts(kinds: NDArray[Any]) -> NDArray[np.int64]:
    """Starts of runs of equal columns, none longer than the lanes of a block."""
    is_new = np.ones(kinds.shape[1], np.bool_)
    is_new[1:] = (np.diff(kinds, axis=1) != 0).any(axis=0)
    run_starts = np.flatnonzero(is_new)
    within = np.arange(kinds.shape[1]) - np.repeat(
        run_starts, np.diff(np.append(run_starts, kinds.shape[1]))
    )
    return np.flatnonzero(within % LANES == 0)


def _range_of(sorted_streets: NDArray[Any], street: int) -> range:
    first, last = np.searchsorted(sorted_streets, [street, street + 1])
    return range(int(first), int(last))


def _table(columns: list[Any]) -> Ints:
    return np.stack([np.asarray(column).astype(np.int32) for column in columns], axis=1)
