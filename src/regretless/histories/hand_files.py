# SPDX-License-Identifier: MIT
"""Hands in files of any format, read and written one after the other.

The formats are `phh` (one hand), `phhs`, `acpc` (a log of a match) and `text` (our own hand logs).
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.games.face import require_poker, rules_record
from regretless.histories.acpc import format_logged_hand, read_acpc_log
from regretless.histories.hand_log import RecordedHand, format_episode, read_hand_log
from regretless.histories.phh import read_phh_hand, read_phhs, write_phh
from regretless.storage.files import require_place, sync, told_on_failure, write_bytes

SUFFIXES = {".phh": "phh", ".phhs": "phhs", ".log": "acpc", ".acpc": "acpc", ".txt": "text"}
"""The format of files that end so."""
FORMATS = tuple(dict.fromkeys(SUFFIXES.values()))


def convert_hands(
    source: str | Path,
    target: str | Path,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    game: str | Game | None = None,
    scale: int = 1,
) -> int:
    """Reads the hands of a file, writes them to another and returns their number.

    Formats are known by how the names end: .phh, .phhs, .log or .acpc (ACPC logs), .txt (hand
    logs, as `format_episode` writes them). An ACPC log needs the `game`; `scale` is how many chips
    one unit of PHH is. InputError names the place; then nothing is written.
    """
    source, target = Path(source), Path(target)
    read, write = _format(source, source_format), _format(target, target_format)
    if scale < 1:
        raise InputError(f"scale: must be 1 or more, not {scale}")
    poker = None
    if game is not None:
        found = load_game(game) if isinstance(game, str) else game
        poker = require_poker(found, "only hands of poker are converted")
    require_place(target)
    writer = _Writer(write)
    try:
        with told_on_failure(source), source.open(encoding="utf-8") as file:
            texts = map(writer.text, _read_hands(file, read, str(source), poker, scale))
            with told_on_failure(target):
                write_bytes(target, (text.encode() for text in texts))
                sync(target.parent)
    except UnicodeDecodeError:
        raise InputError(f"{source}: not a text file in UTF-8") from None
    return writer.count


def _format(path: Path, given: str | None) -> str:
    if given is not None:
        if given not in FORMATS:
            raise InputError.unknown(f"no format is called {given!r}", given, FORMATS)
        return given
    if path.suffix not in SUFFIXES:
        raise InputError(
            f"{path}: which format? Files end in {', '.join(SUFFIXES)}, or it is given"
        )
    return SUFFIXES[path.suffix]


def _read_hands(
    file: TextIO, format: str, place: str, game: _native.Poker | None, scale: int
) -> Iterator[RecordedHand]:
    """The hands of a file; InputError names the place of the first that is wrong."""
    if format == "text":
        return read_hand_log(file, place, game)
    if format == "acpc":
        if game is None:
            raise InputError(f"{place}: an ACPC log does not say its game; give it")
        return read_acpc_log(file, game, place)
    if game is not None:
        raise InputError(f"{place}: PHH says its game itself; none can be given")
    if format == "phhs":
        return read_phhs(file, place, scale)
    return iter([read_phh_hand(file.read(), place, scale)])


class _Writer:
    """The texts of hands, one after the other; InputError names the first that has none."""

    def __init__(self, format: str) -> None:
        self._format, self.count = format, 0
        self._rules: dict[str, Any] | None = None
        self._game: _native.Poker | None = None

    def text(self, hand: RecordedHand) -> str:
        self.count += 1
        try:
            return self._text(hand)
        except ValueError as error:
            raise InputError(f"hand {self.count}: {error}") from None

    def _text(self, hand: RecordedHand) -> str:
        episode = hand.episode
        if self._format == "text":
            return f"{format_episode(episode)}\n"
        if self._format == "phhs":
            return f"[{self.count}]\n{write_phh(episode, hand.players)}\n"
        if self._format == "phh":
            if self.count > 1:
                raise InputError("a .phh file holds one hand; write a .phhs file")
            return write_phh(episode, hand.players)
        self._check_game(episode)
        if not episode.is_terminal:
            raise InputError("the hand is not over, and an ACPC log has whole hands only")
        return f"{format_logged_hand(replace(hand, number=self.count - 1))}\n"

    def _check_game(self, episode: _native.PokerEpisode) -> None:
        """An ACPC log has hands of one game and does not contain its rules."""
        game = episode.game
        if game is self._game:
            return
        rules = rules_record(game)["poker"] | {"name": ""}
        if self._rules not in (None, rules):
            raise InputError("has other stacks, blinds or rules; an ACPC log is of one game")
        self._game, self._rules = game, rules
