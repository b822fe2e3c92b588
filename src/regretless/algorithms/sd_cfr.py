# SPDX-License-Identifier: MIT
"""Single Deep CFR: the networks of all iterations are the strategy, one drawn for each episode.

Steinberger, "Single Deep Counterfactual Regret Minimization" (2019). One step is one iteration.
docs/algorithms/deep_cfr.md says what differs from the paper.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from regretless.algorithm import Arrays, Metrics
from regretless.buffers import Buffer
from regretless.errors import InputError
from regretless.games import Game
from regretless.generation.sampled_advantages import AdvantageLearner, SampledAdvantages, Task
from regretless.inference.network_policy import NetworkPolicy
from regretless.learning.advantage_config import AdvantageConfig
from regretless.learning.network_ring import NetworkRing
from regretless.networks.network import Network, network_weights
from regretless.networks.shape import NetworkWeights
from regretless.options import Count
from regretless.watch import UNWATCHED, Watch


@dataclass(frozen=True)
class SDCFRConfig(AdvantageConfig):
    """Options for advantages, and for the networks that are kept."""

    networks: Count = 2_048
    """Newest networks that are kept for each seat; the strategy is their average."""
    networks_in: str | None = None
    """Directory for an unnamed file that holds the networks; none: they are kept in memory."""


class SDCFR(AdvantageLearner):
    """Implements `Algorithm`."""

    Config = SDCFRConfig

    def __init__(self, game: Game, config: SDCFRConfig | None = None, *, seed: int = 0) -> None:
        self.game, self.config, self.seed = game, config or SDCFRConfig(), seed
        self.advantages = SampledAdvantages(game, self.config, seed)
        where = None if self.config.networks_in is None else Path(self.config.networks_in)
        shape, count = self.advantages.fits.players[0].network.shape, self.config.networks
        self.models = [NetworkRing(shape, count, where) for _ in self.advantages.seats]

    # Algorithm 1 of the paper.

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """A stopped step goes on from its last whole shard or fit."""
        metrics = self.advantages.step(count, self._iteration, watch)
        return metrics | {"buffer/networks": float(len(self.models[0]))} if metrics else {}

    def _iteration(self) -> Iterator[Task]:
        advantages = self.advantages
        for seat in advantages.seats:
            for shard in advantages.shards(seat):
                yield partial(advantages.sample, shard)
            yield partial(advantages.fit, seat)
        yield from advantages.side_tasks()
        yield self._keep_networks

    def _keep_networks(self, watch: Watch) -> None:
        for ring, fit in zip(self.models, self.advantages.fits.players, strict=True):
            ring.add(fit.network)

    # The strategy.

    def policy(self) -> NetworkPolicy:
        """Returns the policy that draws one network of a seat for each episode, by its weight."""
        name = f"sd-cfr, {len(self.models[0]):,} networks"
        weights = NetworkWeights.by_seat([self._weights(ring) for ring in self.models])
        return NetworkPolicy(weights, self.advantages.encoder, name, device=self.config.device)

    def _weights(self, ring: NetworkRing) -> NetworkWeights:
        if len(ring) == 0:
            return network_weights([Network(ring.shape)])  # uniform
        iterations = np.arange(ring.num_added - len(ring), ring.num_added, dtype=np.float64) + 1
        return ring.weights(iterations**self.advantages.rule.average_power)

    # Checkpoints.

    def buffers(self) -> Mapping[str, Buffer]:
        models = {f"networks_{seat}": ring.buffer for seat, ring in enumerate(self.models)}
        return {**self.advantages.buffers(), **models}

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        if self.models[0].num_added != self.steps_done:
            raise InputError("the networks of earlier iterations are not in the checkpoint")
