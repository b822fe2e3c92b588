# SPDX-License-Identifier: MIT
"""The options of NFSP, and their schedules over episodes."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from regretless.errors import InputError
from regretless.networks.history import HistoryShape
from regretless.networks.mlp import MlpShape
from regretless.networks.placement import DeviceConfig
from regretless.networks.shape import NetworkShape
from regretless.options import Count, Natural, Positive, Share

_HISTORY_ENCODER, _RECORDS = "table30", 30


@dataclass(frozen=True)
class Schedule:
    """A number that goes from `start` to `end`."""

    start: float
    end: float
    episodes: int
    """Episodes until the end is reached; 0: the number is `end` throughout."""
    shape: Literal["linear", "root", "cosine"] = "linear"
    """`root` is start / sqrt(1 + t / episodes), never below the end."""

    def at(self, episodes: int | NDArray[np.int64]) -> NDArray[np.float64]:
        """Returns the number after some episodes, for each if there are several."""
        done = np.asarray(episodes, np.float64) / max(self.episodes, 1)
        if self.episodes <= 0:
            return np.full_like(done, self.end)
        if self.shape == "root":
            return np.maximum(self.start / np.sqrt(1 + done), self.end)
        share = np.minimum(done, 1.0)
        if self.shape == "cosine":
            share = (1 - np.cos(np.pi * share)) / 2
        return self.start + (self.end - self.start) * share


@dataclass(frozen=True)
class NFSPConfig(DeviceConfig):
    """Options for self-play, recording and learning."""

    encoder: str = "slots12"
    """The input of the networks (docs/encoders.md)."""
    episodes: Count = 512
    """Episodes of a round, which is a step."""
    tables: Count = 512
    """Episodes in progress at once."""
    block: Count = 65_536
    """Episodes of a shard, at most; a cluster plays the shards of a round at once."""
    best_response: Share = 0.1
    """Probability that a seat plays its best response in an episode; else it plays the average."""
    best_response_end: Share | None = None
    """Final value of that probability, reached linearly; None: it is constant."""
    best_response_ramp: Natural = 0
    """Episodes until the final value."""
    random_opponents: Share = 0.0
    """Share of seats that play uniformly at random for an episode. The others learn to win more
    from such opponents, and to recognise them by their actions."""
    record: Literal["best-response", "all"] = "best-response"
    """Actions that the average learns from: those of best responses, as published, or all but
    those of random opponents."""
    average_power: float = 0.0
    """Actions of episode t have weight t to this power: 0 as published; 1 forgets the bad actions
    of the beginning soon."""
    learn_from: Literal["all", "best-response"] = "all"
    """Roles whose transitions the values are learned from."""
    epsilon: Share = 0.06
    """Probability that a best response explores by a random slot; the average does not see it."""
    epsilon_end: Share = 0.0
    epsilon_decay: Natural = 100_000
    """Episodes until `epsilon_end`; with shape `root` epsilon is divided by sqrt(1 + t / decay)."""
    epsilon_shape: Literal["linear", "root"] = "root"
    temperature: Annotated[float, Field(ge=0)] = 0.0
    """Best responses play a softmax of values divided by the temperature, so that near ties make no
    jumps; 0: only the largest value. In units of the game, or shares of the pot."""
    temperature_decay: Natural = 0
    """After t episodes the temperature is divided by sqrt(1 + t / decay); 0: it is constant."""

    widths: tuple[int, ...] = (64, 64)
    """Widths of the hidden layers of both networks."""
    layer_norm: bool = False
    """Whether hidden layers have layer normalisation."""
    residual: bool = False
    """Whether hidden layers of equal width have residual connections."""
    stream: Natural = 0
    """Width of a hidden layer of each head; 0: none."""
    dueling: bool = False
    """Whether the value network is dueling: one value of the decision plus one for each slot."""
    history_layers: Natural = 0
    """Layers of attention over the history, for an encoder that ends with its records (table30);
    0: the records are plain inputs."""
    history_width: int = 64
    history_heads: int = 4
    history_outputs: int = 256
    rename_suits: bool = False
    """Whether rows are learned with randomly permuted suits and hole cards in either order, where
    the encoder shows cards as they are."""

    capacity: Count = 200_000
    """Newest transitions that are kept."""
    average_capacity: Count = 2_000_000
    """Actions in the reservoir of the average."""
    batch: Count = 128
    """Rows of a minibatch."""
    best_response_steps: Count = 8
    """Minibatches of the values in a round."""
    average_steps: Count = 8
    """Minibatches of the average in a round."""
    best_response_rate: Positive = 1e-3
    """Learning rate of the values."""
    average_rate: Positive = 1e-3
    """Learning rate of the average."""
    rate_episodes: Natural = 0
    """Episodes over which both rates fall as a cosine; 0: they are constant."""
    rate_end: Share = 0.01
    """Final learning rates as a share of the initial ones."""
    best_response_rate_end: Share | None = None
    """Final learning rate of the values as a share of the initial one; None: `rate_end`. Values
    that learn slowly respond to strategies that are no longer played."""
    rate_warmup: Natural = 0
    """Episodes over which both rates rise from a hundredth."""
    average_tau: Share = 1.0
    """Polyak averaging of the average network, which plays and is the strategy: share that is taken
    over after each minibatch; 1: the network itself."""
    stake_power: Share = 0.0
    """Values are learned divided by the pot at their decision to this power. The best slot does not
    depend on it, but errors do: at 0 those of large pots count most."""
    tau: Share = 0.005
    """Polyak averaging of the target network of the values: share taken over per minibatch."""
    huber: Positive = 1.0
    """Errors of the values above it count linearly, which moves means towards medians; in units of
    the game, or shares of the pot."""
    clip: Positive = 10.0
    """Largest norm of a gradient."""
    min_transitions: Count = 1_000
    """Transitions before learning begins."""

    freeze_average: Natural = 0
    """Episodes for which the average is not learned where networks are there and rows are not
    (`start_from`, or a resume without buffers), until its rows are diverse ..."""
    average_warmup: Natural = 0
    """... and episodes after these over which its rate rises from a hundredth."""

    asynchronous: bool = False
    """Whether the next round is played while this one is learned from. That is faster, and results
    depend on the speed of both."""
    train_ahead: Natural = 4
    """Rounds of learning before it waits for play; asynchronous only."""
    hand_over_every: Count = 1
    """Rounds of learning from one transfer of weights to play to the next; asynchronous only."""

    max_bytes: int = 1 << 36
    """Largest size of a buffer in memory."""

    def __post_init__(self) -> None:
        super().__post_init__()
        most = max(self.best_response, self.best_response_end or 0)
        if most + self.random_opponents > 1:
            raise InputError(
                f"random_opponents: with best_response at most 1, not {self.random_opponents}"
            )

    def shape(self, inputs: int, outputs: int, is_values: bool) -> NetworkShape:
        """Returns the shape of a network that reads the features of the encoder."""
        shape = MlpShape(
            inputs=inputs,
            widths=self.widths,
            outputs=outputs,
            head="values" if is_values else "probabilities",
            layer_norm=self.layer_norm,
            residual=self.residual,
            stream=self.stream,
            dueling=self.dueling and is_values,
        )
        if self.history_layers == 0:
            return shape
        if self.encoder != _HISTORY_ENCODER:
            raise InputError(f"history_layers: encoder {self.encoder!r} has no records")
        return HistoryShape.around(
            shape,
            records=_RECORDS,
            record=outputs + 2,
            width=self.history_width,
            heads=self.history_heads,
            layers=self.history_layers,
            outputs=self.history_outputs,
        )

    def response_schedule(self) -> Schedule:
        """Returns the share of best responses by episode."""
        end = self.best_response if self.best_response_end is None else self.best_response_end
        return Schedule(self.best_response, end, self.best_response_ramp)

    def epsilon_schedule(self) -> Schedule:
        return Schedule(self.epsilon, self.epsilon_end, self.epsilon_decay, self.epsilon_shape)

    def temperature_schedule(self) -> Schedule:
        if self.temperature_decay == 0:
            return Schedule(self.temperature, self.temperature, 0)
        return Schedule(self.temperature, 0.0, self.temperature_decay, "root")

    def rate_share(self, done: int, end: float) -> float:
        """Returns the share of a learning rate after `done` episodes; the final one is `end`."""
        if done < self.rate_warmup:
            return float(Schedule(0.01, 1.0, self.rate_warmup).at(done))
        share = Schedule(1.0, end, self.rate_episodes - self.rate_warmup, "cosine")
        return float(share.at(done - self.rate_warmup)) if self.rate_episodes else 1.0
