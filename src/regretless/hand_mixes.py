# SPDX-License-Identifier: MIT
"""What a table of strategies does with every private hand at one public state."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.games import Game
from regretless.policy import Policy, TablePolicy, UniformPolicy
from regretless.strategy_table import StrategyTable
from regretless.telling.hand_log import Episode


def private_hands(game: Game) -> list[tuple[int, ...]]:
    """Cards or faces of every hand, in the order of their numbers."""
    return [tuple(game.hand_parts(hand)) for hand in range(game.num_hands)]


def with_hand(game: Game, seat: int, hand: Sequence[int], board: Sequence[int] = ()) -> Episode:
    """An episode at its beginning in which one seat holds this hand, and no other is known."""
    return game.episode_of([[]] * seat + [list(hand)], list(board))


def known_table(policy: Policy, game: Game) -> StrategyTable:
    """The table of a policy; InputError if it has none, for then other hands cannot be asked."""
    if isinstance(policy, TablePolicy):
        return policy.table
    if isinstance(policy, UniformPolicy):  # a table without rows
        return StrategyTable(np.empty(0, np.uint64), np.empty((0, game.num_actions)))
    raise InputError(f"{policy.name} is not a table: its range cannot be told")


def table_mixes(episodes: Sequence[Episode], table: StrategyTable) -> NDArray[np.float64]:
    """What a table does in episodes of one public state, [episodes, actions], normalised."""
    keys = np.array([each.infoset for each in episodes], np.uint64)
    legal = np.array([episodes[0].legal] * len(episodes), np.bool_)
    rows = np.where(legal, table.lookup(keys, legal), 0.0)
    rows[rows.sum(axis=1) <= 0] = legal[0]
    mixes: NDArray[np.float64] = rows / rows.sum(axis=1, keepdims=True)
    return mixes
