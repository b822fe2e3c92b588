# SPDX-License-Identifier: MIT
"""What improves a strategy: one protocol for every algorithm, and one for what some can tell."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

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

    def split(self, size: int) -> "list[Shard]":
        """Returns shards of at most `size`, in order."""
        return [
            replace(self, first=first, count=min(size, self.end - first))
            for first in range(self.first, self.end, size)
        ]


@dataclass(frozen=True)
class Takes:
    """What the arrays of `Algorithm.state` take, in bytes of memory and of disk alike."""

    state: int
    """Now."""
    grows_to: float | None = None
    """What `state` may grow to, infinite where that cannot be counted; None: it does not grow."""
    working: int = 0
    """Memory that a step takes for a while, besides, at most."""


class Algorithm(Protocol):
    """Improves a strategy step by step. It never logs, saves, evaluates or reads a clock."""

    @property
    def game(self) -> Any:
        """What is played: a native game, a Python game or its tree."""

    @property
    def steps_done(self) -> int:
        """What one step is, the algorithm's page says; one may be many iterations."""

    def takes(self) -> Takes:
        """What its state takes; asked before a run begins, so it makes no copy of large arrays."""

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        """Do `count` steps and return what there is to say about them.

        A key such as `buffer/size` names its own group in the logs; others are of `train/`. One is
        `nodes`: those touched since the beginning (docs/training.md says what counts). Where steps
        are long, `watch` may end the work early: then `steps_done` has grown by less than `count`,
        and from the state at hand the same step goes on to the same end.
        """

    def no_policy(self) -> str | None:
        """Why the strategy cannot play, in one line; None: it can."""

    def policy(self) -> Policy:
        """The strategy as something that can play."""

    def state(self) -> Arrays:
        """Everything needed to go on later, as arrays, but the rows of `buffers` (buffers.py)."""

    def restore(self, state: Arrays) -> None:
        """Go on from `state()`: the same steps then give the same bytes."""


@runtime_checkable
class ExactMeasures(Protocol):
    """What solvers can tell exactly of their strategy, in games that are small enough.

    TooLargeError where the game is not.
    """

    def no_exact(self) -> str | None:
        """Why nothing exact can be told, in one line, if that is known beforehand; None: not."""

    def exploitability(self, watch: Watch = UNWATCHED) -> float:
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


class Solver(Algorithm, ExactMeasures, Protocol):
    """An algorithm that can tell exactly how good its strategy is."""


class EvaluatesProfile(ABC):
    """The figures of `ExactMeasures`, from all values of the strategy at once."""

    @abstractmethod
    def evaluate(self) -> ProfileValues:
        """Exact values of the strategy."""

    def no_exact(self) -> str | None:
        return None

    def exploitability(self, watch: Watch = UNWATCHED) -> float:
        with watch.over("measuring"):
            return self.evaluate().exploitability

    def best_response_gains(self) -> list[float]:
        return self.evaluate().gains

    def values(self) -> list[float]:
        return self.evaluate().values


class OwnAlgorithm(ABC):
    """What an algorithm of one's own may inherit: an `Algorithm` of which four methods are left.

    It is made by `MyAlgorithm(game, config, seed)`. The config is an instance of its dataclass
    `Config`, whose fields are the options, or None where it has none. `step` sets `steps_done`.
    """

    game: Any
    """As `load_game` gives it; one's own, written out in full, has a `tree`."""
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
        """As large as its state is now."""
        return Takes(size_of(self.state()))

    def no_policy(self) -> str | None:
        """None: its strategy can play."""
        return None


@runtime_checkable
class LearnsFromExamples(Protocol):
    """An algorithm whose examples can be kept and learned from later."""

    def take_examples(self) -> Arrays:
        """Those made since the last call, a row each."""

    def give_examples(self, examples: Arrays) -> None:
        """Learn from these, as `take_examples` gave them, and make no new ones."""


@runtime_checkable
class StartsFrom(Protocol):
    """An algorithm that can begin with what another run of it has learned, of another game, too."""

    def start_from(self, state: Arrays) -> None:
        """Take over from `state()` of that run; KeyError or ValueError where it does not fit."""


def size_of(arrays: Arrays) -> int:
    """Bytes of some arrays."""
    return sum(array.nbytes for array in arrays.values())
