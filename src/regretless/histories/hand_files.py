# SPDX-License-Identifier: MIT
"""Hands in files of any format, read and written one after the other.

The formats are `phh` (one hand), `phhs`, `acpc` (a log of a match) and `text` (our own hand logs).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from regretless import _native
from regretless.errors import InputError
from regretless.games.face import rules_record
from regretless.games.poker_rules import position_names
from regretless.histories.acpc_log import format_logged_hand, read_acpc_log
from regretless.histories.hand_log import format_episode, read_hand_log
from regretless.histories.phh import read_phh_hands, read_phhs_hands, write_phh

SUFFIXES = {".phh": "phh", ".phhs": "phhs", ".log": "acpc", ".acpc": "acpc", ".txt": "text"}
"""The format of files that end so."""
FORMATS = tuple(dict.fromkeys(SUFFIXES.values()))


@dataclass(frozen=True)
class RecordedHand:
    """A hand of a file."""

    episode: _native.PokerEpisode
    players: Sequence[str] | None = None
    """Names by seat, if the file has them."""


def read_hands(
    file: TextIO, format: str, place: str, game: _native.Poker | None = None, scale: int = 1
) -> Iterator[RecordedHand]:
    """The hands of a file; InputError names the place of the first that is wrong.

    An ACPC log needs its `game`; `scale` is how many chips a unit of PHH is.
    """
    if format == "acpc":
        if game is None:
            raise InputError(f"{place}: an ACPC log does not say its game; give it")
        return (
            RecordedHand(each.episode, each.players) for each in read_acpc_log(file, game, place)
        )
    if format == "text":
        return (RecordedHand(each) for each in read_hand_log(file, place, game))
    if game is not None:
        raise InputError(f"{place}: PHH says its game itself; none can be given")
    read = read_phhs_hands if format == "phhs" else read_phh_hands
    return (RecordedHand(*each) for each in read(file, place, scale))


def write_hands(hands: Iterable[RecordedHand], format: str) -> Iterator[str]:
    """The text of a file, hand by hand; InputError names the first hand that cannot be written."""
    writer = _Writer(format)
    for number, hand in enumerate(hands, 1):
        try:
            yield writer.text(hand, number)
        except ValueError as error:
            raise InputError(f"hand {number}: {error}") from None


class _Writer:
    def __init__(self, format: str) -> None:
        self._format = format
        self._rules: dict[str, Any] | None = None
        self._game: _native.Poker | None = None

    def text(self, hand: RecordedHand, number: int) -> str:
        episode = hand.episode
        if self._format == "text":
            return f"{format_episode(episode)}\n"
        if self._format == "phhs":
            return f"[{number}]\n{write_phh(episode, hand.players)}\n"
        if self._format == "phh":
            if number > 1:
                raise InputError("a .phh file holds one hand; write a .phhs file")
            return write_phh(episode, hand.players)
        self._check_game(episode)
        if not episode.is_terminal:
            raise InputError("the hand is not over, and an ACPC log has whole hands only")
        players = hand.players or position_names(episode.game.rules)
        return f"{format_logged_hand(episode, number - 1, players)}\n"

    def _check_game(self, episode: _native.PokerEpisode) -> None:
        """An ACPC log has hands of one game and does not contain its rules."""
        game = episode.game
        if game is self._game:
            return
        rules = rules_record(game)["poker"] | {"name": ""}
        if self._rules not in (None, rules):
            raise InputError("has other stacks, blinds or rules; an ACPC log is of one game")
        self._game, self._rules = game, rules
