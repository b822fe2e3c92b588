# SPDX-License-Identifier: MIT
"""The workers of a cluster: shards in flight, results in order, and lost workers replaced.

A shard that is lost with its worker is made again by another. Results are found by the shard, so a
worker that was given up cannot count twice. Which worker makes a shard, and when, has no influence
on its columns.
"""

import hashlib
import json
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from regretless.algorithm import Arrays, Metrics
from regretless.cluster.large_results import LargeResults, remove_result, result_of
from regretless.cluster.wire import Block, pack, pack_shard, pack_weights
from regretless.cluster.worker import Worker, facts, kind_of
from regretless.errors import ClusterError, InputError
from regretless.watch import UNWATCHED, Watch

IN_FLIGHT = 2  # shards of a worker: one that it makes and one that waits beside it
_TRIES = 5  # of a shard, and of starts of workers that fail
_PROBE = 8  # episodes or games that a worker makes for comparison
_WAIT = 0.2  # seconds from one look at the watch to the next
_START = 120.0  # seconds that a worker may take to start, at least
_COUNT_EVERY = 5.0  # seconds from one look for new machines to the next


@dataclass(frozen=True)
class PoolConfig:
    """The size of a pool and its patience."""

    workers: int | None = None
    """None: as many as the processors of the cluster are enough for, now and later."""
    threads: int = 1
    """Processors of a worker."""
    patience: float = 300.0
    """Seconds after which a shard is made elsewhere."""
    large: LargeResults | None = None
    """The place of large results; None: Ray's object store carries all."""


@dataclass(eq=False)
class _Member:
    """A worker, and the calls that it has not answered yet, the oldest first."""

    actor: Any
    number: int
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Facts about its machine, once they are known."""
    is_used: bool = False
    """Whether it has given the same bytes as this machine."""
    proven: "set[PoolMakers]" = field(default_factory=set)
    """Generators that it can be asked for."""
    asked: "set[PoolMakers]" = field(default_factory=set)
    """Generators for which that is being found out, or has been."""
    calls: "list[_Call]" = field(default_factory=list)


@dataclass(eq=False)
class _Call:
    """A call of a worker under way, and where its result goes."""

    result: Any
    """The reference of Ray."""
    finish: Callable[[Any], None]
    patience: float
    shard: "_PoolShard | None" = None
    since: float = field(default_factory=time.perf_counter)


class Pool:
    """Workers on a Ray cluster, for any number of generators."""

    def __init__(self, ray: Any, config: PoolConfig, note: Callable[[str], None]) -> None:
        self.ray, self.config, self._note = ray, config, note
        self._facts = facts()
        self._members: list[_Member] = []
        self._makings: list[PoolMaking] = []
        self._started = self._bad_starts = self._refused = self._made = self._retries = 0
        self.made_seconds, self.received = 0.0, 0
        """Seconds of all workers together, and bytes of their results."""
        self._begun, self._waited, self._why_lost = time.perf_counter(), 0.0, "none was started"
        self._counted_at = -_COUNT_EVERY
        self._actors = ray.remote(Worker)
        self._fill()

    def begin(self, making: "PoolMaking") -> None:
        """Has shards made, after those that were begun before."""
        self._makings.append(making)
        self.advance(0)

    def end(self, making: "PoolMaking") -> None:
        """Forgets a making: shards that wait are not made, results under way are dropped."""
        if making in self._makings:
            self._makings.remove(making)

    def forget(self, makers: "PoolMakers") -> None:
        """Has the workers drop a generator."""
        for member in self._members:
            if makers in member.asked:
                member.actor.forget.remote(makers.number)
                member.asked.discard(makers)
                member.proven.discard(makers)

    def window(self, makers: "PoolMakers") -> int:
        """Returns how many results may wait to be taken, or be in the making."""
        return 2 * makers.in_flight * max(len(self._members), 1)

    def figures(self) -> Metrics:
        """Returns metrics of the workers."""
        seconds = max(time.perf_counter() - self._begun, 1e-9)
        return {
            "cluster/workers": float(len(self.processes())),
            "cluster/shards": float(self._made),
            "cluster/shards_per_second": self._made / seconds,
            "cluster/made_seconds": self.made_seconds,
            "cluster/waited_seconds": self._waited,
            "cluster/received_bytes": float(self.received),
            "cluster/retries": float(self._retries),
        }

    def processes(self) -> list[int]:
        """Returns the processes of the workers in use, by the numbers of their machines."""
        return [each.facts["process"] for each in self._members if each.is_used]

    def close(self) -> None:
        """Ends the workers."""
        for member in self._members:
            self.ray.kill(member.actor)
        self._members = []

    def advance(self, seconds: float) -> None:
        """Hands out shards and takes results, waiting at most so many seconds for one."""
        self._fill()
        self._hand_out()
        calls = {each.result: (member, each) for member in self._members for each in member.calls}
        if not self._members:
            raise ClusterError(f"cluster: no worker is left: {self._why_lost}")
        if not calls:
            return
        begun = time.perf_counter()
        ready, others = self.ray.wait(list(calls), num_returns=1, timeout=seconds)
        self._waited += time.perf_counter() - begun
        if ready and others:
            ready += self.ray.wait(others, num_returns=len(others), timeout=0)[0]
        for reference in ready:
            member, call = calls[reference]
            if member in self._members:  # else it was lost a moment ago, with all its calls
                self._take(member, call)
        self._give_up_hung()
        self._hand_out()

    # Workers.

    def _fill(self) -> None:
        """Starts workers for the machines of the cluster; some may have joined it later."""
        if time.perf_counter() - self._counted_at < _COUNT_EVERY:
            return
        self._counted_at = time.perf_counter()
        wanted = self.config.workers
        if wanted is None:
            processors = int(self.ray.cluster_resources().get("CPU", 1))
            wanted = max(1, processors // self.config.threads)
        for _ in range(wanted - self._refused - len(self._members)):
            self._add_member()

    def _add_member(self) -> None:
        threads = self.config.threads
        options = {"num_cpus": threads, "max_restarts": 0, "max_task_retries": 0}
        large = self.config.large
        place = () if large is None else (large.folder, large.least_bytes)
        actor = self._actors.options(**options).remote(threads, *place)
        member = _Member(actor, self._started)
        self._started += 1
        self._members.append(member)

        def check(found: Any) -> None:
            member.facts = found
            for name, mine in self._facts["same"].items():
                if (other := found["same"].get(name)) != mine:
                    raise InputError(f"{name} is {other}, here {mine}")

        patience = max(self.config.patience, _START)
        member.calls.append(_Call(actor.facts.remote(), check, patience))

    def _prove(self, member: _Member, makers: "PoolMakers") -> None:
        """Has a worker make a small shard of a generator and compares the bytes."""
        member.asked.add(makers)
        memory = member.facts["memory"]
        if memory is not None and memory < makers.memory:
            why = f"{memory:,} bytes of memory are free, {makers.memory:,} are needed"
            self._lose(member, why, is_replaced=False)
            return

        def accept(_: Any) -> None:
            member.is_used = True
            if makers in member.asked:  # it may be forgotten by now
                member.proven.add(makers)

        def compare(block: Any) -> None:
            if _digest(result_of(block)[1]) != makers.expected:
                raise InputError(
                    "gives other bytes than this machine: a processor or a library differs "
                    f"(level {member.facts['level']}, here {self._facts['level']})"
                )
            accept(block)

        actor, patience = member.actor, max(self.config.patience, _START)
        learned = actor.learn.remote(makers.number, *makers.learned)
        if makers.probe is None:
            member.calls.append(_Call(learned, accept, patience))
            return
        made = actor.make.remote(makers.number, *makers.probe)
        member.calls += [_Call(learned, lambda _: None, patience), _Call(made, compare, patience)]

    def _lose(self, member: _Member, why: str, *, is_replaced: bool) -> None:
        """Forgets a worker and puts its shards back to the front of the queue."""
        host = member.facts.get("host", "a machine that is not known yet")
        self._why_lost = f"worker {member.number} on {host}: {why}"
        self._members.remove(member)
        self.ray.kill(member.actor)
        shards = [call.shard for call in member.calls if call.shard is not None]
        shards = [shard for shard in shards if not shard.making.is_closed]
        for shard in reversed(shards):
            shard.tries += 1
            if shard.tries >= _TRIES:
                raise ClusterError(f"cluster: a shard was lost {_TRIES} times: {self._why_lost}")
            shard.making.waiting.appendleft(shard)
        self._retries += len(shards)
        self._note(f"{self._why_lost}; {'it is replaced' if is_replaced else 'it is not used'}")
        if is_replaced:
            self._add_member()
        else:
            self._refused += 1

    def _give_up_hung(self) -> None:
        """Gives up workers whose oldest call takes too long.

        Workers that have not started yet may wait for a machine as long as others work.
        """
        now, works = time.perf_counter(), any(each.is_used for each in self._members)
        for member in list(self._members):
            if not member.calls or (works and not member.facts):
                continue
            patience = member.calls[0].patience
            if now - member.calls[0].since > patience:
                why = f"no answer in {patience:,.0f} s"
                self._lose(member, why, is_replaced=member.is_used)

    # Shards.

    def _hand_out(self) -> None:
        """Gives shards to workers that have few, in the order of the shards."""
        for making in [each for each in self._makings if each.waiting]:
            makers = making.makers
            for member in list(self._members):
                if member.facts and makers not in member.asked:
                    self._prove(member, makers)
            free = [each for each in self._members if makers in each.proven]
            while free and making.is_next_near():
                member = min(free, key=lambda each: len(each.calls))
                if len(member.calls) >= makers.in_flight:
                    break
                shard = making.waiting.popleft()
                call = member.actor.make.remote(makers.number, *shard.arguments())
                member.calls.append(_Call(call, shard.receive, makers.patience, shard))

    def _take(self, member: _Member, call: _Call) -> None:
        """Takes the result of a call, or finds out that the worker or the result is lost."""
        errors = self.ray.exceptions
        try:
            call.finish(self.ray.get(call.result))
        except errors.RayTaskError as error:
            if call.shard is None:
                self._lose(member, _last_line(error), is_replaced=False)
                return
            # Of the work itself: it would come again.
            raise ClusterError(f"cluster: worker {member.number}: {_last_line(error)}") from None
        except InputError as error:  # found out about the worker itself
            self._lose(member, str(error), is_replaced=False)
            return
        except (errors.RayError, _LostError) as error:  # the worker, its machine or the result
            self._bad_starts += not member.facts
            is_replaced = bool(member.facts) or self._bad_starts <= _TRIES
            is_dead = member.facts and not isinstance(error, _LostError)
            why = "it has died" if is_dead else _last_line(error)
            self._lose(member, why, is_replaced=is_replaced)
            return
        member.calls.remove(call)
        if member.calls:
            member.calls[0].since = time.perf_counter()
        self._made += call.shard is not None


class PoolMakers:
    """Implements `Makers`: the workers of a pool, for one generator."""

    rounds_ahead = 2

    def __init__(self, pool: Pool, generator: Any, number: int, memory: int) -> None:
        """`generator` is the one of this machine; a worker with less `memory` is refused."""
        self.number, self.memory = number, memory
        self.learned = *kind_of(generator), json.dumps(generator.spec())
        """The arguments by which a worker makes the generator again."""
        self.in_flight, self.patience = IN_FLIGHT, pool.config.patience
        self._pool, self._generator = pool, generator
        self._weights: tuple[Any, Any, int] = (None, None, 0)
        self.probe: tuple[int, Any, Block] | None = None
        """The arguments of a small shard, for generators whose bytes are always the same."""
        self.expected = ""

    def begin(self, weights: Mapping[str, Any], shards: Sequence[Any]) -> "PoolMaking":
        """Begins shards; weights travel once, however many shards and workers there are."""
        if weights is not self._weights[0]:
            block = self._pool.ray.put(pack_weights(weights))
            self._weights = weights, block, self._weights[2] + 1
        _, block, version = self._weights
        if self.probe is None and shards and (head := shards[0].head(_PROBE)) is not None:
            self.expected = _digest(self._generator.make(weights, head))
            self.probe = version, block, pack_shard(head)
        making = PoolMaking(self._pool, self, shards, (version, block))
        self._pool.begin(making)
        return making

    def close(self) -> None:
        self._pool.forget(self)


class PoolMaking:
    """Implements `Making`."""

    def __init__(
        self, pool: Pool, makers: PoolMakers, shards: Sequence[Any], weights: tuple[int, Any]
    ) -> None:
        self.left, self.makers = list(shards), makers
        self._pool, self._shards, self.is_closed = pool, list(shards), False
        parts = enumerate(shards)
        self.waiting = deque(_PoolShard(self, number, each, weights) for number, each in parts)
        """The shards that no worker has."""
        self._made: dict[int, Arrays] = {}
        self._received: set[int] = set()

    @property
    def _taken(self) -> int:
        return len(self._shards) - len(self.left)

    def is_next_near(self) -> bool:
        """Tests whether a shard waits, and so few results do that it may be made, too."""
        limit = self._taken + self._pool.window(self.makers)
        return bool(self.waiting) and self.waiting[0].number < limit

    def receive(self, number: int, block: Block) -> None:
        """Takes a result; if the shard was made twice, the first one counts."""
        if self.is_closed or number in self._received:
            remove_result(block)
            return
        try:
            seconds, columns, size = result_of(block)
        except InputError as error:
            raise _LostError(str(error)) from None
        self._made[number] = columns
        self._received.add(number)
        self._pool.made_seconds += seconds
        self._pool.received += size

    def take(self, watch: Watch = UNWATCHED) -> Arrays:
        while self._taken not in self._made:
            self._wait(watch)
        columns = self._made.pop(self._taken)
        self.left.pop(0)
        if not self.left:
            self.close()
        return columns

    def take_any(self, watch: Watch = UNWATCHED) -> tuple[Any, Arrays]:
        """Returns a shard and its columns as soon as some are there, whichever it is."""
        while not self._made:
            self._wait(watch)
        number = next(iter(self._made))
        self.left.remove(self._shards[number])
        return self._shards[number], self._made.pop(number)

    def is_ready(self) -> bool:
        self._pool.advance(0)
        return len(self._made) == len(self.left)

    def close(self) -> None:
        self.left, self.waiting, self._made, self.is_closed = [], deque(), {}, True
        self._pool.end(self)

    def _wait(self, watch: Watch) -> None:
        done, all_shards, workers = self._taken, len(self._shards), len(self._pool.processes())
        what = f"shard {done + 1:,} of {all_shards:,} from {workers:,} workers"
        watch.look(what, done / all_shards)
        self._pool.advance(_WAIT)


@dataclass(eq=False)
class _PoolShard:
    """One shard of a making, until it is there."""

    making: PoolMaking
    number: int
    shard: Any
    weights: tuple[int, Any]
    """The version, and the block in the object store."""
    tries: int = 0

    def arguments(self) -> tuple[int, Any, Block]:
        return *self.weights, pack_shard(self.shard)

    def receive(self, block: Block) -> None:
        self.making.receive(self.number, block)


class _LostError(Exception):
    """A result cannot be read."""


def _digest(columns: Arrays) -> str:
    return hashlib.sha256(pack(None, columns).tobytes()).hexdigest()


def _last_line(error: Exception) -> str:
    cause = getattr(error, "cause", None)
    if isinstance(cause, InputError):
        return str(cause)
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
