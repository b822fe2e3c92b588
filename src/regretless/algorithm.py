# SPDX-License-Identifier: MIT
"""The protocols of algorithms: one for all, and one for exact measures that some have."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from regretless.policies.policy import Policy
from regretless.policies.strategy_table import ProfileValues
from regretless.watch import UNWATCHED, Watch

Arrays = dict[str, NDArray[Any]]
Metrics = dict[str, float]


@dataclass(frozen=True)
class Shard:
    """A part of numbered work: episodes, deals or traversals from `first` on.

    Results depend on the numbers alone, so shards can be done anywhere and in any order.
    """

    first: int
    count: int
    iteration: int = 0
    """The iteration that the work belongs to, where there are any."""
    seat: int = 0
    """The traversing seat, where there is one."""

    @property
    def end(self) -> int:
        return self.first + self.count

    def head(self, count: int) -> Self:
        """Returns the first part, of at most `count`."""
        return replace(self, count=min(count, self.count))

    def split(self, size: int) -> list[Self]:
        """Returns shards of at most `size`, in order."""
        return [
            replace(self, first=first, count=min(size, self.end - first))
            for first in range(self.first, self.end, size)
        ]


@dataclass(frozen=True)
class Takes:
    """The size of `Algorithm.state`, in bytes of memory and of disk alike."""

    state: int
    """The size now."""
    grows_to: float | None = None
    """The size that `state` may grow to, infinite if unknown; None if it does not grow."""
    working: int = 0
    """The most memory that a step takes besides, for a while."""


class Algorithm(Protocol):
    """Improves a strategy step by step. It never logs, saves, evaluates or reads a clock."""

    @property
    def game(self) -> Any:
        """A native game, a Python game or its tree."""

    @property
    def steps_done(self) -> int:
        """Steps so far. The page of the algorithm says how many iterations a step has."""

    def takes(self) -> Takes:
        """The size of the state. Called before a run begins, so it copies no large arrays."""

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """Does `count` steps and returns their metrics.

        A key such as `buffer/size` names its own group in the logs; others are of `train/`. The
        key `nodes` counts the nodes touched since the beginning (docs/training.md). Where steps
        are long, `watch` may end the work early: then `steps_done` has grown by less than `count`,
        and from the state at hand the same step goes on to the same end.
        """

    def no_policy(self) -> str | None:
        """Returns why the strategy cannot play, in one line; None if it can."""

    def policy(self) -> Policy:
        """The strategy as a policy."""

    def state(self) -> Arrays:
        """Returns everything needed to continue, as arrays, except the rows of `buffers`."""

    def restore(self, state: Arrays) -> None:
        """Continues from `state()`: the same steps then give the same bytes."""


@runtime_checkable
class ExactMeasures(Protocol):
    """Exact measures of a strategy, in games that are small enough.

    TooLargeError where the game is not.
    """

    def no_exact(self) -> str | None:
        """Why there are no exact measures, in one line, if that is known beforehand."""

    def exploitability(self, watch: Watch = UNWATCHED) -> float:
        """Returns the mean best-response gain against the average strategy, in units."""

    def values(self) -> list[float]:
        """The expected payoff of each player under the average strategy, in units."""

    def num_infosets(self) -> int:
        """Returns the number of infosets of all players that the strategy covers."""

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        """Returns the average strategy by infoset name, for games small enough to list.

        A row has one probability for each slot of a native game, for each action of others.
        """


class Solver(Algorithm, ExactMeasures, Protocol):
    """An algorithm with exact measures of its strategy."""


class EvaluatesProfile(ABC):
    """The figures of `ExactMeasures`, computed from one evaluation of a strategy that can play."""

    @abstractmethod
    def evaluate(self) -> ProfileValues:
        """Returns the exact values of the strategy."""

    def no_exact(self) -> str | None:
        return None

    def no_policy(self) -> str | None:
        return None

    def exploitability(self, watch: Watch = UNWATCHED) -> float:
        with watch.over("measuring"):
            return self.evaluate().exploitability

    def values(self) -> list[float]:
        return self.evaluate().values


class CustomAlgorithm(ABC):
    """A base class for custom algorithms: an `Algorithm` of which four methods are left.

    It is made by `MyAlgorithm(game, config, seed)`. The config is an instance of its dataclass
    `Config`, whose fields are the options, or None where it has none. `step` sets `steps_done`.
    """

    game: Any
    """As `load_game` returns it; a custom game has a `tree`."""
    steps_done: int = 0

    @abstractmethod
    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics: ...

    @abstractmethod
    def policy(self) -> Policy: ...

    @abstractmethod
    def state(self) -> Arrays: ...

    @abstractmethod
    def restore(self, state: Arrays) -> None: ...

    def takes(self) -> Takes:
        """The size of its state now."""
        return Takes(size_of(self.state()))

    def no_policy(self) -> str | None:
        """Returns None: the strategy can play."""
        return None


@runtime_checkable
class LearnsFromExamples(Protocol):
    """An algorithm whose training examples can be kept and learned from later."""

    def take_examples(self) -> Arrays:
        """Returns the examples made since the last call, a row each."""

    def give_examples(self, examples: Arrays) -> None:
        """Replaces new examples by these, as `take_examples` returned them."""


@runtime_checkable
class StartsFrom(Protocol):
    """An algorithm that can begin with the state of another run, of another game, too."""

    def start_from(self, state: Arrays) -> None:
        """Takes over `state()` of that run; KeyError or ValueError where it does not fit."""


@runtime_checkable
class FitsPolicyLater(Protocol):
    """An algorithm that fits the networks of its policy only every so many steps."""

    def no_fit(self) -> str | None:
        """Returns why the policy has not been fitted yet, in one line; None once it has."""


@runtime_checkable
class SearchesLess(Protocol):
    """An algorithm whose player searches less for a measure that has little time."""

    def short_search(self) -> str | None:
        """Returns the size of the last search, in one line; None if it was the configured one."""


def size_of(arrays: Arrays) -> int:
    """Returns the bytes of all arrays."""
    return sum(array.nbytes for array in arrays.values())
