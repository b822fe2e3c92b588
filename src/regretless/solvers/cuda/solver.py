# SPDX-License-Identifier: MIT
"""A solver of the CFR family for hold'em on a CUDA device."""

from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from regretless.algorithm import Arrays, Metrics, Takes
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.spots import begin_at
from regretless.policies.strategy_table import StrategyTable, solution_table
from regretless.policies.strategy_tree import StrategyTree
from regretless.solvers.backend import TreeSolver
from regretless.solvers.cuda.boards import UNIT
from regretless.solvers.cuda.device import Device
from regretless.solvers.cuda.engine import BEST, MEAN, MOST_ITERATIONS, Engine, Tuning
from regretless.solvers.cuda.layout import make_layout
from regretless.solvers.cuda.memory import check_memory, device_bytes
from regretless.solvers.problem import CFRConfig, make_discounts, make_problem, nodes_touched
from regretless.watch import UNWATCHED, Watch

_NODES_AT_ONCE = 1_000_000_000
_TABLES = ("regrets", "sums", "predictions")


class CudaCFR(TreeSolver):
    """Iterations, measures and packing on the device; the problem is on the host."""

    memory_bytes = 0

    def __init__(
        self,
        game: Game,
        config: CFRConfig | None = None,
        *,
        device: Device,
        tuning: Tuning | None = None,
    ) -> None:
        self._rules = game
        self.config = config if config is not None else CFRConfig()
        self.discounts = make_discounts(self.config)
        self.problem = make_problem(game, self.config)
        self._bits = self.config.precision or 32
        if self._bits not in (16, 32):
            raise InputError("precision: must be 16 or 32 bits")
        size, predicts = self.problem.size, self.discounts.predicts
        self.memory_bytes = device_bytes(size, bits=self._bits, predicts=predicts)
        if self.config.precision is None and self.memory_bytes > self.config.max_bytes:
            self._bits = 16
            self.memory_bytes = device_bytes(size, bits=16, predicts=predicts)
        check_memory(device, self.memory_bytes, self.config.max_bytes)
        self.engine = Engine(
            make_layout(self.problem), device, self.discounts, bits=self._bits, tuning=tuning
        )
        flat = self.problem.arrays()
        self._weights = [flat[f"weights_{player}"] for player in range(2)]
        for player in range(2):
            self.engine.set_weights(player, device.put(self._weights[player])[None])
        self._nodes = nodes_touched(self.problem)

    @cached_property
    def game(self) -> Game:
        """The game from where the problem begins."""
        return begin_at(self._rules, self.config.board, self.config.weights)

    @cached_property
    def _total_weight(self) -> float:
        return float(self._weights[0] @ self.problem.hand_weights(0))

    @property
    def steps_done(self) -> int:
        """One step is one iteration."""
        return self.engine.iteration

    @property
    def bits(self) -> int:
        return self._bits

    def takes(self) -> Takes:
        return Takes(sum(array.nbytes for array in self.state().values()))

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        most = min(max(_NODES_AT_ONCE // self._nodes, 1), MOST_ITERATIONS)
        for piece in watch.pieces(count, most):
            self.engine.step(piece)
        return {"iterations": self.steps_done, "nodes": self.steps_done * self._nodes}

    def values(self) -> list[float]:
        return [self._expectation(player, MEAN) for player in range(2)]

    def exploitability(self, watch: Watch = UNWATCHED) -> float:
        gains = 0.0
        for player in range(2):
            watch.look("measuring", player / 2)
            gains += self._expectation(player, BEST)
            watch.look("measuring", player / 2 + 0.25)
            gains -= self._expectation(player, MEAN)
        return gains / 2

    def _expectation(self, player: int, rule: int) -> float:
        self.engine.evaluate(player, rule)
        values = self._root_values(player)
        return float(self._weights[player] @ values) / self._total_weight / self._rules.unit

    def _root_values(self, player: int) -> NDArray[np.float64]:
        values = self.engine.device.fetch(self.engine.root_values(player)[0])
        return values.astype(np.float64)

    def hand_values(self, player: int) -> NDArray[np.float64]:
        """Chips that each hand wins against the opponent's range; 0 for one that meets none."""
        self.engine.evaluate(player, MEAN)
        values, weights = self._root_values(player), self.problem.hand_weights(player)
        return np.divide(values, weights, out=np.zeros_like(values), where=weights > 0)

    def node_strategy(self, node: int) -> NDArray[np.float64]:
        decision = int(self.engine.layout.decision_of[node])
        if decision < 0:
            raise InputError(f"node {node} is not a decision")
        _, count, _, table, *_ = self.engine.layout.arrays["decisions"][decision]
        _, _, units, _ = self._at(decision)
        size = int(count) * units * UNIT
        first = int(table) * UNIT
        stored = self.engine.device.fetch(self.engine.buffers["sums"][first : first + size])
        return self._shares(decision, stored)

    def packed(self) -> StrategyTree:
        return StrategyTree.of(self.problem, self.engine.packed())

    def lock(self, node: int, strategy: NDArray[np.float64]) -> None:
        decision = int(self.engine.layout.decision_of[node]) if node >= 0 else -1
        if decision < 0:
            raise InputError(f"node {node} is not a decision")
        _check_lock(strategy, self._shape_of(decision))
        rows = self._in_rows(decision, strategy)
        table, scale = self.engine.layout.arrays["decisions"][decision, 3:5]
        names = [name for name in _TABLES if name != "predictions" or self.discounts.predicts]
        for name in names:
            numbers, scales = _stored(rows, name == "sums", self._bits)
            self._fill(name, int(table) * UNIT, numbers)
            if self._bits == 16:
                self._fill(f"{name.rstrip('s')}_scales", int(scale), scales)
        self._fill("locked", decision, np.ones(1, np.uint8))
        self.engine.forget_reaches()

    def _fill(self, name: str, first: int, numbers: NDArray[np.generic]) -> None:
        view = self.engine.buffers[name][first : first + numbers.size]
        self.engine.device.fill(view, numbers)

    def table(self) -> StrategyTable:
        rows = partial(self.problem.rows, self._profile())
        return solution_table(rows, self.game, self.config.max_bytes)

    def _profile(self) -> NDArray[np.float64]:
        """The average strategy, node after node [actions, hands]."""
        layout = self.engine.layout
        size = layout.table_units * UNIT
        sums = self.engine.device.fetch(self.engine.buffers["sums"][:size])
        parts = []
        for decision in layout.decision_of[layout.decision_of >= 0].tolist():
            first = int(layout.arrays["decisions"][decision, 3]) * UNIT
            _, count, units, _ = self._at(decision)
            parts.append(self._shares(decision, sums[first : first + count * units * UNIT]).ravel())
        return np.concatenate(parts)

    def _at(self, decision: int) -> tuple[int, int, int, NDArray[np.int16]]:
        """Actor, actions, units of a row and the place of each hand at a decision."""
        arrays = self.engine.layout.arrays
        actor, actions, board = (int(each) for each in arrays["decisions"][decision, :3])
        units = int(arrays["boards"][board, 4 + actor])
        return actor, actions, units, arrays[f"places_{actor}"][board]

    def _shape_of(self, decision: int) -> tuple[int, int]:
        _, actions, _, places = self._at(decision)
        return actions, len(places)

    def _shares(self, decision: int, stored: NDArray[np.float32]) -> NDArray[np.float64]:
        """The strategy [actions, hands] of sums as they are stored."""
        _, actions, _, places = self._at(decision)
        sums = stored.reshape(actions, -1).astype(np.float64)
        if self._bits == 16:
            sums **= 2
        weights = np.where(places >= 0, sums[:, places], 0.0)
        total = weights.sum(axis=0, keepdims=True)
        shares = np.full_like(weights, 1 / actions)  # uniform where a hand was never there
        np.divide(weights, total, out=shares, where=total > 0)
        return shares

    def _in_rows(self, decision: int, strategy: NDArray[np.float64]) -> NDArray[np.float32]:
        _, actions, units, places = self._at(decision)
        rows = np.zeros((actions, units * UNIT), np.float32)
        rows[:, places[places >= 0]] = np.asarray(strategy)[:, places >= 0]
        return rows

    def state(self) -> Arrays:
        device = self.engine.device
        tables = {name: device.fetch(buffer) for name, buffer in self._kept().items()}
        return {"iteration": np.array([self.steps_done]), **tables}

    def restore(self, state: Arrays) -> None:
        kept = self._kept()
        is_same = state.keys() - {"iteration"} == kept.keys() and all(
            state[name].shape == buffer.shape and state[name].dtype == buffer.dtype
            for name, buffer in kept.items()
        )
        if not is_same:
            raise InputError("the state is of another problem or algorithm")
        iteration = int(state["iteration"][0])
        if iteration < 0 or not all(np.isfinite(state[name]).all() for name in kept):
            raise InputError("state: the iteration is negative, or numbers are not finite")
        for name, buffer in kept.items():
            self.engine.device.fill(buffer, state[name])
        self.engine.iteration = iteration
        self.engine.forget_reaches()

    def _kept(self) -> dict[str, NDArray[np.generic]]:
        names = [*_TABLES, *(f"{name.rstrip('s')}_scales" for name in _TABLES)]
        if not self.discounts.predicts:
            names = [name for name in names if not name.startswith("prediction")]
        if self._bits == 32:
            names = [name for name in names if not name.endswith("_scales")]
        return {name: self.engine.buffers[name] for name in names}


def _check_lock(strategy: NDArray[np.float64], shape: tuple[int, int]) -> None:
    if np.shape(strategy) != shape:
        raise InputError("a lock has a share for each action and hand")
    if not (np.asarray(strategy) >= 0).all():
        raise InputError("the shares of a lock must not be negative")
    if not (np.abs(np.sum(strategy, axis=0) - 1) < 1e-6).all():
        raise InputError("the shares of a lock must sum to 1 for each hand")


def _stored(
    rows: NDArray[np.float32], is_sum: bool, bits: int
) -> tuple[NDArray[np.generic], NDArray[np.float32]]:
    """Shares [actions, hands] as a table keeps them, and the scales of their units."""
    units = rows.shape[1] // UNIT
    if bits == 32:
        return rows, np.ones(units, np.float32)
    most = 65534 if is_sum else 32766
    steps = np.sqrt(rows) * most if is_sum else rows * most
    scale = (1 / most) ** 2 if is_sum else 1 / most
    numbers = np.rint(steps).astype(np.uint16 if is_sum else np.int16)
    return numbers, np.full(units, scale, np.float32)
