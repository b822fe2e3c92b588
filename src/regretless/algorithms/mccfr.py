# SPDX-License-Identifier: MIT
"""Monte Carlo CFR with external or outcome sampling, for any native game and number of players.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo Sampling for Regret Minimization in Extensive
Games" (2009). One iteration is one traversal for each player in turn; one step is
`iterations_per_step` of them. The average strategy is gathered at the nodes of the players who are
not the traverser, where sampling itself weighs it by their reach. docs/algorithms/mccfr.md says
what that means for three or more players, and what a batch costs.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, Metrics
from regretless.errors import InputError
from regretless.games import Game
from regretless.options import read_options
from regretless.policy import TablePolicy
from regretless.strategy_table import StrategyTable, TableEvaluator, TableValues


@dataclass(frozen=True)
class MCCFRConfig:
    """How MCCFR samples, weighs and stores."""

    sampling: Literal["external", "outcome"] = "external"
    """External walks all actions of the traverser and samples the rest; outcome samples all."""
    epsilon: float = 0.6
    """Outcome sampling: how much of the traverser's sampling is uniform."""
    weight_power: float = 0.0
    """Iteration t counts t^power in the regrets and in the average strategy; 1 is linear CFR."""
    iterations_per_step: int = 1000
    """Iterations of one step, a multiple of `batch`."""
    batch: int = 1
    """Iterations that read the same strategy: 1 is the classical algorithm, threads need more."""
    threads: int = 1
    """Changes nothing but the time, and that only if there are several iterations in a batch."""
    storage: Literal["auto", "tree", "states"] = "auto"
    """A tree with dense infosets, or states with a hash table; `auto` takes a tree if it fits."""


class MCCFR:
    """Implements `Algorithm`."""

    def __init__(self, game: Game, config: MCCFRConfig | None = None, *, seed: int = 0) -> None:
        self.game = game
        self.config = config = config or MCCFRConfig()
        if min(config.batch, config.iterations_per_step) < 1 or (
            config.iterations_per_step % config.batch != 0
        ):
            raise InputError("iterations_per_step: must be a multiple of batch")
        try:
            self._native = _native.Mccfr(game, _options(self.config, seed))
        except (KeyError, ValueError) as error:
            raise InputError(f"mccfr: {error}") from None
        self._evaluator: TableEvaluator | None = None

    @property
    def iteration(self) -> int:
        """Steps done so far, each of `iterations_per_step` iterations."""
        return self._native.iteration // self.config.iterations_per_step

    def step(self, count: int = 1) -> Metrics:
        self._native.run(count * self.config.iterations_per_step // self.config.batch)
        return {
            "iterations": float(self._native.iteration),
            "nodes": float(self._native.nodes),
        }

    def exploitability(self) -> float:
        return self.evaluate().exploitability

    def best_response_gains(self) -> list[float]:
        return self.evaluate().gains

    def values(self) -> list[float]:
        return self.evaluate().values

    def num_infosets(self) -> int:
        return len(self.average_strategy().keys)

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        return self._exact().strategy(self.average_strategy())

    def average_strategy(self) -> StrategyTable:
        """The average strategy of the infosets that were met, for games of any size."""
        return StrategyTable(*self._native.average_strategy())

    def evaluate(self) -> TableValues:
        """Exact values of the average strategy, in units of the game."""
        return self._exact().evaluate(self.average_strategy())

    def most_bytes(self) -> int | None:
        """What the tables may grow to; None: the game is too large to count."""
        return self._native.most_bytes()

    def policy(self) -> TablePolicy:
        return TablePolicy(self.average_strategy(), "mccfr")

    def state(self) -> Arrays:
        return self._native.state()

    def restore(self, state: Arrays) -> None:
        try:
            self._native.restore(state)
        except ValueError as error:
            raise InputError(f"mccfr: {error}") from None

    def _exact(self) -> TableEvaluator:
        self._evaluator = self._evaluator or TableEvaluator(self.game)
        return self._evaluator


def _options(config: MCCFRConfig, seed: int) -> "_native.MccfrOptions":
    options = _native.MccfrOptions()
    options.sampling = _native.Sampling[config.sampling.upper()]
    options.epsilon = options.final_epsilon = config.epsilon
    options.weight_power = config.weight_power
    options.batch = config.batch
    options.threads = config.threads
    options.storage = _native.Storage[config.storage.upper()]
    options.seed = seed
    return options


def make(name: str, game: Game, /, *, threads: int = 1, seed: int = 0, **options: Any) -> MCCFR:
    """For the table of algorithms; several threads read the same strategy for 100 iterations.

    A step is one batch unless `iterations_per_step` says more.
    """
    sampling = "outcome" if name == "mccfr-outcome" else "external"
    batch = options.get("batch", 1 if threads == 1 else 100)
    chosen = {"batch": batch, "iterations_per_step": batch, **options, "threads": threads}
    config = read_options(MCCFRConfig, name, chosen, sampling=sampling)
    return MCCFR(game, config, seed=seed)
