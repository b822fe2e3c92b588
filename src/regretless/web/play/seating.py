# SPDX-License-Identifier: MIT
"""Players and games by names that clients may use: bots, and strategies of the library.

Paths, files of games and custom bots (`module:Name`) cannot be named by clients.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from regretless.errors import InputError, TooLargeError
from regretless.games import Game, game_names, load_game
from regretless.games.face import rules_record, unit_name
from regretless.games.loading import LIARS_DICE_EXAMPLES
from regretless.games.variants import VARIANTS
from regretless.matches.bots import BOTS, load_policy
from regretless.matches.match import MatchConfig
from regretless.matches.round_robin import round_robin
from regretless.matches.slot_values import SlotValues
from regretless.policies.policy import Policy
from regretless.seats import contestants
from regretless.seats.matches import cross_json
from regretless.seats.searchers import search_strategy
from regretless.seats.strategies import Strategy
from regretless.tables.review import ReviewedChoice, review
from regretless.web.jobs import Job, Jobs
from regretless.web.kept import Kept
from regretless.web.library import Library
from regretless.web.play.finished_hands import Session
from regretless.web.play.open_table import TablePlayer

DEFAULT_GAME = "nlhe"
_LIARS_DICE = re.compile(r"liars-dice-[0-9a-z-]{1,20}")
SEARCHERS = {"search": "search,street=turn,seconds=2"}
"""Searching players that a client may name as bots, with what they think."""
_MOST_BOTS = 64  # kept, so that tables of one game share them and are asked about together

SeatKind = Literal["outside", "bot", "strategy"]


@dataclass(frozen=True)
class Wanted:
    """A player that a client asks for."""

    kind: SeatKind = "outside"
    name: str = Field(default="", max_length=80)
    """A name for an outside player, the name of a bot, or the id of a strategy."""


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision of a hand of a session."""

    hand: int
    choice: ReviewedChoice

    @property
    def order(self) -> tuple[float, float]:
        """Decisions with a known loss first, the largest first; then those that are rarest."""
        lost, share = self.choice.lost, self.choice.share
        return (0.0 if lost is None else -lost, 1.0 if share is None else share)


def named_game(name: str, players: int | None = None, stacks: Sequence[int] | None = None) -> Game:
    """The game of a name, with other stacks if given; InputError for anything else."""
    if name not in VARIANTS and not _LIARS_DICE.fullmatch(name):
        raise InputError.unknown(f"unknown game {name[:80]!r}", name[:80], game_names())
    options = {"players": players, "stacks": None if stacks is None else list(stacks)}
    return load_game(name, **{key: each for key, each in options.items() if each is not None})


class Seating:
    """Finds policies for tables, matches and reviews. Any thread may use it."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._bots = Kept(_MOST_BOTS)

    def check(self, wanted: Sequence[Wanted]) -> None:
        """Checks that the bots and strategies exist; nothing is opened."""
        for each in wanted:
            if each.kind == "strategy":
                self.library.entry(each.name)
            elif each.kind == "bot" and each.name not in (known := [*BOTS, *SEARCHERS]):
                raise InputError.unknown(f"unknown bot {each.name!r}", each.name, known)

    def seat(
        self, wanted: Sequence[Wanted], game: str | None, stacks: Sequence[int] | None = None
    ) -> tuple[Game, list[TablePlayer]]:
        """The game of a table and its players.

        The game is that of bundles and runs, else the named one, else that of .onnx files.
        `stacks` are chips by seat, for a game that is named.
        """
        if stacks is not None and (game is None or len(stacks) not in (1, len(wanted))):
            raise InputError("stacks: name the game, and give one stack or one for each seat")
        self.check(wanted)
        has_strategies = any(each.kind == "strategy" for each in wanted)
        players = None if has_strategies and game is None else len(wanted)
        ids = [each.name for each in wanted if each.kind == "strategy"]
        opened = [self.library.opened(each, "table") for each in ids]
        fixed = [each.strategy for each in opened if each.entry.kind != "onnx"]
        if not fixed and game is None:
            fixed = [each.strategy for each in opened[:1]]
        asked = None if stacks is None else list(stacks) * (len(wanted) // len(stacks))
        played = agreed_game(fixed, game, players, asked)
        return played, [self._player(each, played) for each in wanted]

    def contestants(
        self, wanted: Sequence[Wanted], game: str | None, players: int | None
    ) -> list[Strategy]:
        """Strategies for a match, each opened for the match alone."""
        known = [
            self.library.fresh(self.library.entry(each.name)) if each.kind == "strategy" else None
            for each in wanted
        ]
        played = agreed_game([each for each in known if each is not None], game, players)
        return [
            Strategy(played, _bot(each.name, played), each.name, "bot", None, [])
            if found is None
            else found
            for each, found in zip(wanted, known, strict=True)
        ]

    def begin_cross(
        self,
        jobs: Jobs,
        players: Sequence[Wanted],
        game: str | None,
        seats: int | None,
        config: MatchConfig,
        *,
        aivat: bool,
    ) -> Job:
        """Starts a round-robin; its result is `cross_json` with the names that clients know.

        Without `game` and `seats` those of the strategies are played, else no-limit hold'em.
        """
        names = [each.name for each in players]

        def work(job: Job) -> dict[str, Any]:
            found = self.contestants(players, game, seats)
            job.check()
            of, policies = found[0].game, [each.policy for each in found]
            result = round_robin(of, policies, config, names=names, aivat=aivat, watch=job.watch)
            return cross_json(result) | {"seed": config.seed, "unit": unit_name(of)}

        return jobs.begin(Job("cross-play", ", ".join(names)), work)

    def review_all(self, session: Session, name: str, most: int) -> list[ReviewedDecision]:
        """All decisions of the last hands, the worst first: by EV lost, else by their share."""
        found = [
            ReviewedDecision(row["hand"], choice)
            for row in session.rows[-most:]
            for choice in self.review(session, row["hand"], name)
        ]
        return sorted(found, key=lambda each: each.order)

    def review(self, session: Session, hand: int, name: str) -> list[ReviewedChoice]:
        """Compares the player's decisions with a bot or a strategy of the library."""
        episode, game = session.episode(hand), session.game
        seat = session.row(hand)["seats"].index(session.player)
        if name in BOTS or name in SEARCHERS:
            return review(episode, seat, _bot(name, game))
        opened, rules = self.library.opened_for(name, game), rules_record(game)
        policy = opened.strategy.policy
        if rules_record(opened.strategy.game) != rules:
            raise InputError(f"{name}: plays {opened.strategy.game.name} with other rules")

        def values() -> SlotValues | None:
            try:
                return SlotValues(game, policy)
            except TooLargeError:
                return None

        with opened.lock:
            return review(
                episode, seat, policy, self.library.kept(opened.entry, f"values {rules}", values)
            )

    def _player(self, wanted: Wanted, game: Game) -> TablePlayer:
        if wanted.kind == "outside":
            return TablePlayer(wanted.name or "outside", None)
        if wanted.kind == "strategy":
            found = self.library.opened_for(wanted.name, game, "table")
            return TablePlayer(wanted.name, found.policy, lane=wanted.name)
        key = (wanted.name, repr(rules_record(game)))
        bot: Policy = self._bots.get(key, lambda: _bot(wanted.name, game))
        return TablePlayer(wanted.name, bot, lane=wanted.name if wanted.name in SEARCHERS else "")


def _bot(name: str, game: Game) -> Policy:
    text = SEARCHERS.get(name)
    return load_policy(name, game) if text is None else search_strategy(text, game).policy


def agreed_game(
    strategies: Sequence[Strategy],
    game: str | None,
    players: int | None,
    stacks: Sequence[int] | None = None,
) -> Game:
    """The one game of the strategies, or the one that is named."""
    wanted = None if game is None else named_game(game, players, stacks)
    agreed = contestants.agreed_game([(each.policy.name, each.game) for each in strategies], wanted)
    return named_game(DEFAULT_GAME, players) if agreed is None else agreed


def known_games() -> list[str]:
    """Games with a name; Liar's Dice has further sizes."""
    return [*VARIANTS, *LIARS_DICE_EXAMPLES]
