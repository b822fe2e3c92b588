# SPDX-License-Identifier: MIT
"""How advantages of many iterations become one strategy and one average, as rows of data.

The published rule (Deep CFR, Single Deep CFR) fits the weighted mean of the advantages of all
iterations, from a reservoir of all samples. The newer rules (deep DCFR+ and PDCFR+, 2026) fit
what advantages have added up to: what the last network says, cut off at zero and discounted, plus
the advantages of this iteration, whose samples are all that is kept.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class AdvantageRule:
    """One of them."""

    weight_power: float
    """Advantages of iteration t count t to this power; where they add up, all count alike."""
    average_power: float
    """The strategy of iteration t counts t to this power in the average."""
    adds_up: bool = False
    """The last network is the beginning of the next one's targets."""
    discount_power: float = 0.0
    """What has added up after t iterations counts t^p / (t^p + offset) ..."""
    discount_offset: float = 1.0
    predicts: bool = False
    """The strategy also counts the advantages of the last iteration once more, as those of the
    next, and is told by a network of its own."""

    def weight(self, iteration: int) -> float:
        """Of the samples of an iteration."""
        return float(float(iteration) ** self.weight_power)

    def scale(self, iteration: int) -> float:
        """That makes the weights of iterations up to this one 1 on average."""
        return (self.weight_power + 1) / self.weight(iteration)

    def discount(self, iteration: int) -> float:
        """Of what has added up before this iteration."""
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
