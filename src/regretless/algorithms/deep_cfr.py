# SPDX-License-Identifier: MIT
"""Deep CFR: a network of advantages for each seat, and one that learns the average strategy.

Brown, Lerer, Gross and Sandholm, "Deep Counterfactual Regret Minimization" (2019), Algorithm 1, for
two and more players. One step is one iteration. docs/algorithms/deep_cfr.md says what differs from
the paper.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from regretless.algorithm import Metrics, Shard
from regretless.buffers import Buffer
from regretless.games import Game
from regretless.generation.sampled_advantages import AdvantageLearner, SampledAdvantages, Task
from regretless.inference.network_policy import NetworkPolicy
from regretless.learning.advantage_config import AdvantageConfig
from regretless.learning.advantages import RESERVOIRS
from regretless.learning.losses import imitation_loss
from regretless.learning.network_ring import NetworkRing
from regretless.learning.seat_fits import SeatFits
from regretless.networks.network import network_weights
from regretless.networks.shape import NetworkWeights
from regretless.options import Count
from regretless.watch import UNWATCHED, Watch

_STRATEGY_WEIGHTS, _STRATEGY_FITS = 10, 11  # streams of randomness


@dataclass(frozen=True)
class DeepCFRConfig(AdvantageConfig):
    """Options for advantages, and for the networks of the average strategy."""

    strategy_capacity: Count = 1_000_000
    """Samples of strategies in the reservoir of each seat."""
    strategy_every: Count = 1
    """Iterations from one fit of the strategy networks to the next; each goes on from the last."""
    strategy_steps: Count = 750
    """Minibatches of such a fit."""
    strategy_batch: Count = 2_048
    strategy_rate: float = 1e-3
    """Initial learning rate of such a fit."""
    snapshots: Count = 1
    """Newest strategy networks whose parameters are averaged for the policy."""
    snapshot_every: Count = 1
    """Fits from one such network to the next."""


class DeepCFR(AdvantageLearner):
    """Implements `Algorithm`."""

    Config = DeepCFRConfig

    def __init__(self, game: Game, config: DeepCFRConfig | None = None, *, seed: int = 0) -> None:
        self.game, self.config, self.seed = game, config or DeepCFRConfig(), seed
        self.advantages = SampledAdvantages(game, self.config, seed, strategies=True)
        self.strategies = self.advantages.sides["strategies"] = self._make_strategies()
        shape = self.strategies.fits[0].network.shape
        self.snapshots = [NetworkRing(shape, self.config.snapshots) for _ in self.advantages.seats]

    # Algorithm 1 of the paper.

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """A stopped step goes on from its last whole shard or fit."""
        return self.advantages.step(count, self._iteration, watch)

    def _iteration(self) -> Iterator[Task]:
        advantages = self.advantages
        for seat in advantages.seats:
            for shard in advantages.shards(seat):
                yield partial(self._sample, shard)
            yield partial(advantages.fit, seat)
        yield from advantages.side_tasks()
        if advantages.iteration % self.config.strategy_every == 0:
            for seat in advantages.seats:
                yield partial(self._fit_strategy, seat)

    def _sample(self, shard: Shard, watch: Watch) -> None:
        """Keeps advantages of the traverser and strategies of the others."""
        samples, iteration = self.advantages.sample(shard, watch), self.advantages.iteration
        weight = np.float32(float(iteration) ** self.advantages.rule.average_power)
        weights, actors = samples["strategy_weights"] * weight, samples["strategy_actors"]
        for seat in np.unique(actors).tolist():
            mine = np.flatnonzero(actors == seat)
            self.strategies.rows[seat].add(
                {
                    "row": samples["strategy_rows"][mine],
                    "legal": samples["strategy_legal"][mine],
                    "target": samples["strategies"][mine],
                    "weight": weights[mine],
                }
            )

    def _fit_strategy(self, seat: int, watch: Watch) -> None:
        if self.strategies.rows[seat].size == 0:
            return
        iteration = self.advantages.iteration
        scale = self.advantages.rule.average_scale(iteration)
        self.advantages.fit_side(self.strategies, seat, scale, watch)
        if iteration // self.config.strategy_every % self.config.snapshot_every == 0:
            self.snapshots[seat].add(self.strategies.fits[seat].network)

    def _make_strategies(self) -> SeatFits:
        config, maker = self.config, self.advantages.maker
        fits = maker.fits(
            "strategies",
            "probabilities",
            config.strategy_steps,
            batch=config.strategy_batch,
            rate=config.strategy_rate,
            stream=_STRATEGY_WEIGHTS,
        )
        rows = [
            maker.reservoir(config.strategy_capacity, RESERVOIRS, 2 * seat + 1)
            for seat in maker.seats
        ]
        return SeatFits("strategies", imitation_loss, fits, rows, _STRATEGY_FITS)

    # The strategy.

    def no_fit(self) -> str | None:
        every = self.config.strategy_every
        return f"strategy_every is {every:,} iterations" if self.steps_done < every else None

    def policy(self) -> NetworkPolicy:
        """Returns the strategy networks, one for each seat."""
        parts = [
            ring.mean() if len(ring) else network_weights([fit.network])
            for ring, fit in zip(self.snapshots, self.strategies.fits, strict=True)
        ]
        weights, encoder = NetworkWeights.by_seat(parts), self.advantages.encoder
        return NetworkPolicy(weights, encoder, "deep-cfr", device=self.config.device)

    # Checkpoints.

    def buffers(self) -> Mapping[str, Buffer]:
        rings = {f"snapshots_{seat}": ring.buffer for seat, ring in enumerate(self.snapshots)}
        return {**self.advantages.buffers(), **rings}
