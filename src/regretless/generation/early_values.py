# SPDX-License-Identifier: MIT
"""Values of the hands of flops and turns: random spots, solved with the next street's network.

A row of the columns is a board with a few spots. It has the matrix of the board (what a network
sees of its hands) and the equities of each spot, which are means over all run-outs.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

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
from regretless.networks.street_network import StreetNetwork
from regretless.options import Count
from regretless.search.streets.cut_spots import CutSpots, make_cut_spots
from regretless.search.streets.mean_boards import MeanBoards
from regretless.search.streets.random_ranges import (
    LEAST_WEIGHT,
    RangeDraws,
    mean_order,
    random_stacks,
)
from regretless.search.streets.sights import run_out_places
from regretless.solvers.rivers import HANDS

_BOARD = {"flop": 3, "turn": 4}
_NEXT = {"flop": "turn", "turn": "river"}
_STREAMS = {"turn": (3, 4), "flop": (5, 6)}  # of randomness: boards, held boards


@dataclass(frozen=True)
class EarlySpotConfig(StreetSpotConfig):
    """Random spots before the river and their solves."""

    street: Literal["preflop", "flop", "turn", "river"] = "turn"
    """The street of the spots."""
    leaves: str = ""
    """The run or the bundle of the network of the next street, which values the leaves."""
    cards: Count = 8
    """Next cards of a board that an iteration on a GPU looks at; they take turns."""
    flops: Count = 1755
    """Flops that values before the flop are means over, of the 1,755 that differ."""
    bins: Count = 128
    """Quantiles of the order of strength; before the flop 169, the classes of hands."""


class _Spots(NamedTuple):
    boards: NDArray[np.uint8]  # [boards, cards]
    stacks: NDArray[np.float32]  # [boards, spots], in pots
    ranges: NDArray[np.float16]  # [boards, 2 spots, hands left], weakest first


class EarlyGenerator(StreetGenerator):
    """Implements `Generator` for flops and turns, cut where the next street begins."""

    Config = EarlySpotConfig
    config: EarlySpotConfig

    def __init__(self, game: Game, config: EarlySpotConfig, *, seed: int) -> None:
        self.street = config.street
        super().__init__(game, config, seed=seed)
        self._cards = _BOARD[self.street]
        left = 52 - self._cards
        self._draws = RangeDraws(left * (left - 1) // 2)
        self.device = find_placement(config.device, "float32").device

    @cached_property
    def _solver(self) -> CutSpots:
        config = self.config
        network = leaf_network(config, _NEXT[self.street])
        return make_cut_spots(network, config.device, config.cards)

    def columns(self) -> list[Column]:
        spots = self.config.spots
        return [
            Column("boards", "uint8", (self._cards,)),
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
        config, boards, stacks, ranges = self.config, [], [], []
        for number in range(shard.first, shard.end):
            stream = _STREAMS[self.street][shard.is_held]
            bits = np.random.Philox(key=[self.seed, stream], counter=[0, 0, 0, number])
            random = np.random.Generator(bits)
            boards.append(random_board(random, self._cards, shard.is_held))
            stacks.append(random_stacks(random, config.spots, config.depths))
            drawn = self._draws.ranges(*self._draws.draw(random, 2 * config.spots))
            scaled = (drawn * self._draws.hands).astype(np.float16)
            ranges.append(np.maximum(scaled, LEAST_WEIGHT))
        return _Spots(np.stack(boards), np.stack(stacks), np.stack(ranges))

    def solved(self, spots: _Spots) -> Arrays:
        places = run_out_places(spots.boards, self.device)
        order = mean_order(places)[:, HANDS - self._draws.hands :, None].mT
        drawn = torch.from_numpy(spots.ranges).to(self.device)
        full = drawn.new_zeros((*drawn.shape[:2], HANDS))
        full.scatter_(2, order.expand(drawn.shape), drawn)
        ranges = full.view(len(full), -1, 2, HANDS)
        seen = MeanBoards.over(places, self.config.bins)
        sight = seen.see(ranges, torch.from_numpy(spots.stacks).to(self.device))
        shares = sight.ranges.cpu().numpy()
        iterations = self.config.iterations
        values = self._solver.solve(spots.boards, shares, spots.stacks, iterations)
        return {
            "boards": spots.boards,
            "matrix": seen.matrix.half().cpu().numpy(),
            "stacks": spots.stacks,
            "ranges": ranges.cpu().numpy(),
            "equities": sight.equities.half().cpu().numpy(),
            "values": values.astype(np.float16),
        }


def leaf_network(config: EarlySpotConfig, street: str) -> StreetNetwork:
    """Returns the network of a street that the config names, on its device."""
    bundle = find_street_values(config.leaves) if config.leaves else None
    weights = None if bundle is None else bundle.street_values()
    if weights is None or weights.shape.street != street:
        raise InputError(
            f"leaves: {config.leaves!r} is no run or bundle of a network of the {street}"
        )
    network = weights.build().to(find_placement(config.device, "float32").device)
    if config.precision == "bfloat16":
        network.products = torch.bfloat16
    return network
