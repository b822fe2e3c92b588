# SPDX-License-Identifier: MIT
"""Many spots at once: one betting tree, with boards, ranges and payoffs of their own.

All tables stay on the device. Arrays go in and out by DLPack, so PyTorch sees them without a copy.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.games import Game
from regretless.games.face import require_poker
from regretless.solvers.cuda.boards import UNIT, boards_of_sets, check_roots
from regretless.solvers.cuda.device import Device
from regretless.solvers.cuda.engine import (
    BEST,
    MEAN,
    MOST_ITERATIONS,
    Engine,
    Leaves,
    Tuning,
    buffer_sizes,
)
from regretless.solvers.cuda.layout import make_layout, task_payoffs
from regretless.solvers.cuda.memory import check_memory
from regretless.solvers.cuda.tree import Tree
from regretless.solvers.problem import CFRConfig, make_discounts

_MOST_GAMES = 65_535  # blocks of a grid in y


class SpotBatch:
    """Solves spots of hold'em: rivers, turns or flops, to their end or to leaves."""

    def __init__(
        self,
        game: Game,
        boards: NDArray[np.int64],
        weights: Any,
        config: CFRConfig | None = None,
        *,
        which: NDArray[np.int64] | None = None,
        payoffs: NDArray[np.float64] | None = None,
        hands: Sequence[NDArray[np.int64]] | None = None,
        leaves: Leaves | None = None,
        device: Device,
        tuning: Tuning | None = None,
    ) -> None:
        """`game` is a spot with the betting tree; its ranges do not count.

        `boards` [boards, cards]; the spots have those of `which` [spots], or all in their order.
        `weights` [spots, 2, hands] are the ranges, by the hands' numbers in `hands` of each player
        (default: all 1,326); hands that a board blocks count 0. `payoffs` [spots, terminals, 6]
        replace the game's, as `VectorProblem.arrays` has them. With `leaves` the tree is cut after
        the next public card, also where both are all-in.
        """
        config = dataclasses.replace(config or CFRConfig("dcfr"), merge_suits=False)
        native = require_poker(game, "a batch is of hold'em")
        rules, root = native.rules, list(config.board or native.board)
        if native.hand_size != 2:
            raise InputError("a batch is of hold'em")
        with refusing(native.name):
            self.problem = _native.VectorProblem(
                native,
                board=root,
                merge_suits=False,
                max_bytes=config.max_bytes,
                ends_with_round=leaves is not None,
                runs_out=leaves is None,
            )
        self.boards = np.asarray(boards)
        check_roots(self.boards, len(root), rules)
        self.hand_numbers = tuple(hands or [np.arange(_native.num_hands(rules.deck, 2))] * 2)
        tree = Tree(self.problem)
        self._boards = boards_of_sets(self.problem, tree, rules, self.boards, self.hand_numbers)
        self.layout = make_layout(self.problem, self._boards)
        sets = np.arange(len(self.boards)) if which is None else np.asarray(which)
        self.size = len(sets)
        if not 0 < self.size <= _MOST_GAMES:
            raise InputError(f"spots: must be 1 to {_MOST_GAMES:,}")
        self._give_payoffs(payoffs)
        discounts, bits = make_discounts(config), config.precision or 32
        check_memory(device, self._needed_bytes(discounts, bits), config.max_bytes)
        self.engine = Engine(
            self.layout,
            device,
            discounts,
            bits=bits,
            sets=self._checked(sets),
            leaves=leaves,
            tuning=tuning,
        )
        self.device = device
        self._set_weights(weights)

    def _needed_bytes(self, discounts: _native.Discounts, bits: int) -> int:
        sizes = buffer_sizes(self.layout, discounts, bits, self.size)
        buffers: int = sum(size * np.dtype(kind).itemsize for size, kind in sizes.values())
        return buffers + sum(array.nbytes for array in self.layout.arrays.values())

    def begin(
        self,
        weights: Any,
        which: NDArray[np.int64] | None = None,
        payoffs: NDArray[np.float64] | None = None,
    ) -> None:
        """Begins other spots, as many, in the same memory; boards and payoffs may stay."""
        engine = self.engine
        if which is not None:
            if len(which) != self.size:
                raise InputError(f"which: must be [{self.size}]")
            self.device.fill(engine.buffers["sets"], self._checked(which))
            if engine.leaves is not None:
                engine.leaves.begin(which)
        if payoffs is not None:
            self._give_payoffs(payoffs)
            for name in ("payoffs_0", "payoffs_1"):
                self.device.fill(engine.buffers[name], self.layout.arrays[name])
        engine.begin()
        self._set_weights(weights)

    def _checked(self, which: NDArray[np.int64]) -> NDArray[np.int32]:
        if which.ndim != 1 or which.min() < 0 or which.max() >= len(self.boards):
            raise InputError(f"which: must be numbers below {len(self.boards)}, those of boards")
        return which.astype(np.int32)

    def _give_payoffs(self, payoffs: NDArray[np.float64] | None) -> None:
        arrays, size = self.layout.arrays, self.size
        shape = (size, len(self.problem.arrays()["terminal_nodes"]), 6)
        if payoffs is not None and np.shape(payoffs) != shape:
            raise InputError(f"payoffs: must be {list(shape)}")
        for player in range(2):
            paid = arrays[f"payoffs_{player}"]
            if payoffs is not None:
                each = np.asarray(payoffs, np.float64).reshape(size, -1, 2, 3)[:, :, player]
                paid = task_payoffs(each, self.layout.endings[player])
            paid = np.broadcast_to(paid, (size, *paid.shape[-2:]))
            arrays[f"payoffs_{player}"] = np.ascontiguousarray(paid)

    def _set_weights(self, weights: Any) -> None:
        with self.device.use():
            arrays = self.device.arrays
            is_host = isinstance(weights, np.ndarray)
            given = arrays.asarray(weights) if is_host else arrays.from_dlpack(weights)
            hands = [len(numbers) for numbers in self.hand_numbers]
            if given.shape != (self.size, 2, max(hands)):
                raise InputError(f"weights: must be {[self.size, 2, max(hands)]}")
            if not bool((arrays.isfinite(given) & (given >= 0)).all()):
                raise InputError("weights: must be finite and not negative")
            for player in range(2):
                self.engine.set_weights(player, given[:, player, : hands[player]])

    def step(self, count: int = 1) -> None:
        """Does iterations of all spots."""
        for first in range(0, count, MOST_ITERATIONS):
            self.engine.step(min(count - first, MOST_ITERATIONS))

    def values(self, player: int, is_best: bool = False) -> Any:
        """Counterfactual values at the roots: [spots, hands], chips times the opponent's weights.

        Those of the average strategies, or of the best responses to them; an array of the device.
        """
        self.engine.evaluate(player, BEST if is_best else MEAN)
        found = self.engine.root_values(player)
        self.device.wait()
        return found

    def node_values(self, node: int, player: int) -> Any:
        """The device's array [spots, positions] of a node after `values`; `hands` has the order."""
        decision = self._decision(node)
        first = int(self.layout.arrays["decisions"][decision, 7 + player])
        return self.engine.rows("values", first, self._units(player, decision))

    def node_sums(self, node: int) -> Any:
        """The device's array [spots, actions, positions]: the average strategy, unnormalised."""
        decision = self._decision(node)
        actor, actions, _, table, *_ = self.layout.arrays["decisions"][decision].tolist()
        units = self._units(actor, decision)
        rows = self.engine.rows("sums", table, actions * units)
        return rows.reshape(self.size, actions, units * UNIT)

    def hands(self, player: int = 0) -> NDArray[np.int16]:
        """[boards, positions]: the hands of the rows at the root, -1 behind the last.

        On a river they stand in order of strength, weakest first, else by number.
        """
        rows = slice(None, None, self._boards.size)
        order, counts = self._boards.orders[player][rows], self._boards.counts[player][rows]
        found = np.where(np.arange(order.shape[1]) < counts[:, None], order, -1)
        return found.astype(np.int16)

    def _decision(self, node: int) -> int:
        decisions = self.layout.decision_of
        if not 0 <= node < len(decisions) or decisions[node] < 0:
            raise InputError(f"node {node} is not a decision")
        return int(decisions[node])

    def _units(self, player: int, decision: int) -> int:
        board = self.layout.arrays["decisions"][decision, 2]
        return int(self._boards.units[player][board])
