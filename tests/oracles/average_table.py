# SPDX-License-Identifier: MIT
"""The average strategy of networks over all infosets of a small game, added one by one.

An oracle for `AveragePolicy`, which computes the average at any decision from all networks.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import TooLargeError
from regretless.games import Game
from regretless.networks.network import Network, shares
from regretless.networks.shape import RowEncoder
from regretless.policies.strategy_table import StrategyTable

_ROWS = 1 << 14  # asked about at a time


class AverageTable:
    """Sums over networks, for every infoset of a game that is small enough."""

    def __init__(self, game: Game, encoder: RowEncoder) -> None:
        """TooLargeError where the game is."""
        self.game, self.encoder = game, encoder
        questions = _everywhere(game, encoder.name)
        self.keys = questions.infosets
        self.actors = questions.actors
        self.legal = np.array(questions.legal)  # torch wants to be able to write
        self._rows = questions.rows(encoder.name)
        self._parents, self._slots, self._depths = _parents(questions)
        self._sums = np.zeros(self.legal.shape)
        self._plain = np.zeros(self.legal.shape)

    def add(self, network: Network, weight: float, seat: int | None = None) -> None:
        """One more network, of a seat or of all."""
        is_mine = np.ones(len(self.keys), bool) if seat is None else self.actors == seat
        mine = np.flatnonzero(is_mine)
        rows = np.zeros(self.legal.shape)
        for begin in range(0, len(mine), _ROWS):
            part = mine[begin : begin + _ROWS]
            rows[part] = self._strategy(network, part)
        self._sums += weight * self._reaches(rows)[:, None] * rows
        self._plain += weight * rows

    def table(self) -> StrategyTable:
        """The average of what was added so far; uniform at a seat to which nothing was."""
        totals = self._sums.sum(axis=1, keepdims=True)
        rows = np.where(totals > 0, self._sums, self._plain)
        rows = np.where(rows.any(axis=1, keepdims=True), rows, self.legal)
        order = np.argsort(self.keys)
        rows = rows / rows.sum(axis=1, keepdims=True)
        return StrategyTable(self.keys[order], rows[order])

    @torch.inference_mode()
    def _strategy(self, network: Network, infosets: NDArray[np.intp]) -> NDArray[np.float32]:
        """Returns the strategy of a network at some infosets."""
        device = next(network.parameters()).device
        features = torch.as_tensor(self.encoder.expand(self._rows[infosets])).to(device)
        legal = torch.as_tensor(self.legal[infosets]).to(device)
        outputs = network(features).float()
        rows: NDArray[np.float32] = shares(network.shape.head, outputs, legal).cpu().numpy()
        return rows

    def _reaches(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the reach of each infoset by the actor's own earlier choices."""
        reaches = np.ones(len(rows))
        for those in self._depths:
            parents = self._parents[those]
            reaches[those] = reaches[parents] * rows[parents, self._slots[those]]
        return reaches


def _everywhere(game: Any, encoder: str) -> _native.Questions:
    try:
        asked = _native.ask_everywhere(game, encoders=[encoder], past=True)
    except ValueError as error:
        raise TooLargeError(f"{game.name}: no table of networks: {error}") from None
    size = _native.SpotQuestions.MAX_ROWS
    return _native.Questions.joined(
        [asked.ask(begin, min(begin + size, len(asked))) for begin in range(0, len(asked), size)]
    )


def _parents(
    questions: _native.Questions,
) -> tuple[NDArray[np.intp], NDArray[np.intp], list[NDArray[np.intp]]]:
    """The actor's decision before each, what he chose there, and those after 1, 2, ... of them.

    By perfect recall there is one way of his own to an infoset.
    """
    lengths = np.diff(questions.past_offsets)
    parents, slots = np.full(len(lengths), -1), np.full(len(lengths), -1)
    later = np.flatnonzero(lengths)
    last = questions.past_offsets[later + 1] - 1
    order = np.argsort(questions.infosets)
    before = questions.past.infosets[last]
    parents[later] = order[np.searchsorted(questions.infosets[order], before)]
    slots[later] = questions.past_slots[last]
    depths = [np.flatnonzero(lengths == depth) for depth in range(1, lengths.max() + 1)]
    return parents, slots, depths
