# SPDX-License-Identifier: MIT
"""Values of the hands at the end of the first betting round: means over flops of a flop network.

Nothing is solved. Ranges do not tell suits apart, so the flops that differ by more than the names
of suits stand for all, and the hands of a class have the mean of their values.
"""

from functools import cached_property
from math import comb
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.algorithm import Arrays
from regretless.buffers import Column
from regretless.errors import InputError
from regretless.games import Game
from regretless.generation.early_values import EarlySpotConfig, leaf_network
from regretless.generation.street_values import BoardShard, StreetGenerator
from regretless.networks.placement import find_placement
from regretless.networks.street_network import StreetNetwork, leaf_values
from regretless.preflop.matchups import NUM_CLASSES
from regretless.search.streets.mean_boards import MeanBoards
from regretless.search.streets.random_ranges import LEAST_WEIGHT, RangeDraws, random_stacks
from regretless.search.streets.sights import see_boards, starting_hands
from regretless.solvers.rivers import HANDS

_STREAMS = (7, 8)  # of randomness: spots, held spots
_DEALT = comb(48, 3)  # flops that two hands may see
_FLOPS_AT_ONCE = 32


class _Spots(NamedTuple):
    stacks: NDArray[np.float32]  # [rows, spots], in pots
    shares: NDArray[np.float32]  # [rows, 2 spots, classes], weakest first


class PreflopGenerator(StreetGenerator):
    """Implements `Generator` for the end of the first betting round; rows have no boards."""

    Config = EarlySpotConfig
    config: EarlySpotConfig
    street = "preflop"

    def __init__(self, game: Game, config: EarlySpotConfig, *, seed: int) -> None:
        super().__init__(game, config, seed=seed)
        if config.bins != NUM_CLASSES:
            raise InputError(f"bins: before the flop there are {NUM_CLASSES}")
        self.device = find_placement(config.device, "float32").device
        self._draws = RangeDraws(NUM_CLASSES)
        self._start = starting_hands(self.device)

    @cached_property
    def _network(self) -> StreetNetwork:
        return leaf_network(self.config, "flop")

    @cached_property
    def _flops(self) -> tuple[MeanBoards, NDArray[np.float64]]:
        """The flops, and how many each stands for."""
        boards, weights = flops_apart(self.config.flops)
        parts = [
            see_boards(boards[at : at + _FLOPS_AT_ONCE], self._network.shape.bins, self.device)
            for at in range(0, len(boards), _FLOPS_AT_ONCE)
        ]
        first, *others = [each for each in parts if isinstance(each, MeanBoards)]
        return first.beside(others), weights

    def columns(self) -> list[Column]:
        spots = self.config.spots
        return [
            Column("matrix", "float16", (HANDS, NUM_CLASSES)),
            Column("stacks", "float32", (spots,)),
            Column("ranges", "float16", (spots, 2, HANDS)),
            Column("equities", "float16", (spots, 2, HANDS)),
            Column("values", "float16", (spots, 2, HANDS)),
        ]

    def boards_at_once(self) -> int:
        return 1 if self.device.type == "cpu" else max(1, 512 // self.config.spots)

    def spots_of(self, shard: BoardShard) -> _Spots:
        config, stacks, shares = self.config, [], []
        for number in range(shard.first, shard.end):
            key = [self.seed, _STREAMS[shard.is_held]]
            bits = np.random.Philox(key=key, counter=[0, 0, 0, number])
            random = np.random.Generator(bits)
            stacks.append(random_stacks(random, config.spots, config.depths))
            shares.append(self._draws.ranges(*self._draws.draw(random, 2 * config.spots)))
        return _Spots(np.stack(stacks), np.stack(shares))

    def solved(self, spots: _Spots) -> Arrays:
        member = self._start.matrix[0]  # [hands, classes]
        combos = member.sum(0)
        shares = torch.from_numpy(spots.shares).to(self.device) / combos
        ranges = (shares @ member.mT * HANDS).half().clamp_min(float(LEAST_WEIGHT))
        ranges = ranges.view(len(ranges), -1, 2, HANDS)
        stacks = torch.from_numpy(spots.stacks).to(self.device)
        with torch.inference_mode():
            sight = self._start.see(ranges.flatten(0, 1)[None], stacks.flatten()[None])
            values = self._mean_values(sight.ranges, sight.stacks)
            values = (values @ member / combos) @ member.mT
        found = {"equities": sight.equities[0], "values": values[0]}
        columns: Arrays = {
            name: each.view(ranges.shape).half().cpu().numpy() for name, each in found.items()
        }
        matrix = member.half().cpu().numpy()
        return columns | {
            "matrix": np.broadcast_to(matrix, (len(ranges), *matrix.shape)),
            "stacks": spots.stacks,
            "ranges": ranges.cpu().numpy(),
        }

    def _mean_values(self, ranges: Tensor, stacks: Tensor) -> Tensor:
        """Returns the mean over all flops of the network's values: [1, spots, 2, hands]."""
        flops, weights = self._flops
        total = torch.zeros_like(ranges)
        counts = torch.from_numpy(weights).float().to(self.device)
        for at in torch.split(torch.arange(len(counts), device=self.device), _FLOPS_AT_ONCE):
            seen, size = flops.part(at), (len(at), *ranges.shape[1:])
            shown = ranges.expand(size)
            sight = seen.see(shown, stacks.expand(size[:2]))
            met = (shown * seen.possible[:, None, None]).sum(3, keepdim=True).flip(2)
            values = leaf_values(self._network, sight) * met
            total += (values * counts[at, None, None, None]).sum(0, keepdim=True)
        return total / _DEALT


def flops_apart(count: int) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Returns flops that differ by more than names of suits, and how many flops each stands for.

    Fewer than there are stand for all: every so many-th.
    """
    deals = _native.hand_cards(_native.Deck(), 3)
    names = _native.CanonicalIndex([3], _native.Deck()).index(deals)
    _, first, counts = np.unique(names, return_index=True, return_counts=True)
    chosen = np.linspace(0, len(first), min(count, len(first)), endpoint=False).astype(np.int64)
    weights = counts[chosen] * (counts.sum() / counts[chosen].sum())
    return deals[first[chosen]].astype(np.uint8), weights
