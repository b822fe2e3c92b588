# SPDX-License-Identifier: MIT
"""The one rule of who sits where: from episode to episode everybody moves by one seat.

At tables, of people or of an ACPC dealer, player p has seat (p + h) mod players in hand h:
`seat_of`, and its inverse `player_on`. Matches over duplicate deals move the other way: on seat s
of episode e sits policy (s + e) mod players. A deal is played in as many copies as there are
players, in consecutive episodes of which the first is a multiple of their number, so each policy
holds every seat of a deal once.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

_Numbers = TypeVar("_Numbers", int, NDArray[Any])
_Item = TypeVar("_Item")


def seat_of(player: _Numbers, hand: Any, num_players: int) -> _Numbers:
    """The seat of a player in a hand; both may be arrays."""
    seat: _Numbers = (player + hand) % num_players
    return seat


def player_on(seat: _Numbers, hand: Any, num_players: int) -> _Numbers:
    """The player on a seat in a hand: the inverse of `seat_of`."""
    player: _Numbers = (seat - hand) % num_players
    return player


def seated(players: Sequence[_Item], hand: int) -> list[_Item]:
    """Players in the order of their seats."""
    return [players[player_on(seat, hand, len(players))] for seat in range(len(players))]


def by_player(seats: Sequence[_Item], hand: int) -> list[_Item]:
    """Items of seats, such as payoffs, in the order of the players."""
    return [seats[seat_of(player, hand, len(seats))] for player in range(len(seats))]


def policies_of(
    seats: NDArray[Any], episodes: NDArray[np.int64], num_players: int
) -> NDArray[np.int64]:
    """The policy on each of these seats of episodes of a match."""
    return seat_of(seats, episodes, num_players)


def by_policy(table: NDArray[Any]) -> NDArray[Any]:
    """Sums of a table [episodes, seats] over the copies of each deal: [deals, policies]."""
    players = table.shape[1]
    copies = table.reshape(-1, players, players)  # [deals, copies, seats]
    policies = np.arange(players)
    sums: NDArray[Any] = np.sum(
        [copies[:, copy, player_on(policies, copy, players)] for copy in range(players)], axis=0
    )
    return sums
