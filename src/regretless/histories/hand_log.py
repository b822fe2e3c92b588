# SPDX-License-Identifier: MIT
"""Hand logs: episodes as text for people, written and read.

A log that is read is played again. Its game is the one that the first line names, with the stacks
and blinds of the log, unless a game is given. The log of the hand that was played must be the one
that was read.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from regretless import _native
from regretless.errors import InputError
from regretless.games.episodes import Episode
from regretless.games.face import require_poker, view
from regretless.games.loading import load_game
from regretless.games.poker_rules import position_names
from regretless.histories.recorded_hand import RecordedHand
from regretless.notation.cards import parse_cards

_HEAD = re.compile(r"(\S.*), ([0-9]{1,2}) players(, .* is wild)?")
_SEAT = re.compile(r"  (.+): ([0-9]{1,9}) chips, (.+)")
_POSTS = re.compile(r"  .+ posts [0-9]{1,9}(?:, .+ posts [0-9]{1,9})*")
_STREET = re.compile(r"(?:Preflop|Flop|Turn|River|Street [0-9]+)(?: (\S+))?, pot [0-9]+")
_ACTION = re.compile(r"  .+ (folds|checks|calls|bets|raises to)(?: ([0-9]{1,9}))?(?:, all-in)?")
_Lines = list[tuple[int, str]]


def format_episode(episode: Episode) -> str:
    """Seats and hands, the actions street by street, and the result.

    All known cards and dice are shown, so this is not the view of one player.
    """
    return "\n".join(view(episode).log_lines()) + "\n"


def read_hand_log(
    lines: Iterable[str], place: str = "hand log", game: _native.Poker | None = None
) -> Iterator[RecordedHand]:
    """Reads the hands of a log one by one; InputError names the line that is wrong."""
    for hand in _hands(lines):
        reading = _Reading(hand)
        try:
            episode = _dealt(reading, game)
            _play(reading, episode)
        except ValueError as error:
            raise InputError(f"{place}: line {reading.number}: {error}") from None
        yield RecordedHand(episode)


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


class _Reading:
    """The lines of a hand, and the number of the last one that was read."""

    def __init__(self, hand: _Lines) -> None:
        self.hand, self._rest, self.number = hand, iter(hand), hand[0][0]

    def __iter__(self) -> Iterator[str]:
        for number, line in self._rest:
            self.number = number
            yield line

    def expect(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        """The next line, which must have this form."""
        line = next(iter(self), "")
        match = pattern.fullmatch(line)
        if match is None:
            raise InputError(f"{what}, not {line[:60]!r}")
        return match


def _dealt(reading: _Reading, given: _native.Poker | None) -> _native.PokerEpisode:
    """The hand before the first action."""
    head = reading.expect(_HEAD, "a hand begins with a game and its players")
    if head[3]:
        raise InputError(f"{head[1]}: only hands of poker are read")
    name, players = head[1], int(head[2])
    if given is not None and given.num_players != players:
        raise InputError(f"the game given is for {given.num_players} players")
    names = position_names((given or _made(name, players)).rules)
    seats = []
    for each in names:
        seats.append(reading.expect(_SEAT, f"the chips and cards of {each} are due"))
        if seats[-1][1] != each:
            raise InputError(f"{each} is due, not {seats[-1][1]}")
    posts = [0] * players
    for part in reading.expect(_POSTS, "what is posted is due")[0].strip().split(", "):
        poster, _, amount = part.rpartition(" posts ")
        if poster not in names:
            raise InputError.unknown(f"nobody is called {poster!r}", poster, names)
        posts[names.index(poster)] = int(amount)
    game = _table(given, name, tuple(int(each[2]) for each in seats), posts)
    cards = ["" if each[3] == "unknown cards" else each[3] for each in seats]
    return _native.PokerEpisode(game, [list(parse_cards(text, game.rules.deck)) for text in cards])


def _table(
    given: _native.Poker | None, name: str, stacks: tuple[int, ...], posts: list[int]
) -> _native.Poker:
    """The game of those stacks and blinds."""
    game = given or _made(name, len(stacks), stacks)
    if given is None and _posted(game) != posts and not any(game.rules.antes):
        game = _made(name, len(stacks), stacks, tuple(posts))
    if tuple(game.rules.stacks) != stacks or _posted(game) != posts:
        raise InputError(f"{game.name} has other stacks, antes or blinds; give the game")
    return game


@lru_cache(maxsize=256)
def _made(name: str, players: int, *chips: tuple[int, ...]) -> _native.Poker:
    """The game of a name with these stacks and blinds, if they are given."""
    options = zip(("stacks", "blinds"), map(list, chips), strict=False)
    made = load_game(name, players=players, **dict(options))
    return require_poker(made, "only hands of poker are read")


def _posted(game: _native.Poker) -> list[int]:
    return list(_native.PokerEpisode(game, []).paid)


def _play(reading: _Reading, episode: _native.PokerEpisode) -> None:
    """Plays the actions and public cards; all lines must be those that would be written."""
    try:
        for line in reading:
            if match := _STREET.fullmatch(line):
                board = list(parse_cards(match[1] or "", episode.game.rules.deck))
                if board[len(episode.board) :]:
                    episode.deal_board(board[len(episode.board) :])
            elif match := _ACTION.fullmatch(line):
                fixed = {"folds": -1, "checks": 0, "calls": 0}
                episode.act(fixed.get(match[1], int(match[2] or 0)))
    except ValueError:
        _compare(reading, episode, reading.number)  # the cause may be in a line above
        raise
    _compare(reading, episode)


def _compare(reading: _Reading, episode: _native.PokerEpisode, end: int | None = None) -> None:
    """Compares the lines before number `end`, or all, with the log of the episode."""
    due = [*view(episode).log_lines()]
    # A game that is given may have another name, which is in the first line.
    for (number, line), told in zip(reading.hand[1:], due[1:], strict=False):
        if number == end:
            return
        if line != told:
            reading.number = number
            raise InputError(f"{told.strip()!r} is due, not {line.strip()[:60]!r}")
    if len(reading.hand) > len(due):  # a log may break off, but not go on
        raise InputError(f"the log has {len(reading.hand)} lines, and the hand {len(due)}")
