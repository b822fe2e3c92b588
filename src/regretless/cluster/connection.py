# SPDX-License-Identifier: MIT
"""The connection of a learner to a Ray cluster: one of this machine, or one that is there."""

import json
import logging
import math
import os
import re
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from regretless.algorithm import Metrics
from regretless.cluster.large_results import LARGE_BYTES, LargeResults
from regretless.cluster.pool import Pool, PoolConfig, PoolMakers
from regretless.cluster.tasks import Task, TaskGenerator, TaskResult
from regretless.errors import InputError
from regretless.recipes.config import ClusterConfig
from regretless.storage.files import told_on_failure
from regretless.watch import UNWATCHED, Watch

LOCAL, AUTO = "local", "auto"
_STORE_BYTES = 1 << 28  # of objects, where this program starts the cluster
WORKER_BYTES = 600 << 20
"""Memory of a worker with torch before its first shard."""
_PROBE_SECONDS = 5.0  # that a cluster may take to accept a connection
_ADDRESS = re.compile(r"(?:ray://)?([A-Za-z0-9.-]+):([0-9]{1,5})")


class Cluster:
    """A cluster that this program is connected to, and its workers there."""

    def __init__(
        self,
        ray: Any,
        config: ClusterConfig,
        threads: int,
        note: Callable[[str], None],
        large: LargeResults | None = None,
    ) -> None:
        """Workers have so many `threads`; as many start as fit, unless the config has a number."""
        self._ray, self._config, self._note = ray, config, note
        self._pool_config = PoolConfig(config.workers, threads, config.patience, large)
        self._generators = 0

    @cached_property
    def _pool(self) -> Pool:
        """The workers, which start when the first generator is there."""
        return Pool(self._ray, self._pool_config, self._note)

    def makers(self, generator: Any, largest: int) -> PoolMakers:
        """Returns workers of a generator, which compute on the device of the cluster's config.

        `largest` is the size of the largest shard, in episodes or games.
        """
        generator = placed(generator, self._config.device)
        self._generators += 1
        memory = WORKER_BYTES + generator.forecast_bytes(largest)
        return PoolMakers(self._pool, generator, self._generators, memory)

    def run_tasks(
        self, function: str, tasks: Mapping[str, Any], watch: Watch = UNWATCHED, memory: int = 0
    ) -> Iterator[tuple[str, TaskResult]]:
        """Yields the names and results of tasks as they are done, each task on one worker.

        `function` is `package.module:name`; `tasks` are its keyword arguments by the names of the
        tasks, and all that crosses the cluster is JSON. A task takes so much `memory` at most, and
        as long as it needs.
        """
        self._generators += 1
        memory += WORKER_BYTES
        makers = PoolMakers(self._pool, TaskGenerator.of(function), self._generators, memory)
        makers.in_flight, makers.patience = 1, math.inf
        shards = [Task(name, json.dumps(each)) for name, each in tasks.items()]
        with closing(makers), closing(makers.begin({}, shards)) as making:
            for _ in shards:
                task, columns = making.take_any(watch)
                yield task.name, TaskResult.from_columns(columns)

    def figures(self) -> Metrics:
        """Returns metrics of the workers."""
        return self._pool.figures() if self._generators else {}

    def processes(self) -> list[int]:
        """Returns the processes of the workers in use, by the numbers of their machines."""
        return self._pool.processes()

    def close(self) -> None:
        """Ends the workers."""
        if self._generators:
            self._pool.close()


def placed(generator: Any, device: str) -> Any:
    """Returns a generator on a device; if it was on another, it computes in single precision."""
    if generator.config.device == device:
        return generator
    spec = generator.spec()
    placement = {"device": device, "precision": "float32"}
    config = {key: placement.get(key, value) for key, value in spec["config"].items()}
    return type(generator).from_spec({**spec, "config": config})


@contextmanager
def connected(
    config: ClusterConfig, threads: int, note: Callable[[str], None] = lambda _: None
) -> Iterator[Cluster]:
    """Connects to a cluster, or starts one on this machine, and disconnects at the end."""
    ray = _import_ray()
    is_mine = not ray.is_initialized()
    with _large_results(config) as large:
        if is_mine:
            _connect(ray, config, threads)
        cluster = Cluster(ray, config, threads, note, large)
        try:
            yield cluster
        finally:
            cluster.close()
            if is_mine:
                ray.shutdown()


@contextmanager
def _large_results(config: ClusterConfig) -> Iterator[LargeResults | None]:
    """Makes a folder for large results where all machines share one, and removes it at the end."""
    if config.files is None and config.name != LOCAL:
        yield None
        return
    where = None if config.files is None else Path(config.files)
    with told_on_failure(where or Path(tempfile.gettempdir())):
        folder = tempfile.TemporaryDirectory(prefix="regretless-", dir=where)
    with folder as name:
        yield LargeResults(str(Path(name).absolute()), LARGE_BYTES)


def _import_ray() -> Any:
    try:
        import ray
    except ModuleNotFoundError:
        raise InputError("cluster: needs Ray: pip install 'regretless[ray]'") from None
    return ray


def _connect(ray: Any, config: ClusterConfig, threads: int) -> None:
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if config.name == LOCAL:
        options |= {"address": LOCAL, "include_dashboard": False}
        options |= {"object_store_memory": _STORE_BYTES}
        if config.workers is not None:
            options["num_cpus"] = config.workers * threads
    else:
        options["address"] = config.name
        _probe(config.name)
    _silence(ray)
    with _own_signals():
        try:
            ray.init(**options)
        except (ConnectionError, ValueError, RuntimeError) as error:
            first = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise InputError(f"cluster: {config.name}: {first}") from None


def _probe(name: str) -> None:
    """Finds out within seconds that nobody answers at an address; Ray would take a minute."""
    if name == AUTO:
        name = os.environ.get("RAY_ADDRESS", "") or _last_address()
    found = _ADDRESS.fullmatch(name)
    if found is None:  # Ray knows other ways to find a cluster
        return
    try:
        socket.create_connection((found[1], int(found[2])), _PROBE_SECONDS).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"cluster: nobody answers at {name}: {why}") from None


def _last_address() -> str:
    """Returns the address of the cluster that `ray start` has left on this machine."""
    folder = Path(os.environ.get("RAY_TMPDIR", "/tmp")) / "ray"
    try:
        return (folder / "ray_current_cluster").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def _silence(ray: Any) -> None:
    """Keeps Ray's lines about dead workers from stdout, where it prints them with any logging.

    A note of the pool says the same in one line; Ray's logs have the rest.
    """
    module: Any = getattr(getattr(ray, "_private", None), "worker", None)
    if hasattr(module, "print_to_stdstream"):
        module.print_to_stdstream = lambda *arguments, **options: None


@contextmanager
def _own_signals() -> Iterator[None]:
    """Keeps the handlers of signals, which Ray replaces: a run that is stopped must be saved."""
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            for each, handler in handlers.items():
                signal.signal(each, handler)
