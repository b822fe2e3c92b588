# SPDX-License-Identifier: MIT
"""Hand logs: episodes as text for people, written and read.

A log that is read is played again. Its game is the one that the first line names, with the stacks
and blinds of the log, unless a game is given. The log of the hand that was played must be the one
that was read.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.games.episodes import Episode
from regretless.games.face import require_poker, view
from regretless.games.loading import load_game
from regretless.games.poker_rules import position_names
from regretless.notation.cards import parse_cards

_HEAD = re.compile(r"(\S.*), ([0-9]{1,2}) players(, .* is wild)?")
_SEAT = re.compile(r"  (.+): ([0-9]{1,9}) chips, (.+)")
_POSTS = re.compile(r"(.+) posts ([0-9]{1,9})")
_STREET = re.compile(r"(?:Preflop|Flop|Turn|River|Street [0-9]+)(?: (\S+))?, pot [0-9]+")
_ACTION = re.compile(r"  .+ (folds|checks|calls|bets|raises to)(?: ([0-9]{1,9}))?(?:, all-in)?")
_Lines = list[tuple[int, str]]


@dataclass(frozen=True)
class RecordedHand:
    """A hand of a file or of a match."""

    episode: _native.PokerEpisode
    players: Sequence[str] | None = None
    """Names by seat, if they are known."""
    number: int = 0
    """The number in its match, from 0."""


def format_episode(episode: Episode) -> str:
    """Seats and hands, the actions street by street, and the result.

    All known cards and dice are shown, so this is not the view of one player.
    """
    return "\n".join(view(episode).log_lines()) + "\n"


def read_hand_log(
    lines: Iterable[str], place: str = "hand log", game: _native.Poker | None = None
) -> Iterator[RecordedHand]:
    """Reads the hands of a log one by one; InputError names the line that is wrong."""
    games = _Games(game)
    for hand in _hands(lines):
        reader = _HandReader(games)
        if (wrong := _wrong_line(hand, reader)) is not None:
            raise InputError("{}: line {}: {}".format(place, *wrong))
        assert reader.episode is not None
        yield RecordedHand(reader.episode)


def _wrong_line(hand: _Lines, reader: "_HandReader") -> tuple[int, str] | None:
    """The number of the first line that is wrong, and why."""
    wrong: tuple[int, str] | None = None
    read: _Lines = []
    for number, line in hand:
        try:
            reader.read(line)
        except ValueError as error:
            wrong = number, str(error)
            break
        read.append((number, line))
    if reader.episode is None:
        return wrong or (hand[-1][0], "the hand breaks off before it begins")
    due = [*view(reader.episode).log_lines()]
    # A game that is given may have another name, which is in the first line.
    for (number, line), told in zip(read[1:], due[1:], strict=False):
        if line != told:
            return number, f"{told.strip()!r} is due, not {line.strip()[:60]!r}"
    if wrong is None and len(hand) != len(due):
        return hand[-1][0], f"the log has {len(hand)} lines, and the hand {len(due)}"
    return wrong


def _hands(lines: Iterable[str]) -> Iterator[_Lines]:
    """The lines of each hand with their numbers."""
    hand: _Lines = []
    for number, line in enumerate(lines, 1):
        text = line.rstrip()
        if hand and (not text or _HEAD.fullmatch(text)):
            yield hand
            hand = []
        if text:
            hand.append((number, text))
    if hand:
        yield hand


class _Games:
    """The games that the logs describe, each made once."""

    def __init__(self, given: _native.Poker | None) -> None:
        self._given = given
        self._made: dict[tuple[Any, ...], _native.Poker] = {}

    def players(self, name: str, players: int) -> _native.Poker:
        if self._given is not None and self._given.num_players != players:
            raise InputError(f"the game given is for {self._given.num_players} players")
        return self._given or self._make(name, players=players)

    def table(self, name: str, stacks: list[int], posts: list[int]) -> _native.Poker:
        """The game of those stacks and blinds."""
        game = self.players(name, len(stacks))
        if self._given is None and game.rules.stacks != stacks:
            game = self._make(name, players=len(stacks), stacks=stacks)
        if self._given is None and _posted(game) != posts and not any(game.rules.antes):
            game = self._make(name, players=len(stacks), stacks=stacks, blinds=posts)
        if game.rules.stacks != stacks or _posted(game) != posts:
            raise InputError(f"{game.name} has other stacks, antes or blinds; give the game")
        return game

    def _make(self, name: str, **options: Any) -> _native.Poker:
        key = (name, *(tuple(v) if isinstance(v, list) else v for v in options.values()))
        if key not in self._made:
            made = load_game(name, **options)
            self._made[key] = require_poker(made, "only hands of poker are read")
        return self._made[key]


class _HandReader:
    """Plays a hand line by line; `read` changes with the kind of line that is due.

    What is neither an action nor public cards is skipped here, and compared in the end.
    """

    def __init__(self, games: _Games) -> None:
        self._games = games
        self.read: Callable[[str], None] = self._read_head
        self._stacks: list[int] = []
        self._cards: list[str] = []
        self.episode: _native.PokerEpisode | None = None

    def _read_head(self, line: str) -> None:
        match = _HEAD.fullmatch(line)
        if not match:
            raise InputError(f"a hand begins with a game and its players, not {line[:60]!r}")
        if match[3]:
            raise InputError(f"{match[1]}: only hands of poker are read")
        self._name = match[1]
        self._names = position_names(self._games.players(self._name, int(match[2])).rules)
        self.read = self._read_seat

    def _read_seat(self, line: str) -> None:
        match = _SEAT.fullmatch(line)
        name = self._names[len(self._stacks)]
        if not match or match[1] != name:
            raise InputError(f"the chips and cards of {name} are due, not {line[:60]!r}")
        self._stacks.append(int(match[2]))
        self._cards.append("" if match[3] == "unknown cards" else match[3])
        if len(self._stacks) == len(self._names):
            self.read = self._read_posts

    def _read_posts(self, line: str) -> None:
        posts = [0] * len(self._names)
        for part in line.strip().split(", "):
            match = _POSTS.fullmatch(part)
            if not match:
                raise InputError(f"what is posted is due, not {line[:60]!r}")
            if match[1] not in self._names:
                raise InputError.unknown(f"nobody is called {match[1]!r}", match[1], self._names)
            posts[self._names.index(match[1])] = int(match[2])
        game = self._games.table(self._name, self._stacks, posts)
        hole = [list(parse_cards(text, game.rules.deck)) for text in self._cards]
        self.episode = _native.PokerEpisode(game, hole)
        self.read = self._read_play

    def _read_play(self, line: str) -> None:
        episode = self.episode
        assert episode is not None
        if match := _STREET.fullmatch(line):
            board = list(parse_cards(match[1] or "", episode.game.rules.deck))
            if board[len(episode.board) :]:
                episode.deal_board(board[len(episode.board) :])
        elif match := _ACTION.fullmatch(line):
            episode.act({"folds": -1, "checks": 0, "calls": 0}.get(match[1], int(match[2] or 0)))


def _posted(game: _native.Poker) -> list[int]:
    return list(_native.PokerEpisode(game, []).paid)
