# SPDX-License-Identifier: MIT
"""What improves a strategy: one protocol for every algorithm, and the strategies it yields."""

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from regretless.policy import Policy

Arrays = dict[str, NDArray[Any]]
Metrics = dict[str, float]


class Algorithm(Protocol):
    """Improves a strategy step by step. It never logs, saves, evaluates or reads a clock."""

    @property
    def iteration(self) -> int:
        """Steps done so far; what one step is, the algorithm's page says."""

    def step(self, count: int = 1) -> Metrics:
        """Do `count` steps and return what there is to say about them.

        A key such as `buffer/size` names its own group in the logs; others are of `train/`. One is
        `nodes`: those touched since the beginning (docs/training.md says what counts).
        """

    def exploitability(self) -> float:
        """Mean best-response gain over the players of the average strategy, in units."""

    def best_response_gains(self) -> list[float]:
        """For each player, what the best answer to the others' strategies gains, in units."""

    def values(self) -> list[float]:
        """For each player, the expected payoff of the average strategy, in units."""

    def num_infosets(self) -> int:
        """Infosets of all players that the strategy covers."""

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        """The average strategy by infoset name, for games small enough to list.

        A row has one probability for each slot of a native game, for each action of others.
        """

    def policy(self) -> Policy:
        """The strategy as something that can play."""

    def state(self) -> Arrays:
        """Everything needed to go on later, as arrays, but the rows of `buffers` (buffers.py)."""

    def restore(self, state: Arrays) -> None:
        """Go on from `state()`: the same steps then give the same bytes."""


@runtime_checkable
class LearnsFromExamples(Protocol):
    """An algorithm whose examples can be kept and learned from later."""

    def take_examples(self) -> Arrays:
        """Those made since the last call, a row each."""

    def give_examples(self, examples: Arrays) -> None:
        """Learn from these, as `take_examples` gave them, and make no new ones."""
