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
from regretless.cluster.wire import Block, pack, pack_shard, pack_weights, unpack
from regretless.cluster.worker import Worker, facts
from regretless.errors import InputError
from regretless.watch import UNWATCHED, Watch

IN_FLIGHT = 2  # shards of a worker: one that it makes and one that waits beside it
_TRIES = 5  # of a shard, and of starts of workers that fail
_PROBE = 8  # episodes or games that a worker makes for comparison
_WAIT = 0.2  # seconds from one look at the watch to the next
_START = 120.0  # seconds that a worker may take to start, at least


@dataclass(frozen=True)
class PoolConfig:
    """The size of a pool and its patience."""

    workers: int
    threads: int = 1
    """Processors of a worker."""
    patience: float = 300.0
    """Seconds after which a shard is made elsewhere."""


@dataclass(eq=False)
class _Member:
    """A worker, and the calls that it has not answered yet, the oldest first."""

    actor: Any
    number: int
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Facts about its machine, once they are known."""
    proven: "set[PoolMakers]" = field(default_factory=set)
    """Generators of which it gives the same bytes as this machine."""
    asked: "set[PoolMakers]" = field(default_factory=set)
    """Generators for which that is being found out, or has been."""
    calls: "list[_Call]" = field(default_factory=list)


@dataclass(eq=False)
class _Call:
    """A call of a worker under way, and where its result goes."""

    result: Any
    """The reference of Ray."""
    finish: Callable[[Any], None]
    shard: "_PoolShard | None" = None
    since: float = field(default_factory=time.perf_counter)


class Pool:
    """Workers on a Ray cluster, for any number of generators."""

    def __init__(self, ray: Any, config: PoolConfig, note: Callable[[str], None]) -> None:
        self.ray, self.config, self._note = ray, config, note
        self._facts = facts()
        self._members: list[_Member] = []
        self._waiting: deque[_PoolShard] = deque()
        self._started = self._bad_starts = self._made = self._retries = 0
        self.made_seconds, self.received = 0.0, 0
        """Seconds of all workers together, and bytes of their results."""
        self._begun, self._waited, self._why_lost = time.perf_counter(), 0.0, "none was started"
        self._actors = ray.remote(Worker)
        for _ in range(config.workers):
            self._add_member()

    def begin(self, shards: "Sequence[_PoolShard]") -> None:
        """Has shards made, after those that were begun before."""
        self._waiting.extend(shards)
        self.advance(0)

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
        return [each.facts["process"] for each in self._members if each.proven]

    def close(self) -> None:
        """Ends the workers."""
        for member in self._members:
            self.ray.kill(member.actor)
        self._members = []

    def advance(self, seconds: float) -> None:
        """Hands out shards and takes results, waiting at most so many seconds for one."""
        self._hand_out()
        calls = {each.result: (member, each) for member in self._members for each in member.calls}
        if not self._members:
            raise InputError(f"cluster: no worker is left: {self._why_lost}")
        if not calls:
            return
        begun = time.perf_counter()
        ready, _ = self.ray.wait(list(calls), num_returns=1, timeout=seconds)
        self._waited += time.perf_counter() - begun
        for reference in ready:
            self._take(*calls[reference])
        self._give_up_hung()
        self._hand_out()

    # Workers.

    def _add_member(self) -> None:
        threads = self.config.threads
        options = {"num_cpus": threads, "max_restarts": 0, "max_task_retries": 0}
        member = _Member(self._actors.options(**options).remote(threads), self._started)
        self._started += 1
        self._members.append(member)

        def check(found: Any) -> None:
            member.facts = found
            for name, mine in self._facts["same"].items():
                if (other := found["same"].get(name)) != mine:
                    raise _RefusedError(f"{name} is {other}, here {mine}")

        member.calls.append(_Call(member.actor.facts.remote(), check))

    def _prove(self, member: _Member, makers: "PoolMakers") -> None:
        """Has a worker make a small shard of a generator and compares the bytes."""
        member.asked.add(makers)
        memory = member.facts["memory"]
        if memory is not None and memory < makers.memory:
            why = f"{memory:,} bytes of memory are free, {makers.memory:,} are needed"
            self._lose(member, why, is_replaced=False)
            return

        def check(block: Any) -> None:
            if _digest(unpack(block)[1]) != makers.expected:
                raise _RefusedError(
                    "gives other bytes than this machine: a processor or a library differs "
                    f"(level {member.facts['level']}, here {self._facts['level']})"
                )
            member.proven.add(makers)

        learned = member.actor.learn.remote(makers.number, makers.kind, makers.spec)
        made = member.actor.make.remote(makers.number, *(makers.probe or ()))
        member.calls += [_Call(learned, lambda _: None), _Call(made, check)]

    def _lose(self, member: _Member, why: str, *, is_replaced: bool) -> None:
        """Forgets a worker and puts its shards back to the front of the queue."""
        host = member.facts.get("host", "a machine that is not known yet")
        self._why_lost = f"worker {member.number} on {host}: {why}"
        self._members.remove(member)
        self.ray.kill(member.actor)
        shards = [call.shard for call in member.calls if call.shard is not None]
        for shard in reversed(shards):
            shard.tries += 1
            if shard.tries >= _TRIES:
                raise InputError(f"cluster: a shard was lost {_TRIES} times: {self._why_lost}")
            self._waiting.appendleft(shard)
        self._retries += len(shards)
        self._note(f"{self._why_lost}; {'it is replaced' if is_replaced else 'it is not used'}")
        if is_replaced:
            self._add_member()

    def _give_up_hung(self) -> None:
        """Gives up workers whose oldest call takes longer than the patience."""
        for member in list(self._members):
            patience = self.config.patience
            patience = patience if member.proven else max(patience, _START)
            if member.calls and time.perf_counter() - member.calls[0].since > patience:
                why = f"no answer in {patience:,.0f} s"
                self._lose(member, why, is_replaced=bool(member.proven))

    # Shards.

    def _hand_out(self) -> None:
        """Gives shards to workers that have few, in the order of the shards."""
        for shard in [each for each in self._waiting if each.is_near()]:
            known = [each for each in self._members if each.facts]
            for member in [each for each in known if shard.makers not in each.asked]:
                self._prove(member, shard.makers)
            free = [
                each
                for each in self._members
                if shard.makers in each.proven and len(each.calls) < IN_FLIGHT
            ]
            if not free:
                return
            member = min(free, key=lambda each: len(each.calls))
            call = member.actor.make.remote(shard.makers.number, *shard.arguments())
            member.calls.append(_Call(call, shard.receive, shard))
            self._waiting.remove(shard)

    def _take(self, member: _Member, call: _Call) -> None:
        """Takes the result of a call, or finds out that the worker or the result is lost."""
        errors = self.ray.exceptions
        try:
            call.finish(self.ray.get(call.result))
        except _RefusedError as error:
            self._lose(member, str(error), is_replaced=False)
            return
        except errors.RayTaskError as error:  # of the work itself: it would come again
            raise InputError(f"cluster: worker {member.number}: {_last_line(error)}") from None
        except errors.RayError as error:  # the worker or its machine is gone, or the result is
            self._bad_starts += not member.facts
            is_replaced = bool(member.facts) or self._bad_starts <= _TRIES
            why = "it has died" if member.facts else _last_line(error)
            self._lose(member, why, is_replaced=is_replaced)
            return
        member.calls.remove(call)
        if member.calls:
            member.calls[0].since = time.perf_counter()
        self._made += call.shard is not None


class PoolMakers:
    """Implements `Makers`: the workers of a pool, for one generator."""

    def __init__(self, pool: Pool, generator: Any, number: int, memory: int) -> None:
        """`generator` is the one of this machine; a worker with less `memory` is refused."""
        self.number, self.memory = number, memory
        self.kind, self.spec = type(generator).__name__, json.dumps(generator.spec())
        self._pool, self._generator = pool, generator
        self._weights: tuple[Any, Any, int] = (None, None, 0)
        self.probe: tuple[int, Any, Block] | None = None
        self.expected = ""

    def begin(self, weights: Mapping[str, Any], shards: Sequence[Any]) -> "PoolMaking":
        """Begins shards; weights travel once, however many shards and workers there are."""
        if weights is not self._weights[0]:
            block = self._pool.ray.put(pack_weights(weights))
            self._weights = weights, block, self._weights[2] + 1
        _, block, version = self._weights
        if self.probe is None and shards:
            head = shards[0].head(_PROBE)
            self.expected = _digest(self._generator.make(weights, head))
            self.probe = version, block, pack_shard(head)
        window = 2 * IN_FLIGHT * self._pool.config.workers
        making = PoolMaking(self._pool, shards, window)
        parts = [_PoolShard(self, making, i, (version, block)) for i in range(len(shards))]
        self._pool.begin(parts)
        return making


class PoolMaking:
    """Implements `Making`."""

    def __init__(self, pool: Pool, shards: Sequence[Any], window: int) -> None:
        """At most `window` results wait to be taken, or are being made."""
        self.left, self.shards, self.window = list(shards), list(shards), window
        self._pool = pool
        self.made: dict[int, Arrays] = {}

    @property
    def taken(self) -> int:
        return len(self.shards) - len(self.left)

    def receive(self, number: int, columns: Arrays, seconds: float, size: int) -> None:
        self.made.setdefault(number, columns)
        self._pool.made_seconds += seconds
        self._pool.received += size

    def take(self, watch: Watch = UNWATCHED) -> Arrays:
        while self.taken not in self.made:
            done, all_shards, workers = self.taken, len(self.shards), len(self._pool.processes())
            what = f"shard {done + 1:,} of {all_shards:,} from {workers:,} workers"
            watch.look(what, done / all_shards)
            self._pool.advance(_WAIT)
        columns = self.made.pop(self.taken)
        self.left.pop(0)
        return columns

    def is_ready(self) -> bool:
        self._pool.advance(0)
        return len(self.made) == len(self.left)


@dataclass(eq=False)
class _PoolShard:
    """One shard of a making, until it is there."""

    makers: PoolMakers
    making: PoolMaking
    number: int
    weights: tuple[int, Any]
    """The version, and the block in the object store."""
    tries: int = 0

    def is_near(self) -> bool:
        """Tests whether so few results wait to be taken that this one may be made, too."""
        return self.number < self.making.taken + self.making.window

    def arguments(self) -> tuple[int, Any, Block]:
        return *self.weights, pack_shard(self.making.shards[self.number])

    def receive(self, block: Block) -> None:
        """Takes the result; if the shard was made twice, the first one counts."""
        seconds, columns = unpack(block)
        self.making.receive(self.number, columns, seconds, block.nbytes)


class _RefusedError(Exception):
    """A worker cannot be used."""


def _digest(columns: Arrays) -> str:
    return hashlib.sha256(pack(None, columns).tobytes()).hexdigest()


def _last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
