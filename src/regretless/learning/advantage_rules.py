# SPDX-License-Identifier: MIT
"""Rules that combine the advantages of many iterations, as rows of data.

The published rule (Deep CFR, Single Deep CFR) fits the weighted mean of the advantages of all
iterations, from a reservoir of all samples. The newer rules (deep DCFR+ and PDCFR+, 2026) fit
cumulative advantages: the last network's outputs, cut off at zero and discounted, plus the
advantages of this iteration, whose samples are all that is kept.
"""

from dataclasses import dataclass


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
