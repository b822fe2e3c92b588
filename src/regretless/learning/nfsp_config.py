# SPDX-License-Identifier: MIT
"""The options of NFSP, and what they say at an episode."""

from dataclasses import dataclass
from typing import Literal

from regretless.errors import InputError
from regretless.learning.schedules import Ramp


@dataclass(frozen=True)
class NFSPConfig:
    """How is played, what is recorded, how is learned."""

    encoder: str = "slots12"
    """What the networks see."""
    episodes: int = 512
    """Played in a round, which is a step."""
    tables: int = 512
    """Episodes under way at once."""
    best_response: float = 0.1
    """Probability that a seat plays its best response in an episode, else it plays the average."""
    best_response_end: float | None = None
    """What it becomes, linearly; None: it stays."""
    best_response_ramp: int = 0
    """Episodes until it has."""
    strangers: float = 0.0
    """Share of seats that play slots at random for an episode, whatever they have. Others learn to
    win more from who plays like that, and from what somebody has done so far who it is."""
    record: Literal["best-response", "all"] = "best-response"
    """Whose actions the average is made of: those of best responses, as published, or all but
    those of strangers."""
    average_power: float = 0.0
    """Actions of episode t count t to this power: 0 as published; with 1 the bad ones of the
    beginning are soon forgotten."""
    learn_from: Literal["all", "best-response"] = "all"
    """Whose transitions the values are learned from."""
    epsilon: float = 0.06
    """Probability that a best response explores: a slot at random. Not part of the average."""
    epsilon_end: float = 0.0
    epsilon_decay: int = 100_000
    """Episodes until it has fallen there; with shape `root` it is epsilon / sqrt(1 + t / decay)."""
    epsilon_shape: Literal["linear", "root"] = "root"
    temperature: float = 0.0
    """Best responses play a value v as exp(v / temperature): near ties are no jumps then; 0: only
    the largest. In units of the game, or shares of the pot."""
    temperature_decay: int = 0
    """After t episodes it is temperature / sqrt(1 + t / decay); 0: it stays."""

    widths: tuple[int, ...] = (64, 64)
    """Of the hidden layers of both networks."""
    activation: Literal["relu", "gelu", "silu", "tanh"] = "relu"
    layer_norm: bool = False
    residual: bool = False
    stream: int = 0
    """Width of a hidden layer of each head; 0: none."""
    dueling: bool = False
    """Whether values are one of the decision and one of each slot, which are added."""
    history_layers: int = 0
    """Layers of attention over the history, for an encoder that ends with its records (table30);
    0: the records are inputs as all others are."""
    history_width: int = 64
    history_heads: int = 4
    history_outputs: int = 256
    rename_suits: bool = False
    """Whether rows are learned from under names of suits drawn anew each time, and with the hole
    cards in any order, where the encoder shows cards as they are."""

    capacity: int = 200_000
    """Transitions kept, the newest."""
    average_capacity: int = 2_000_000
    """Actions kept that the average is made of, a uniform sample of all."""
    batch: int = 128
    """Rows of a minibatch."""
    best_response_steps: int = 8
    """Minibatches of the values in a round."""
    average_every: int = 1
    """Rounds from one fit of the average to the next."""
    average_steps: int = 8
    """Minibatches of such a fit."""
    average_batch: int | None = None
    """Rows of a minibatch of the average; None: as many as of the values."""
    gather: bool = False
    """Whether a step of the average learns from all rows at once, equal ones as one, where no more
    are distinct than a minibatch has: in small games."""
    best_response_rate: float = 1e-3
    """Learning rate of the values."""
    average_rate: float = 1e-3
    """Learning rate of the average."""
    rate_episodes: int = 0
    """Episodes over which both rates fall as a cosine does; 0: they stay."""
    rate_end: float = 0.01
    """Share of the rates that is left at the end."""
    best_response_rate_end: float | None = None
    """Share that is left of that of the values; None: as of the other. Slow values answer what
    is no longer played."""
    rate_warmup: int = 0
    """Episodes over which both rates rise from a hundredth."""
    average_tau: float = 1.0
    """What is played and told is a copy of the average that takes over so much of it after each
    minibatch, which takes noise away; 1: the average itself."""
    stake_power: float = 0.0
    """Values are learned divided by the pot at their decision to this power. What is best there
    does not depend on it, but errors do: without it those of large pots count most."""
    tau: float = 0.005
    """Share of the values that their target takes over after each minibatch."""
    huber: float = 1.0
    """Errors of the values above it count linearly, which pulls means towards medians; in units of
    the game, or shares of the pot."""
    clip: float = 10.0
    """Largest norm of a gradient."""
    min_transitions: int = 1_000
    """Nothing is learned before there are so many."""

    restart_every: int = 0
    """Episodes after which rates, exploration and the share of best responses begin again as at
    the start; 0: never."""
    reset_optimizers: bool = True
    """Whether a run that begins with the networks of another forgets the moments of Adam."""
    freeze_average: int = 0
    """Where the networks are there and the rows are not (`start_from`, or a resume without
    buffers), the average is not learned for so many episodes, until its rows are diverse ..."""
    average_warmup: int = 0
    """... and those after them over which its rate rises from a hundredth."""

    asynchronous: bool = False
    """Whether the next round is played while this one is learned from: faster, and what comes of
    it depends on how fast each is."""
    train_ahead: int = 4
    """Rounds of learning before play must have come along; asynchronous only."""
    hand_over_every: int = 1
    """Rounds of learning from one hand-over of the networks to play to the next; asynchronous
    only."""

    device: str = "cpu"
    """Where the networks are: cpu, cuda or mps."""
    precision: Literal["float32", "tf32", "bfloat16"] = "float32"
    """Of products; tf32 is a setting of the whole process, which `train` sets."""
    threads: int = 1
    """Of play, and on the CPU of the networks; play does not depend on it."""
    max_bytes: int = 1 << 36
    """Refuse buffers that would take more memory."""

    def responses(self) -> Ramp:
        """The share of best responses in play, by episode."""
        end = self.best_response if self.best_response_end is None else self.best_response_end
        ramp, period = self.best_response_ramp, self.restart_every
        return Ramp(self.best_response, end, ramp, period=period)

    def exploring(self) -> Ramp:
        """Epsilon by episode."""
        return Ramp(
            self.epsilon,
            self.epsilon_end,
            self.epsilon_decay,
            self.epsilon_shape,
            self.restart_every,
        )

    def warmth(self) -> Ramp:
        """The temperature by episode."""
        if self.temperature_decay == 0:
            return Ramp(self.temperature, self.temperature, 0)
        return Ramp(self.temperature, 0.0, self.temperature_decay, "root", self.restart_every)

    def rate_left(self, done: int, end: float) -> float:
        """Of a learning rate, after so many episodes; at the end `end` is."""
        if self.restart_every:
            done %= self.restart_every
        if done < self.rate_warmup:
            return float(Ramp(0.01, 1.0, self.rate_warmup).at(done))
        left = Ramp(1.0, end, self.rate_episodes - self.rate_warmup, "cosine")
        return float(left.at(done - self.rate_warmup)) if self.rate_episodes else 1.0


_LEAST = {
    **dict.fromkeys(("episodes", "tables", "capacity", "average_capacity", "batch"), 1),
    **dict.fromkeys(("best_response_steps", "average_steps", "average_every"), 1),
    **dict.fromkeys(("hand_over_every", "min_transitions"), 1),
    **dict.fromkeys(("best_response_ramp", "epsilon_decay", "rate_episodes", "rate_warmup"), 0),
    "temperature_decay": 0,
    **dict.fromkeys(("freeze_average", "average_warmup", "train_ahead"), 0),
    **dict.fromkeys(("restart_every", "stream", "history_layers"), 0),
}


def check_config(config: NFSPConfig) -> None:
    """InputError for numbers that make no sense."""
    for key, least in _LEAST.items():
        if (value := vars(config)[key]) < least:
            raise InputError(f"{key}: must be at least {least}, not {value}")
    for key in (
        "best_response",
        "best_response_end",
        "epsilon",
        "epsilon_end",
        "strangers",
        "rate_end",
        "best_response_rate_end",
        "tau",
        "average_tau",
        "stake_power",
    ):
        share = vars(config)[key]
        if share is not None and not 0 <= share <= 1:
            raise InputError(f"{key}: must be from 0 to 1, not {share}")
    most = max(config.best_response, config.best_response_end or 0)
    if most + config.strangers > 1:
        raise InputError(f"strangers: with best_response no more than 1, not {config.strangers}")
    if not config.temperature >= 0:
        raise InputError(f"temperature: must not be negative, not {config.temperature}")
    for key in ("best_response_rate", "average_rate", "huber", "clip"):
        if not vars(config)[key] > 0:
            raise InputError(f"{key}: must be positive, not {vars(config)[key]}")
