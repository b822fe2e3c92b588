# SPDX-License-Identifier: MIT
"""What solvers of games written out in full share: the tree, and what its strategies are worth."""

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.algorithm import Arrays, EvaluatesProfile, Takes, size_of
from regretless.evaluation.exploitability import exploitability
from regretless.explicit.explicit_game import ExplicitGame as PlayedGame
from regretless.explicit.explicit_game import tree_of
from regretless.explicit.explicit_tree import ExplicitTree, strategy_by_name
from regretless.explicit.native_adapter import NativeGame
from regretless.explicit.python_game import PythonGame
from regretless.policies.policy import TablePolicy, tree_policy
from regretless.policies.strategy_table import ProfileValues

NODES_AT_ONCE = 10_000_000
"""Histories that may be visited between two looks at a watch."""
ExplicitGame = PlayedGame | ExplicitTree | PythonGame[Any, Any]


class ExplicitSolver(EvaluatesProfile):
    """Keeps an `ExplicitTree`, that of a Python game for instance; needs perfect recall."""

    def __init__(self, game: ExplicitGame) -> None:
        self.game = game
        self.tree = tree_of(game)

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
        if isinstance(self.game, NativeGame | PlayedGame):
            return None
        return "only strategies of games that load_game gives can play at a table"

    def policy(self) -> TablePolicy:
        return tree_policy(self.game, self.tree, self.average_strategy())
