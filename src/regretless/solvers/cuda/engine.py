# SPDX-License-Identifier: MIT
"""The CFR family as launches of kernels: memory on a device, and the order of the work."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.solvers.cuda.device import Device
from regretless.solvers.cuda.layout import UNIT, Layout, Street

BEFORE, AFTER, AVERAGE = 0, 1, 2
"""Weights of a strategy: regrets before or after this iteration's discount, sums."""
UPDATE, MEAN, BEST = 0, 1, 2
"""Rules on the way up: update the tables, value of the average strategy, best response."""
MOST_ITERATIONS = 1024
"""Iterations whose factors are on the device at once."""

_CARDS, _LANE_BYTES, _MOST_WARPS = 52, 16, 33
_PLAYERS = "hands places ranks cards twins starts lists own"
_FIELDS = (
    ["boards"]
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
    """Threads of a block at endings: a multiple of 32."""


class Engine:
    """The tables of one problem, or of a batch of games with the same layout."""

    def __init__(
        self,
        layout: Layout,
        device: Device,
        discounts: _native.Discounts,
        *,
        bits: int = 32,
        games: int = 1,
        own_boards: bool = False,
        tuning: Tuning | None = None,
    ) -> None:
        self.layout, self.device, self.discounts = layout, device, discounts
        self.bits, self.games, self.own_boards = bits, games, own_boards
        self.tuning = tuning or Tuning()
        self.buffers: dict[str, Any] = {
            name: device.put(array) for name, array in layout.arrays.items()
        }
        for name, (size, kind) in self._sizes().items():
            self.buffers[name] = device.zeros(size, kind)
        self.problem = device.put(self._problem())
        self.iteration = 0
        self._has_reaches = False  # of the player who is updated first, for his strategy now
        self._again: Callable[[], None] | None = None
        self._rank_boards()

    def _sizes(self) -> dict[str, tuple[int, Any]]:
        """Buffers that the kernels fill: size and type."""
        layout, games = self.layout, self.games
        regret, total = (np.int16, np.uint16) if self.bits == 16 else (np.float32, np.float32)
        boards = layout.num_boards * (games if self.own_boards else 1)
        entries = games * layout.table_units * UNIT
        scales = games * layout.num_scales if self.bits == 16 else 0
        predicts = int(self.discounts.predicts)
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

    def _problem(self) -> NDArray[np.int64]:
        layout, buffers = self.layout, self.buffers
        pointers = [
            self.device.address(buffers[name]) if name in buffers else 0 for name in _FIELDS
        ]
        numbers = [
            layout.num_boards,
            int(self.own_boards),
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
        for player in range(2):
            self.launch("list_cards", boards, (64, 1), (player,), 4 * _CARDS)
        for player in range(2):
            self.launch("rank_hands", boards, (128, 1), (player,))

    def set_weights(self, player: int, weights: NDArray[np.float64], game: int = 0) -> None:
        """The weights of a player's hands at the root of a game, by place in the range."""
        board = game * self.layout.num_boards if self.own_boards else 0
        count = int(self.layout.arrays["boards"][board, 2 + player])
        order = self.layout.arrays[f"hands_{player}"].reshape(-1, self.layout.widths[player])
        first = (game * self.layout.reach_units + self.layout.root_reach[player]) * UNIT
        row = weights[order[board, :count]].astype(np.float32)
        self.device.write(self.buffers["reaches"], first, row)
        self.forget_reaches()

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
        width = self.layout.widths[1 - player]
        threads = self.tuning.ending_threads or (128 if width <= 512 else 256)
        shared = (3 * width + 1 + 2 * _CARDS + _MOST_WARPS) * _LANE_BYTES
        groups = self.layout.num_groups[player]
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

    # -- Iterations

    def step(self, count: int) -> None:
        """Does at most `MOST_ITERATIONS` iterations, and waits for them."""
        first = self.iteration + 1
        rows = [self._factors(first + i) for i in range(count)]
        self.device.write(self.buffers["factors"], 0, np.array(rows, np.float32))
        self.device.write(self.buffers["clock"], 0, np.array([0, first], np.int32))
        if self.discounts.alternating and not self._has_reaches:
            self.spread(0, BEFORE)
        self._has_reaches = True
        if self._again is None:
            self._again = self.device.captured(self._iterate)
        for _ in range(count):
            self._again()
        self.device.wait()
        self.iteration += count

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
            self.back_up(0, UPDATE)
            self.spread(0, AFTER)
            self.back_up(1, UPDATE)
        else:
            for player in range(2):
                self.spread(player, BEFORE)
            for player in range(2):
                self.back_up(player, UPDATE)
        self.device.launch("next_iteration", (1, 1), (32, 1), 0, self.problem, (0, 0, 0, 0))

    # -- Measures

    def evaluate(self, player: int, rule: int) -> None:
        """Fills values of a player against the opponent's average strategy."""
        self.spread(1 - player, AVERAGE)
        self._has_reaches = False
        self.back_up(player, rule)

    def root_values(self, player: int, game: int = 0) -> NDArray[np.float64]:
        """Values at the root, by place in the range."""
        board = game * self.layout.num_boards if self.own_boards else 0
        count = int(self.layout.arrays["boards"][board, 2 + player])
        order = self.layout.arrays[f"hands_{player}"].reshape(-1, self.layout.widths[player])
        first = (game * self.layout.value_units + self.layout.root_value[player]) * UNIT
        values = np.zeros(self.layout.num_hands[player])
        values[order[board, :count]] = self.device.read(self.buffers["values"], first, count)
        return values

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
        device.write(self.problem, 0, self._problem())
        grid, block, none = (len(decisions), 1), (128, 1), (0, 0, 0, 0)
        device.launch(f"pack_strategy_{self.bits}", grid, block, 0, self.problem, none)
        for player in range(2):
            self.evaluate(player, MEAN)
            shared = 4 * (layout.num_hands[player] + _CARDS + _MOST_WARPS)
            numbers = (player, 0, 0, 0)
            device.launch("pack_values", (rows, 1), block, shared, self.problem, numbers)
        strategy = device.read(self.buffers.pop("packed_strategy"), 0, int(sizes.sum()))
        values = device.read(self.buffers.pop("packed_values"), 0, rows * width)
        scales = device.read(self.buffers.pop("packed_scales"), 0, 4 * rows)
        del self.buffers["packed_at"]
        return strategy, values.reshape(rows, width), scales.reshape(rows, 2, 2)
