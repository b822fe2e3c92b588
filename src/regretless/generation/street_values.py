# SPDX-License-Identifier: MIT
"""Values of the hands of rivers: random boards, ranges and stacks, each solved to the end.

A row of the columns is a board with a few spots: its hands stand in one order of strength, so a
network needs to see the board only once for all of them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from regretless.algorithm import Arrays, Shard
from regretless.buffers import Column
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import require_poker
from regretless.generation.generator import ConfiguredGenerator, joined
from regretless.networks.placement import DeviceConfig
from regretless.options import Count
from regretless.search.streets.random_ranges import LEAST_WEIGHT, RangeDraws, random_stacks
from regretless.solvers.rivers import HANDS, LEFT, make_river_solver, river_places
from regretless.watch import UNWATCHED, Watch

CARDS = 5
_BOARDS, _HELD_BOARDS = 1, 2  # streams of randomness
_HELD_SHARE = 50  # one set of ranks in so many is held
_BOARDS_AT_ONCE = 16  # on a CPU


@dataclass(frozen=True)
class StreetSpotConfig(DeviceConfig):
    """Random spots and their solves."""

    spots: Count = 8
    """Spots of a board."""
    depths: tuple[Annotated[float, Field(gt=2)], ...] = (100.0, 200.0)
    """Big blinds of a stack before the hand, of which each spot draws one."""
    iterations: Count = 250
    """Iterations of DCFR for a spot."""
    spots_at_once: Count = 4096
    """Spots that a GPU solves at once."""


@dataclass(frozen=True)
class BoardShard(Shard):
    """Numbered boards: those of training, or those that it never sees."""

    is_held: bool = False


class Spots(NamedTuple):
    """Spots before they are solved."""

    boards: NDArray[np.uint8]  # [boards, 5]
    places: NDArray[np.int16]  # [boards, hands], as `river_places` has them
    stacks: NDArray[np.float32]  # [boards, spots], in pots
    ranges: NDArray[np.float16]  # [boards, spots, 2, hands]: about 1 on average, 0 where blocked


class StreetGenerator(ConfiguredGenerator, ABC):
    """Implements `Generator`; the numbers of a shard are boards, and weights are not used."""

    street: str

    def __init__(self, game: Game, config: Any, *, seed: int) -> None:
        poker = require_poker(game, "a value network of a street is of hold'em")
        if poker.num_hands != HANDS or poker.num_players != 2:
            raise InputError(f"{game.name}: {self.street}s are of hold'em for two")
        super().__init__(game, config, seed=seed)
        self.seed = seed

    @abstractmethod
    def columns(self) -> list[Column]:
        """Returns the columns of a row: a board with its spots."""

    @abstractmethod
    def spots_of(self, shard: BoardShard) -> Any:
        """Returns the spots of some boards, each by its own number."""

    @abstractmethod
    def solved(self, spots: Any) -> Arrays:
        """Returns the columns of some spots."""

    @abstractmethod
    def boards_at_once(self) -> int:
        """Returns the boards that are solved together."""

    def make(
        self, weights: Mapping[str, Any], shard: BoardShard, watch: Watch = UNWATCHED
    ) -> Arrays:
        """Returns boards with their spots, and counterfactual values in pots.

        Ranges count as if they summed to 1, so values are those against a range of sum 1. A thread
        draws the next spots while some are solved.
        """
        count, parts = self.boards_at_once(), list[Arrays]()
        shards = shard.split(count)
        with ThreadPoolExecutor(1) as pool:
            drawn = pool.submit(self.spots_of, shards[0])
            for following in [*shards[1:], None]:
                spots = drawn.result()
                if following is not None:
                    drawn = pool.submit(self.spots_of, following)
                watch.look(f"solving {self.street}s", len(parts) * count / shard.count)
                parts.append(self.solved(spots))
        return joined(parts)

    def forecast_bytes(self, count: int) -> int:
        """Returns the memory of the columns, and of a copy in single precision."""
        return count * sum(each.num_bytes for each in self.columns()) * 3


class RiverGenerator(StreetGenerator):
    """Implements `Generator` for rivers, solved to the end of the hand."""

    Config = StreetSpotConfig
    config: StreetSpotConfig
    street = "river"

    def __init__(self, game: Game, config: StreetSpotConfig, *, seed: int) -> None:
        super().__init__(game, config, seed=seed)
        self._draws = RangeDraws(LEFT)
        self._solver = make_river_solver(config.device, config.spots_at_once, config.threads)

    def columns(self) -> list[Column]:
        spots = self.config.spots
        return [
            Column("boards", "uint8", (CARDS,)),
            Column("places", "int16", (HANDS,)),
            Column("stacks", "float32", (spots,)),
            Column("ranges", "float16", (spots, 2, HANDS)),
            Column("values", "float16", (spots, 2, HANDS)),
        ]

    def boards_at_once(self) -> int:
        if self.config.device == "cpu":
            return _BOARDS_AT_ONCE
        return max(1, self.config.spots_at_once // self.config.spots)

    def spots_of(self, shard: BoardShard) -> Spots:
        config, boards, stacks = self.config, [], []
        ties, shares, sides = [], [], []
        for number in range(shard.first, shard.end):
            stream = _HELD_BOARDS if shard.is_held else _BOARDS
            bits = np.random.Philox(key=[self.seed, stream], counter=[0, 0, 0, number])
            random = np.random.Generator(bits)
            boards.append(random_board(random, CARDS, shard.is_held))
            stacks.append(random_stacks(random, config.spots, config.depths))
            ties.append(random.random(HANDS, np.float32))
            drawn = self._draws.draw(random, 2 * config.spots)
            shares.append(drawn[0])
            sides.append(drawn[1])
        cards = np.stack(boards)
        places = river_places(cards)
        order = np.argsort(places + np.stack(ties), axis=1)[:, HANDS - LEFT :]
        sorted_ranges = self._draws.ranges(np.concatenate(shares), np.concatenate(sides))
        ranges = np.zeros((len(cards), 2 * config.spots, HANDS), np.float16)
        scaled = (sorted_ranges * LEFT).astype(np.float16).reshape(*ranges.shape[:2], LEFT)
        np.put_along_axis(ranges, order[:, None], np.maximum(scaled, LEAST_WEIGHT), axis=2)
        shape = (len(cards), config.spots, 2, HANDS)
        return Spots(cards, places, np.stack(stacks), ranges.reshape(shape))

    def solved(self, spots: Spots) -> Arrays:
        count = self.config.spots
        ranges = spots.ranges.reshape(-1, 2, HANDS).astype(np.float32)
        boards = np.repeat(spots.boards.astype(np.int64), count, axis=0)
        stacks = spots.stacks.reshape(-1)
        values = self._solver.solve(boards, ranges, stacks, self.config.iterations)
        values /= ranges.sum(axis=2)[:, ::-1, None]
        return {**spots._asdict(), "values": values.astype(np.float16).reshape(spots.ranges.shape)}


def is_held(board: NDArray[np.uint8]) -> bool:
    """Tests whether training never sees a board: a share of all sets of ranks is kept apart."""
    ranks = np.sort(board // 4).astype(np.uint64)
    number = int(ranks @ np.uint64(13) ** np.arange(len(ranks), dtype=np.uint64))
    return number * 0x9E3779B97F4A7C15 % (1 << 64) * _HELD_SHARE < 1 << 64


def random_board(random: np.random.Generator, cards: int, held: bool) -> NDArray[np.uint8]:
    """Draws a board that training never sees, or another one."""
    while True:
        board = random.choice(52, cards, replace=False).astype(np.uint8)
        if is_held(board) == held:
            return board
