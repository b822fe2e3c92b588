# SPDX-License-Identifier: MIT
"""The options of NFSP, and their schedules over episodes."""

from dataclasses import dataclass
from typing import Literal

from regretless.errors import InputError
from regretless.learning.schedules import Schedule


@dataclass(frozen=True)
class NFSPConfig:
    """Options for self-play, recording and learning."""

    encoder: str = "slots12"
    """The input of the networks (docs/encoders.md)."""
    episodes: int = 512
    """Episodes of a round, which is a step."""
    tables: int = 512
    """Episodes in progress at once."""
    block: int = 65_536
    """Episodes of a shard, at most; a cluster plays the shards of a round at once."""
    best_response: float = 0.1
    """Probability that a seat plays its best response in an episode; else it plays the average."""
    best_response_end: float | None = None
    """Final value of that probability, reached linearly; None: it is constant."""
    best_response_ramp: int = 0
    """Episodes until the final value."""
    random_opponents: float = 0.0
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
    epsilon: float = 0.06
    """Probability that a best response explores by a random slot; the average does not see it."""
    epsilon_end: float = 0.0
    epsilon_decay: int = 100_000
    """Episodes until `epsilon_end`; with shape `root` epsilon is divided by sqrt(1 + t / decay)."""
    epsilon_shape: Literal["linear", "root"] = "root"
    temperature: float = 0.0
    """Best responses play a softmax of values divided by the temperature, so that near ties make no
    jumps; 0: only the largest value. In units of the game, or shares of the pot."""
    temperature_decay: int = 0
    """After t episodes the temperature is divided by sqrt(1 + t / decay); 0: it is constant."""

    widths: tuple[int, ...] = (64, 64)
    """Widths of the hidden layers of both networks."""
    layer_norm: bool = False
    """Whether hidden layers have layer normalisation."""
    residual: bool = False
    """Whether hidden layers of equal width have residual connections."""
    stream: int = 0
    """Width of a hidden layer of each head; 0: none."""
    dueling: bool = False
    """Whether the value network is dueling: one value of the decision plus one for each slot."""
    history_layers: int = 0
    """Layers of attention over the history, for an encoder that ends with its records (table30);
    0: the records are plain inputs."""
    history_width: int = 64
    history_heads: int = 4
    history_outputs: int = 256
    rename_suits: bool = False
    """Whether rows are learned with randomly permuted suits and hole cards in either order, where
    the encoder shows cards as they are."""

    capacity: int = 200_000
    """Newest transitions that are kept."""
    average_capacity: int = 2_000_000
    """Actions in the reservoir of the average."""
    batch: int = 128
    """Rows of a minibatch."""
    best_response_steps: int = 8
    """Minibatches of the values in a round."""
    average_steps: int = 8
    """Minibatches of the average in a round."""
    best_response_rate: float = 1e-3
    """Learning rate of the values."""
    average_rate: float = 1e-3
    """Learning rate of the average."""
    rate_episodes: int = 0
    """Episodes over which both rates fall as a cosine; 0: they are constant."""
    rate_end: float = 0.01
    """Final learning rates as a share of the initial ones."""
    best_response_rate_end: float | None = None
    """Final learning rate of the values as a share of the initial one; None: `rate_end`. Values
    that learn slowly respond to strategies that are no longer played."""
    rate_warmup: int = 0
    """Episodes over which both rates rise from a hundredth."""
    average_tau: float = 1.0
    """Polyak averaging of the average network, which plays and is the strategy: share that is taken
    over after each minibatch; 1: the network itself."""
    stake_power: float = 0.0
    """Values are learned divided by the pot at their decision to this power. The best slot does not
    depend on it, but errors do: at 0 those of large pots count most."""
    tau: float = 0.005
    """Polyak averaging of the target network of the values: share taken over per minibatch."""
    huber: float = 1.0
    """Errors of the values above it count linearly, which moves means towards medians; in units of
    the game, or shares of the pot."""
    clip: float = 10.0
    """Largest norm of a gradient."""
    min_transitions: int = 1_000
    """Transitions before learning begins."""

    freeze_average: int = 0
    """Episodes for which the average is not learned where networks are there and rows are not
    (`start_from`, or a resume without buffers), until its rows are diverse ..."""
    average_warmup: int = 0
    """... and episodes after these over which its rate rises from a hundredth."""

    asynchronous: bool = False
    """Whether the next round is played while this one is learned from. That is faster, and results
    depend on the speed of both."""
    train_ahead: int = 4
    """Rounds of learning before it waits for play; asynchronous only."""
    hand_over_every: int = 1
    """Rounds of learning from one transfer of weights to play to the next; asynchronous only."""

    device: str = "cpu"
    """Device of the networks: cpu, cuda or mps."""
    precision: Literal["float32", "tf32", "bfloat16"] = "float32"
    """Precision of matrix products; tf32 is a setting of the whole process, which `train` makes."""
    threads: int = 1
    """Threads of play, and of the networks on the CPU; play does not depend on it."""
    max_bytes: int = 1 << 36
    """Largest size of a buffer in memory."""

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


_LEAST = {
    **dict.fromkeys(("episodes", "tables", "block", "batch"), 1),
    **dict.fromkeys(("capacity", "average_capacity"), 1),
    **dict.fromkeys(("best_response_steps", "average_steps"), 1),
    **dict.fromkeys(("hand_over_every", "min_transitions"), 1),
    **dict.fromkeys(("best_response_ramp", "epsilon_decay", "rate_episodes", "rate_warmup"), 0),
    "temperature_decay": 0,
    **dict.fromkeys(("freeze_average", "average_warmup", "train_ahead"), 0),
    **dict.fromkeys(("stream", "history_layers"), 0),
}
_SHARES = (
    *("best_response", "best_response_end", "random_opponents", "epsilon", "epsilon_end"),
    *("rate_end", "best_response_rate_end", "tau", "average_tau", "stake_power"),
)


def check_config(config: NFSPConfig) -> None:
    """Raises InputError for numbers out of range."""
    for key, least in _LEAST.items():
        if (value := vars(config)[key]) < least:
            raise InputError(f"{key}: must be at least {least}, not {value}")
    for key in _SHARES:
        share = vars(config)[key]
        if share is not None and not 0 <= share <= 1:
            raise InputError(f"{key}: must be from 0 to 1, not {share}")
    most = max(config.best_response, config.best_response_end or 0)
    if most + config.random_opponents > 1:
        raise InputError(
            f"random_opponents: with best_response at most 1, not {config.random_opponents}"
        )
    if not config.temperature >= 0:
        raise InputError(f"temperature: must not be negative, not {config.temperature}")
    for key in ("best_response_rate", "average_rate", "huber", "clip"):
        if not vars(config)[key] > 0:
            raise InputError(f"{key}: must be positive, not {vars(config)[key]}")
