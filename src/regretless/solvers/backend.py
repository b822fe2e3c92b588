# SPDX-License-Identifier: MIT
"""Backends of the CFR family over public trees: one protocol, and one table of them.

A backend is a module with the functions of `Backend`; its solvers are `TreeSolver`. A new backend
is a row of `BACKENDS` and a condition in `backend_name` (docs/solver_backends.md).
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Solver
from regretless.games import Game
from regretless.policies.policy import TablePolicy
from regretless.policies.strategy_table import StrategyTable, named_rows
from regretless.policies.strategy_tree import StrategyTree
from regretless.solvers.problem import CFRConfig

BACKENDS = {
    "native": "regretless.solvers.native_cfr",
    "cuda": "regretless.solvers.cuda_backend",
    "torch": "regretless.solvers.torch_backend",
}


@dataclass(frozen=True)
class PlannedSize:
    """The size of a solver, known before anything is built and without its device."""

    decisions: int
    """Decision nodes of the public tree."""
    entries: int
    """Node x action x hand."""
    bits: int
    """Bits of a number in the tables."""
    bytes: int
    """Memory that holds the tables, on the host or on a device."""
    host_bytes: int
    """Memory of this machine; `bytes` unless the tables are on a device."""
    iteration_seconds: float
    """A rough guess."""


@runtime_checkable
class TreeSolver(Solver, Protocol):
    """A solver over the public tree of a two-player problem: the base of those of all backends."""

    config: CFRConfig
    problem: _native.VectorProblem

    @property
    def memory_bytes(self) -> int:
        """Bytes of the problem and the tables."""

    @property
    def bits(self) -> int:
        """Bits of a number in the tables."""

    def node_strategy(self, node: int) -> NDArray[np.float64]:
        """The average strategy at a decision node of the public tree: [actions, hands]."""

    def packed(self) -> StrategyTree:
        """The average strategy and its values at every node, in 16 bits."""

    def lock(self, node: int, strategy: NDArray[np.float64]) -> None:
        """Fixes the strategy [actions, hands] of a decision node.

        InputError if the backend has no locks.
        """

    def table(self) -> StrategyTable:
        """The average strategy by infoset key; TooLargeError beyond the memory of the config."""

    def no_exact(self) -> str | None:
        return None

    def num_infosets(self) -> int:
        return self.problem.size.infosets

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        return named_rows(self.problem, self.table())

    def no_policy(self) -> str | None:
        needed, most = self.problem.table_bytes, self.config.max_bytes
        if needed <= most:
            return None
        return (
            f"{self.game.name}: a table of {self.num_infosets():,} infosets needs "
            f"{needed >> 20:,} MiB, more than the {most >> 20:,} allowed; "
            "a later street, fewer sizes or narrower ranges make it smaller"
        )

    def policy(self) -> TablePolicy:
        return TablePolicy(self.table(), self.config.name)


class Backend(Protocol):
    """Plans and makes solvers; `config` is what `read_config` returns."""

    def read_config(self, name: str, options: Mapping[str, Any]) -> Any:
        """The config of a member of the family; InputError names an option that is wrong."""

    def plan(self, game: Game, config: Any) -> PlannedSize:
        """The size of the solver that `make` would return. Needs no device."""

    def make(self, game: Game, config: Any) -> TreeSolver:
        """Builds the problem and its solver; InputError where memory does not suffice."""

    def set_up_process(self, config: Any) -> None:
        """Applies settings of the whole process, such as threads of a library."""


def has_public_tree(game: Any) -> bool:
    """Whether backends solve this game: native, for two players."""
    return isinstance(game, _native.Poker | _native.LiarsDice) and game.num_players == 2


def backend_name(options: Mapping[str, Any]) -> str:
    """The row of `BACKENDS` for these options: `native` unless they name a device."""
    device = str(options.get("device", ""))
    if device == "auto" or device.partition(":")[0] == "cuda":
        return "cuda"
    return "torch" if "device" in options else "native"


def find_backend(options: Mapping[str, Any]) -> Backend:
    """The backend for these options."""
    return cast(Backend, importlib.import_module(BACKENDS[backend_name(options)]))
