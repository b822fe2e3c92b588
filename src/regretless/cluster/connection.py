# SPDX-License-Identifier: MIT
"""The connection of a learner to a Ray cluster: one of this machine, or one that is there."""

import contextlib
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from regretless.algorithm import Metrics
from regretless.cluster.pool import Pool, PoolConfig
from regretless.errors import InputError
from regretless.recipes.config import ClusterConfig

LOCAL, AUTO = "local", "auto"
_STORE_BYTES = 1 << 28  # of objects, where this program starts the cluster
_WORKER_BYTES = 600 << 20  # of a worker with torch before its first shard


class Cluster:
    """A cluster that this program is connected to, and the pools of workers it has there."""

    def __init__(self, ray: Any, config: ClusterConfig, note: Callable[[str], None]) -> None:
        self._ray, self._config, self._note = ray, config, note
        self._pools: list[Pool] = []

    def makers(self, generator: Any, largest: int) -> Pool:
        """Returns workers of a generator, which compute on the device of the cluster's config.

        `largest` is the size of the largest shard, in episodes or games.
        """
        threads, device = generator.config.threads, self._config.device
        if generator.config.device != device:
            generator = type(generator)(generator.game, replace(generator.config, device=device))
        workers = self._config.workers or self._count_workers(threads)
        memory = _WORKER_BYTES + generator.forecast_bytes(largest)
        config = PoolConfig(workers, threads, memory, self._config.patience)
        pool = Pool(self._ray, generator, config, self._note)
        self._pools.append(pool)
        return pool

    def figures(self) -> Metrics:
        """Returns the metrics of the newest pool."""
        return self._pools[-1].figures() if self._pools else {}

    def processes(self) -> list[int]:
        """Returns the processes of the workers in use, by the numbers of their machines."""
        return [each for pool in self._pools for each in pool.processes()]

    def _count_workers(self, threads: int) -> int:
        """Returns as many workers as the processors of the cluster are enough for."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)) // threads)

    def close(self) -> None:
        for pool in self._pools:
            pool.close()


@contextlib.contextmanager
def connected(
    config: ClusterConfig, threads: int, note: Callable[[str], None] = lambda _: None
) -> Iterator[Cluster]:
    """Connects to a cluster, or starts one on this machine, and disconnects at the end."""
    ray = _import_ray()
    is_mine = not ray.is_initialized()
    if is_mine:
        _connect(ray, config, threads)
    cluster = Cluster(ray, config, note)
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
