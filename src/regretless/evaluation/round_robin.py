# SPDX-License-Identifier: MIT
"""Everybody against everybody: a cross-play matrix of two-player matches on the same deals."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from regretless.errors import InputError
from regretless.evaluation.intervals import Estimate
from regretless.evaluation.matches import MatchConfig, distinct, play_match
from regretless.games import Game
from regretless.policy import Policy


@dataclass(frozen=True)
class CrossPlay:
    """What the policy of the row wins against that of the column, in units for each episode."""

    game: str
    names: tuple[str, ...]
    hands: int
    """Of every match."""
    won: tuple[tuple[Estimate | None, ...], ...]
    """[policies, policies], None on the diagonal."""

    def mean(self, row: int) -> float:
        """Over the opponents, each counted alike."""
        cells = [each.mean for each in self.won[row] if each is not None]
        return sum(cells) / len(cells)


def round_robin(game: Game, policies: Sequence[Policy], config: MatchConfig) -> CrossPlay:
    """One match for each pair."""
    if game.num_players != 2:
        raise InputError(f"{game.name}: a round-robin needs a game for two")
    if len(policies) < 2:
        raise InputError("a round-robin needs two policies or more")
    table: list[list[Estimate | None]] = [[None] * len(policies) for _ in policies]
    hands = 0
    for first, second in combinations(range(len(policies)), 2):
        result = play_match(game, [policies[first], policies[second]], config)
        hands = result.hands
        table[first][second], table[second][first] = (player.won for player in result.players)
    names = distinct([policy.name for policy in policies])
    return CrossPlay(game.name, tuple(names), hands, tuple(map(tuple, table)))
