# SPDX-License-Identifier: MIT
"""Single Deep CFR: the networks of all iterations are the strategy, one drawn for each episode.

Steinberger, "Single Deep Counterfactual Regret Minimization" (2019). One step is one iteration:
traversals and a fit for each seat. docs/algorithms/deep_cfr.md says what differs from the paper.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from regretless.algorithm import Arrays, Metrics
from regretless.buffers import Buffer
from regretless.errors import InputError
from regretless.games import Game
from regretless.inference.network_policy import NetworkPolicy
from regretless.learning.advantage_config import AdvantageConfig
from regretless.learning.advantages import AdvantageLearner, Phase
from regretless.learning.network_ring import NetworkRing
from regretless.networks.network import Network, network_weights
from regretless.networks.placement import set_up_torch
from regretless.networks.shape import NetworkWeights
from regretless.options import read_options
from regretless.watch import UNWATCHED, Watch


@dataclass(frozen=True)
class SDCFRConfig(AdvantageConfig):
    """Besides advantages: which networks are kept."""

    networks: int = 2_048
    """Kept for each seat, the newest; the strategy is the average over these."""
    networks_in: str | None = None
    """A directory for a file, without a name, that holds them; none: they are in memory."""


class SDCFR(AdvantageLearner):
    """Implements `Algorithm`."""

    config: SDCFRConfig

    def __init__(self, game: Game, config: SDCFRConfig | None = None, *, seed: int = 0) -> None:
        config = config or SDCFRConfig()
        super().__init__(game, config, seed)
        if config.networks < 1:
            raise InputError(f"networks: must be at least 1, not {config.networks}")
        where = None if config.networks_in is None else Path(config.networks_in)
        self.models = [
            NetworkRing(self.shape("advantages"), config.networks, where) for _ in self.seats
        ]

    def phases(self) -> list[Phase]:
        return [*super().phases(), self._keep_networks]

    def _keep_networks(self, watch: Watch) -> None:
        for ring, fit in zip(self.models, self.fits, strict=True):
            ring.add(fit.network)

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        metrics = super().step(count, watch)
        return metrics and metrics | {"buffer/networks": float(len(self.models[0]))}

    def policy(self) -> NetworkPolicy:
        """One of the networks of a seat for each episode, each as often as its weight says."""
        name = f"sd-cfr, {len(self.models[0]):,} networks"
        weights = NetworkWeights.by_seat([self._weights(ring) for ring in self.models])
        return NetworkPolicy(weights, self.encoder, name, device=self.config.device)

    def _weights(self, ring: NetworkRing) -> NetworkWeights:
        if len(ring) == 0:
            return network_weights([Network(ring.shape)])  # uniform
        iterations = np.arange(ring.num_added - len(ring), ring.num_added, dtype=np.float64) + 1
        return ring.weights(iterations**self.rule.average_power)

    def buffers(self) -> Mapping[str, Buffer]:
        models = {f"networks_{seat}": ring.buffer for seat, ring in enumerate(self.models)}
        return {**super().buffers(), **models}

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        if self.models[0].num_added != self.steps_done:
            raise InputError("the networks of earlier iterations are not in the checkpoint")


def make(name: str, game: Game, /, *, seed: int = 0, **options: Any) -> SDCFR:
    """For the table of algorithms."""
    return SDCFR(game, read_options(SDCFRConfig, f"algorithm {name!r}", options), seed=seed)


def set_up_process(name: str, /, *, seed: int = 0, **options: Any) -> None:
    """Products in TF32 if asked for; on the CPU the threads are torch's too."""
    config = read_options(SDCFRConfig, f"algorithm {name!r}", options)
    set_up_torch(config.precision, config.device, config.threads)
