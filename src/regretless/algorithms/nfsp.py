# SPDX-License-Identifier: MIT
"""Neural fictitious self-play: a value network that responds, and one that learns the average.

Heinrich and Silver, "Deep Reinforcement Learning from Self-Play in Imperfect-Information Games"
(2016), for two and more players, who share their networks. One step is one round: episodes are
played, then both networks are fitted. docs/algorithms/nfsp.md says what differs from the paper.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from regretless.algorithm import Arrays, Metrics, Takes, size_of
from regretless.buffers import Buffer, Column, Reservoir, Ring
from regretless.games import Game
from regretless.generation.generator import Columns, Weights
from regretless.generation.makers import MakeMakers, Makers, MakersBeside, MakersHere
from regretless.generation.play_ahead import PlayAhead
from regretless.generation.self_play import (
    RANDOM,
    RESPONSE,
    SelfPlayGenerator,
    transition_columns,
    transitions,
)
from regretless.inference.network_policy import NetworkPolicy
from regretless.learning.fit import Fit, FitConfig, numbered_seed
from regretless.learning.losses import DoubleQLoss, imitation_loss
from regretless.learning.minibatches import Rows, SuitRenaming
from regretless.learning.nfsp_config import NFSPConfig, Schedule
from regretless.learning.remembered_average import RememberedAverage, remembered_in
from regretless.networks.expansion import Features
from regretless.networks.network import Network, network_weights
from regretless.networks.placement import find_placement
from regretless.watch import UNWATCHED, Stopped, Watch

__all__ = ["NFSP", "NFSPConfig"]

_WEIGHTS, _FITS, _RESERVOIR = range(3)  # streams of randomness
_WHOLE = 255  # a probability of 1, in the rows of the average
_LIBRARY_BYTES = 256 << 20  # of torch at work


class NFSP:
    """Implements `Algorithm`: self-play in roles, a fit of values and one of the average."""

    Config = NFSPConfig

    def __init__(self, game: Game, config: NFSPConfig | None = None, *, seed: int = 0) -> None:
        self.game, self.config, self.seed = game, config or NFSPConfig(), seed
        self.steps_done = self.episodes_done = self._nodes = 0
        self._frozen = -1  # the average waits until so many episodes; -1: no rows were ever lost
        self.device = find_placement(self.config.device, "float32").device
        self.dtype = torch.bfloat16 if self.config.precision == "bfloat16" else torch.float32
        self.generator = SelfPlayGenerator(game, self.config, seed=seed)
        self.encoder = self.generator.encoder
        self._features = Features(self.encoder, self.device)
        self.values, self.average = self._make_fit("values"), self._make_fit("average")
        self._value_loss = DoubleQLoss(self.values.target, self._features, self.config.huber)
        self.newest, self.actions = self._make_buffers()
        self._memory: RememberedAverage | None = None  # in the place of rows that are lost
        beside = self.config.asynchronous
        here: Makers = MakersBeside(self.generator) if beside else MakersHere(self.generator)
        self._makers = here
        self._play = self._make_play()

    # A round.

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """Plays and learns whole rounds; a round of play that is stopped is played again."""
        metrics: Metrics = {}
        for _ in range(count):
            is_empty = self.newest.size == 0
            try:
                watch.look("playing and learning", 0.0)
                done = self.episodes_done
                steps = self._play.take(done, self.weights, waits=is_empty, watch=watch)
            except Stopped:
                return {}
            if steps is not None:
                self._keep(steps)
            metrics = self._learn()
            self.steps_done += 1
        config, done = self.config, self.episodes_done
        return metrics | {
            "nodes": float(self._nodes),
            "episodes": float(done),
            "meta/epsilon": float(config.epsilon_schedule().at(done)),
            "meta/eta": float(config.response_schedule().at(done)),
            "meta/temperature": float(config.temperature_schedule().at(done)),
            "buffer/transitions": float(self.newest.size),
            "buffer/actions": float(self.actions.size),
            **({"staleness": float(self._play.staleness)} if config.asynchronous else {}),
        }

    def weights(self) -> Weights:
        """Returns a copy of the networks that play."""
        return {
            "values": network_weights([self.values.network]),
            "average": network_weights([self.average.target]),
        }

    def _keep(self, steps: Columns) -> None:
        """Adds the steps of a round to both buffers."""
        config, responds = self.config, steps["roles"] == RESPONSE
        found = transitions(steps, self.game.unit, config.stake_power)
        if config.learn_from == "best-response":
            found = {name: each[responds] for name, each in found.items()}
        self.newest.add(found)
        played = np.eye(self.game.num_actions, dtype=np.float32)[steps["slots"]]
        played[responds] = steps["policies"][responds]
        recorded = responds if config.record == "best-response" else steps["roles"] != RANDOM
        rows, legal, played = steps["rows"][recorded], steps["legal"][recorded], played[recorded]
        episodes = steps["episodes"][recorded]
        if self._memory is not None:
            played = self._memory.blend(played, rows, legal, episodes, config.average_power)
        self.actions.add(
            {
                "row": rows,
                "legal": legal,
                "target": np.rint(_WHOLE * played).astype(np.uint8),
                "weight": (1.0 + episodes).astype(np.float32) ** np.float32(config.average_power),
            }
        )
        self.episodes_done += config.episodes
        self._nodes += len(steps["slots"]) + config.episodes

    def _learn(self) -> Metrics:
        config, done = self.config, self.episodes_done
        if self.newest.size < config.min_transitions:
            return {}
        rate, end = config.rate_share(done, config.rate_end), config.best_response_rate_end
        metrics = {"meta/lr_factor": rate}
        seed = numbered_seed(self.seed, _FITS, 0, self.steps_done)
        value_rate = rate if end is None else config.rate_share(done, end)
        metrics["loss/values"] = self.values.fit(
            self._value_loss, self.newest, seed, rate=value_rate
        )
        if done >= self._frozen and self.actions.size > 0:
            seed = numbered_seed(self.seed, _FITS, 1, self.steps_done)
            scale = (config.average_power + 1) / float(done) ** config.average_power
            metrics["loss/average"] = self.average.fit(
                _average_loss, self.actions, seed, scale=scale, rate=rate * self._average_share()
            )
        return metrics

    def _average_share(self) -> float:
        """Returns the share of the learning rate of the average after a loss of rows."""
        if self._frozen < 0:
            return 1.0
        since = self.episodes_done - self._frozen
        return float(Schedule(0.01, 1.0, self.config.average_warmup).at(since))

    # Parts.

    def work_on(self, make_makers: MakeMakers) -> None:
        """Plays on a cluster from now on."""
        largest = min(self.config.block, self.config.episodes)
        self._makers = make_makers(self.generator, largest)
        self._begin_anew()

    @property
    def shards_per_step(self) -> tuple[int, int]:
        count = -(-self.config.episodes // self.config.block)
        return count, count

    def _begin_anew(self) -> None:
        """Gives up the rounds that are played ahead."""
        self._play.close()
        self._play = self._make_play()

    def _make_play(self) -> PlayAhead:
        config, ahead = self.config, dict[str, int]()
        if config.asynchronous:
            ahead = {
                "train_ahead": config.train_ahead,
                "hand_over_every": config.hand_over_every,
                "rounds_ahead": self._makers.rounds_ahead,
            }
        return PlayAhead(self._makers, config.episodes, config.block, **ahead)

    def _make_buffers(self) -> tuple[Ring, Reservoir]:
        config, slots = self.config, self.game.num_actions
        limits: dict[str, Any] = {"max_bytes": config.max_bytes, "threads": config.threads}
        newest = Ring(transition_columns(self.encoder.row_bytes, slots), config.capacity, **limits)
        columns = [
            Column("row", "uint8", (self.encoder.row_bytes,)),
            Column("legal", "bool", (slots,)),
            Column("target", "uint8", (slots,)),
            Column("weight", "float32"),
        ]
        seed = numbered_seed(self.seed, _RESERVOIR, 0, 0)
        return newest, Reservoir(columns, config.average_capacity, seed=seed, **limits)

    def _make_fit(self, name: str) -> Fit[Network]:
        config, is_values = self.config, name == "values"
        shape = config.shape(self.encoder.num_features, self.game.num_actions, is_values)
        steps = config.best_response_steps if is_values else config.average_steps
        rate = config.best_response_rate if is_values else config.average_rate
        tau = config.tau if is_values else config.average_tau
        seed = numbered_seed(self.seed, _WEIGHTS, 0 if is_values else 1, 0)
        renames, game = config.rename_suits, self.game
        return Fit(
            name,
            Network(shape, torch.Generator().manual_seed(seed)),
            FitConfig(steps, config.batch, rate, 1.0, config.clip),
            self.device,
            prepare=self._features.added,
            renaming=SuitRenaming(game, self.encoder, self.device) if renames else None,
            tau=tau if tau < 1 else None,
            precision=self.dtype,
        )

    # The strategy.

    def no_policy(self) -> str | None:
        return None

    def policy(self) -> NetworkPolicy:
        """Returns the average, on the CPU whatever the device."""
        return NetworkPolicy(network_weights([self.average.target]), self.encoder, "nfsp")

    # Checkpoints.

    def takes(self) -> Takes:
        numbers = self.encoder.num_features + 4 * sum(self.config.widths)
        played = self.generator.forecast_bytes(self.config.episodes)
        working = _LIBRARY_BYTES + played + 12 * max(self.config.batch, 4096) * numbers
        return Takes(size_of(self.state()), working=working)

    def buffers(self) -> Mapping[str, Buffer]:
        return {"transitions": self.newest, "actions": self.actions}

    def state(self) -> Arrays:
        counts = [self.steps_done, self.episodes_done, self._nodes, self._frozen]
        memory = {} if self._memory is None else self._memory.state()
        learned = {**self.values.state(), **self.average.state()}
        return {"counts": np.array(counts), **learned, **memory}

    def restore(self, state: Arrays) -> None:
        counts = map(int, state["counts"])
        self.steps_done, self.episodes_done, self._nodes, self._frozen = counts
        self.values.restore(state)
        self.average.restore(state)
        remembered = remembered_in(state, self.average.target)
        if self.episodes_done > 0 and self.actions.num_added == 0:  # its rows were not saved
            self._freeze()
            remembered = self.average.target, self.episodes_done
        self._memory = None
        if remembered is not None:
            self._memory = RememberedAverage(*remembered, self.encoder, self.device, self.dtype)
        self._begin_anew()

    def start_from(self, state: Arrays) -> None:
        """Takes over the networks of another run, without the moments of Adam."""
        networks = {name: array for name, array in state.items() if "/adam/" not in name}
        self.values.restore(networks)
        self.average.restore(networks)
        self._freeze()
        self._begin_anew()

    def _freeze(self) -> None:
        """Keeps the average as it is until there are enough rows in the place of the lost ones."""
        self._frozen = self.episodes_done + self.config.freeze_average
        self.average.forget_moments()


def _average_loss(network: Network, rows: Rows) -> Tensor:
    return imitation_loss(network, {**rows, "target": rows["target"] / _WHOLE})
