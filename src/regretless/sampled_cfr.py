# SPDX-License-Identifier: MIT
"""What MCCFR and RL-CFR share: a native sampler of regrets, and the table that it fills."""

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, EvaluatesProfile, Metrics, Takes, size_of
from regretless.errors import InputError, TooLargeError
from regretless.games import Game
from regretless.policy import TablePolicy
from regretless.strategy_table import ProfileValues, StrategyTable, TableEvaluator
from regretless.watch import UNWATCHED, Watch

_PIECE = 1000  # iterations between looks at the watch, or one step if that is more


class SamplingConfig(Protocol):
    """What the config of any algorithm here says."""

    @property
    def iterations_per_step(self) -> int: ...


class SampledCFR(EvaluatesProfile):
    """Implements `Solver`; one step is `iterations_per_step` iterations."""

    def __init__(
        self, name: str, game: Game, config: SamplingConfig, options: "_native.MccfrOptions"
    ) -> None:
        self.name, self.game = name, game
        self._iterations_per_step, self._batch = config.iterations_per_step, options.batch
        if min(self._batch, self._iterations_per_step) < 1 or (
            self._iterations_per_step % self._batch != 0
        ):
            raise InputError(f"{name}: iterations_per_step: must be a multiple of batch")
        try:
            self._native = _native.Mccfr(game, options)
        except (KeyError, ValueError) as error:
            raise InputError(f"{name}: {error}") from None
        sample = 25 + 8 * game.num_actions  # an id, a mask, a priority, a size and regrets
        self._replay_bytes = sample * options.replay_capacity
        self._evaluator: TableEvaluator | None = None

    @property
    def steps_done(self) -> int:
        return self._native.iteration // self._iterations_per_step

    def takes(self) -> Takes:
        """Rows of a tree are all there at once; a hash table grows."""
        most = self._native.most_bytes()
        if self._native.storage == _native.Storage.TREE and most is not None:
            return Takes(most + self._replay_bytes)
        grows_to = math.inf if most is None else most + self._replay_bytes
        return Takes(size_of(self.state()), grows_to=grows_to)

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        for piece in watch.pieces(count, _PIECE // self._iterations_per_step):
            self._native.run(piece * self._iterations_per_step // self._batch)
        return {
            "iterations": float(self._native.iteration),
            "nodes": float(self._native.nodes),
        }

    def num_infosets(self) -> int:
        return len(self.average_strategy().keys)

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        return self._exact().strategy(self.average_strategy())

    def average_strategy(self) -> StrategyTable:
        """The average strategy of the infosets that were met, for games of any size."""
        return StrategyTable(*self._native.average_strategy())

    def no_exact(self) -> str | None:
        try:
            self._exact()
        except TooLargeError as error:
            return str(error)
        return None

    def evaluate(self) -> ProfileValues:
        """Exact values of the average strategy, in units of the game."""
        return self._exact().evaluate(self.average_strategy())

    def no_policy(self) -> str | None:
        return None

    def policy(self) -> TablePolicy:
        return TablePolicy(self.average_strategy(), self.name)

    def state(self) -> Arrays:
        return self._native.state()

    def restore(self, state: Arrays) -> None:
        try:
            self._native.restore(state)
        except ValueError as error:
            raise InputError(f"{self.name}: {error}") from None

    def _exact(self) -> TableEvaluator:
        self._evaluator = self._evaluator or TableEvaluator(self.game)
        return self._evaluator
