# SPDX-License-Identifier: MIT
"""The backend `native`: the CFR family in C++, over the public tree with vectors of hands."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.algorithm import Arrays, Metrics, Takes
from regretless.games import Game, with_hands
from regretless.games.spots import begin_at
from regretless.options import read_options
from regretless.policies.strategy_table import StrategyTable, solution_table
from regretless.policies.strategy_tree import StrategyTree
from regretless.solvers.backend import PlannedSize, TreeSolver
from regretless.solvers.problem import (
    NODES_AT_ONCE,
    CFRConfig,
    make_discounts,
    make_vector_solver,
    nodes_touched,
    planned_size,
)
from regretless.watch import UNWATCHED, Watch

_ENTRIES_A_SECOND = 3e8  # of one thread, roughly (docs/algorithms/cfr.md)


class CFR(TreeSolver):
    """A solver of the CFR family."""

    def __init__(self, game: Game, config: CFRConfig | None = None) -> None:
        self.config = config if config is not None else CFRConfig()
        self.solver = make_vector_solver(game, self.config)
        self.problem = self.solver.problem
        self._rules = game
        self._nodes = nodes_touched(self.problem)

    @cached_property
    def game(self) -> Game:
        """The game from where the problem begins."""
        return begin_at(self._rules, self.config.board, self.config.weights)

    @property
    def steps_done(self) -> int:
        """One step is one iteration."""
        return self.solver.iteration

    def takes(self) -> Takes:
        num_tables = 3 if make_discounts(self.config).predicts else 2  # regrets, sums, predictions
        return Takes(8 * num_tables * self.solver.size.entries)

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        for piece in watch.pieces(count, NODES_AT_ONCE // self._nodes):
            self.solver.step(piece)
        return {"iterations": self.steps_done, "nodes": self.steps_done * self._nodes}

    def values(self) -> list[float]:
        return [self.solver.value(player) / self._rules.unit for player in range(2)]

    def exploitability(self, watch: Watch = UNWATCHED) -> float:
        gains = 0.0
        for player in range(2):
            watch.look("measuring", player / 2)
            gains += self.solver.best_value(player)
            if not self.solver.is_zero_sum:  # else the values cancel
                watch.look("measuring", player / 2 + 0.25)
                gains -= self.solver.value(player)
        return gains / self._rules.unit / 2

    @property
    def memory_bytes(self) -> int:
        return self.solver.size.bytes

    @property
    def bits(self) -> int:
        return self.solver.size.precision

    def node_strategy(self, node: int) -> NDArray[np.float64]:
        return self.solver.strategy(node)

    def packed(self) -> StrategyTree:
        return StrategyTree.of(self.problem, self.solver.packed())

    def lock(self, node: int, strategy: NDArray[np.float64]) -> None:
        self.solver.lock(node, strategy)

    def table(self) -> StrategyTable:
        return solution_table(self.solver.rows, self.game, self.config.max_bytes)

    def state(self) -> Arrays:
        return {"iteration": np.array([self.steps_done]), "tables": self.solver.state()}

    def restore(self, state: Arrays) -> None:
        self.solver.restore(int(state["iteration"][0]), state["tables"])


def read_config(name: str, options: Mapping[str, Any]) -> CFRConfig:
    return read_options(CFRConfig, f"algorithm {name!r}", options, name=name)


def plan(game: Game, config: CFRConfig) -> PlannedSize:
    size = planned_size(with_hands(game, "solving"), config)
    seconds = size.entries / _ENTRIES_A_SECOND / config.threads
    return PlannedSize(
        size.decisions, size.entries, size.precision, size.bytes, size.bytes, seconds
    )


def make(game: Game, config: CFRConfig) -> CFR:
    return CFR(game, config)


def set_up_process(config: CFRConfig) -> None:
    """The process needs no settings."""
