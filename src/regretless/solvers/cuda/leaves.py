# SPDX-License-Identifier: MIT
"""Leaves of a cut tree that a network in torch answers on the same device; imports torch."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.dlpack import from_dlpack

from regretless.errors import InputError
from regretless.solvers.cuda.boards import UNIT
from regretless.solvers.cuda.engine import Engine
from regretless.solvers.cuda.layout import Layout

_LEAST_MASS = 1e-20
_STRIDE = 11  # between cards that are looked at together: prime to 47, 48 and 49


class LeafNetwork(Protocol):
    """Values at ranges [spots, lines, cards, 2, positions] of sum 1, in the same shape.

    A value is what a hand wins on average against the other player's range, in stakes, where hands
    that cannot meet count nothing. A line leads to a public card, and `cards` are those cards.
    """

    def prepare(self, layout: Layout, sets: NDArray[np.int64], device: torch.device) -> None:
        """Sets the leaves of the calls that follow: each spot has one of the sets of boards."""

    def __call__(self, ranges: Tensor, cards: Tensor | None = None) -> Tensor:
        """Values at all cards, or at those of these numbers."""


class TorchLeaves:
    """Implements `Leaves`. Both players need the same hands."""

    def __init__(
        self,
        network: LeafNetwork,
        stakes: NDArray[np.float64] | None = None,
        cards: int | None = None,
    ) -> None:
        """`stakes` are chips at the leaves, [spots, lines], or else those of the game.

        An iteration looks at so many of the public cards, which take turns; by default at all.
        """
        self.network, self._given, self._cards = network, stakes, cards
        self._stream: Any = None

    def attach(self, engine: Engine) -> None:
        rows = engine.layout.leaves
        if rows is None or rows.units[0] != rows.units[1]:
            raise InputError("leaves: the tree must be cut, and both players need the same hands")
        lines, cards = len(rows.stakes), len(rows.boards)
        self.shape = (engine.games, lines, cards, rows.units[0] * UNIT)
        size = lines * cards * rows.units[0]
        reaches = [engine.rows("reaches", first, size) for first in rows.reach]
        values = [engine.rows("values", first, size) for first in rows.value]
        engine.device.wait()
        self._reaches = [from_dlpack(view).view(self.shape) for view in reaches]
        self._values = [from_dlpack(view).view(self.shape) for view in values]
        self.device = device = self._reaches[0].device
        if engine.device.stream is not None:
            address = engine.device.stream.ptr
            self._stream = torch.cuda.ExternalStream(address, device)  # type: ignore[no-untyped-call]
        self._stakes = torch.ones((engine.games, lines, 1, 1, 1), device=device)
        self.set_stakes(rows.stakes if self._given is None else self._given)
        self._layout = engine.layout
        self._answers = torch.zeros((*self.shape[:3], 2, self.shape[3]), device=device)
        self._turn = torch.zeros((), dtype=torch.int64, device=device)
        if self._cards is not None and self._cards >= cards:
            self._cards = None

    def begin(self, sets: NDArray[np.int64]) -> None:
        """Gives the spots other boards; `set_stakes` gives them other stakes."""
        self.network.prepare(self._layout, sets, self.device)

    def set_stakes(self, stakes: NDArray[np.float64]) -> None:
        """Replaces the stakes [spots, lines]."""
        given = torch.as_tensor(np.asarray(stakes), dtype=torch.float32)
        self._stakes[:] = given.reshape(-1, self.shape[1], 1, 1, 1).to(self._stakes.device)
        if self._stream is not None:
            torch.cuda.synchronize(self._stakes.device)

    def ask(self, is_whole: bool = True) -> None:
        with torch.cuda.stream(self._stream), torch.inference_mode():
            every = self.shape[2]
            if self._cards is None:
                self._answers.copy_(self._found(None))
                return
            if is_whole:  # in parts, which take less memory
                for cards in torch.split(torch.arange(every, device=self.device), self._cards):
                    self._answers.index_copy_(2, cards, self._found(cards))
                return
            numbers = torch.arange(self._cards, device=self.device)
            cards = (self._turn + numbers) * _STRIDE % every
            self._turn.add_(self._cards)
            self._answers.zero_()
            scaled = self._found(cards) * (every / self._cards)
            self._answers.index_copy_(2, cards, scaled)

    def _found(self, cards: Tensor | None) -> Tensor:
        reaches = torch.stack(
            [each if cards is None else each.index_select(2, cards) for each in self._reaches],
            dim=3,
        )
        mass = reaches.sum(dim=4, keepdim=True)
        values = self.network(reaches / mass.clamp_min(_LEAST_MASS), cards)
        return values * (mass.flip(3) * self._stakes)

    def give(self, player: int) -> None:
        with torch.cuda.stream(self._stream), torch.inference_mode():
            self._values[player].copy_(self._answers[:, :, :, player])

    def captured(self, work: Callable[[], None]) -> Callable[[], None]:
        if self._stream is None:
            return work
        graph = torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.graph(graph, stream=self._stream):
            work()

        def again() -> None:
            with torch.cuda.stream(self._stream):
                graph.replay()

        return again
