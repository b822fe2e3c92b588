# SPDX-License-Identifier: MIT
"""The common part of MCCFR and RL-CFR: a native sampler of regrets, and the table that it fills.

With a card abstraction the infosets of the table are slots and buckets, not actions and cards.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.abstraction.card_abstraction import CardAbstraction
from regretless.algorithm import Arrays, EvaluatesProfile, Metrics, Takes, size_of
from regretless.errors import InputError, TooLargeError, refusing
from regretless.games import Game
from regretless.games.face import face
from regretless.policies.asking import policy_table
from regretless.policies.policy import TablePolicy
from regretless.policies.strategy_table import ProfileValues, StrategyTable, TableEvaluator
from regretless.watch import UNWATCHED, Watch

_PIECE = 1000  # iterations between looks at the watch, or one step if that is more


class SampledCFR(EvaluatesProfile):
    """Implements `Solver`; one step is `iterations_per_step` iterations."""

    def __init__(
        self,
        name: str,
        game: Game,
        abstraction: CardAbstraction | None = None,
        *,
        iterations_per_step: int,
        **values: Any,
    ) -> None:
        """The `values` are those of `_native.MccfrOptions`."""
        self.name, self.game, self.abstraction = name, game, abstraction
        options = _native.MccfrOptions()
        for key, value in values.items():
            setattr(options, key, value)
        self._iterations_per_step, self._batch = iterations_per_step, options.batch
        if min(self._batch, self._iterations_per_step) < 1 or (
            self._iterations_per_step % self._batch != 0
        ):
            raise InputError(f"{name}: iterations_per_step: must be a multiple of batch")
        with refusing(name):
            self._native = self._make(options)
        sample = 25 + 8 * game.num_actions  # an id, a mask, a priority, a size and regrets
        self._replay_bytes = sample * options.replay_capacity
        self._evaluator: TableEvaluator | None = None

    def _make(self, options: "_native.MccfrOptions") -> "_native.Mccfr":
        if self.abstraction is None:
            return _native.Mccfr(self.game, options)
        poker = face(self.game).poker
        if poker is None:
            raise InputError(f"{self.name}: abstraction: only poker has cards")
        return _native.Mccfr(poker, options, self.abstraction.buckets)

    @property
    def steps_done(self) -> int:
        return self._native.iteration // self._iterations_per_step

    @property
    def decisions(self) -> int:
        """Infosets visited since this object was made."""
        return self._native.decisions

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
        return self._exact().strategy(self._hand_table())

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
        return self._exact().evaluate(self._hand_table())

    def policy(self) -> TablePolicy:
        return TablePolicy(self.average_strategy(), self.name, self.abstraction)

    def state(self) -> Arrays:
        return {**self._native.state(), **self._seal()}

    def restore(self, state: Arrays) -> None:
        for name, digest in self._seal().items():
            if name not in state or not np.array_equal(state[name], digest):
                raise InputError(f"{self.name}: the state is of another abstraction")
        with refusing(self.name):
            self._native.restore(state)

    def _seal(self) -> Arrays:
        """The digest of the abstraction, which a state carries."""
        if self.abstraction is None:
            return {}
        digest = bytes.fromhex(self.abstraction.digest)
        return {"abstraction": np.frombuffer(digest, np.uint8).copy()}

    def _hand_table(self) -> StrategyTable:
        """By infosets of the game itself; TooLargeError where there are too many."""
        if self.abstraction is None:
            return self.average_strategy()
        return policy_table(self.game, self.policy())

    def _exact(self) -> TableEvaluator:
        self._evaluator = self._evaluator or TableEvaluator(self.game)
        return self._evaluator
