# SPDX-License-Identifier: MIT
"""Matches between policies over duplicate deals.

Every deal is played once for each rotation of the policies round the table, so that each policy
holds every seat's cards once: with two players these are both seatings, with n players n of the n!
orders (`seatings`). A deal with its copies is one block of the statistics: blocks are independent,
the copies of a deal are not. Every episode that is started is counted.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.algorithm import Arrays, Shard
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import require_poker
from regretless.matches.bots import native_rule
from regretless.matches.intervals import Estimate, Moments
from regretless.matches.seatings import by_policy, policies_of
from regretless.matches.style import Style, StyleCounts, style_counts
from regretless.pictures.result_table import ResultTable, Tabular
from regretless.policies.policy import Needs, Policy
from regretless.watch import UNWATCHED, Watch

_CHUNK = 1 << 16  # episodes of a shard


@dataclass(frozen=True)
class MatchConfig:
    """Length, seed and threads of a match."""

    hands: int = 100_000
    """Number of hands, rounded up to whole deals with their copies."""
    seed: int = 0
    """Seed of the deals and of mixed strategies."""
    threads: int = 1
    """Number of threads."""
    tables: int = 16_384
    """Number of tables played at a time; neither tables nor threads change a result."""

    def __post_init__(self) -> None:
        for key, most in (("hands", 1 << 48), ("threads", 1024), ("tables", 1 << 22)):
            if not 1 <= vars(self)[key] <= most:
                raise InputError(f"{key}: must be 1 to {most:,}, not {vars(self)[key]}")
        if not 0 <= self.seed < 1 << 64:
            raise InputError(f"seed: must be a number from 0 below 2^64, not {self.seed}")


@dataclass(frozen=True)
class PlayedDeals:
    """Some deals of a match with all their copies."""

    first_deal: int
    steps: _native.Steps
    """The steps of all episodes; the copies of a deal are consecutive."""
    probabilities: NDArray[np.float32] | None
    """Probabilities of the slots at every step, [steps, actions]; None unless requested."""


@dataclass(frozen=True)
class PlayerResult:
    """The result of one policy, in units of the game (big blinds or antes) per episode."""

    name: str
    won: Estimate
    style: Style | None
    """None if the game is not poker."""
    aivat: Estimate | None = None
    """An estimate like `won` with less variance, if requested (see `aivat`)."""


@dataclass(frozen=True, repr=False)
class MatchResult(Tabular):
    """The result of a match."""

    game: str
    hands: int
    players: tuple[PlayerResult, ...]

    def __repr__(self) -> str:
        won = (
            f"{each.name} {100 * each.won.mean:+,.1f} ± {100 * each.won.half_width:,.1f}"
            for each in self.players
        )
        return f"<MatchResult {self.game}, {self.hands:,} hands, bb/100: {', '.join(won)}>"

    def table(self) -> ResultTable:
        """A row for each player, with winnings in big blinds per 100 hands and its style."""
        rows = (
            {
                "player": each.name,
                "bb_per_100": 100 * each.won.mean,
                "half_width": 100 * each.won.half_width,
                **({} if each.aivat is None else _aivat_row(each.aivat)),
                **({} if each.style is None else vars(each.style)),
            }
            for each in self.players
        )
        return ResultTable.of_rows(rows, f"{self.game}, {self.hands:,} hands, 95 % intervals")


def _aivat_row(found: Estimate) -> dict[str, float]:
    return {"aivat_bb_per_100": 100 * found.mean, "aivat_half_width": 100 * found.half_width}


class Plays(Protocol):
    """Somebody else who plays shards, and returns their columns in the order of the shards."""

    def lbr(
        self, game: Game, policy: Policy, config: Any, shards: Sequence[Shard], watch: Watch
    ) -> Iterator[Arrays]:
        """Yields the columns of `play_lbr`."""

    def match(
        self,
        game: Game,
        policies: Sequence[Policy],
        config: MatchConfig,
        shards: Sequence[Shard],
        watch: Watch,
    ) -> Iterator[Arrays]:
        """Yields the columns of `piece_columns`."""


def play_deals(
    game: Game,
    policies: Sequence[Policy],
    config: MatchConfig,
    deals: Shard,
    with_probabilities: bool = False,
    watch: Watch = UNWATCHED,
) -> PlayedDeals:
    """Play these deals, each in all its copies."""
    players = len(policies)
    job = _native.SelfPlay(
        game,
        deals.count * players,
        first_episode=deals.first * players,
        copies=players,
        tables=config.tables,
        threads=config.threads,
        seed=config.seed,
        record_answers=with_probabilities,
        **Needs.of(policies).options(),
    )
    while (questions := job.ask()) is not None:
        done = min((deals.first * players + job.num_finished) / config.hands, 1.0)
        watch.look(f"match against {policies[-1].name}", done)
        job.answer(_answers(policies, questions))
    steps = job.take_steps()
    if not with_probabilities:
        return PlayedDeals(deals.first, steps, None)
    return PlayedDeals(deals.first, steps, steps.answers / steps.answers.sum(1, keepdims=True))


def piece_columns(game: Game, piece: PlayedDeals) -> Arrays:
    """Returns the payoffs of a piece, and in poker its counts for styles: all that is counted."""
    styles = style_counts(piece.steps, game.num_streets) if game.deck else {}
    return {"payoffs": piece.steps.payoffs, **styles}


def match_columns(
    game: Game,
    policies: Sequence[Policy],
    config: MatchConfig,
    deals: Shard,
    watch: Watch = UNWATCHED,
) -> Arrays:
    """Returns the columns of `piece_columns` for these deals; matches of bots have no steps."""
    rules = [rule for policy in policies if (rule := native_rule(policy)) is not None]
    if len(rules) < len(policies):
        return piece_columns(game, play_deals(game, policies, config, deals, watch=watch))
    done = min(deals.first * len(policies) / config.hands, 1.0)
    watch.look(f"match against {policies[-1].name}", done)
    options = {"seed": config.seed, "threads": config.threads}
    return _native.play_bots(game, rules, deals.first, deals.count, **options)


def match_shards(game: Game, policies: Sequence[Policy], config: MatchConfig) -> list[Shard]:
    """Returns the deals of a match in pieces."""
    if len(policies) != game.num_players:
        raise InputError(
            f"{game.name} is for {game.num_players} players, and {len(policies)} policies are given"
        )
    num_deals = -(-config.hands // game.num_players)
    return Shard(0, num_deals).split(max(1, _CHUNK // game.num_players))


def play_match(
    game: Game,
    policies: Sequence[Policy],
    config: MatchConfig,
    *,
    luck: Callable[[PlayedDeals], NDArray[np.float64]] | None = None,
    on_piece: Callable[[PlayedDeals], None] | None = None,
    watch: Watch = UNWATCHED,
    plays: Plays | None = None,
) -> MatchResult:
    """Plays a match and returns the winnings of each policy.

    `luck` (see `aivat.match_luck`) is what each seat got beyond its due, [episodes, seats] in
    units, and adds AIVAT estimates. `on_piece` is called with each piece of the match, and `watch`
    may stop it. With `plays` somebody else plays the pieces; then there is neither luck nor a call
    for each piece.
    """
    players, shards = len(policies), match_shards(game, policies, config)
    won, fair = Moments(players), Moments(players)
    styles = StyleCounts() if game.deck else None

    def count(columns: Arrays) -> None:
        won.add(by_policy(columns["payoffs"]).astype(np.float64))
        if styles is not None:
            styles.add(columns)

    if plays is not None:
        for columns in plays.match(game, policies, config, shards, watch):
            count(columns)
    for deals in shards if plays is None else ():
        if luck is None and on_piece is None:
            count(match_columns(game, policies, config, deals, watch))
            continue
        piece = play_deals(game, policies, config, deals, luck is not None, watch)
        count(piece_columns(game, piece))
        if luck is not None:
            fair.add(by_policy(piece.steps.payoffs / game.unit - luck(piece)))
        if on_piece is not None:
            on_piece(piece)
    results = (
        PlayerResult(
            name,
            won.estimate(i, 1 / (players * game.unit)),  # of a sum over the copies
            styles.style(i) if styles is not None else None,
            fair.estimate(i, 1 / players) if fair.count else None,
        )
        for i, name in enumerate(distinct([policy.name for policy in policies]))
    )
    return MatchResult(game.name, won.count * players, tuple(results))


def distinct(names: Sequence[str]) -> list[str]:
    """The names, numbered where one comes again."""
    found: list[str] = []
    for name in names:
        times = 1 + sum(each == name or each.startswith(f"{name} (") for each in found)
        found.append(name if times == 1 else f"{name} ({times})")
    return found


def replays(game: Game, piece: PlayedDeals, seed: int) -> Iterator[_native.PokerEpisode]:
    """The episodes of a piece of a match, played again step by step."""
    poker = require_poker(game, "only poker is played again as hand histories")
    offsets, slots = piece.steps.offsets, piece.steps.slots.tolist()
    for number, (start, end) in enumerate(pairwise(offsets.tolist())):
        episode = _native.PokerEpisode(poker, seed, piece.first_deal + number // game.num_players)
        for slot in slots[start:end]:
            episode.choose(slot)
        yield episode


def _answers(policies: Sequence[Policy], questions: _native.Questions) -> NDArray[np.float32]:
    """Asks every policy about its own decisions only."""
    seated = policies_of(questions.actors, questions.episodes, len(policies))
    rows = np.empty(questions.legal.shape, np.float32)
    for number, policy in enumerate(policies):
        mine = np.flatnonzero(seated == number)
        if len(mine):
            rows[mine] = policy(questions.part(mine))
    return rows
