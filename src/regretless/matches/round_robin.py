# SPDX-License-Identifier: MIT
"""Round-robins: a cross-play matrix of matches between two policies at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

from regretless.errors import InputError
from regretless.games import Game
from regretless.matches.aivat import match_luck
from regretless.matches.intervals import Estimate
from regretless.matches.match import MatchConfig, MatchResult, Plays, distinct, play_match
from regretless.pictures.result_table import ResultTable, Tabular
from regretless.policies.policy import Policy
from regretless.watch import UNWATCHED, Watch


@dataclass(frozen=True, repr=False)
class CrossPlay(Tabular):
    """Winnings of the row's policy against the column's, in units per episode."""

    game: str
    players: int
    """Seats of a table: one has the row's policy, all the others the column's."""
    names: tuple[str, ...]
    hands: int
    """Episodes of every match."""
    won: tuple[tuple[Estimate | None, ...], ...]
    """[policies, policies], None on the diagonal."""
    aivat: bool = False
    """Whether these are AIVAT estimates."""

    def __repr__(self) -> str:
        means = (f"{name} {100 * self.mean(row):+,.1f}" for row, name in enumerate(self.names))
        return f"<CrossPlay {self.game}, {self.hands:,} hands each, bb/100: {', '.join(means)}>"

    def table(self) -> ResultTable:
        """A row for each player, a column for each opponent, in big blinds per 100 hands."""
        rows = (
            {"player": self.names[number]}
            | {name: None if cell is None else 100 * cell.mean for name, cell in self._cells(row)}
            | {"mean": 100 * self.mean(number)}
            for number, row in enumerate(self.won)
        )
        return ResultTable.of_rows(rows, f"{self.game}: bb/100 of the row against the column")

    def _cells(self, row: tuple[Estimate | None, ...]) -> Iterable[tuple[str, Estimate | None]]:
        return zip(self.names, row, strict=True)

    def mean(self, row: int) -> float:
        """Over the opponents, each counted alike."""
        cells = [each.mean for each in self.won[row] if each is not None]
        return sum(cells) / len(cells)


def round_robin(
    game: Game,
    policies: Sequence[Policy],
    config: MatchConfig,
    *,
    names: Sequence[str] | None = None,
    aivat: bool = False,
    watch: Watch = UNWATCHED,
    plays: Plays | None = None,
) -> CrossPlay:
    """Plays every pair of policies on the same deals; `aivat` reduces the variance.

    Heads-up, one match gives the winnings of both. With more seats each pair has two matches: one
    seat of the first policy among the second's, and the other way round. `names` replace the names
    of the policies.
    """
    if len(policies) < 2:
        raise InputError("a round-robin needs two policies or more")
    table: list[list[Estimate | None]] = [[None] * len(policies) for _ in policies]
    hands = 0
    shown = distinct(names or [policy.name for policy in policies])
    choose = combinations if game.num_players == 2 else permutations
    pairs = list(choose(range(len(policies)), 2))
    for number, (first, second) in enumerate(pairs):
        what = f"{shown[first]} against {shown[second]}"
        watched = _watched(watch, what, number, len(pairs))
        seated = [policies[first]] + [policies[second]] * (game.num_players - 1)
        luck = match_luck(game, seated, config, watch=watched) if aivat else None
        result = play_match(game, seated, config, luck=luck, watch=watched, plays=plays)
        hands = result.hands
        table[first][second] = _won(result, 0)
        if game.num_players == 2:
            table[second][first] = _won(result, 1)
    won = tuple(map(tuple, table))
    return CrossPlay(game.name, game.num_players, tuple(shown), hands, won, aivat)


def _watched(watch: Watch, what: str, number: int, count: int) -> Watch:
    """Returns a watch that reports the progress over all matches."""
    if watch is UNWATCHED:
        return watch
    return replace(watch, tell=lambda _, share: watch.tell(what, (number + (share or 0)) / count))


def _won(result: MatchResult, number: int) -> Estimate:
    player = result.players[number]
    return player.won if player.aivat is None else player.aivat
