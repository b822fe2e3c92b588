# SPDX-License-Identifier: MIT
"""The options that Deep CFR and Single Deep CFR share, and the rules that weigh iterations.

The published rule (Deep CFR, Single Deep CFR) fits the weighted mean of the advantages of all
iterations, from a reservoir of all samples. The newer rules (deep DCFR+ and PDCFR+, 2026) fit
cumulative advantages: the last network's outputs, cut off at zero and discounted, plus the
advantages of this iteration, whose samples are all that is kept.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from regretless.networks.mlp import Head, MlpShape
from regretless.networks.placement import DeviceConfig
from regretless.networks.shape import NetworkShape
from regretless.options import Count, Natural, Positive, Share


@dataclass(frozen=True)
class AdvantageRule:
    """One rule."""

    weight_power: float
    """Advantages of iteration t have weight t to this power; 0 where they add up."""
    average_power: float
    """The strategy of iteration t has weight t to this power in the average."""
    adds_up: bool = False
    """Whether targets begin with the outputs of the last network."""
    discount_power: float = 0.0
    """Cumulative advantages are discounted after t iterations by t^p / (t^p + offset)."""
    discount_offset: float = 1.0
    predicts: bool = False
    """Whether the strategy counts the newest advantages once more, as a prediction of the next
    ones; a network of its own is fitted to that."""

    def weight(self, iteration: int) -> float:
        """Returns the weight of the samples of an iteration."""
        return float(float(iteration) ** self.weight_power)

    def scale(self, iteration: int) -> float:
        """Returns the factor that makes the weights up to this iteration 1 on average."""
        return (self.weight_power + 1) / self.weight(iteration)

    def average_scale(self, iteration: int) -> float:
        """Returns the same factor for the weights of strategies."""
        return float((self.average_power + 1) / float(iteration) ** self.average_power)

    def discount(self, iteration: int) -> float:
        """Returns the discount of cumulative advantages at the beginning of an iteration."""
        before = float(iteration - 1) ** self.discount_power if iteration > 1 else 0.0
        return before / (before + self.discount_offset)


RULES = {
    "uniform": AdvantageRule(weight_power=0, average_power=0),
    "linear": AdvantageRule(weight_power=1, average_power=1),
    "dcfr+": AdvantageRule(
        weight_power=0, average_power=2, adds_up=True, discount_power=1.5, discount_offset=1.5
    ),
    "pdcfr+": AdvantageRule(
        weight_power=0, average_power=5, adds_up=True, discount_power=2.3, predicts=True
    ),
}


@dataclass(frozen=True)
class AdvantageConfig(DeviceConfig):
    """Options for traversals and for the networks of advantages."""

    rule: Literal["linear", "uniform", "dcfr+", "pdcfr+"] = "linear"
    """Weights of iterations: a row of `RULES`."""
    encoder: str = "canonical24"
    """The input of the networks (docs/encoders.md)."""
    traversals: Count = 1_500
    """Traversals of each seat in an iteration."""
    sampling: Literal["external", "outcome"] = "external"
    """Whether a traversal follows every slot of its seat (external) or a sampled one (outcome)."""
    epsilon: Annotated[float, Field(gt=0, le=1)] = 0.6
    """Share of uniform exploration in the traverser's strategy; outcome sampling only."""
    in_flight: Count = 1_024
    """Traversals in progress at once."""
    block: Count = 65_536
    """Traversals of a shard; a stopped run goes on from its last whole shard."""
    asynchronous: bool = False
    """Whether the traversals of the next seat begin before the fit of this one, with the networks
    at hand: a cluster then samples while the learner fits. Results are others."""
    kept_answers: int = 1 << 20
    """Information sets whose strategy is cached for an iteration; 0 in games too large to meet
    one twice."""
    runouts: Natural = 0
    """Boards over which the pot of two all-in players is averaged, to reduce variance; 0: only the
    board that was dealt."""
    stake_power: Share = 0.0
    """Advantages are fitted divided by the pot at their information set to this power. Regret
    matching does not depend on the unit of an information set, but errors do: at 0 those of large
    pots count most."""
    deals: Natural = 0
    """Deals in a pool from which all traversals are dealt (docs/deal_pool.md); 0: no pool."""
    deals_min_per_class: int = 0
    """Least number of deals in the pool for each seat and class of its hands."""
    deals_max_rejections: int = 500_000
    """Deals that may be rejected to fill the classes."""
    deals_seed: Natural = 0

    widths: tuple[int, ...] = (64, 64, 64)
    """Widths of the hidden layers."""
    layer_norm: bool = False
    """Whether hidden layers have layer normalisation."""
    residual: bool = False
    """Whether hidden layers of equal width have residual connections."""

    capacity: Count = 1_000_000
    """Samples of advantages in the reservoir of each seat."""
    steps: Count = 750
    """Minibatches of a fit; every fit begins with new weights, unless advantages add up."""
    batch: Count = 2_048
    """Samples of a minibatch."""
    learning_rate: Positive = 1e-3
    """Initial learning rate of a fit; it falls linearly to 0."""
    clip: Positive = 1.0
    """Largest norm of a gradient."""

    value_steps: Natural = 0
    """Minibatches in an iteration for networks that learn the values of information sets to their
    seat; 0: no such networks. Nothing else depends on them."""
    value_batch: Count = 2_048
    value_capacity: Count = 1_000_000
    """Samples of values in the reservoir of each seat."""

    baselines: Literal["none", "control", "targets"] = "none"
    """Use of networks that see the hands of all seats: control variates for sampled values, or
    the targets of advantages, for which outcome sampling explores uniformly."""
    baseline_steps: Count = 750
    """Minibatches of these networks in an iteration; each fit goes on from the last."""
    baseline_capacity: Count = 20_000
    """Newest decisions of each seat's traversals that they learn from, two or three iterations on
    Leduc; older ones are of other strategies."""

    max_bytes: int = 1 << 36
    """Largest size of a buffer in memory."""

    def shape(self, inputs: int, outputs: int, head: Head) -> NetworkShape:
        """Returns the shape of a network that reads the features of an encoder."""
        return MlpShape(
            inputs=inputs,
            widths=self.widths,
            outputs=outputs,
            head=head,
            layer_norm=self.layer_norm,
            residual=self.residual,
        )
