# SPDX-License-Identifier: MIT
"""A whole game as flat arrays, one entry per history, and the values of strategies."""

from collections import Counter
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.explicit.enumeration import Enumeration
from regretless.explicit.python_game import CHANCE, TERMINAL, Action, PythonGame, State

MOST_NODES = 5_000_000
"""Histories of the largest game that is enumerated by default."""


@dataclass(frozen=True, eq=False)
class ExplicitTree:
    """Every history of a game, breadth first: node 0 is the root, and each level is contiguous.

    The children of a node are contiguous, in the order of its actions, and come after it. Infosets
    and terminals are numbered as they are first met, so that under perfect recall a player's
    earlier infosets have the smaller numbers. The arrays cannot be written to.
    """

    actors: NDArray[np.int8]  # [nodes]: a player, CHANCE or TERMINAL
    parents: NDArray[np.int32]  # [nodes]: -1 at the root
    first_children: NDArray[np.int32]  # [nodes]: at a terminal, where its children would have begun
    num_children: NDArray[np.int32]  # [nodes]
    chance_probabilities: NDArray[np.float64]  # [nodes]: given the parent; 1 unless it is chance
    infosets: NDArray[np.int32]  # [nodes]: -1 where nobody decides
    terminals: NDArray[np.int32]  # [nodes]: a row of payoffs, -1 where the game goes on
    payoffs: NDArray[np.float64]  # [terminals, players]
    infoset_actors: NDArray[np.int8]  # [infosets]
    infoset_num_actions: NDArray[np.int32]  # [infosets]
    infoset_names: tuple[str, ...]  # [infosets]
    infoset_action_names: tuple[tuple[str, ...], ...]  # [infosets][actions of the infoset]

    def __post_init__(self) -> None:
        for array in self.arrays().values():
            array.setflags(write=False)

    @property
    def num_players(self) -> int:
        return int(self.payoffs.shape[1])

    @property
    def num_nodes(self) -> int:
        return len(self.actors)

    num_histories = num_nodes  # a node is one sequence of actions and chance outcomes

    @property
    def nodes_touched(self) -> int:
        """Arrays for one sweep per player: decisions and endings without chance."""
        return int(np.count_nonzero(self.actors != CHANCE)) * self.num_players

    @property
    def num_terminals(self) -> int:
        return len(self.payoffs)

    @property
    def num_infosets(self) -> int:
        return len(self.infoset_actors)

    @property
    def distinct_names(self) -> list[str]:
        """The names of infosets, with the player before a name that several share."""
        times = Counter(self.infoset_names)
        return [
            name if times[name] == 1 else f"player {actor}: {name}"
            for name, actor in zip(self.infoset_names, self.infoset_actors, strict=True)
        ]

    @property
    def max_actions(self) -> int:
        """The most actions of any infoset; 0 without infosets."""
        return int(self.infoset_num_actions.max(initial=0))

    @property
    def num_bytes(self) -> int:
        """Memory of the arrays, without the names."""
        return sum(array.nbytes for array in self.arrays().values())

    @cached_property
    def level_starts(self) -> NDArray[np.int64]:
        """The nodes of level d are `level_starts[d]` up to `level_starts[d + 1]`.  [levels + 1]"""
        starts = [0, 1]
        while width := int(self.num_children[starts[-2] : starts[-1]].sum()):
            starts.append(starts[-1] + width)
        return np.array(starts, dtype=np.int64)

    @cached_property
    def steps(self) -> NDArray[np.int32]:
        """Which action or chance outcome of the parent leads here; -1 at the root.  [nodes]"""
        steps = np.arange(self.num_nodes, dtype=np.int32)
        steps[1:] -= self.first_children[self.parents[1:]]
        steps[0] = -1
        return steps

    @cached_property
    def sequence_form(self) -> _native.SequenceForm:
        """The tree as native solvers read it, built once; an `InputError` if a player forgets."""
        with refusing():
            return _native.SequenceForm(**self.arrays())

    @property
    def unbalanced_terminals(self) -> NDArray[np.intp]:
        """The terminals whose payoffs do not sum to 0, up to rounding."""
        rounding = 1e-9 * np.maximum(np.abs(self.payoffs).sum(axis=1), 1.0)
        return np.flatnonzero(np.abs(self.payoffs.sum(axis=1)) > rounding)

    @property
    def is_zero_sum(self) -> bool:
        """Whether the payoffs of every terminal sum to 0, up to rounding."""
        return not len(self.unbalanced_terminals)

    def has_perfect_recall(self) -> bool:
        """Whether each infoset pins down all that its player knew and did before."""
        try:
            return self.sequence_form is not None
        except InputError:
            return False

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All fields but the names."""
        named = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: each for name, each in named if isinstance(each, np.ndarray)}


def enumerate_tree(game: PythonGame[State, Action], max_nodes: int = MOST_NODES) -> ExplicitTree:
    """The tree of `game`; InputError names the state where the game breaks its contract."""
    return enumerate_game(game, max_nodes)[0]


def enumerate_game(
    game: PythonGame[State, Action], max_nodes: int = MOST_NODES
) -> tuple[ExplicitTree, Enumeration[State, Action] | None]:
    """The tree of a game, and its enumeration if the class has hands and public states."""
    found = Enumeration(game, max_nodes)
    found.run()
    return _found_tree(found), found if found.has_hands else None


def _found_tree(found: Enumeration[State, Action]) -> ExplicitTree:
    actors = np.array(found.actors, dtype=np.int8)
    num_children = np.array(found.num_children, dtype=np.int32)
    numbers = np.cumsum(actors == TERMINAL, dtype=np.int32) - np.int32(1)
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    action_names = (tuple(map(str, actions)) for actions in found.infoset_actions)
    return ExplicitTree(
        actors=actors,
        parents=np.array(found.parents, dtype=np.int32),
        first_children=np.cumsum(num_children, dtype=np.int32) - num_children + np.int32(1),
        num_children=num_children,
        chance_probabilities=np.array(found.chance_probabilities, dtype=np.float64),
        infosets=np.array(found.infosets, dtype=np.int32),
        terminals=np.where(actors == TERMINAL, numbers, np.int32(-1)),
        payoffs=np.array(found.payoffs, dtype=np.float64).reshape(-1, found.num_players),
        infoset_actors=np.array(found.infoset_actors, dtype=np.int8),
        infoset_num_actions=np.array(list(map(len, found.infoset_actions)), dtype=np.int32),
        infoset_names=tuple(map(str, found.infoset_numbers)),
        infoset_action_names=tuple(shared.setdefault(names, names) for names in action_names),
    )


def uniform_strategy(tree: ExplicitTree) -> NDArray[np.float64]:
    """Every action of an infoset equally likely, 0 beyond its last one.  [infosets, max_actions]"""
    return _exists(tree) / tree.infoset_num_actions[:, None]


def expected_values(tree: ExplicitTree, strategy: ArrayLike) -> NDArray[np.float64]:
    """The expected payoffs when all players play `strategy`.  [players]

    `strategy` is [infosets, max_actions]: each row a distribution over the infoset's actions.
    """
    values: NDArray[np.float64] = history_values(tree, checked_strategy(tree, strategy))[0]
    return values


def history_values(tree: ExplicitTree, strategy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Expected payoffs from every node on.  [nodes, players]"""
    weights = tree.chance_probabilities.copy()  # [nodes]: of a child, given its parent
    chosen = np.flatnonzero(tree.infosets[tree.parents[1:]] >= 0) + 1
    weights[chosen] = strategy[tree.infosets[tree.parents[chosen]], tree.steps[chosen]]
    values = np.zeros((tree.num_nodes, tree.num_players))
    values[tree.terminals >= 0] = tree.payoffs
    for start, end in reversed(list(pairwise(tree.level_starts[1:]))):
        parts = weights[start:end, None] * values[start:end]
        np.add.at(values, tree.parents[start:end], parts)
    return values


def checked_strategy(tree: ExplicitTree, strategy: ArrayLike) -> NDArray[np.float64]:
    """`strategy` as an array [infosets, max_actions]; an `InputError` if it is no strategy."""
    probabilities = np.ascontiguousarray(strategy, dtype=np.float64)
    expected_shape = (tree.num_infosets, tree.max_actions)
    if probabilities.shape != expected_shape:
        raise InputError(
            f"the strategy has shape {probabilities.shape}, and the tree needs "
            f"[infosets, max_actions] = {expected_shape}"
        )
    is_distribution = (
        (probabilities >= 0).all(axis=1)
        & (np.where(_exists(tree), 0, probabilities) == 0).all(axis=1)
        & (np.abs(probabilities.sum(axis=1) - 1) <= 1e-6)
    )
    if not is_distribution.all():
        infoset = int(np.argmin(is_distribution))
        raise InputError(
            f"the strategy is not a distribution over the {tree.infoset_num_actions[infoset]} "
            f"actions of infoset {infoset}, {tree.infoset_names[infoset]!r}: "
            f"{probabilities[infoset].tolist()}"
        )
    return probabilities


def _exists(tree: ExplicitTree) -> NDArray[np.bool_]:
    """Whether the infoset has that many actions.  [infosets, max_actions]"""
    exists: NDArray[np.bool_] = np.arange(tree.max_actions) < tree.infoset_num_actions[:, None]
    return exists
