# SPDX-License-Identifier: MIT
"""Makers of shards: this process, threads of this process, or the workers of a cluster."""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from numpy.typing import NDArray

from regretless.generation.generator import Columns, Generator
from regretless.watch import UNWATCHED, Stopped, Watch

_Shard = TypeVar("_Shard")
_PROBE_SECONDS = 1.0  # of a part of a shard, whose cost is then that of the whole in proportion


class Making(Protocol):
    """Shards in the making; their columns are taken in the order of the shards."""

    @property
    def left(self) -> Sequence[Any]:
        """The shards that were not taken yet."""

    def take(self, watch: Watch = UNWATCHED) -> Columns:
        """Returns the columns of the next shard; `Stopped`, and nothing is taken."""

    def is_ready(self) -> bool:
        """Tests whether all columns that are left can be taken without waiting."""

    def close(self) -> None:
        """Gives up the shards that are left."""


class Makers(Protocol):
    """Makes shards of one generator, wherever that is."""

    @property
    def rounds_ahead(self) -> int:
        """Rounds of shards that an asynchronous learner begins before it needs them."""

    def begin(self, weights: Any, shards: Sequence[Any]) -> Making:
        """Begins to make shards with these weights."""

    def close(self) -> None:
        """Forgets the generator, of which nothing is asked any more."""


MakeMakers = Callable[[Generator, int], Makers]
"""Returns the makers of a generator whose largest shard has so many episodes or games."""


@runtime_checkable
class MakesShards(Protocol):
    """A learner whose training data are made in shards, on a cluster if need be."""

    def work_on(self, make_makers: MakeMakers) -> None:
        """Has its shards made by other makers from now on; no bytes change."""

    @property
    def shards_per_step(self) -> tuple[int, int]:
        """The shards of a step, and how many of them can be made at once."""


@dataclass(frozen=True)
class ShardCost:
    """The time and sizes of a shard, measured on this machine."""

    seconds: float
    columns_bytes: float
    weights_bytes: int
    memory_bytes: int
    """Memory that its maker needs for it, at most."""


class ProbingMakers:
    """Makes parts of the first shard until they show its cost; then it stops the learner."""

    rounds_ahead = 0

    def __init__(self, generator: Generator, largest: int) -> None:
        self._generator, self._largest = generator, largest
        self.cost: ShardCost | None = None

    def begin(self, weights: Any, shards: Sequence[Any]) -> Making:
        self._generator.make(weights, shards[0].head(8))  # loads the networks and warms up
        count, seconds = 0, 0.0
        while count < self._largest and seconds < _PROBE_SECONDS:
            count = min(max(64, 2 * count), self._largest)
            begun = time.perf_counter()
            columns = self._generator.make(weights, shards[0].head(count))
            seconds = time.perf_counter() - begun
        share = self._largest / count
        self.cost = ShardCost(
            seconds * share,
            sum(each.nbytes for each in columns.values()) * share,
            sum(each.nbytes for network in weights.values() for each in _arrays(network)),
            self._generator.forecast_bytes(self._largest),
        )
        raise Stopped

    def close(self) -> None:
        pass


def _arrays(network: Any) -> Iterable[NDArray[Any]]:
    """Returns the arrays of a network as generators take it."""
    found: Iterable[NDArray[Any]] = getattr(network, "parameters", network).values()
    return found


class MakingHere(Generic[_Shard]):
    """Shards that are made when they are taken."""

    def __init__(self, generator: Any, weights: Any, shards: Sequence[_Shard]) -> None:
        self.left = list(shards)
        self._generator, self._weights = generator, weights

    def take(self, watch: Watch = UNWATCHED) -> Columns:
        columns: Columns = self._generator.make(self._weights, self.left[0], watch)
        self.left.pop(0)
        return columns

    def is_ready(self) -> bool:
        return not self.left

    def close(self) -> None:
        self.left = []


class MakersHere:
    """Makes shards in this process, each when it is taken."""

    rounds_ahead = 0

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def begin(self, weights: Any, shards: Sequence[_Shard]) -> MakingHere[_Shard]:
        return MakingHere(self._generator, weights, shards)

    def close(self) -> None:
        pass


class MakingBeside:
    """Shards that threads make while somebody else works."""

    def __init__(self, shards: Sequence[Any], futures: Sequence[Future[Columns]]) -> None:
        self.left, self._futures = list(shards), list(futures)

    def take(self, watch: Watch = UNWATCHED) -> Columns:
        columns = self._futures[0].result()
        self.left.pop(0)
        self._futures.pop(0)
        return columns

    def is_ready(self) -> bool:
        return all(future.done() for future in self._futures)

    def close(self) -> None:
        """Waits for a shard under way: its thread has the networks of play."""
        for future in self._futures:
            future.cancel()
        wait(self._futures)
        self.left, self._futures = [], []


class MakersBeside:
    """Makes shards of self-play on one thread of this process, as soon as they are begun."""

    rounds_ahead = 1

    def __init__(self, generator: Any) -> None:
        self._generator, self._thread = generator, ThreadPoolExecutor(1)

    def begin(self, weights: Any, shards: Sequence[Any]) -> MakingBeside:
        """Begins shards, when the ones before were taken: the networks of play may change."""
        self._generator.load(weights)
        make = self._generator.make
        return MakingBeside(shards, [self._thread.submit(make, weights, each) for each in shards])

    def close(self) -> None:
        self._thread.shutdown()


class MakersOnThreads:
    """Makes shards on threads of this process, each with a generator of its own."""

    rounds_ahead = 0

    def __init__(self, generators: Sequence[Any], threads: int) -> None:
        self._generators, self._threads = list(generators), threads

    def begin(self, weights: Any, shards: Sequence[Any]) -> "_MakingOnThreads":
        return _MakingOnThreads(self._make, weights, shards)

    def close(self) -> None:
        pass

    def _make(self, weights: Any, shards: Sequence[Any], watch: Watch) -> list[Columns]:
        pairs = list(zip(self._generators, shards, strict=True))
        if self._threads == 1 or len(pairs) == 1:
            return [generator.make(weights, shard, watch) for generator, shard in pairs]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(lambda pair: pair[0].make(weights, pair[1], watch), pairs))


class _MakingOnThreads:
    """Shards that are all made when the first is taken."""

    def __init__(self, make: Any, weights: Any, shards: Sequence[Any]) -> None:
        self.left, self._made = list(shards), list[Columns]()
        self._make, self._weights = make, weights

    def take(self, watch: Watch = UNWATCHED) -> Columns:
        self._made = self._made or self._make(self._weights, self.left, watch)
        self.left.pop(0)
        return self._made.pop(0)

    def is_ready(self) -> bool:
        return len(self._made) == len(self.left)

    def close(self) -> None:
        self.left, self._made = [], []
