# SPDX-License-Identifier: MIT
"""Hand logs: episodes as text for people, written and read.

A log that is read is played again. Its game is the one that the first line names, with the stacks
and blinds of the log, unless a game is given. The log of the hand that was played must be the one
that was read.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.games.episodes import Episode
from regretless.games.face import require_poker, view
from regretless.games.loading import load_game
from regretless.games.poker_rules import position_names
from regretless.histories.recorded_hand import RecordedHand
from regretless.notation.cards import parse_cards

LOG_HEAD = re.compile(r"(\S.*), ([0-9]{1,2}) players(, .* is wild)?")
_SEAT = re.compile(r"  (.+): ([0-9]{1,9}) chips, (.+)")
_POSTS = re.compile(r"  .+ posts [0-9]{1,9}(?:, .+ posts [0-9]{1,9})*")
_ANTES = re.compile(_POSTS.pattern.replace("posts", "antes"))
_STREET = re.compile(r"(?:Preflop|Flop|Turn|River|Street [0-9]+)(?: (\S+))?, pot [0-9]+")
_ACTION = re.compile(r"  .+ (folds|checks|calls|bets|raises to)(?: ([0-9]{1,9}))?(?:, all-in)?")
_Lines = list[tuple[int, str]]


def format_episode(episode: Episode) -> str:
    """Seats and hands, the actions street by street, and the result.

    All known cards and dice are shown, so this is not the view of one player.
    """
    return "\n".join(view(episode).log_lines()) + "\n"


def hand_log_pieces(
    lines: Iterable[str], place: str, game: _native.Poker | None = None
) -> Iterator[tuple[int, Callable[[], RecordedHand]]]:
    """The first line of each hand, and the call that reads it."""
    for hand in _hands(lines):
        yield hand[0][0], partial(_read_hand, hand, place, game)


def _read_hand(hand: _Lines, place: str, game: _native.Poker | None) -> RecordedHand:
    reading = _Reading(hand)
    try:
        episode = _dealt(reading, game)
        _play(reading, episode)
    except ValueError as error:
        raise InputError(f"{place}: line {reading.number}: {error}") from None
    return RecordedHand(episode)


def _hands(lines: Iterable[str]) -> Iterator[_Lines]:
    """The lines of each hand with their numbers."""
    hand: _Lines = []
    for number, line in enumerate(lines, 1):
        text = line.rstrip()
        if hand and (not text or LOG_HEAD.fullmatch(text)):
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

    def peek(self) -> str:
        """The line that comes next; empty at the end."""
        later = (line for number, line in self.hand if number > self.number)
        return next(later, "")

    def expect(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        """The next line, which must have this form."""
        line = next(iter(self), "")
        match = pattern.fullmatch(line)
        if match is None:
            raise InputError(f"{what}, not {line[:60]!r}")
        return match


def _dealt(reading: _Reading, given: _native.Poker | None) -> _native.PokerEpisode:
    """The hand before the first action."""
    head = reading.expect(LOG_HEAD, "a hand begins with a game and its players")
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
    antes = [0] * players
    line = reading.peek()
    if _ANTES.fullmatch(line) and " posts " not in line:
        antes = _amounts(reading.expect(_ANTES, "antes are due")[0], "antes", names)
    posts = _amounts(reading.expect(_POSTS, "what is posted is due")[0], "posts", names)
    game = _table(given, name, tuple(int(each[2]) for each in seats), posts, antes)
    cards = ["" if each[3] == "unknown cards" else each[3] for each in seats]
    return _native.PokerEpisode(game, [list(parse_cards(text, game.rules.deck)) for text in cards])


def _amounts(line: str, verb: str, names: list[str]) -> list[int]:
    """The chips by seat of a line such as `SB posts 50, BB posts 100`."""
    chips = [0] * len(names)
    for part in line.strip().split(", "):
        poster, _, amount = part.rpartition(f" {verb} ")
        if poster not in names:
            raise InputError.unknown(f"nobody is called {poster!r}", poster, names)
        chips[names.index(poster)] = int(amount)
    return chips


def _table(
    given: _native.Poker | None,
    name: str,
    stacks: tuple[int, ...],
    blinds: list[int],
    antes: list[int],
) -> _native.Poker:
    """The game of those stacks, blinds and antes."""
    posts = [blind + ante for blind, ante in zip(blinds, antes, strict=True)]
    game = given or _made(name, len(stacks), stacks)
    if given is None and (_posted(game) != posts or any(antes)):
        named = _made(name, len(stacks)).rules
        if any(antes) or not any(named.antes):
            game = _made(name, len(stacks), stacks, tuple(blinds), tuple(antes))
    if tuple(game.rules.stacks) != stacks or _posted(game) != posts:
        raise InputError(f"{game.name} has other stacks, antes or blinds; give the game")
    return game


@lru_cache(maxsize=256)
def _made(name: str, players: int, *chips: tuple[int, ...]) -> _native.Poker:
    """The game of a name with these stacks, blinds and antes, if they are given."""
    options: dict[str, Any] = dict(zip(("stacks", "blinds", "antes"), chips, strict=False))
    if "blinds" in options:  # in place of those of the name; bets keep their ratio to the largest
        named = _made(name, players).rules
        options |= dict.fromkeys(("small_blind", "big_blind", "straddle", "button_blind"), 0)
        old, new = max(named.blinds) or max(named.antes), max(options["blinds"])
        options |= {"bets": [max(1, bet * new // old) for bet in named.bets], "unit": new}
    listed = {key: list(each) if isinstance(each, tuple) else each for key, each in options.items()}
    made = load_game(name, players=players, **listed)
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
    for (number, line), expected in zip(reading.hand[1:], due[1:], strict=False):
        if number == end:
            return
        if line != expected:
            reading.number = number
            raise InputError(f"{expected.strip()!r} is due, not {line.strip()[:60]!r}")
    if len(reading.hand) > len(due):  # a log may break off, but not go on
        raise InputError(f"the log has {len(reading.hand)} lines, and the hand {len(due)}")
