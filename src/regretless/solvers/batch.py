# SPDX-License-Identifier: MIT
"""A batch of subgames: one public tree, with its own weights of hands and scale of payoffs each."""

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.solvers.problem import CFRConfig, make_problem


@dataclass(frozen=True)
class SubgameBatch:
    """The batch. Hands stand by place in `problem.hands(player)`."""

    problem: _native.VectorProblem
    weights: tuple[NDArray[np.float64], NDArray[np.float64]]  # [player][batch, hands]
    scales: NDArray[np.float64]  # [batch]
    meets: NDArray[np.bool_]  # [hands of player 0, hands of player 1]

    def __len__(self) -> int:
        return len(self.scales)

    def opponent_weights(self, player: int) -> NDArray[np.float64]:
        """Weight of the opponent's hands that each hand can meet: [batch, hands]."""
        meets = self.meets if player == 1 else self.meets.T  # [opponent's hands, hands]
        weights: NDArray[np.float64] = self.weights[1 - player] @ meets
        return weights

    def totals(self) -> NDArray[np.float64]:
        """Weight of all pairs of hands that can meet: [batch]."""
        total: NDArray[np.float64] = (self.weights[0] * self.opponent_weights(0)).sum(axis=1)
        return total

    def expectation(self, player: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Expected chips [batch] from counterfactual values [batch, hands] at the root."""
        mean: NDArray[np.float64] = (self.weights[player] * values).sum(axis=1) / self.totals()
        return mean


def make_batch(
    game: Game,
    config: CFRConfig,
    batch_weights: ArrayLike | None = None,
    payoff_scales: ArrayLike | None = None,
) -> SubgameBatch:
    """Weights are [batch, 2, hands of the game]; without them, the one subgame of the config."""
    batch = None if batch_weights is None else _check_weights(game, config, batch_weights)
    if batch is not None:
        config = dataclasses.replace(config, weights=_shared_weights(batch))
    problem = make_problem(game, config)
    if batch is None:
        arrays = problem.arrays()
        weights = (arrays["weights_0"][None], arrays["weights_1"][None])
    else:
        weights = (batch[:, 0, problem.hands(0)], batch[:, 1, problem.hands(1)])
    scales = np.ones(len(weights[0])) if payoff_scales is None else np.asarray(payoff_scales, float)
    if scales.shape != (len(weights[0]),) or not np.isfinite(scales).all():
        raise InputError(f"payoff_scales: must be {len(weights[0])} finite numbers")
    subgames = SubgameBatch(problem, weights, scales, problem.matchups() == 0)
    empty = np.flatnonzero(~(subgames.totals() > 0))
    if len(empty):
        raise InputError(f"{game.name}: in subgame {empty[0]} no two hands can meet")
    return subgames


def _check_weights(game: Game, config: CFRConfig, given: ArrayLike) -> NDArray[np.float64]:
    weights = np.asarray(given, dtype=float)
    shape = (2, game.num_hands)
    if weights.ndim != 3 or weights.shape[1:] != shape or len(weights) == 0:
        raise InputError(
            f"batch_weights: must be [batch, {shape[0]}, {shape[1]}], not {list(weights.shape)}"
        )
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise InputError("batch_weights: must be finite and not negative")
    if config.weights is not None:
        raise InputError("batch_weights: stand in place of the config's weights; give one of them")
    return weights


def _shared_weights(batch: NDArray[np.float64]) -> tuple[list[float], list[float]]:
    """Weights for the tree: equal for two hands only if they are equal in every subgame.

    So public cards are merged only where every subgame allows it; 0 if a hand is in none.
    """
    shared = []
    for weights in (batch[:, 0], batch[:, 1]):
        _, names = np.unique(weights, axis=1, return_inverse=True)
        shared.append(np.where(weights.any(axis=0), names.reshape(-1) + 1.0, 0.0).tolist())
    return shared[0], shared[1]
