# SPDX-License-Identifier: MIT
"""Two-player zero-sum games of perfect recall as one linear program in sequence form.

Koller, Megiddo and von Stengel 1994; von Stengel 1996. Player 0 chooses a realisation plan x to
maximise what player 1's best response leaves:

    max u_root   subject to   E x = e,   F' u - A' x <= 0,   x >= 0,   u free,

where A holds player 0's payoffs by both players' sequences, E and F the constraints of plans, and
the dual variables of the inequalities are player 1's plan. Solved by HiGHS.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.optimize import linprog

from regretless.algorithm import Arrays, Metrics
from regretless.errors import InputError
from regretless.explicit.explicit_game import tree_of
from regretless.explicit.explicit_tree import ExplicitTree, uniform_strategy
from regretless.explicit.python_game import PythonGame
from regretless.policies.strategy_table import exploitability
from regretless.solvers.explicit_solver import ExplicitSolver, TreeGame
from regretless.watch import UNWATCHED, Watch


@dataclass(frozen=True, eq=False)
class SequenceFormSolution:
    """An equilibrium and how exact it is, in payoff units."""

    value: float  # of the game for player 0
    strategies: NDArray[np.float64]  # [infosets, max_actions], of both players
    exploitability: float  # of the strategies, due to rounding


@dataclass(frozen=True)
class SequenceFormConfig:
    """The limit on the size of the program."""

    max_nodes: int = 400_000
    """Histories of the game; beyond this number the program takes minutes and gigabytes."""


class SequenceForm(ExplicitSolver):
    """The program as an algorithm: the first step solves it, and others add nothing."""

    Config = SequenceFormConfig

    def __init__(self, game: TreeGame, config: SequenceFormConfig | None = None) -> None:
        max_nodes = (config or SequenceFormConfig()).max_nodes
        super().__init__(game, max_nodes)
        if self.tree.num_nodes > max_nodes:
            raise InputError(f"the game has more than max_nodes = {max_nodes:,} histories")
        _require_zero_sum(self.tree)
        self.steps_done = 0
        self._strategies = uniform_strategy(self.tree)

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """HiGHS cannot be stopped, so the watch is looked at before it begins."""
        for piece in watch.pieces(count, count):
            if self.steps_done == 0:
                self._strategies = solve_sequence_form(self.tree).strategies
            self.steps_done += piece
        return {"nodes": float(self.steps_done * self.tree.nodes_touched)}

    def average_strategy(self) -> NDArray[np.float64]:
        return self._strategies

    def state(self) -> Arrays:
        return {
            "steps": np.array([self.steps_done], dtype=np.int64),
            "strategies": self._strategies.copy(),  # [infosets, max_actions]
        }

    def restore(self, state: Arrays) -> None:
        if state["strategies"].shape != self._strategies.shape:
            raise InputError("sequence-form: the state is of another game")
        self.steps_done = int(state["steps"][0])
        self._strategies = state["strategies"].astype(np.float64)


def _require_zero_sum(tree: ExplicitTree) -> None:
    if tree.num_players != 2 or not tree.is_zero_sum:
        raise InputError("the sequence-form linear program needs a two-player zero-sum game")


def solve_sequence_form(game: ExplicitTree | PythonGame[Any, Any]) -> SequenceFormSolution:
    """The value and an equilibrium of a two-player zero-sum game of perfect recall.

    An `InputError` says which of these a game is not. Where the player's own actions never lead,
    the strategy is uniform.
    """
    tree = tree_of(game)
    _require_zero_sum(tree)
    payoffs = _payoff_matrix(tree)
    scale = float(np.abs(payoffs.data).max(initial=0)) or 1.0
    constraints = [_plan_constraints(tree, player) for player in range(2)]
    plans = _solve(payoffs / scale, *constraints)
    strategies = uniform_strategy(tree)
    for player in range(2):
        _fill_behaviours(tree, player, plans[player], strategies)
    exact = exploitability(tree, strategies)
    return SequenceFormSolution(exact.values[0], strategies, exact.exploitability)


def _payoff_matrix(tree: ExplicitTree) -> sparse.csr_array:
    """Player 0's payoffs times chance.  [sequences of player 0, sequences of player 1]"""
    starts, weights, others = tree.sequence_form.payoffs(0)
    begin, end = tree.sequence_form.sequences(1)
    return sparse.csr_array(
        (weights, others[:, 0] - begin, starts), shape=(len(starts) - 1, end - begin)
    )


def _plan_constraints(tree: ExplicitTree, player: int) -> sparse.csr_array:
    """The constraints of plans: times a plan, this is 1, 0, 0, ...  [1 + infosets, sequences]

    Row 0 is the empty sequence; in the others, what leads to an infoset goes on in its actions.
    """
    begin, end = tree.sequence_form.sequences(player)
    _, parents, _, num_actions = tree.sequence_form.infosets(player).T
    rows = np.arange(1, len(parents) + 1)
    actions = np.arange(1, end - begin)  # all sequences but the empty one, in the order of infosets
    columns = np.concatenate([[0], parents - begin, actions])
    signs = np.concatenate([[1.0], np.full(len(parents), -1.0), np.ones(len(actions))])
    places = np.concatenate([[0], rows, np.repeat(rows, num_actions)])
    return sparse.csr_array((signs, (places, columns)), shape=(len(parents) + 1, end - begin))


def _solve(
    payoffs: sparse.csr_array, own: sparse.csr_array, other: sparse.csr_array
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The realisation plans of both players."""
    num_own, num_other = payoffs.shape
    num_free = other.shape[0]
    found = linprog(
        c=-np.eye(1, num_own + num_free, num_own)[0],
        A_ub=sparse.hstack([-payoffs.T, other.T], format="csc"),
        b_ub=np.zeros(num_other),
        A_eq=sparse.hstack([own, sparse.csr_array((own.shape[0], num_free))], format="csc"),
        b_eq=np.eye(1, own.shape[0])[0],
        bounds=[(0, None)] * num_own + [(None, None)] * num_free,
        method="highs",
    )
    if found.status != 0:
        raise RuntimeError(f"HiGHS did not solve the linear program: {found.message}")
    return np.maximum(found.x[:num_own], 0), np.maximum(-found.ineqlin.marginals, 0)


def _fill_behaviours(
    tree: ExplicitTree, player: int, plan: NDArray[np.float64], strategies: NDArray[np.float64]
) -> None:
    begin, _ = tree.sequence_form.sequences(player)
    for number, _, first, num_actions in tree.sequence_form.infosets(player):
        weights = plan[first - begin : first - begin + num_actions]
        if weights.sum() > 0:
            strategies[number, :num_actions] = weights / weights.sum()
