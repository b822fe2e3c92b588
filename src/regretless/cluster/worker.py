# SPDX-License-Identifier: MIT
"""A worker of a cluster: one generator in a process of its own, which makes shards."""

import hashlib
import importlib
import json
import os
import platform
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

import regretless
from regretless import _native
from regretless.algorithm import Shard
from regretless.cluster.large_results import LargeResults
from regretless.cluster.tasks import Task
from regretless.cluster.wire import Block, pack, unpack_shard, unpack_weights
from regretless.custom_code import check_same, code_sha256, load_custom, source_of
from regretless.generation.street_values import BoardShard
from regretless.generation.subgames import GameShard
from regretless.runs.room import free_memory


class Kind(NamedTuple):
    """The module of a generator, and the class of its shards."""

    module: str
    shard: type


KINDS = {
    "TraversalGenerator": Kind("regretless.generation.traversals", Shard),
    "SelfPlayGenerator": Kind("regretless.generation.self_play", Shard),
    "PlayGenerator": Kind("regretless.generation.measured_play", Shard),
    "SubgameGenerator": Kind("regretless.generation.subgames", GameShard),
    "RiverGenerator": Kind("regretless.generation.street_values", BoardShard),
    "PreflopGenerator": Kind("regretless.generation.preflop_values", BoardShard),
    "EarlyGenerator": Kind("regretless.generation.early_values", BoardShard),
    "TaskGenerator": Kind("regretless.cluster.tasks", Task),
}
"""The generators that workers know, by the names of their classes."""


def kind_of(generator: Any) -> tuple[str, str]:
    """Returns the class of a generator for `Worker.learn`, and the hash of custom code."""
    kind = type(generator)
    if kind.__module__ == KINDS.get(kind.__name__, ("",))[0]:
        return kind.__name__, ""
    return source_of(kind), code_sha256(source_of(kind))


class Worker:
    """Makes shards of generators that are given by their specs; every argument is plain data."""

    def __init__(self, threads: int, large_folder: str = "", large_bytes: int = 0) -> None:
        """Results of `large_bytes` and more become files, if there is a folder for them."""
        torch.set_num_threads(threads)
        self._large = LargeResults(large_folder, large_bytes) if large_folder else None
        self._generators: dict[int, tuple[Any, type]] = {}
        self._weights: dict[int, tuple[int, dict[str, Any]]] = {}

    def facts(self) -> dict[str, Any]:
        return facts()

    def learn(self, number: int, kind: str, sha256: str, spec: str) -> None:
        """Makes a generator, which has this number from now on.

        One that is custom code is given by its source and the hash of its file, and makes shards
        of the class `Shard`.
        """
        if kind in KINDS:
            module, shard = KINDS[kind]
            made = vars(importlib.import_module(module))[kind]
        else:
            check_same(kind, sha256)
            made, shard = load_custom(kind, "generator", "package.module:Name"), Shard
        self._generators[number] = made.from_spec(json.loads(spec)), shard

    def forget(self, number: int) -> None:
        """Drops a generator and its weights."""
        self._generators.pop(number, None)
        self._weights.pop(number, None)

    def make(self, number: int, version: int, weights: Block, shard: Block) -> Block:
        """Returns the seconds and the columns of a shard; new weights are unpacked first."""
        begun = time.perf_counter()
        generator, kind = self._generators[number]
        if self._weights.get(number, (-1,))[0] != version:
            self._weights[number] = version, unpack_weights(weights)
        columns = generator.make(self._weights[number][1], unpack_shard(shard, kind))
        block = pack(time.perf_counter() - begun, columns)
        return block if self._large is None else self._large.sent(block)


def facts() -> dict[str, Any]:
    """Returns what must be equal on all machines (`same`), and what the others may know."""
    return {
        "same": {
            "regretless": regretless.__version__,
            "its code": _code_digest(),
            "Python": platform.python_version(),
            "NumPy": np.__version__,
            "torch": torch.__version__,
        },
        "level": _native.level(),
        "memory": free_memory(),
        "process": os.getpid(),
        "host": platform.node(),
    }


def _code_digest() -> str:
    """Returns a short hash of the Python code of the package."""
    root, found = Path(regretless.__file__).parent, hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        found.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return found.hexdigest()[:12]
