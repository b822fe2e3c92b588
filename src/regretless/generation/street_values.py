# SPDX-License-Identifier: MIT
"""Values of the hands of rivers: random boards, ranges and stacks, each solved to the end.

A row of the columns is a board with a few spots: its hands stand in one order of strength, so a
network needs to see the board only once for all of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypeVar

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
from regretless.search.random_ranges import LEAST_WEIGHT, RangeDraws, random_stacks
from regretless.solvers.rivers import HANDS, LEFT, make_river_solver, river_places
from regretless.watch import UNWATCHED, Watch

CARDS = 5
_Drawn = TypeVar("_Drawn")
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


class RiverGenerator(ConfiguredGenerator):
    """Implements `Generator`; the numbers of a shard are boards, and weights are not used."""

    Config = StreetSpotConfig
    config: StreetSpotConfig

    def __init__(self, game: Game, config: StreetSpotConfig, *, seed: int) -> None:
        poker = require_poker(game, "a value network of a street is of hold'em")
        if poker.num_hands != HANDS or poker.num_players != 2:
            raise InputError(f"{game.name}: rivers are of hold'em for two")
        super().__init__(game, config, seed=seed)
        self.seed = seed
        self._draws = RangeDraws(LEFT)
        self._solver = make_river_solver(config.device, config.spots_at_once, config.threads)

    def columns(self) -> list[Column]:
        """Returns the columns of a row."""
        spots = self.config.spots
        return [
            Column("boards", "uint8", (CARDS,)),
            Column("places", "int16", (HANDS,)),
            Column("stacks", "float32", (spots,)),
            Column("ranges", "float16", (spots, 2, HANDS)),
            Column("values", "float16", (spots, 2, HANDS)),
        ]

    def make(
        self, weights: Mapping[str, Any], shard: BoardShard, watch: Watch = UNWATCHED
    ) -> Arrays:
        """Returns boards with their spots, and counterfactual values in pots.

        Ranges count as if they summed to 1, so values are those against a range of sum 1.
        """
        count = _BOARDS_AT_ONCE
        if self.config.device != "cpu":
            count = max(1, self.config.spots_at_once // self.config.spots)
        parts: list[Arrays] = []
        for spots in drawn_ahead(self.spots_of, shard.split(count)):
            watch.look("solving rivers", len(parts) * count / shard.count)
            parts.append(self._solved(spots))
        return joined(parts)

    def forecast_bytes(self, count: int) -> int:
        """Returns the memory of the columns, and of a copy in double precision."""
        return count * sum(each.num_bytes for each in self.columns()) * 3

    def spots_of(self, shard: BoardShard) -> Spots:
        """Returns the spots of some boards, each by its own number."""
        config, boards, stacks = self.config, [], []
        ties, shares, sides = [], [], []
        for number in range(shard.first, shard.end):
            stream = _HELD_BOARDS if shard.is_held else _BOARDS
            bits = np.random.Philox(key=[self.seed, stream], counter=[0, 0, 0, number])
            random = np.random.Generator(bits)
            boards.append(_random_board(random, shard.is_held))
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

    def _solved(self, spots: Spots) -> Arrays:
        count = self.config.spots
        ranges = spots.ranges.reshape(-1, 2, HANDS).astype(np.float32)
        boards = np.repeat(spots.boards.astype(np.int64), count, axis=0)
        stacks = spots.stacks.reshape(-1)
        values = self._solver.solve(boards, ranges, stacks, self.config.iterations)
        values /= ranges.sum(axis=2)[:, ::-1, None]
        return {**spots._asdict(), "values": values.astype(np.float16).reshape(spots.ranges.shape)}


def drawn_ahead(
    draw: Callable[[BoardShard], _Drawn], shards: Sequence[BoardShard]
) -> Iterator[_Drawn]:
    """Yields what is drawn for each shard; a thread draws the next one meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        drawn = pool.submit(draw, shards[0])
        for following in shards[1:]:
            ready = drawn.result()
            drawn = pool.submit(draw, following)
            yield ready
        yield drawn.result()


def is_held(board: NDArray[np.uint8]) -> bool:
    """Tests whether training never sees a board: a share of all sets of ranks is kept apart."""
    ranks = np.sort(board // 4).astype(np.uint64)
    number = int(ranks @ np.uint64(13) ** np.arange(len(ranks), dtype=np.uint64))
    return number * 0x9E3779B97F4A7C15 % (1 << 64) * _HELD_SHARE < 1 << 64


def _random_board(random: np.random.Generator, held: bool) -> NDArray[np.uint8]:
    while True:
        board = random.choice(52, CARDS, replace=False).astype(np.uint8)
        if is_held(board) == held:
            return board
