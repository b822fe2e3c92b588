# SPDX-License-Identifier: MIT
"""The options that Deep CFR and Single Deep CFR share."""

from dataclasses import dataclass
from typing import Literal

from regretless.errors import InputError


@dataclass(frozen=True)
class AdvantageConfig:
    """How advantages are sampled and fitted."""

    rule: Literal["linear", "uniform", "dcfr+", "pdcfr+"] = "linear"
    """How iterations count: see learning/advantage_rules.py."""
    encoder: str = "canonical24"
    """What the networks see."""
    traversals: int = 1_500
    """For each seat in an iteration."""
    sampling: Literal["external", "outcome"] = "external"
    """Whether a traversal follows every slot of its seat, or one that it draws."""
    epsilon: float = 0.6
    """With outcome sampling so much of the seat's own strategy is uniform."""
    in_flight: int = 1_024
    """Traversals under way at once."""
    block: int = 65_536
    """Traversals whose samples are held before they are kept or dropped; a run that is stopped
    goes on from the last whole block."""
    kept_answers: int = 1 << 20
    """Infosets whose strategy is kept for an iteration; 0 where few are met twice."""
    runouts: int = 0
    """Boards over which two players who are all-in share the pot, which takes away noise; 0: only
    the one that was dealt."""
    stake_power: float = 0.0
    """Advantages are fitted divided by the pot at their infoset to this power. Strategies do not
    depend on the unit of an infoset, but errors do: without it those of large pots count most."""
    deals: int = 0
    """Deals that all traversals play, drawn once (docs/deal_pool.md); 0: each has its own."""
    deals_min_per_class: int = 0
    """Least number of these for each seat and class of its hands."""
    deals_max_rejections: int = 500_000
    """Draws that may be thrown away for it."""
    deals_seed: int = 0

    widths: tuple[int, ...] = (64, 64, 64)
    """Of the hidden layers."""
    activation: Literal["relu", "gelu", "silu", "tanh"] = "relu"
    layer_norm: bool = False
    residual: bool = False

    capacity: int = 1_000_000
    """Samples of advantages kept for each seat."""
    steps: int = 750
    """Minibatches of a fit."""
    batch: int = 2_048
    """Samples of a minibatch."""
    learning_rate: float = 1e-3
    final_rate: float = 0.0
    """Share of the rate that is left at the end of a fit."""
    clip: float = 1.0
    """Largest norm of a gradient."""
    from_scratch: bool = True
    """Whether every fit begins with new numbers; where advantages add up, none does."""

    value_steps: int = 0
    """Minibatches in an iteration for networks that learn what a seat's infosets are worth to it;
    0: there are none. Nothing else depends on them."""
    value_batch: int = 2_048
    value_capacity: int = 1_000_000
    """Samples of values kept for each seat."""

    baseline: bool = False
    """Whether sampled values correct what a network says that sees the hands of all seats."""
    targets: Literal["sampled", "values"] = "sampled"
    """Whether advantages are those of sampled values or those of that network alone; then with
    outcome sampling the seat plays at random."""
    baseline_steps: int = 750
    """Minibatches of that network in an iteration; it goes on from the last."""
    baseline_batch: int = 2_048
    baseline_capacity: int = 20_000
    """Decisions it learns from, the newest of each seat's traversals; much older ones are
    of other strategies. That is two or three iterations on Leduc."""

    device: str = "cpu"
    """Where the networks are: cpu, cuda or mps."""
    precision: Literal["float32", "tf32", "bfloat16"] = "float32"
    """Of products; tf32 is a setting of the whole process, which `train` sets."""
    threads: int = 1
    """Of the traversals, and on the CPU of the networks; traversals do not depend on it."""
    max_bytes: int = 1 << 36
    """Refuse buffers that would take more memory."""


_LEAST = {
    **dict.fromkeys(("traversals", "block", "in_flight", "capacity", "steps", "batch"), 1),
    **dict.fromkeys(("value_batch", "value_capacity"), 1),
    **dict.fromkeys(("baseline_steps", "baseline_batch", "baseline_capacity"), 1),
    **dict.fromkeys(("value_steps", "deals", "deals_seed", "runouts"), 0),
}


def check_config(config: AdvantageConfig) -> None:
    """InputError for numbers that make no sense."""
    for key, least in _LEAST.items():
        if (value := vars(config)[key]) < least:
            raise InputError(f"{key}: must be at least {least}, not {value}")
    if not 0 <= config.stake_power <= 1:
        raise InputError(f"stake_power: must be from 0 to 1, not {config.stake_power}")
    if not 0 < config.epsilon <= 1:
        raise InputError(f"epsilon: must be above 0 and at most 1, not {config.epsilon}")
    if not config.learning_rate > 0:
        raise InputError(f"learning_rate: must be positive, not {config.learning_rate}")
    if not 0 <= config.final_rate <= 1:
        raise InputError(f"final_rate: must be from 0 to 1, not {config.final_rate}")
    if not config.clip > 0:
        raise InputError(f"clip: must be positive, not {config.clip}")
