# SPDX-License-Identifier: MIT
"""The finished hands of a table as one player saw them, from memory or from the file."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from secrets import compare_digest
from typing import Any

import numpy as np

from regretless import _native
from regretless.games import Game
from regretless.games.episodes import Episode, played, restarted
from regretless.games.face import require_poker
from regretless.games.rules_record import recorded_game
from regretless.histories.phh import write_phh
from regretless.matches.intervals import Estimate, Moments
from regretless.tables.seat_json import replay_steps
from regretless.web.errors import ForbiddenError, NotFoundError
from regretless.web.play.hand_record import HANDS, read_hands, seen_row


def token_mark(token: str | None) -> str | None:
    """The hash of a token: enough to recognise the token, and of no use to act with."""
    return None if token is None else sha256(token.encode("utf-8", "replace")).hexdigest()


def marked_player(marks: Iterable[str | None], token: str | None) -> int:
    """The player that a token belongs to, or ForbiddenError."""
    given = token_mark(token or "") or ""
    for number, mark in enumerate(marks):
        if mark is not None and compare_digest(mark, given):
            return number
    raise ForbiddenError("this is the token of no player at this table")


@dataclass(frozen=True)
class Session:
    """Rows of `hand_row`. Public results hold only cards that the player has seen."""

    game: Game
    seed: int
    player: int
    rows: list[dict[str, Any]]

    @cached_property
    def won(self) -> Estimate:
        """Winnings of the player, in units per hand."""
        moments = Moments(1)
        for row in self.rows:  # one by one, as at the table: equal to the last digit
            payoff = row["payoffs"][row["seats"].index(self.player)]
            moments.add(np.array([[payoff / self.game.unit]]))
        return moments.estimate(0)

    def hands(self, after: int = -1) -> list[dict[str, Any]]:
        return [seen_row(row, self.player) for row in self.rows if row["hand"] > after]

    def row(self, hand: int) -> dict[str, Any]:
        """The row of a hand; NotFoundError if it has not ended or is not kept."""
        for row in self.rows:
            if row["hand"] == hand:
                return row
        raise NotFoundError(f"hand {hand} is not among the finished hands of this table")

    def episode(self, hand: int) -> Episode:
        """With all cards: for what is asked about it, not to be shown."""
        return played(self.game.episode(self.seed, hand), _actions(self.row(hand)))

    def steps(self, hand: int) -> list[dict[str, Any]]:
        """The hand step by step."""
        seat = self.row(hand)["seats"].index(self.player)
        return replay_steps(self.episode(hand), seat)

    def phhs(self) -> str:
        """All hands as the text of a `.phhs` file; InputError if the format has no such game."""
        poker = require_poker(self.game, "hand histories (PHH) are for poker only")
        hands = [
            f"[{number}]\n{write_phh(self._seen(poker, row), row['players'])}"
            for number, row in enumerate(self.rows, 1)
        ]
        return "\n".join(hands)

    def _seen(self, game: _native.Poker, row: dict[str, Any]) -> _native.PokerEpisode:
        dealt = played(_native.PokerEpisode(game, self.seed, row["hand"]), _actions(row))
        seats = enumerate(row["seats"])
        known = [seat for seat, player in seats if seat in row["shown"] or player == self.player]
        return played(restarted(dealt, known), _actions(row))


def filed_session(data: Path, table: str, token: str | None) -> Session:
    """The session of a table, also a closed one, from the file; NotFoundError if it is not there.

    The whole file is searched.
    """
    opened: dict[str, Any] | None = None
    rows = []
    for row in read_hands(data, table):
        if row.get("kind") == "table":
            opened = row
        elif row.get("kind") == "hand":
            rows.append(row)
    if opened is None:
        raise NotFoundError(f"no table of the id {table[:80]!r} is in the file")
    player = marked_player(opened.get("tokens", ()), token)
    game = recorded_game(opened["rules"], HANDS)
    return Session(game, opened["seed"], player, rows)


def _actions(row: dict[str, Any]) -> list[int]:
    return [action for _, action in row["actions"]]
