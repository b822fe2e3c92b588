# SPDX-License-Identifier: MIT
"""Explicit games: enumerated trees that are played, trained and saved like native games."""

import hashlib
import json
from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import refusing
from regretless.explicit.enumeration import Enumeration
from regretless.explicit.explicit_tree import (
    MOST_NODES,
    ExplicitTree,
    enumerate_tree,
    uniform_strategy,
)
from regretless.explicit.public_view import PublicView

_MOST_UNIT = 1000
_MOST_CHIPS = 1 << 30


class ExplicitGame(_native.ExplicitGame):
    """A custom game as a tree, whose slots are the labels of its actions.

    Payoffs are whole chips, `unit` of them for 1: exact where a unit up to 1,000 makes all payoffs
    whole, else rounded to a billionth of the largest. Exact measures use the tree.
    """

    tree: ExplicitTree
    slots: NDArray[np.intp]
    """The slot of each action; -1 beyond the last one.  [infosets, max_actions]"""
    public: PublicView | None
    """Public states and hands, if the class has both."""
    origin: dict[str, Any] | None = None
    """The name and options by which `load_game` has made it, and the SHA-256 of its code."""

    def __init__(
        self, tree: ExplicitTree, name: str, hands: Enumeration[Any, Any] | None = None
    ) -> None:
        """Raises InputError if nobody decides, or with too many players or actions."""
        self.tree = tree
        slots, names = _slots(tree)
        self.slots = np.full((tree.num_infosets, tree.max_actions), -1, np.intp)
        for row, each in zip(self.slots, slots, strict=True):
            row[: len(each)] = each
        unit = _unit(tree.payoffs)
        with refusing(f"{name}: cannot be played at a table"):
            super().__init__(
                name=name,
                unit=float(unit),
                stake=unit * (float(np.abs(tree.payoffs).max(initial=0.0)) or 1.0),
                **tree.arrays(),
                keys=_keys(tree),
                infoset_names=list(tree.infoset_names),
                slots=slots,
                texts=[list(each) for each in tree.infoset_action_names],
                action_names=names,
            )
        self.public = None
        if hands is not None:
            self.public = PublicView(tree, hands, name, unit, names, self.slots)

    @cached_property
    def legal(self) -> NDArray[np.bool_]:
        """Whether a slot may be chosen.  [infosets, actions]"""
        legal: NDArray[np.bool_] = self.slot_rows(np.ones(self.slots.shape)) > 0
        return legal

    def slot_rows(self, strategy: NDArray[np.float64]) -> NDArray[np.float64]:
        """Converts a strategy of the tree, [infosets, max_actions], to slots."""
        rows = np.zeros((len(self.slots), self.num_actions))
        infosets, actions = np.nonzero(self.slots >= 0)
        rows[infosets, self.slots[infosets, actions]] = strategy[infosets, actions]
        return rows

    def tree_rows(self, rows: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Converts rows of slots to a strategy of the tree whose rows sum to 1."""
        infosets, actions = np.nonzero(self.slots >= 0)
        strategy = np.zeros(self.slots.shape)
        strategy[infosets, actions] = rows[infosets, self.slots[infosets, actions]]
        sums = strategy.sum(axis=1, keepdims=True)
        found = uniform_strategy(self.tree)
        np.divide(strategy, sums, out=found, where=sums > 0)
        return found

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the whole game, names of infosets and actions included."""
        tree, digest = self.tree, hashlib.sha256()
        shape = (tree.actors, tree.num_children, tree.chance_probabilities, tree.infosets)
        for array in (*shape, tree.payoffs):
            digest.update(np.ascontiguousarray(array).tobytes())
        names = [tree.num_players, tree.infoset_names, tree.infoset_action_names]
        digest.update(json.dumps(names).encode())
        return digest.hexdigest()

    def count_tree(self) -> dict[str, int]:
        """Histories, terminals and infosets."""
        tree = self.tree
        return {
            "histories": tree.num_histories,
            "terminals": tree.num_terminals,
            "infosets": tree.num_infosets,
        }


def tree_of(game: Any, max_nodes: int = MOST_NODES) -> ExplicitTree:
    """The tree of an explicit game, a tree itself, or the enumerated tree of a Python game."""
    if isinstance(game, ExplicitGame):
        return game.tree
    return game if isinstance(game, ExplicitTree) else enumerate_tree(game, max_nodes)


def _slots(tree: ExplicitTree) -> tuple[list[list[int]], list[str]]:
    """The slot of every action, and the names of slots: labels, or places if labels clash."""
    labels: dict[str, int] = {}
    is_clear = True
    for names in tree.infoset_action_names:
        is_clear = is_clear and len(set(names)) == len(names)
        for name in names:
            labels.setdefault(name, len(labels))
    if is_clear and len(labels) <= 64:
        return [[labels[name] for name in names] for names in tree.infoset_action_names], [*labels]
    places = [f"action {place + 1}" for place in range(tree.max_actions)]
    return [list(range(len(names))) for names in tree.infoset_action_names], places


def _keys(tree: ExplicitTree) -> NDArray[np.uint64]:
    """Keys by player and name, so that they survive changes of other parts of a game."""
    times: Counter[tuple[int, str]] = Counter()
    keys = np.empty(tree.num_infosets, np.uint64)
    for infoset, name in enumerate(tree.infoset_names):
        player = int(tree.infoset_actors[infoset])
        times[player, name] += 1
        text = json.dumps([player, name, times[player, name]])
        keys[infoset] = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    return keys


def _unit(payoffs: NDArray[np.float64]) -> float:
    values = np.unique(np.abs(payoffs))
    largest = float(values.max(initial=0.0))
    for unit in range(1, _MOST_UNIT + 1):
        if largest * unit > _MOST_CHIPS:
            break
        chips = values * unit
        if (np.abs(chips - np.rint(chips)) <= 1e-9 * np.maximum(chips, 1)).all():
            return unit
    return _MOST_CHIPS / largest
