# SPDX-License-Identifier: MIT
"""Hand logs: episodes as text for people, written and read.

A log that is read is played again. Its game is the one that the first line names, with the stacks
and blinds of the log, unless a game is given. Results are computed anew and must agree.
"""

import re
from collections.abc import Callable, Iterable, Iterator
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
_ACTION = re.compile(r"  (.+) (folds|checks|calls|bets|raises to)(?: ([0-9]{1,9}))?(, all-in)?")
_TAKES_BACK = re.compile(r"  (.+) takes back [0-9]+")
_RESULT = re.compile(r"  (.+): .*[+-][0-9]+, now ([0-9]{1,9})")
_Lines = list[tuple[int, str]]


def format_episode(episode: Episode) -> str:
    """Seats and hands, the actions street by street, and the result.

    All known cards and dice are shown, so this is not the view of one player.
    """
    return "\n".join(view(episode).log_lines()) + "\n"


def read_hand_log(
    lines: Iterable[str], place: str = "hand log", game: _native.Poker | None = None
) -> Iterator[_native.PokerEpisode]:
    """Reads the hands of a log one by one; InputError names the line that is wrong."""
    games = _Games(game)
    for hand in _hands(lines):
        reader, number = _HandReader(games), 0
        try:
            for number, line in hand:  # noqa: B007
                reader.read(line)
            episode = reader.finished()
        except ValueError as error:
            raise InputError(f"{place}: line {number}: {error}") from None
        yield episode


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
    """Reads a hand line by line; `read` changes with the kind of line that is due."""

    def __init__(self, games: _Games) -> None:
        self._games = games
        self.read: Callable[[str], None] = self._read_head
        self._stacks: list[int] = []
        self._cards: list[str] = []
        self._now: dict[int, int] = {}

    def finished(self) -> _native.PokerEpisode:
        """The episode; ValueError if the log ends before the hand."""
        if not hasattr(self, "_episode"):
            raise InputError("the hand breaks off before it begins")
        episode = self._episode
        if self._now:
            stacks = episode.game.rules.stacks
            for seat, now in self._now.items():
                ends = stacks[seat] + episode.payoffs[seat]
                if now != ends:
                    raise InputError(f"{self._names[seat]} has {now}, and the hand says {ends}")
        return episode

    def _read_head(self, line: str) -> None:
        match = _HEAD.fullmatch(line)
        if not match:
            raise InputError(f"a hand begins with a game and its players, not {line[:60]!r}")
        if match[3]:
            raise InputError(f"{match[1]}: only hands of poker are read")
        self._name, self._players = match[1], int(match[2])
        self._names = position_names(self._games.players(self._name, self._players).rules)
        self.read = self._read_seat

    def _read_seat(self, line: str) -> None:
        match = _SEAT.fullmatch(line)
        name = self._names[len(self._stacks)]
        if not match or match[1] != name:
            raise InputError(f"the chips and cards of {name} are due, not {line[:60]!r}")
        self._stacks.append(int(match[2]))
        self._cards.append("" if match[3] == "unknown cards" else match[3])
        if len(self._stacks) == self._players:
            self.read = self._read_posts

    def _read_posts(self, line: str) -> None:
        posts = [0] * self._players
        for part in line.strip().split(", "):
            match = _POSTS.fullmatch(part)
            if not match:
                raise InputError(f"what is posted is due, not {line[:60]!r}")
            posts[self._seat(match[1])] = int(match[2])
        game = self._games.table(self._name, self._stacks, posts)
        hole = [list(parse_cards(text, game.rules.deck)) for text in self._cards]
        self._episode = _native.PokerEpisode(game, hole)
        self.read = self._read_play

    def _read_play(self, line: str) -> None:
        episode = self._episode
        if match := _STREET.fullmatch(line):
            board = list(parse_cards(match[1] or "", episode.game.rules.deck))
            known = episode.board
            if board[: len(known)] != known:
                raise InputError("the board does not go on from the one before")
            if board != known:
                episode.deal_board(board[len(known) :])
            if episode.board != board:
                raise InputError("these board cards are not due")
        elif match := _ACTION.fullmatch(line):
            self._act(match[1], match[2], match[3])
        elif line.startswith(("Showdown, pot", "Result")):
            if not episode.is_terminal:
                raise InputError("the hand ends, and a player is still to act")
            self.read = self._read_end
        elif not _TAKES_BACK.fullmatch(line) and not line.endswith(
            (" is to act", "Board cards are due")
        ):
            raise InputError(f"an action or a street is due, not {line[:60]!r}")

    def _act(self, name: str, word: str, amount: str | None) -> None:
        episode = self._episode
        if self._seat(name) != episode.actor:
            due = self._names[episode.actor] if episode.actor >= 0 else "nobody"
            raise InputError(f"{due} is to act, not {name}")
        due_chips = None if word in ("folds", "checks") else episode.to_call
        if (amount is None) != (due_chips is None):
            raise InputError(f"{word}: this needs {'no' if amount else 'an'} amount")
        if word == "folds":
            episode.fold()
        elif word in ("checks", "calls"):
            if int(amount or 0) != episode.to_call:
                raise InputError(f"{episode.to_call} to call, not {amount or 0}")
            episode.call()
        else:
            episode.raise_to(int(amount or 0))

    def _read_end(self, line: str) -> None:
        if match := _RESULT.fullmatch(line):
            self._now[self._seat(match[1])] = int(match[2])
        elif not line.startswith(("Result", "  ")):
            raise InputError(f"the result is due, not {line[:60]!r}")

    def _seat(self, name: str) -> int:
        if name not in self._names:
            raise InputError.unknown(f"nobody is called {name!r}", name, self._names)
        return self._names.index(name)


def _posted(game: _native.Poker) -> list[int]:
    return list(_native.PokerEpisode(game, []).paid)
