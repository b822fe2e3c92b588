# SPDX-License-Identifier: MIT
"""Who sits where in a match: on seat s of episode e sits policy (s + e) mod players.

A deal is played in as many copies as there are players, episodes in a row, the first of them a
multiple of their number: so each policy holds every seat of a deal once.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def policies_of(
    seats: NDArray[Any], episodes: NDArray[np.int64], num_players: int
) -> NDArray[np.int64]:
    """The number of the policy on each seat of an episode."""
    return (seats + episodes) % num_players


def by_policy(table: NDArray[Any]) -> NDArray[Any]:
    """A table [episodes, seats] as sums over the copies of a deal, [deals, policies]."""
    players = table.shape[1]
    copies = table.reshape(-1, players, players)  # [deals, copies, seats]
    policies = np.arange(players)
    sums: NDArray[Any] = np.sum(
        [copies[:, k, (policies - k) % players] for k in range(players)], axis=0
    )
    return sums
