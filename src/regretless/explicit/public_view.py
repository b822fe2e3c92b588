# SPDX-License-Identifier: MIT
"""An explicit game as public states and private hands, for solvers over public states.

Hands are dealt once, before anybody moves, and all actions are public. A public state is then a
sequence of actions, and a history is a public state with a deal. Every ending has a payoff for each
pair of hands, and each pair has the probability of its deal.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError

_MOST_BYTES = 1 << 31


@dataclass(frozen=True, eq=False)
class PublicView:
    """Public states, breadth first with children in the order of their slots, and hands."""

    name: str
    unit: float
    action_names: tuple[str, ...]
    actors: NDArray[np.int8]  # [states]: a player or TERMINAL
    first_children: NDArray[np.int32]  # [states]
    num_children: NDArray[np.int32]  # [states]
    slots: NDArray[np.int32]  # [states]: the last slot, -1 at the root
    infosets: NDArray[np.int32]  # [states, hands]: of the tree; -1 where the actor has no such hand
    features: NDArray[np.float32]  # [states, features]: one-hot parts of `public_state`
    stakes: NDArray[np.float64]  # [states]: the largest payoff that can follow
    tables: NDArray[np.int32]  # [states]: row of `payoffs`, -1 where the game goes on
    scales: NDArray[np.float64]  # [states]: the factor of that row
    payoffs: NDArray[np.float64]  # [tables, deals]: of player 0, each row scaled to 1
    deal_hands: NDArray[np.int32]  # [deals, players]
    deal_probabilities: NDArray[np.float64]  # [deals]
    num_hands: tuple[int, int]

    @cached_property
    def native(self) -> _native.TabularGame:
        """The native game for solvers; InputError if there are too many hands."""
        hands = max(self.num_hands)
        pairs = self.deal_hands[:, 0].astype(np.int64) * hands + self.deal_hands[:, 1]
        if 8 * hands * hands * (len(self.payoffs) + 1) > _MOST_BYTES:
            raise InputError(
                f"{self.name}: payoffs of {hands:,} x {hands:,} hands at {len(self.payoffs):,} "
                f"endings take more than {_MOST_BYTES >> 20:,} MiB"
            )
        weights = np.bincount(pairs, self.deal_probabilities, hands * hands)
        largest = weights.max()
        payoffs = [
            np.bincount(pairs, self.deal_probabilities / largest * row, hands * hands)
            for row in self.payoffs
        ]
        try:
            return _native.TabularGame(
                name=self.name,
                unit=self.unit,
                action_names=list(self.action_names),
                actors=self.actors,
                first_children=self.first_children,
                num_children=self.num_children,
                slots=self.slots,
                stakes=self.stakes * self.unit,
                features=self.features,
                pair_weights=(weights / largest).reshape(hands, hands),
                tables=self.tables,
                scales=self.scales * self.unit,
                payoffs=np.reshape(payoffs, (-1, hands, hands)),
            )
        except ValueError as error:
            raise InputError(f"{self.name}: no public view: {error}") from None

    def tree_infosets(self, keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The infosets of the tree with these keys of the native game; -1 for unknown keys."""
        known = self.native.infoset_keys()[self.actors >= 0].ravel()
        numbers = self.infosets[self.actors >= 0].ravel()
        order = np.argsort(known)
        found: NDArray[np.int32] = numbers[order[np.searchsorted(known, keys, sorter=order)]]
        return found
