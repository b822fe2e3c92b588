# SPDX-License-Identifier: MIT
"""The connection of a learner to a Ray cluster: one of this machine, or one that is there."""

import contextlib
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from regretless.algorithm import Metrics
from regretless.cluster.pool import Pool, PoolConfig, PoolMakers
from regretless.errors import InputError
from regretless.recipes.config import ClusterConfig

LOCAL, AUTO = "local", "auto"
_STORE_BYTES = 1 << 28  # of objects, where this program starts the cluster
_WORKER_BYTES = 600 << 20  # of a worker with torch before its first shard


class Cluster:
    """A cluster that this program is connected to, and its workers there."""

    def __init__(
        self, ray: Any, config: ClusterConfig, threads: int, note: Callable[[str], None]
    ) -> None:
        """Workers have so many `threads`; as many start as fit, unless the config has a number."""
        self._ray, self._config, self._threads, self._note = ray, config, threads, note
        self._generators = 0

    @cached_property
    def _pool(self) -> Pool:
        """The workers, which start when the first generator is there."""
        processors, config = int(self._ray.cluster_resources().get("CPU", 1)), self._config
        workers = config.workers or max(1, processors // self._threads)
        return Pool(self._ray, PoolConfig(workers, self._threads, config.patience), self._note)

    def makers(self, generator: Any, largest: int) -> PoolMakers:
        """Returns workers of a generator, which compute on the device of the cluster's config.

        `largest` is the size of the largest shard, in episodes or games.
        """
        if generator.config.device != (device := self._config.device):
            spec = generator.spec()
            config = {**spec["config"], "device": device}
            generator = type(generator).from_spec({**spec, "config": config})
        self._generators += 1
        memory = _WORKER_BYTES + generator.forecast_bytes(largest)
        return PoolMakers(self._pool, generator, self._generators, memory)

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


@contextlib.contextmanager
def connected(
    config: ClusterConfig, threads: int, note: Callable[[str], None] = lambda _: None
) -> Iterator[Cluster]:
    """Connects to a cluster, or starts one on this machine, and disconnects at the end."""
    ray = _import_ray()
    is_mine = not ray.is_initialized()
    if is_mine:
        _connect(ray, config, threads)
    cluster = Cluster(ray, config, threads, note)
    try:
        yield cluster
    finally:
        cluster.close()
        if is_mine:
            ray.shutdown()


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
    with _own_signals():
        try:
            ray.init(**options)
        except (ConnectionError, ValueError, RuntimeError) as error:
            first = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise InputError(f"cluster: {config.name}: {first}") from None


@contextlib.contextmanager
def _own_signals() -> Iterator[None]:
    """Keeps the handlers of signals, which Ray replaces: a run that is stopped must be saved."""
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            for each, handler in handlers.items():
                signal.signal(each, handler)
