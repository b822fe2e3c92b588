# SPDX-License-Identifier: MIT
"""The common part of solvers of explicit games: the tree, and exact values of its strategies."""

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, EvaluatesProfile, Metrics, Takes, size_of
from regretless.explicit.explicit_game import ExplicitGame, tree_of
from regretless.explicit.explicit_tree import MOST_NODES, ExplicitTree
from regretless.explicit.native_adapter import NativeGame
from regretless.explicit.python_game import PythonGame
from regretless.policies.policy import TablePolicy, tree_policy
from regretless.policies.strategy_table import ProfileValues, exploitability
from regretless.watch import UNWATCHED, Watch

NODES_AT_ONCE = 10_000_000
"""Histories that may be visited between two looks at a watch."""
TreeGame = ExplicitGame | ExplicitTree | PythonGame[Any, Any] | _native.Poker | _native.LiarsDice
"""A game that can be enumerated as a tree."""


class ExplicitSolver(EvaluatesProfile):
    """A solver over an `ExplicitTree` with perfect recall."""

    def __init__(self, game: TreeGame, max_nodes: int = MOST_NODES) -> None:
        is_native = isinstance(game, _native.Poker | _native.LiarsDice)
        self.game: Any = NativeGame(game) if is_native else game  # type: ignore[arg-type]
        self.tree = tree_of(self.game, max_nodes)

    @abstractmethod
    def average_strategy(self) -> NDArray[np.float64]:
        """The average strategy, uniform where it never comes.  [infosets, max_actions]"""

    @abstractmethod
    def state(self) -> Arrays: ...

    def takes(self) -> Takes:
        return Takes(size_of(self.state()))

    def evaluate(self) -> ProfileValues:
        """All figures of the average strategy at once, in payoff units."""
        return exploitability(self.tree, self.average_strategy())

    def num_infosets(self) -> int:
        return self.tree.num_infosets

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        tree = self.tree
        rows = zip(self.average_strategy(), tree.infoset_num_actions, strict=True)
        return dict(zip(tree.distinct_names, (row[:count] for row, count in rows), strict=True))

    def no_policy(self) -> str | None:
        if isinstance(self.game, NativeGame | ExplicitGame):
            return None
        return "only strategies of games that load_game gives can play at a table"

    def policy(self) -> TablePolicy:
        return tree_policy(self.game, self.tree, self.average_strategy())


class IterativeSolver(ExplicitSolver):
    """A native solver of the tree; one step is an iteration, which updates every player once."""

    solver: _native.ExplicitCfr | _native.FictitiousPlay

    @property
    def steps_done(self) -> int:
        return self.solver.iteration

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        for piece in watch.pieces(count, NODES_AT_ONCE // self.tree.nodes_touched):
            self.solver.step(piece)
        return {"nodes": float(self.steps_done * self.tree.nodes_touched)}

    def average_strategy(self) -> NDArray[np.float64]:
        return self.solver.average_strategy()

    def restore(self, state: Arrays) -> None:
        arrays = dict(state)
        iteration = int(arrays.pop("iteration")[0])
        self.solver.restore(iteration, **arrays)
