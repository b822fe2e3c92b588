# SPDX-License-Identifier: MIT
"""RL-CFR: sampled CFR with replay, exploration, a learning rate and bootstrapped values.

Regret minimisation whose traverser follows a single action, with the habits of reinforcement
learning as switches, each of which leaves the sampled regrets unbiased:

- sampled traversals: outcome sampling (Lanctot et al. 2009); one iteration is one traversal for
  each player in turn, and one step `iterations_per_step` of them;
- epsilon-greedy exploration that decays, divided out of the samples;
- a learning rate that decays: the mean regret moves by rate / (t + rate - 1) at iteration t;
- bootstrapped values: an action that was not followed counts its estimate, and the one that was
  adds what its estimate missed over its probability (Schmid et al. 2019). Estimates belong to the
  traverser's own infosets;
- prioritised replay of regret samples (Schaul et al. 2016), divided by the probability of a draw.

docs/algorithms/rl_cfr.md shows what each of them does on Kuhn poker.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from regretless import _native
from regretless.games import Game
from regretless.options import Options
from regretless.solvers.sampled_cfr import SampledCFR


@dataclass(frozen=True)
class RLCFRConfig(Options):
    """The switches of RL-CFR; the defaults have all of them on."""

    epsilon: float = 0.6
    """The uniform share of the traverser's first actions."""
    final_epsilon: float = 0.2
    """The uniform share in the end; equal to `epsilon` for no decay."""
    epsilon_decay: float = 10_000.0
    """The iteration by which the uniform share has fallen half way."""
    learning_rate: Annotated[float, Field(ge=1)] = 2.0
    """The rate at which old samples are forgotten (at least 1; 1 keeps the plain sums of CFR)."""
    bootstrap: Literal["none", "baseline", "substitute"] = "baseline"
    """The value of actions that were not followed: none; their estimate, corrected (unbiased); or
    their estimate without a correction, which is biased and kept for comparison."""
    value_rate: float = 0.05
    """The step of an estimate towards each new sample of its value."""
    replay_capacity: int = 1_000
    """Regret samples that are kept for replay; 0: no replay."""
    replay_draws: int = 1
    """Samples that are replayed after each iteration."""
    iterations_per_step: int = 1000
    """Iterations of one step."""


class RLCFR(SampledCFR):
    """Implements `Solver`."""

    Config = RLCFRConfig

    def __init__(self, game: Game, config: RLCFRConfig | None = None, *, seed: int = 0) -> None:
        self.config = config = config or RLCFRConfig()
        options = vars(config) | {
            "sampling": _native.Sampling.OUTCOME,
            "replay_draws": config.replay_draws if config.replay_capacity > 0 else 0,
        }
        options["weight_power"] = options.pop("learning_rate") - 1
        options["estimates"] = _native.Estimates[options.pop("bootstrap").upper()]
        super().__init__("rl-cfr", game, seed=seed, **options)
