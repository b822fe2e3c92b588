# SPDX-License-Identifier: MIT
"""The workers of one generator: shards in flight, results in order, and lost workers replaced.

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

from regretless.algorithm import Metrics
from regretless.cluster.wire import Block, pack, pack_shard, pack_weights, unpack
from regretless.cluster.worker import Worker, facts
from regretless.errors import InputError
from regretless.generation.generator import Columns
from regretless.watch import UNWATCHED, Watch

IN_FLIGHT = 2  # shards of a worker: one that it makes and one that waits beside it
_TRIES = 5  # of a shard
_PROBE = 8  # episodes or games that a new worker makes for comparison
_WAIT = 0.2  # seconds from one look at the watch to the next
_START = 120.0  # seconds that a worker may take to start, at least


@dataclass(frozen=True)
class PoolConfig:
    """The size of a pool and its patience."""

    workers: int
    threads: int = 1
    """Processors of a worker."""
    memory: int = 0
    """Bytes that a worker needs; one with less is refused."""
    patience: float = 300.0
    """Seconds after which a shard is made elsewhere."""


@dataclass(eq=False)
class _Member:
    """A worker; it is asked for shards once it has proved to give the same bytes."""

    actor: Any
    number: int
    process: int = 0
    """The process on its machine, once that is known."""
    is_proven: bool = False
    tasks: "list[_Task]" = field(default_factory=list)


@dataclass(eq=False)
class _Task:
    """A call of a worker under way, and where its result goes."""

    result: Any
    """The reference of Ray."""
    finish: Callable[[Any], None]
    shard: "_Shard | None" = None
    since: float = 0.0


@dataclass(eq=False)
class _Shard:
    """One shard of a making, until it is there."""

    making: "PoolMaking"
    number: int
    tries: int = 0

    def is_near(self) -> bool:
        """Tests whether so few results wait to be taken that this one may be made, too."""
        return self.number < self.making.taken + self.making.window

    def receive(self, block: Block) -> None:
        """Takes the result; if the shard was made twice, the first one counts."""
        _, columns = unpack(block)
        self.making.made.setdefault(self.number, columns)


class Pool:
    """Implements `Makers` on the workers of a Ray cluster."""

    def __init__(
        self, ray: Any, generator: Any, config: PoolConfig, note: Callable[[str], None]
    ) -> None:
        """Starts workers; `generator` is the same one on this machine, for comparison."""
        self._ray, self._generator, self._config, self._note = ray, generator, config, note
        self._kind, self._spec = type(generator).__name__, json.dumps(generator.spec())
        self._facts = facts()
        self._members: list[_Member] = []
        self._waiting: deque[_Shard] = deque()
        self._weights: tuple[Mapping[str, Any] | None, Any, int] = (None, None, 0)
        self._probe: tuple[Any, int, Block, str] | None = None
        self._started = self._made = self._retries = 0
        self._begun, self._waited, self._why_refused = time.perf_counter(), 0.0, ""
        self._actors = ray.remote(Worker)
        for _ in range(config.workers):
            self._add_member()

    def begin(self, weights: Mapping[str, Any], shards: Sequence[Any]) -> "PoolMaking":
        """Begins shards; weights travel once, however many shards and workers there are."""
        if weights is not self._weights[0]:
            reference = self._ray.put(pack_weights(weights))
            self._weights = weights, reference, self._weights[2] + 1
        _, reference, version = self._weights
        if self._probe is None and shards:
            head = shards[0].head(_PROBE)
            expected = _digest(pack(None, self._generator.make(weights, head)))
            self._probe = reference, version, pack_shard(head), expected
            for member in self._members:
                self._prove(member)
        making = PoolMaking(self, reference, version, shards)
        self._waiting.extend(_Shard(making, number) for number in range(len(shards)))
        self.advance(0)
        return making

    def figures(self) -> Metrics:
        """Returns metrics of the workers."""
        seconds = max(time.perf_counter() - self._begun, 1e-9)
        return {
            "cluster/workers": float(sum(each.is_proven for each in self._members)),
            "cluster/shards": float(self._made),
            "cluster/shards_per_second": self._made / seconds,
            "cluster/retries": float(self._retries),
            "cluster/waited_share": self._waited / seconds,
        }

    def processes(self) -> list[int]:
        """Returns the processes of the workers in use, by the numbers of their machines."""
        return [each.process for each in self._members if each.is_proven]

    def close(self) -> None:
        """Ends the workers."""
        for member in self._members:
            self._ray.kill(member.actor)
        self._members = []

    def advance(self, seconds: float) -> None:
        """Hands out shards and takes results, waiting at most so many seconds for one."""
        self._hand_out()
        tasks = {each.result: (member, each) for member in self._members for each in member.tasks}
        if not tasks:
            if not self._members:
                raise InputError(f"cluster: no worker is left: {self._why_refused}")
            return
        begun = time.perf_counter()
        ready, _ = self._ray.wait(list(tasks), num_returns=1, timeout=seconds)
        self._waited += time.perf_counter() - begun
        for reference in ready:
            self._take(*tasks[reference])
        self._give_up_hung()
        self._hand_out()

    # Workers.

    def _add_member(self) -> None:
        options = {"num_cpus": self._config.threads, "max_restarts": 0, "max_task_retries": 0}
        actor = self._actors.options(**options).remote(self._kind, self._spec, self._config.threads)
        member = _Member(actor, self._started)
        self._started += 1
        self._members.append(member)

        def check(found: Any) -> None:
            problem, member.process = self._difference(found), found["process"]
            if problem is not None:
                raise _RefusedError(f"worker {member.number} on {found['host']}: {problem}")

        member.tasks.append(_Task(actor.facts.remote(), check, since=time.perf_counter()))
        if self._probe is not None:
            self._prove(member)

    def _prove(self, member: _Member) -> None:
        """Has a worker make a small shard and compares the bytes."""
        assert self._probe is not None
        weights, version, shard, expected = self._probe

        def check(block: Any) -> None:
            if _digest(block) != expected:
                raise _RefusedError(
                    f"worker {member.number}: gives other bytes than this machine; a processor "
                    f"level or a library differs (this machine: {self._facts['level']})"
                )
            member.is_proven = True

        call = member.actor.make.remote(version, weights, shard)
        member.tasks.append(_Task(call, check, since=time.perf_counter()))

    def _difference(self, found: Mapping[str, Any]) -> str | None:
        """Returns why a worker with these facts is refused; None if it is not."""
        for name, mine in self._facts["same"].items():
            if found["same"].get(name) != mine:
                return f"{name} is {found['same'].get(name)}, here {mine}"
        memory = found["memory"]
        if memory is not None and memory < self._config.memory:
            return f"{memory:,} bytes of memory are free, {self._config.memory:,} are needed"
        return None

    def _lose(self, member: _Member, why: str, *, replace: bool) -> None:
        """Forgets a worker and puts its shards back to the front of the queue."""
        self._members.remove(member)
        self._ray.kill(member.actor)
        shards = [task.shard for task in member.tasks if task.shard is not None]
        for shard in reversed(shards):
            shard.tries += 1
            if shard.tries >= _TRIES:
                raise InputError(f"cluster: a shard was lost {_TRIES} times; at last: {why}")
            self._waiting.appendleft(shard)
        self._retries += len(shards)
        self._why_refused = why
        self._note(f"{why}; {'another takes its place' if replace else 'it is not used'}")
        if replace:
            self._add_member()

    def _give_up_hung(self) -> None:
        """Gives up workers whose oldest call takes longer than the patience."""
        now = time.perf_counter()
        for member in list(self._members):
            patience = self._config.patience
            patience = patience if member.is_proven else max(patience, _START)
            if member.tasks and now - member.tasks[0].since > patience:
                why = f"worker {member.number}: no answer in {patience:,.0f} s"
                self._lose(member, why, replace=member.is_proven)

    # Shards.

    def _hand_out(self) -> None:
        free = [each for each in self._members if each.is_proven and len(each.tasks) < IN_FLIGHT]
        while free and self._waiting:
            place = next((i for i, each in enumerate(self._waiting) if each.is_near()), None)
            if place is None:
                return
            shard = self._waiting[place]
            del self._waiting[place]
            member = min(free, key=lambda each: len(each.tasks))
            making = shard.making
            call = member.actor.make.remote(making.version, making.weights, making.block(shard))
            member.tasks.append(_Task(call, shard.receive, shard, time.perf_counter()))
            if len(member.tasks) == IN_FLIGHT:
                free.remove(member)

    def _take(self, member: _Member, task: _Task) -> None:
        """Takes the result of a call, or finds out that the worker or the result is lost."""
        errors = self._ray.exceptions
        try:
            task.finish(self._ray.get(task.result))
        except _RefusedError as error:
            self._lose(member, str(error), replace=False)
            return
        except errors.RayTaskError as error:  # raised by the work itself: it would be again
            raise InputError(f"cluster: worker {member.number}: {_last_line(error)}") from None
        except errors.ActorDiedError as error:
            has_begun = member.is_proven or task.shard is not None
            why = f"worker {member.number} was lost" if has_begun else _last_line(error)
            self._lose(member, why, replace=has_begun)
            return
        except errors.RayError as error:  # the worker or its node is gone, or the result with it
            why = f"worker {member.number}: {type(error).__name__}"
            self._lose(member, why, replace=True)
            return
        member.tasks.remove(task)
        if member.tasks:
            member.tasks[0].since = time.perf_counter()
        self._made += task.shard is not None


class PoolMaking:
    """Implements `Making`."""

    def __init__(self, pool: Pool, weights: Any, version: int, shards: Sequence[Any]) -> None:
        self.left = list(shards)
        self.weights, self.version = weights, version
        self._pool, self._shards = pool, list(shards)
        self.window = 2 * IN_FLIGHT * pool._config.workers
        self.made: dict[int, Columns] = {}

    @property
    def taken(self) -> int:
        return len(self._shards) - len(self.left)

    def block(self, shard: _Shard) -> Block:
        return pack_shard(self._shards[shard.number])

    def take(self, watch: Watch = UNWATCHED) -> Columns:
        while self.taken not in self.made:
            watch.look("shards of the cluster", self.taken / len(self._shards))
            self._pool.advance(_WAIT)
        columns = self.made.pop(self.taken)
        self.left.pop(0)
        return columns

    def is_ready(self) -> bool:
        self._pool.advance(0)
        return len(self.made) == len(self.left)


class _RefusedError(Exception):
    """A worker cannot be used."""


def _digest(block: Block) -> str:
    return hashlib.sha256(block.tobytes()).hexdigest()


def _last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
