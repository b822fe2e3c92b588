# SPDX-License-Identifier: MIT
"""The common part of solvers of explicit games: the tree, and exact values of its strategies."""

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, EvaluatesProfile, Takes, size_of
from regretless.explicit.explicit_game import ExplicitGame, tree_of
from regretless.explicit.explicit_tree import ExplicitTree, strategy_by_name
from regretless.explicit.native_adapter import NativeGame
from regretless.explicit.python_game import PythonGame
from regretless.policies.policy import TablePolicy, tree_policy
from regretless.policies.strategy_table import ProfileValues, exploitability

NODES_AT_ONCE = 10_000_000
"""Histories that may be visited between two looks at a watch."""
TreeGame = ExplicitGame | ExplicitTree | PythonGame[Any, Any] | _native.Poker | _native.LiarsDice
"""A game that can be enumerated as a tree."""


def adapted(game: TreeGame) -> Any:
    """The game, a native one with the members of a `PythonGame`."""
    return NativeGame(game) if isinstance(game, _native.Poker | _native.LiarsDice) else game


class ExplicitSolver(EvaluatesProfile):
    """A solver over an `ExplicitTree` with perfect recall."""

    def __init__(self, game: TreeGame) -> None:
        self.game = adapted(game)
        self.tree = tree_of(self.game)

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
        return strategy_by_name(self.tree, self.average_strategy())

    def no_policy(self) -> str | None:
        if isinstance(self.game, NativeGame | ExplicitGame):
            return None
        return "only strategies of games that load_game gives can play at a table"

    def policy(self) -> TablePolicy:
        return tree_policy(self.game, self.tree, self.average_strategy())
