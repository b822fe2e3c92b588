# SPDX-License-Identifier: MIT
"""A solved public tree as data: the strategy and its values at every node, in 16 bits.

Numbers are those of `PackedSolution` in native/solve/vector_problem.h. A row is only touched when
its node is asked for, so a tree may lie in a file far larger than what one looks at.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError

MOST = 32_767
"""The number that stands for a share of 1."""
_MOST_CHILDREN = 1 << 15

_DIMENSIONS = {"values": 2, "scales": 3, "payoffs": 2, "suits": 2, "places_0": 2, "places_1": 2}
_OF_NODES = ("actors", "first_children", "num_children", "events")


@dataclass(frozen=True, eq=False)
class StrategyTree:
    """The columns, as a file keeps them."""

    actors: NDArray[np.int8]  # [nodes]: a seat, or as an episode says chance and the end
    first_children: NDArray[np.int32]  # [nodes]
    num_children: NDArray[np.int32]  # [nodes]
    events: NDArray[np.int32]  # [nodes]: the slot that led there, or the kept public outcome
    boards: NDArray[np.int32]  # [nodes]: what public chance has shown
    strategy: NDArray[np.int16]  # by decision [actions - 1, hands]: shares added up, of MOST
    values: NDArray[np.int16]  # [decisions and chance, hands of 0 and 1]: expected chips
    scales: NDArray[np.float32]  # [the same, players, (middle, step)]: chips
    payoffs: NDArray[np.float32]  # [endings, 6]: of each player if he loses, ties, wins
    outcome_ends: NDArray[np.int32]  # [boards]: in the two that follow
    outcomes: NDArray[np.int32]  # public outcomes that a board stands for, itself first
    renamings: NDArray[np.int32]  # of suits, that make each of them the board
    suits: NDArray[np.uint8]  # [renamings, 4]: where a suit goes
    places_0: NDArray[np.int32]  # [renamings, hands]: where a hand goes
    places_1: NDArray[np.int32]
    hands_0: NDArray[np.int32]  # [hands]
    hands_1: NDArray[np.int32]
    weights_0: NDArray[np.float64]  # [hands], at the root
    weights_1: NDArray[np.float64]

    @classmethod
    def of(cls, problem: _native.VectorProblem, packed: tuple[Any, Any, Any]) -> "StrategyTree":
        """Makes the tree of a problem and the numbers that the problem or its solver packed."""
        strategy, values, scales = packed
        boards, flat = problem.boards(), problem.arrays()
        return cls(
            **{name: np.asarray(getattr(problem, name)) for name in _OF_NODES},
            boards=boards.pop("of_nodes"),
            outcome_ends=boards.pop("ends"),
            **boards,
            strategy=strategy,
            values=values,
            scales=scales,
            payoffs=flat["payoffs"].astype(np.float32),
            hands_0=np.asarray(problem.hands(0)),
            hands_1=np.asarray(problem.hands(1)),
            weights_0=flat["weights_0"],
            weights_1=flat["weights_1"],
        )

    @classmethod
    def from_columns(cls, columns: dict[str, NDArray[Any]], place: str) -> "StrategyTree":
        """InputError unless there are exactly these columns, of sizes that fit each other."""
        known = get_type_hints(cls)
        if columns.keys() != known.keys():
            wrong = min(columns.keys() ^ known.keys())
            raise InputError(f"{place}: column {wrong!r} is missing or unknown")
        for name, hint in known.items():
            kind, dimensions = get_args(get_args(hint)[1])[0], _DIMENSIONS.get(name, 1)
            if columns[name].dtype != kind or columns[name].ndim != dimensions:
                raise InputError(f"{place}: {name} must be {np.dtype(kind).name} in {dimensions} d")
        tree = cls(**columns)
        tree._check_sizes(place)
        return tree

    def columns(self) -> dict[str, NDArray[Any]]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def hands(self, player: int) -> NDArray[np.int32]:
        return self.hands_1 if player else self.hands_0

    def weights(self, player: int) -> NDArray[np.float64]:
        return self.weights_1 if player else self.weights_0

    def places(self, player: int) -> NDArray[np.int32]:
        return self.places_1 if player else self.places_0

    @property
    def num_decisions(self) -> int:
        return int(np.count_nonzero(self.actors >= 0))

    def children(self, node: int) -> range:
        first, count = int(self.first_children[node]), int(self.num_children[node])
        if not (node < first and 0 < count <= _MOST_CHILDREN and first + count <= len(self.actors)):
            raise InputError(f"node {node} of the tree: its children are not in the tree")
        return range(first, first + count)

    def strategy_at(self, node: int) -> NDArray[np.float64]:
        """[actions, hands of the actor] of a decision."""
        actor, actions = int(self.actors[node]), int(self.num_children[node])
        hands = len(self.hands(actor))
        first = int(self._strategy_starts[node])
        rows = self.strategy[first : first + (actions - 1) * hands].reshape(actions - 1, hands)
        sums = np.zeros((actions + 1, hands))
        sums[1:-1] = rows / MOST
        sums[-1] = 1.0
        shares: NDArray[np.float64] = np.diff(sums, axis=0)
        return shares

    def values_at(self, node: int) -> list[NDArray[np.float64]]:
        """[player][hands] of a decision or chance node: expected chips; 0 where none is met."""
        row = int(self._value_rows[node])
        first = len(self.hands_0)
        parts = (self.values[row, :first], self.values[row, first:])
        scales = self.scales[row].astype(np.float64)
        return [scales[p, 0] + scales[p, 1] * parts[p] for p in range(2)]

    def payoffs_at(self, node: int) -> NDArray[np.float64]:
        """[players, (lose, tie, win)] of an ending, in chips."""
        row: NDArray[np.float64] = self.payoffs[int(self._endings[node])].astype(np.float64)
        return row.reshape(2, 3)

    def outcomes_of(self, board: int) -> list[tuple[int, int]]:
        """(outcome, renaming) of all that a board stands for."""
        first = int(self.outcome_ends[board - 1]) if board > 0 else 0
        here = slice(first, int(self.outcome_ends[board]))
        return list(zip(self.outcomes[here].tolist(), self.renamings[here].tolist(), strict=True))

    def profile(self) -> NDArray[np.float64]:
        """All of it, node after node [actions, hands], as a native problem takes it."""
        decisions = np.flatnonzero(self.actors >= 0).tolist()
        return np.concatenate([self.strategy_at(node).ravel() for node in decisions])

    @cached_property
    def _num_entries(self) -> NDArray[np.int64]:
        """[nodes]: numbers of the strategy."""
        sizes = np.array([len(self.hands_0), len(self.hands_1)])[self.actors.clip(0)]
        return np.where(self.actors >= 0, (self.num_children - 1) * sizes, 0)

    @cached_property
    def _strategy_starts(self) -> NDArray[np.int64]:
        """[nodes]"""
        return _starts(self._num_entries)

    @cached_property
    def _value_rows(self) -> NDArray[np.int64]:
        """[nodes]"""
        return _starts((self.actors >= 0) | (self.actors == _native.CHANCE))

    @cached_property
    def _endings(self) -> NDArray[np.int64]:
        """[nodes]"""
        return _starts(self.actors == _native.TERMINAL)

    def _check_sizes(self, place: str) -> None:
        nodes, num_hands = len(self.actors), len(self.hands_0) + len(self.hands_1)
        actors = self.actors
        num_rows = int(np.count_nonzero((actors >= 0) | (actors == _native.CHANCE)))
        num_endings = int(np.count_nonzero(actors == _native.TERMINAL))
        sizes = {
            "actors": nodes > 0 and actors.min() >= _native.TERMINAL and actors.max() <= 1,
            "first_children": len(self.first_children) == nodes,
            "num_children": len(self.num_children) == nodes and self._has_children(),
            "events": len(self.events) == nodes,
            "boards": len(self.boards) == nodes
            and 0 <= self.boards.min() <= self.boards.max() < len(self.outcome_ends),
            "values": self.values.shape == (num_rows, num_hands),
            "scales": self.scales.shape == (num_rows, 2, 2),
            "payoffs": self.payoffs.shape == (num_endings, 6),
            "outcome_ends": self._outcomes_ascend(),
            "renamings": self.renamings.shape == self.outcomes.shape
            and bool(((self.renamings >= 0) & (self.renamings < len(self.suits))).all()),
            "suits": self.suits.shape[1] == 4 and bool((self.suits < 4).all()),
        }
        for player in range(2):
            hands, weights, places = self.hands(player), self.weights(player), self.places(player)
            shape = (len(self.suits), len(hands))
            sizes[f"hands_{player}"] = len(hands) > 0 and bool((np.diff(hands) > 0).all())
            sizes[f"weights_{player}"] = len(weights) == len(hands) and bool((weights > 0).all())
            inside = bool(((places >= 0) & (places < len(hands))).all())
            sizes[f"places_{player}"] = places.shape == shape and inside
        wrong = next((name for name, fits in sizes.items() if not fits), None)
        if wrong is None and self._num_entries.sum() != len(self.strategy):
            wrong = "strategy"
        if wrong is not None:
            raise InputError(f"{place}: {wrong} does not fit the other columns")

    def _has_children(self) -> bool:
        counts = self.num_children
        is_end = self.actors == _native.TERMINAL
        return bool(((counts > 0) & (counts <= _MOST_CHILDREN))[~is_end].all())

    def _outcomes_ascend(self) -> bool:
        ends = self.outcome_ends
        ascend = len(ends) > 0 and ends[0] >= 0 and bool((np.diff(ends) >= 0).all())
        return ascend and int(ends[-1]) == len(self.outcomes)

    def check_rows(self, place: str) -> None:
        """Shares never fall from action to action, and all numbers are finite."""
        for name in ("scales", "payoffs", "weights_0", "weights_1"):
            if not np.isfinite(getattr(self, name)).all():
                raise InputError(f"{place}: {name} must be finite")
        if len(self.strategy) and self.strategy.min() < 0:
            raise InputError(f"{place}: strategy must not be negative")
        for node in np.flatnonzero((self.actors >= 0) & (self.num_children > 2)).tolist():
            if self.strategy_at(node).min() < 0:
                raise InputError(f"{place}: the shares of node {node} do not add up")


def _starts(sizes: NDArray[Any]) -> NDArray[np.int64]:
    """The first index of each of several consecutive parts."""
    ends: NDArray[np.int64] = np.cumsum(sizes, dtype=np.int64)
    starts: NDArray[np.int64] = ends - sizes
    return starts
