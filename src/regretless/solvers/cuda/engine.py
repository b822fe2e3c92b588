# SPDX-License-Identifier: MIT
"""The CFR family as launches of kernels: memory on a device, and the order of the work."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.solvers.cuda.boards import UNIT
from regretless.solvers.cuda.device import Device
from regretless.solvers.cuda.layout import Layout, Street

BEFORE, AFTER, AVERAGE = 0, 1, 2
"""Weights of a strategy: regrets before or after this iteration's discount, sums."""
UPDATE, MEAN, BEST = 0, 1, 2
"""Rules on the way up: update the tables, value of the average strategy, best response."""
MOST_ITERATIONS = 1024
"""Iterations whose factors are on the device at once."""

_CARDS, _LANE_BYTES, _MOST_WARPS = 52, 16, 33
_WHOLE_THREADS = {2: 544, 4: 288}
"""Threads of a block that does whole iterations, by hands of a thread: one for each hand."""
_MOST_WHOLE = 64  # iterations of a launch, so that a device is not busy for long
_PLAYERS = "hands places ranks cards twins starts lists own"
_FIELDS = (
    ["sets", "boards"]
    + [f"{name}_{p}" for name in _PLAYERS.split() for p in range(2)]
    + ["decisions", "locked", "levels", "subtrees", "chances", "edges", "evens"]
    + [f"{name}_{p}" for name in ("orbits", "orbit_ends", "orbit_hands") for p in range(2)]
    + [f"{name}_{p}" for name in ("groups", "tasks", "payoffs") for p in range(2)]
    + ["shown", "reaches", "values", "regrets", "sums", "predictions"]
    + ["regret_scales", "sum_scales", "prediction_scales", "factors", "clock"]
    + ["packed_at", "packed_strategy", "packed_values", "packed_scales"]
)
"""The pointers of Problem in kernels.cu; sizes follow."""


@dataclass(frozen=True)
class Tuning:
    """Sizes of blocks; None where the engine chooses."""

    vector: int | None = None
    """Hands of a thread at decisions: 1 or 4."""
    warps: int | None = None
    """Warps that share the decisions of a ply."""
    ending_threads: int | None = None
    """Threads of a block at endings, or of whole iterations: a multiple of 32."""
    whole: int | None = None
    """Hands of a thread, 2 or 4, if a block is to do whole iterations of a game of one street."""


def buffer_sizes(
    layout: Layout, discounts: _native.Discounts, bits: int, games: int
) -> dict[str, tuple[int, Any]]:
    """Buffers that the kernels fill: size and type."""
    regret, total = (np.int16, np.uint16) if bits == 16 else (np.float32, np.float32)
    boards = len(layout.arrays["boards"])
    entries = games * layout.table_units * UNIT
    scales = games * layout.num_scales if bits == 16 else 0
    predicts = int(discounts.predicts)
    sizes: dict[str, tuple[int, Any]] = {
        "locked": (len(layout.arrays["decisions"]), np.uint8),
        "reaches": (games * layout.reach_units * UNIT, np.float32),
        "values": (games * layout.value_units * UNIT, np.float32),
        "regrets": (entries, regret),
        "sums": (entries, total),
        "predictions": (predicts * entries, regret),
        "regret_scales": (scales, np.float32),
        "sum_scales": (scales, np.float32),
        "prediction_scales": (predicts * scales, np.float32),
        "factors": (4 * (MOST_ITERATIONS + 1), np.float32),
        "clock": (2, np.int32),
    }
    for p in range(2):
        sizes[f"starts_{p}"] = (boards * (_CARDS + 1), np.uint16)
        sizes[f"lists_{p}"] = (boards * 2 * layout.widths[p], np.uint16)
        sizes[f"own_{p}"] = (boards * 4 * layout.widths[p], np.uint32)
    return sizes


class Leaves(Protocol):
    """Values of the leaves of a cut tree, which stay on the device (leaves.py)."""

    def attach(self, engine: "Engine") -> None:
        """Called once, before all else."""

    def begin(self, sets: NDArray[np.int64]) -> None:
        """Called when the games have got their boards."""

    def ask(self, is_whole: bool = True) -> None:
        """Finds the values of both players at the reaches of the leaves.

        Unless the question is whole, leaves may take turns: their values are right on average.
        """

    def give(self, player: int) -> None:
        """Writes the values of a player into the rows of the leaves."""

    def captured(self, work: Callable[[], None]) -> Callable[[], None]:
        """`Device.captured` for work that asks."""


class Engine:
    """The tables of one problem, or of a batch of games with the same layout."""

    def __init__(
        self,
        layout: Layout,
        device: Device,
        discounts: _native.Discounts,
        *,
        bits: int = 32,
        sets: NDArray[np.int32] | None = None,
        leaves: Leaves | None = None,
        tuning: Tuning | None = None,
    ) -> None:
        """`sets` has the set of boards of each game of a batch."""
        self.layout, self.device, self.discounts = layout, device, discounts
        self.bits, self.games, self.leaves = bits, 1 if sets is None else len(sets), leaves
        self.tuning = tuning or Tuning()
        self.buffers: dict[str, Any] = {
            name: device.put(array) for name, array in layout.arrays.items()
        }
        if sets is not None:
            self.buffers["sets"] = device.put(sets)
        for name, (size, kind) in buffer_sizes(layout, discounts, bits, self.games).items():
            self.buffers[name] = device.zeros(size, kind)
        self.problem = device.put(self._problem())
        self.iteration = 0
        self._has_reaches = False  # of the player who is updated first, for his strategy now
        self._again: Callable[[], None] | None = None
        self._rank_boards()
        if leaves is not None:
            leaves.attach(self)
            leaves.begin(np.zeros(1, np.int64) if sets is None else sets.astype(np.int64))

    def _problem(self) -> NDArray[np.int64]:
        layout, buffers = self.layout, self.buffers
        pointers = [
            self.device.address(buffers[name]) if name in buffers else 0 for name in _FIELDS
        ]
        numbers = [
            layout.num_boards,
            *layout.num_hands,
            *layout.widths,
            layout.reach_units,
            layout.value_units,
            layout.table_units,
            layout.num_scales,
            *(len(layout.arrays[f"tasks_{p}"]) for p in range(2)),
            int(self.discounts.clamps),
            int(self.discounts.predicts),
        ]
        return np.array([*pointers, *numbers], np.int64)

    def launch(
        self, kernel: str, blocks: int, block: tuple[int, int], numbers: Any, shared: int = 0
    ) -> None:
        if blocks > 0:
            four = (*numbers, 0, 0, 0, 0)[:4]
            grid = (blocks, self.games)
            self.device.launch(kernel, grid, block, shared, self.problem, four)

    def _rank_boards(self) -> None:
        boards = self.layout.num_boards
        grid = boards, len(self.layout.arrays["boards"]) // boards
        for player in range(2):
            numbers = (player, 0, 0, 0)
            self.device.launch("list_cards", grid, (64, 1), 4 * _CARDS, self.problem, numbers)
        for player in range(2):
            self.device.launch("rank_hands", grid, (128, 1), 0, self.problem, (player, 0, 0, 0))

    def rows(self, name: str, first: int, units: int) -> Any:
        """The device's array [games, numbers] of units of reaches, values or tables."""
        every = {"reaches": self.layout.reach_units, "values": self.layout.value_units}
        stride = every.get(name, self.layout.table_units)
        numbers = self.buffers[name][: self.games * stride * UNIT].reshape(self.games, -1)
        return numbers[:, first * UNIT : (first + units) * UNIT]

    def set_weights(self, player: int, weights: Any) -> None:
        """The weights [games, hands] of a player at the roots, by place in the range."""
        with self.device.use():
            places, units = self._root_places(player)
            rows = self.device.arrays.zeros((self.games, units * UNIT + 1), np.float32)
            rows[self.device.arrays.arange(self.games)[:, None], places] = weights
            self.rows("reaches", self.layout.root_reach[player], units)[:] = rows[:, :-1]
        self.forget_reaches()

    def _root_places(self, player: int) -> tuple[Any, int]:
        """The position [games, hands] of each hand at the root, else behind all; units of a row."""
        layout = self.layout
        units = int(layout.arrays["boards"][0, 4 + player])
        shape = (-1, layout.num_boards, layout.num_hands[player])
        places = self.buffers[f"places_{player}"].reshape(shape)[:, 0].astype(np.int64)
        places[places < 0] = units * UNIT
        return places[self.buffers["sets"]] if "sets" in self.buffers else places, units

    def begin(self) -> None:
        """Begins again: empty tables."""
        with self.device.use():
            for name in ("regrets", "sums", "predictions"):
                self.buffers[name][:] = 0
                self.buffers[f"{name.rstrip('s')}_scales"][:] = 0
        self.iteration = 0

    def forget_reaches(self) -> None:
        """The tables or the weights have changed from outside."""
        self._has_reaches = False

    # -- Walks

    def _shape(self, street: Street, units: int) -> tuple[int, int, int]:
        """Hands of a thread, chunks of a row, warps of a block."""
        rows = len(street.subtrees) * self.games * units
        vector = self.tuning.vector or (4 if rows >= 1 << 15 else 1)
        chunks = -(-units // vector)
        is_many = len(street.subtrees) * self.games * chunks >= 1 << 13
        warps = self.tuning.warps or (1 if is_many else min(street.most_decisions, 8))
        return vector, chunks, warps

    def spread(self, player: int, weights: int) -> None:
        """Reaches of a player at all nodes."""
        for street in self.layout.streets:
            vector, chunks, warps = self._shape(street, street.widest[player])
            self.launch(
                f"spread_{self.bits}_{vector}",
                len(street.subtrees) * chunks,
                (32, warps),
                (player, street.subtrees.start, chunks, weights),
            )

    def back_up(self, player: int, rule: int) -> None:
        """Values of a player at all nodes, against the opponent's reaches."""
        if self.leaves is not None:
            self.leaves.give(player)
        width = self.layout.widths[1 - player]
        threads = self.tuning.ending_threads or (128 if width <= 512 else 256)
        groups = self.layout.num_groups[player]
        shared = self._ending_bytes(player)
        self.launch("value_endings", groups, (threads, 1), (player,), shared)
        for street in reversed(self.layout.streets):
            units = street.widest[player]
            chunks = -(-units * UNIT // 64)
            blocks = len(street.chances) * chunks
            self.launch("add_outcomes", blocks, (64, 1), (player, street.chances.start, chunks))
            row = 4 * UNIT * units
            evens = street.evens
            self.launch("even_out", len(evens), (128, 1), (player, evens.start), row)
            vector, chunks, warps = self._shape(street, units)
            self.launch(
                f"back_up_{self.bits}_{vector}",
                len(street.subtrees) * chunks,
                (32, warps),
                (player, street.subtrees.start, chunks, rule),
            )

    def _ending_bytes(self, player: int) -> int:
        """Shared memory of a block that values endings."""
        width = self.layout.widths[1 - player]
        return (3 * width + 1 + 2 * _CARDS + _MOST_WARPS) * _LANE_BYTES

    # -- Iterations

    def step(self, count: int) -> None:
        """Does at most `MOST_ITERATIONS` iterations, and waits for them."""
        if self._is_whole() and count > _MOST_WHOLE:
            for done in range(0, count, _MOST_WHOLE):
                self.step(min(count - done, _MOST_WHOLE))
            return
        first = self.iteration + 1
        rows = [self._factors(first + i) for i in range(count)]
        self.device.fill(self.buffers["factors"][: 4 * count], np.array(rows, np.float32))
        self.device.fill(self.buffers["clock"], np.array([0, first], np.int32))
        if self.discounts.alternating and not self._has_reaches:
            self.spread(0, BEFORE)
        self._has_reaches = True
        if self._is_whole():
            self._iterate_whole(count)
        else:
            self._iterate_in_parts(count)
        self.device.wait()
        self.iteration += count

    def _is_whole(self) -> bool:
        is_one = len(self.layout.streets) == 1 and len(self.layout.streets[0].subtrees) == 1
        is_simple = self.bits == 32 and self.leaves is None
        return self.tuning.whole is not None and is_one and is_simple

    def _iterate_whole(self, count: int) -> None:
        vector = self.tuning.whole or 4
        threads = self.tuning.ending_threads or _WHOLE_THREADS[vector]
        shared = max(self._ending_bytes(player) for player in range(2))
        numbers = (count, *self.layout.num_groups, int(self.discounts.alternating))
        self.launch(f"iterate_32_{vector}", 1, (threads, 1), numbers, shared)

    def _iterate_in_parts(self, count: int) -> None:
        if self._again is None:
            if self.leaves is not None:
                self._ask()  # libraries initialise themselves before a capture
            by = self.device if self.leaves is None else self.leaves
            self._again = by.captured(self._iterate)
        for _ in range(count):
            self._again()

    def _factors(self, iteration: int) -> list[float]:
        discounts = self.discounts
        return [
            discounts.positive(iteration - 1),
            discounts.negative(iteration - 1),
            discounts.average(iteration),
            discounts.positive(iteration),
        ]

    def _iterate(self) -> None:
        """One iteration. Reaches of player 0 after his update serve the next iteration, too."""
        if self.discounts.alternating:
            self.spread(1, BEFORE)
            self._ask()
            self.back_up(0, UPDATE)
            self.spread(0, AFTER)
            self._ask()
            self.back_up(1, UPDATE)
        else:
            for player in range(2):
                self.spread(player, BEFORE)
            self._ask()
            for player in range(2):
                self.back_up(player, UPDATE)
        self.device.launch("next_iteration", (1, 1), (32, 1), 0, self.problem, (0, 0, 0, 0))

    def _ask(self) -> None:
        if self.leaves is not None:
            self.leaves.ask(is_whole=False)

    # -- Measures

    def evaluate(self, player: int, rule: int) -> None:
        """Fills values of a player against the opponent's average strategy."""
        self.spread(1 - player, AVERAGE)
        if self.leaves is not None:
            self.spread(player, AVERAGE)
            self.leaves.ask()
        self._has_reaches = False
        self.back_up(player, rule)

    def root_values(self, player: int) -> Any:
        """The device's array [games, hands] of values at the roots, by place in the range."""
        with self.device.use():
            places, units = self._root_places(player)
            rows = self.rows("values", self.layout.root_value[player], units)
            rows = self.device.arrays.pad(rows, ((0, 0), (0, 1)))
            return self.device.arrays.take_along_axis(rows, places, axis=1)

    def packed(self) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.float32]]:
        """Strategy, values and scales of the first game as `VectorProblem.packed` has them."""
        layout, device = self.layout, self.device
        decisions = layout.arrays["decisions"]
        hands = np.array(layout.num_hands, np.int64)
        sizes = (decisions[:, 1] - 1) * hands[decisions[:, 0]]
        order = np.argsort(decisions[:, 11])
        starts = np.zeros(len(decisions), np.int64)
        starts[order] = np.cumsum(sizes[order]) - sizes[order]
        rows = len(layout.arrays["shown"])
        width = int(hands.sum())
        self.buffers["packed_at"] = device.put(starts)
        self.buffers["packed_strategy"] = device.zeros(int(sizes.sum()), np.int16)
        self.buffers["packed_values"] = device.zeros(rows * width, np.int16)
        self.buffers["packed_scales"] = device.zeros(4 * rows, np.float32)
        device.fill(self.problem, self._problem())
        grid, block, none = (len(decisions), 1), (128, 1), (0, 0, 0, 0)
        device.launch(f"pack_strategy_{self.bits}", grid, block, 0, self.problem, none)
        for player in range(2):
            self.evaluate(player, MEAN)
            shared = 4 * (layout.num_hands[player] + _CARDS + _MOST_WARPS)
            numbers = (player, 0, 0, 0)
            device.launch("pack_values", (rows, 1), block, shared, self.problem, numbers)
        strategy = device.fetch(self.buffers.pop("packed_strategy")[: int(sizes.sum())])
        values = device.fetch(self.buffers.pop("packed_values")[: rows * width])
        scales = device.fetch(self.buffers.pop("packed_scales")[: 4 * rows])
        del self.buffers["packed_at"]
        return strategy, values.reshape(rows, width), scales.reshape(rows, 2, 2)
