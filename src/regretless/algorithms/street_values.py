# SPDX-License-Identifier: MIT
"""Networks for the values of all hands at the start of a street of hold'em, for search.

A step solves new boards (`generation/street_values.py`), adds them to the buffer, and fits the
network to minibatches of it (`learning/fit.py`); once all boards are solved, steps only fit. The
learning rate falls with a cosine. docs/algorithms/street_values.md has the method and figures.
"""

import copy
import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from regretless.algorithm import Arrays, Metrics, Takes, size_of
from regretless.buffers import Buffer, Ring
from regretless.errors import InputError
from regretless.evaluation.measures import Measure
from regretless.games import Game
from regretless.generation.early_values import EarlyGenerator, EarlySpotConfig
from regretless.generation.makers import MakeMakers, Makers, MakersHere
from regretless.generation.preflop_values import PreflopGenerator
from regretless.generation.street_values import BoardShard, RiverGenerator, StreetGenerator
from regretless.learning.fit import Fit, FitConfig, numbered_seed
from regretless.learning.street_losses import holdout_figures, value_loss, with_sight
from regretless.networks.placement import find_placement
from regretless.networks.street_network import StreetNetwork
from regretless.networks.street_values import StreetValuesShape, StreetWeights
from regretless.options import Count, Natural, Positive
from regretless.policies.policy import Policy
from regretless.watch import UNWATCHED, Stopped, Watch

_FITS, _WEIGHTS = 1, 2  # streams of randomness
_CLIP = 1.0  # largest norm of a gradient
_FIRST_RATE = 0.1  # share of the learning rate in the first step
_BUFFER_BYTES = 1 << 40  # runs check their room before they begin
_SHARDS = 4  # of a step, which workers make at the same time
_KINDS: dict[str, type[StreetGenerator]] = {
    "preflop": PreflopGenerator,
    "flop": EarlyGenerator,
    "turn": EarlyGenerator,
    "river": RiverGenerator,
}


@dataclass(frozen=True)
class StreetValuesConfig(EarlySpotConfig):
    """Random spots, the network and its fit."""

    street: Literal["preflop", "flop", "turn", "river"] = "river"
    """The street whose start is valued; earlier ones need the network of the next, `leaves`.
    Before the flop it is the end of the betting round."""

    boards: Count = 1024
    """New boards of a step."""
    all_boards: Count = 131_072
    """Boards in all; from then on steps only fit."""
    replay: Count = 131_072
    """Boards that are kept, the newest ones."""
    holdout: Count = 512
    """Boards that training never sees, nor others with their ranks."""
    embedding: Natural = 0
    """Learned numbers of a hand beside its bins."""
    width: Count = 1024
    """Units of each hidden layer."""
    layers: Count = 5
    """Hidden layers."""
    batch: Count = 256
    """Boards of a minibatch."""
    minibatches: Count = 400
    """Minibatches of a step."""
    learning_rate: Positive = 1e-3
    steps: Count = 200
    """Steps over which the learning rate falls to 0; the budget should be as many."""


class StreetValues:
    """Implements `Algorithm`; the network plays only in a search."""

    Config = StreetValuesConfig

    def __init__(
        self, game: Game, config: StreetValuesConfig | None = None, *, seed: int = 0
    ) -> None:
        self.config = config = config or StreetValuesConfig()
        self.game, self.seed, self.steps_done = game, seed, 0
        generator = self._generator = _KINDS[config.street](game, config, seed=seed)
        self._first_board = 0  # after those of the run that this one started from
        self._makers: Makers = MakersHere(generator)
        columns, kept = generator.columns(), min(config.replay, config.all_boards)
        self.replay = Ring(columns, kept, max_bytes=_BUFFER_BYTES)
        self.holdout = Ring(columns, config.holdout, max_bytes=_BUFFER_BYTES)
        placement = find_placement(config.device, "float32")
        self.device = placement.device
        if self.device.type == "cuda":  # the buffer is mirrored there
            placement.check_memory(self.replay.num_bytes, _BUFFER_BYTES)
        self._prepare = with_sight(config.bins)
        steps = FitConfig(config.minibatches, config.batch, config.learning_rate, 1.0, _CLIP)
        network = self._make_network()
        self.fit = Fit("values", network, steps, self.device, prepare=self._prepare)

    def _make_network(self) -> StreetNetwork:
        config = self.config
        shape = StreetValuesShape(
            street=config.street,
            bins=config.bins,
            width=config.width,
            hidden=config.layers,
            embedding=config.embedding,
        )
        draws = torch.Generator().manual_seed(numbered_seed(self.seed, _WEIGHTS, 0, 0))
        network = StreetNetwork(shape, draws)
        if config.precision == "bfloat16":
            network.products = torch.bfloat16
        return network

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """If stopped, the next call goes on from the last shard of boards, or fits again."""
        metrics: Metrics = {}
        try:
            for _ in range(count):
                self._fill(self.holdout, self.config.holdout, watch, is_held=True)
                wanted = (self.steps_done + 1) * self.config.boards
                self._fill(self.replay, min(wanted, self.config.all_boards), watch)
                metrics = self._fit(watch)
                self.steps_done += 1
        except Stopped:
            return {}
        return metrics

    def _fill(self, buffer: Ring, goal: int, watch: Watch, is_held: bool = False) -> None:
        """Solves the boards up to number `goal` that the buffer has not got yet."""
        first = buffer.num_added
        if first >= goal:
            return
        at = first if is_held else self._first_board + first
        shards = BoardShard(at, goal - first, is_held=is_held).split(self._shard_size)
        making = self._makers.begin({}, shards)
        with closing(making):
            for _ in shards:
                buffer.add(making.take(watch))

    def _fit(self, watch: Watch) -> Metrics:
        seed = numbered_seed(self.seed, _FITS, 0, self.steps_done)
        rate = self._rate()
        loss = self.fit.fit(value_loss, self.replay, seed, rate=rate, watch=watch)
        return {
            "loss": loss,
            "learning_rate": self.config.learning_rate * rate,
            "spots": float(self.replay.num_added * self.config.spots),
            "buffer/size": float(self.replay.size),
            "buffer/added": float(self.replay.num_added),
            **self._holdout_figures(self.fit.network),
        }

    def _holdout_figures(self, network: StreetNetwork) -> Metrics:
        batch = self.config.batch
        return holdout_figures(network, self.holdout, self._prepare, batch, self.device)

    def _rate(self) -> float:
        """Returns the share of the learning rate that this step begins with."""
        done = min(self.steps_done / self.config.steps, 1.0)
        return 0.5 * (1 + math.cos(math.pi * done)) * (1.0 if self.steps_done else _FIRST_RATE)

    @property
    def _shard_size(self) -> int:
        return -(-self.config.boards // _SHARDS)

    # Work on a cluster.

    @property
    def shards_per_step(self) -> tuple[int, int]:
        return _SHARDS, _SHARDS

    def work_on(self, make_makers: MakeMakers) -> None:
        """Solves boards on a cluster from now on."""
        self._makers = make_makers(self._generator, self._shard_size)

    # What is learned.

    def value_weights(self) -> StreetWeights:
        """Returns the network, for a bundle."""
        return StreetWeights(self.fit.network.shape, self.fit.network.arrays())

    def value_measures(self) -> list[Measure]:
        """Returns the figures on the held boards, of the network in bfloat16."""
        rounded = copy.deepcopy(self.fit.network)
        with torch.no_grad():
            for each in rounded.parameters():
                each.copy_(each.bfloat16())
        if not self.holdout.size:
            return []
        spots = self.holdout.size * self.config.spots
        what = f"{spots:,} {self.config.street}s of random ranges"
        if self.config.street != "preflop":
            what += ", on boards whose ranks training never sees"
        return [
            Measure(key, key.replace("_", " "), value, _unit(key), what)
            for key, value in self._holdout_figures(rounded).items()
        ]

    def no_policy(self) -> str | None:
        return "a value network plays only in a search; it becomes RUN/values"

    def policy(self) -> Policy:
        raise InputError(f"{self.game.name}: {self.no_policy()}")

    # Saving.

    def takes(self) -> Takes:
        working = self._generator.forecast_bytes(self._shard_size)
        return Takes(3 * size_of(self.fit.network.arrays()), working=working)

    def buffers(self) -> Mapping[str, Buffer]:
        return {"values": self.replay, "holdout": self.holdout}

    def state(self) -> Arrays:
        solved = min(self.steps_done * self.config.boards, self.config.all_boards)
        solved = max(solved, self.replay.num_added)
        boards = np.array([self._first_board, self._first_board + solved])
        steps_done = np.array([self.steps_done])
        return {"steps_done": steps_done, "boards": boards, **self.fit.state()}

    def restore(self, state: Arrays) -> None:
        self.steps_done = int(state["steps_done"][0])
        self._first_board = int(state["boards"][0])
        self.fit.restore(state)

    def start_from(self, state: Arrays) -> None:
        """Takes over the network of another run, and goes on with the boards after that run's."""
        self.fit.restore({name: each for name, each in state.items() if "/adam/" not in name})
        self._first_board = int(state["boards"][1])


def _unit(key: str) -> str:
    return "% of the pot" if "error" in key else "pots"
