# SPDX-License-Identifier: MIT
"""Boards with cards to come, as a network of streets sees them: means over all their run-outs.

A row of the matrix is the distribution of a hand's strength over quantiles; equities are exact.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from regretless import _native
from regretless.networks.street_network import (
    Sight,
    meeting_hands,
    met_masses,
    normalised,
    quantile_matrix,
)

_AT_ONCE = 64  # boards, or run-outs of one
_SCALE = 1024.0  # of ranges in half precision
_LEAST_MASS = 1e-9


class MeanBoards:
    """Boards before the river, on a device: what the network has to know of their hands."""

    def __init__(self, possible: Tensor, matrix: Tensor, edges: Tensor) -> None:
        """`possible` [boards, hands], `matrix` [boards, hands, bins], `edges` [boards, hands,
        hands]: the equity of one hand against another, from -1 to 1, 0 where they cannot meet.
        """
        self.possible, self.matrix, self._edges = possible, matrix, edges

    @classmethod
    def over(cls, places: Tensor, bins: int) -> "MeanBoards":
        """`places` [boards, run-outs, hands] are those on full boards, -1 where blocked."""
        matrix = torch.stack([_mean_matrix(each, bins) for each in places])
        is_cpu = places.device.type == "cpu"
        edges = _edges(places).to(torch.float32 if is_cpu else torch.float16)
        return cls((places >= 0).any(1), matrix, edges)

    def part(self, index: Tensor) -> "MeanBoards":
        """Returns the boards of these numbers."""
        return MeanBoards(self.possible[index], self.matrix[index], self._edges[index])

    def beside(self, others: Sequence["MeanBoards"]) -> "MeanBoards":
        """Returns the boards with others behind them."""
        every = [(each.possible, each.matrix, each._edges) for each in (self, *others)]
        return MeanBoards(*(torch.cat(each) for each in zip(*every, strict=True)))

    def see(self, ranges: Tensor, stacks: Tensor) -> Sight:
        """Returns the sight of spots, as `RiverBoards.see` does."""
        ranges = normalised(ranges, self.possible)
        theirs = ranges.flip(2).flatten(1, 2)
        masses = met_masses(theirs) * self.possible[:, None]
        # What one of two hands wins the other loses, so the edges need no turning round.
        shown = torch.bmm((theirs * -_SCALE).to(self._edges.dtype), self._edges).float() / _SCALE
        equities = torch.where(masses > _LEAST_MASS, shown / masses.clamp_min(_LEAST_MASS), 0.0)
        return Sight(self.matrix, ranges, equities.view_as(ranges), masses.view_as(ranges), stacks)


def _mean_matrix(places: Tensor, bins: int) -> Tensor:
    """Returns the mean of the quantile matrices of run-outs: [hands, bins]."""
    parts = torch.split(places, _AT_ONCE)
    found = torch.stack([quantile_matrix(part, bins).sum(0) for part in parts]).sum(0)
    return found / (places >= 0).sum(0).clamp_min(1)[:, None]


def _edges(places: Tensor) -> Tensor:
    """Returns the equities of hands against hands, as `MeanBoards` has them."""
    return torch.cat([_edges_of(part) for part in torch.split(places, _AT_ONCE)])


def _edges_of(places: Tensor) -> Tensor:
    meets = meeting_hands(places.device)
    both = (places[0] >= 0).float()
    run_outs = (both.mT @ both * meets).max()  # in which two hands may be: as many for all pairs
    is_few = places.device.type == "cpu" and places.shape[1] < 1 << 7
    found = _few_wins(places) if is_few else _wins(places)
    found *= meets / run_outs
    return found


def _few_wins(places: Tensor) -> Tensor:
    """Returns what `_wins` does for run-outs that a signed byte can count."""
    numbers = places.to(torch.int16).numpy()
    return torch.stack([-torch.from_numpy(_native.win_signs(each)).float() for each in numbers])


def _wins(places: Tensor) -> Tensor:
    """Returns how often a hand wins against another less how often it loses."""
    runs = places.shape[1]
    numbers = torch.where(places >= 0, places, float("nan"))  # which beats nothing
    kind = torch.uint8 if runs < 1 << 8 else torch.int16
    shape = (len(places), places.shape[2], places.shape[2])
    wins = torch.zeros(shape, dtype=kind, device=places.device)
    for run in numbers.unbind(1):
        wins += (run[:, :, None] > run[:, None]).view(torch.uint8)
    found = wins.float()
    found -= wins.mT
    return found
