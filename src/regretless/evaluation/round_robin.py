# SPDX-License-Identifier: MIT
"""Everybody against everybody: a cross-play matrix of two-player matches on the same deals."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from regretless.errors import InputError
from regretless.evaluation.aivat import match_luck
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
    aivat: bool = False
    """Whether luck was taken off."""

    def mean(self, row: int) -> float:
        """Over the opponents, each counted alike."""
        cells = [each.mean for each in self.won[row] if each is not None]
        return sum(cells) / len(cells)


def round_robin(
    game: Game, policies: Sequence[Policy], config: MatchConfig, *, aivat: bool = False
) -> CrossPlay:
    """One match for each pair; `aivat` takes luck off."""
    if game.num_players != 2:
        raise InputError(f"{game.name}: a round-robin needs a game for two")
    if len(policies) < 2:
        raise InputError("a round-robin needs two policies or more")
    table: list[list[Estimate | None]] = [[None] * len(policies) for _ in policies]
    hands = 0
    for first, second in combinations(range(len(policies)), 2):
        pair = [policies[first], policies[second]]
        luck = match_luck(game, pair, config) if aivat else None
        result = play_match(game, pair, config, luck=luck)
        hands = result.hands
        table[first][second], table[second][first] = (
            player.won if player.aivat is None else player.aivat for player in result.players
        )
    names = distinct([policy.name for policy in policies])
    return CrossPlay(game.name, tuple(names), hands, tuple(map(tuple, table)), aivat)
