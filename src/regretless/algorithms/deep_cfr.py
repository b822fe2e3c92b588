# SPDX-License-Identifier: MIT
"""Deep CFR: a network of advantages for each seat, and one that learns the average strategy.

Brown, Lerer, Gross and Sandholm, "Deep Counterfactual Regret Minimization" (2019), for two and more
players. One step is one iteration: traversals and a fit for each seat. docs/algorithms/deep_cfr.md
says what differs from the paper.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from regretless import _native
from regretless.buffers import Buffer
from regretless.errors import InputError
from regretless.games import Game
from regretless.inference.network_policy import NetworkPolicy
from regretless.learning.advantage_config import AdvantageConfig
from regretless.learning.advantages import AdvantageLearner, Phase
from regretless.learning.fit import FitConfig
from regretless.learning.imitation import imitation_loss
from regretless.learning.network_ring import NetworkRing
from regretless.learning.seat_fits import SeatFits
from regretless.networks.network import network_weights
from regretless.networks.placement import set_up_torch
from regretless.networks.shape import NetworkWeights
from regretless.options import read_options
from regretless.watch import Watch

_STRATEGY_WEIGHTS, _STRATEGY_FITS = 10, 11  # streams of randomness


@dataclass(frozen=True)
class DeepCFRConfig(AdvantageConfig):
    """Besides advantages: how the average strategy is learned."""

    strategy_capacity: int = 1_000_000
    """Samples of strategies kept for each seat."""
    strategy_every: int = 1
    """Iterations from one fit of the strategy networks to the next; each goes on from the last."""
    strategy_steps: int = 750
    """Minibatches of such a fit."""
    strategy_batch: int = 2_048
    strategy_rate: float = 1e-3
    """Its learning rate."""
    strategy_final_rate: float = 0.0
    snapshots: int = 1
    """The strategy is the mean of so many of the newest strategy networks, number by number ..."""
    snapshot_every: int = 1
    """... of every so many fits."""


class DeepCFR(AdvantageLearner):
    """Implements `Algorithm`."""

    config: DeepCFRConfig
    keeps_strategies = True

    def __init__(self, game: Game, config: DeepCFRConfig | None = None, *, seed: int = 0) -> None:
        config = config or DeepCFRConfig()
        super().__init__(game, config, seed)
        _check(config)
        settings = FitConfig(
            config.strategy_steps,
            config.strategy_batch,
            config.strategy_rate,
            config.strategy_final_rate,
            config.clip,
        )
        shape = self.shape("probabilities")
        fits = [self.make_fit(f"strategies/{seat}", shape, settings) for seat in self.seats]
        for seat, fit in enumerate(fits):
            self.draw(fit, _STRATEGY_WEIGHTS, seat)
        rows = [self.reservoir("strategies", seat, config.strategy_capacity) for seat in self.seats]
        self.strategies = SeatFits("strategies", imitation_loss, fits, rows)
        self.snapshots = [NetworkRing(shape, config.snapshots) for _ in self.seats]

    def phases(self) -> list[Phase]:
        found = super().phases()
        if self.iteration % self.config.strategy_every == 0:
            found += [partial(self._fit_strategy, seat) for seat in self.seats]
        return found

    def _sides(self) -> list[SeatFits]:
        return [*super()._sides(), self.strategies]

    def _keep(self, seat: int, samples: _native.TraversalSamples) -> None:
        super()._keep(seat, samples)
        weight = np.float32(float(self.iteration) ** self.rule.average_power)
        weights = samples.strategy_weights * weight
        for other in self.seats:
            mine = samples.strategy_actors == other
            count = int(np.count_nonzero(mine))
            if count == 0:
                continue
            is_all = count == len(mine)
            self.strategies.rows[other].add(
                {
                    "row": samples.strategy_rows if is_all else samples.strategy_rows[mine],
                    "legal": samples.strategy_legal if is_all else samples.strategy_legal[mine],
                    "target": samples.strategies if is_all else samples.strategies[mine],
                    "weight": weights if is_all else weights[mine],
                }
            )

    def _fit_strategy(self, seat: int, watch: Watch) -> None:
        if self.strategies.rows[seat].size == 0:
            return
        draws, power = self.seed_of(_STRATEGY_FITS, seat), self.rule.average_power
        scale = (power + 1) / float(self.iteration) ** power
        loss = self.strategies.fit(seat, draws, scale=scale, watch=watch)
        self._metrics[f"loss/strategies_{seat}"] = loss
        if self.iteration // self.config.strategy_every % self.config.snapshot_every == 0:
            self.snapshots[seat].add(self.strategies.fits[seat].network)

    def no_fit(self) -> str | None:
        every = self.config.strategy_every
        return f"strategy_every is {every:,} iterations" if self.steps_done < every else None

    def policy(self) -> NetworkPolicy:
        """The strategy networks, one for each seat."""
        parts = [
            ring.mean() if len(ring) else network_weights([fit.network])
            for ring, fit in zip(self.snapshots, self.strategies.fits, strict=True)
        ]
        return NetworkPolicy(
            NetworkWeights.by_seat(parts), self.encoder, "deep-cfr", device=self.config.device
        )

    # Saving.

    def buffers(self) -> Mapping[str, Buffer]:
        rings = {f"snapshots_{seat}": ring.buffer for seat, ring in enumerate(self.snapshots)}
        return {**super().buffers(), **rings}


def _check(config: DeepCFRConfig) -> None:
    for key in (
        "strategy_capacity",
        "strategy_every",
        "strategy_steps",
        "strategy_batch",
        "snapshots",
        "snapshot_every",
    ):
        if (value := vars(config)[key]) < 1:
            raise InputError(f"{key}: must be at least 1, not {value}")


def make(name: str, game: Game, /, *, seed: int = 0, **options: Any) -> DeepCFR:
    """For the table of algorithms."""
    return DeepCFR(game, read_options(DeepCFRConfig, f"algorithm {name!r}", options), seed=seed)


def set_up_process(name: str, /, *, seed: int = 0, **options: Any) -> None:
    """Products in TF32 if asked for; on the CPU the threads are torch's too."""
    config = read_options(DeepCFRConfig, f"algorithm {name!r}", options)
    set_up_torch(config.precision, config.device, config.threads)
