# SPDX-License-Identifier: MIT
"""Values of the hands of turns: random boards, ranges and stacks, solved with a river network.

A row of the columns is a board with a few spots. It has the matrix of the board (what a network
sees of its hands) and the equities of each spot, which are means over all rivers.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from regretless.algorithm import Arrays
from regretless.buffers import Column
from regretless.bundles.shipped import find_street_values
from regretless.errors import InputError
from regretless.games import Game
from regretless.generation.street_values import (
    BoardShard,
    StreetGenerator,
    StreetSpotConfig,
    random_board,
)
from regretless.networks.placement import find_placement
from regretless.options import Count
from regretless.search.streets.random_ranges import (
    LEAST_WEIGHT,
    RangeDraws,
    all_rivers,
    mean_order,
    random_stacks,
)
from regretless.search.streets.turn_batch import TurnBatch
from regretless.solvers.rivers import HANDS

CARDS = 4
_LEFT = 1128  # hands that a turn leaves
_BOARDS, _HELD_BOARDS = 3, 4  # streams of randomness


@dataclass(frozen=True)
class TurnSpotConfig(StreetSpotConfig):
    """Random spots on the turn and their solves."""

    leaves: str = ""
    """The bundle of the river network that values the rivers of turns."""
    rivers: Count = 8
    """Rivers of a board that an iteration looks at; they take turns."""
    bins: Count = 128
    """Quantiles of the order of strength."""


class _Spots(NamedTuple):
    boards: NDArray[np.uint8]  # [boards, 4]
    places: NDArray[np.int16]  # [boards, 48, hands]: on all rivers, in a random order
    stacks: NDArray[np.float32]  # [boards, spots], in pots
    ranges: NDArray[np.float16]  # [boards, spots, 2, hands]


class TurnGenerator(StreetGenerator):
    """Implements `Generator` for turns, solved with a network where the river begins."""

    Config = TurnSpotConfig
    config: TurnSpotConfig
    street = "turn"

    def __init__(self, game: Game, config: TurnSpotConfig, *, seed: int) -> None:
        super().__init__(game, config, seed=seed)
        if not config.leaves:
            raise InputError("leaves: a turn needs the bundle of a river network")
        self._draws = RangeDraws(_LEFT)
        self.device = find_placement(config.device, "float32").device
        bundle = find_street_values(config.leaves)
        weights = None if bundle is None else bundle.street_values()
        if weights is None or weights.shape.street != "river":
            raise InputError(f"leaves: {config.leaves!r} is no network of the river")
        self._network = weights.build().to(self.device)
        if config.precision == "bfloat16":
            self._network.products = torch.bfloat16

    def columns(self) -> list[Column]:
        spots = self.config.spots
        return [
            Column("boards", "uint8", (CARDS,)),
            Column("matrix", "float16", (HANDS, self.config.bins)),
            Column("stacks", "float32", (spots,)),
            Column("ranges", "float16", (spots, 2, HANDS)),
            Column("equities", "float16", (spots, 2, HANDS)),
            Column("values", "float16", (spots, 2, HANDS)),
        ]

    def boards_at_once(self) -> int:
        if self.device.type == "cpu":
            return 1  # alone it has the same bytes in any shard
        return max(1, self.config.spots_at_once // self.config.spots)

    def spots_of(self, shard: BoardShard) -> _Spots:
        config, boards, places, stacks, ranges = self.config, [], [], [], []
        for number in range(shard.first, shard.end):
            stream = _HELD_BOARDS if shard.is_held else _BOARDS
            bits = np.random.Philox(key=[self.seed, stream], counter=[0, 0, 0, number])
            random = np.random.Generator(bits)
            board = random_board(random, CARDS, shard.is_held)
            boards.append(board)
            left = np.setdiff1d(np.arange(52, dtype=np.uint8), board)
            places.append(all_rivers(board, random.permutation(left)))
            stacks.append(random_stacks(random, config.spots, config.depths))
            drawn = self._draws.ranges(*self._draws.draw(random, 2 * config.spots))
            scaled = np.maximum((drawn * _LEFT).astype(np.float16), LEAST_WEIGHT)
            full = np.zeros((2 * config.spots, HANDS), np.float16)
            full[:, mean_order(places[-1])[HANDS - _LEFT :]] = scaled
            ranges.append(full.reshape(config.spots, 2, HANDS))
        return _Spots(np.stack(boards), np.stack(places), np.stack(stacks), np.stack(ranges))

    def solved(self, spots: _Spots) -> Arrays:
        ranges = torch.from_numpy(spots.ranges).to(self.device).float()
        stacks = torch.from_numpy(spots.stacks).to(self.device)
        rivers = self.config.rivers
        batch = TurnBatch(self._network, spots.boards, spots.places, ranges, stacks, rivers=rivers)
        batch.step(self.config.iterations)
        found = {
            "matrix": batch.matrix(self.config.bins),
            "equities": batch.equities(),
            "values": batch.values(),
        }
        columns: Arrays = {name: each.half().cpu().numpy() for name, each in found.items()}
        return columns | {
            "boards": spots.boards,
            "stacks": spots.stacks,
            "ranges": spots.ranges,
        }
