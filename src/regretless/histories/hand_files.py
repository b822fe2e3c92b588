# SPDX-License-Identifier: MIT
"""Hands in files of any format, read and written one after the other.

The formats are `phh` (one hand), `phhs`, `acpc` (a log of a match), `text` (our own hand logs),
`pokerstars` (GGPoker too) and `888`. A file whose name does not say its format is looked into.
"""

import math
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.games.face import require_poker, rules_record
from regretless.histories.acpc import format_logged_hand, log_pieces
from regretless.histories.hand_log import LOG_HEAD, format_episode, hand_log_pieces
from regretless.histories.phh import format_fields, phhs_pieces, read_phh_hand, write_phh
from regretless.histories.recorded_hand import RecordedHand
from regretless.histories.sites import pacific, pokerstars
from regretless.histories.sites.pokerstars_text import write_pokerstars
from regretless.histories.sites.site_hand import split_hands
from regretless.storage.files import require_place, sync, told_on_failure, write_bytes
from regretless.watch import UNWATCHED, Watch

SUFFIXES = {".phh": "phh", ".phhs": "phhs", ".log": "acpc", ".acpc": "acpc", ".txt": "text"}
"""The format of files that end so; a .txt file that is read may be of a site."""
READ_FORMATS = ("phh", "phhs", "acpc", "text", "pokerstars", "888")
WRITE_FORMATS = READ_FORMATS[:-1]
_SITES = {
    "pokerstars": (pokerstars.HEAD, pokerstars.read_pokerstars),
    "888": (pacific.HEAD, pacific.read_pacific),
}
_MOST_BYTES = 1 << 30
_LOOKED_AT = 200  # lines at the beginning of a file
Piece = tuple[int, Callable[[int | None], RecordedHand]]
"""The first line of a hand, and the call that reads it in a scale or in that of its own."""


@dataclass(frozen=True)
class Reading:
    """One hand of a file, or why it could not be read."""

    line: int
    hand: RecordedHand | None
    problem: str = ""
    """A line that names the file and the place."""


def read_hands(
    path: str | Path,
    format: str | None = None,
    game: _native.Poker | None = None,
    scale: int | None = None,
    common: int | None = None,
) -> Iterator[Reading]:
    """Reads the hands of a file one by one; those that are wrong come with the problem.

    InputError if the file as a whole cannot be read. An ACPC log needs the `game`. With a `common`
    scale every hand is in that; _FinerScaleError at the first hand that needs a finer one.
    """
    path = Path(path)
    lines = _text(path).splitlines(keepends=True)
    for line, read in _pieces(lines, format or _format_of(path, lines), str(path), game):
        try:
            hand = read(scale)
            if common is not None and hand.scale != common:
                if common % hand.scale:
                    raise _FinerScaleError(math.lcm(common, hand.scale))
                hand = read(common)
            yield Reading(line, hand)
        except InputError as error:
            yield Reading(line, None, str(error))


class _FinerScaleError(Exception):
    """Hands of a file have no common scale but a finer one."""

    def __init__(self, scale: int) -> None:
        super().__init__(scale)
        self.scale = scale


def _text(path: Path) -> str:
    """The text of a file in UTF-8, UTF-16 with its mark, or else the code page of old files."""
    with told_on_failure(path):
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError(f"{path}: is no file")
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"{path}: larger than 1 GiB")
        data = path.read_bytes()
    if b"\x00" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{path}: not a text file")
    for encoding in ("utf-16",) if data.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig",):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            if any(head.search(data.decode("latin-1")) for head, _ in _SITES.values()):
                return data.decode("cp1252", "replace")
    raise InputError(f"{path}: not a text file in UTF-8")


def _format_of(path: Path, lines: Sequence[str]) -> str:
    """The format by the suffix, of text files by what is in them."""
    found = SUFFIXES.get(path.suffix)
    if found not in (None, "text"):
        assert found is not None
        return found
    for line in lines[:_LOOKED_AT]:
        text = line.strip().lstrip("\ufeff")
        for site, (head, _) in _SITES.items():
            if head.match(text):
                return site
        if LOG_HEAD.fullmatch(line.rstrip()):
            return "text"
        if re.match(r"variant\s*=", text):
            return "phh"
        if re.fullmatch(r"\[[0-9]+\]", text):
            return "phhs"
        if text.startswith("STATE:"):
            return "acpc"
    if found is None:
        raise _unknown_format(path)
    return found


def _pieces(
    lines: Sequence[str],
    format: str,
    place: str,
    game: _native.Poker | None,
) -> Iterator[Piece]:
    if format in _SITES:
        head, read = _SITES[format]
        for hand in split_hands(lines, head):
            yield hand[0][0], partial(read, hand, place)
    elif format in ("text", "acpc"):
        if format == "text":
            logged = hand_log_pieces(lines, place, game)
        elif game is not None:
            logged = log_pieces(lines, game, place)
        else:
            raise InputError(f"{place}: an ACPC log does not say its game; give it")
        for line, read_logged in logged:  # in whole chips: of scale 1
            yield line, lambda _, read=read_logged: read()  # type: ignore[misc]
    elif game is not None:
        raise InputError(f"{place}: PHH says its game itself; none can be given")
    elif format == "phhs":
        yield from phhs_pieces(lines, place)
    else:
        yield 1, partial(read_phh_hand, "".join(lines), place)


def convert_hands(
    source: str | Path,
    target: str | Path,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    game: str | Game | None = None,
    scale: int | None = None,
    skip: Callable[[str], None] = lambda _: None,
    watch: Watch = UNWATCHED,
) -> int:
    """Reads the hands of a file, writes them to another and returns their number.

    Formats are known by how the names end: .phh, .phhs, .log or .acpc (ACPC logs), .txt (hand
    logs, as `format_episode` writes them, and hand histories of sites). An ACPC log needs the
    `game`; `scale` is how many chips one unit of PHH is, found by itself unless it is given. `skip`
    is called with a line about each hand that is wrong and left out. InputError if no hand is
    right; then nothing is written.
    """
    source, target = Path(source), Path(target)
    read = require_format(source_format, READ_FORMATS)
    write = find_write_format(target, target_format)
    if scale is not None and scale < 1:
        raise InputError(f"scale: must be 1 or more, not {scale}")
    poker = None
    if game is not None:
        found = load_game(game) if isinstance(game, str) else game
        poker = require_poker(found, "only hands of poker are converted")
    common = 1 if scale is None and write in ("text", "acpc") else None  # of whole chips only
    while True:
        readings = read_hands(source, read, poker, scale, common)
        try:
            return write_hands(watched(readings, watch, "converting"), target, write, skip)
        except _FinerScaleError as finer:
            common = finer.scale


def watched(readings: Iterable[Reading], watch: Watch, what: str) -> Iterator[Reading]:
    """Reports how many hands were read so far; `Stopped` if the work should stop."""
    for number, each in enumerate(readings):
        watch.look(f"{what}, {number:,} hands")
        yield each


def find_write_format(target: Path, given: str | None) -> str:
    """The format that is given, or that of how the name ends."""
    found = require_format(given, WRITE_FORMATS) or SUFFIXES.get(target.suffix)
    if found is None:
        raise _unknown_format(target)
    return found


def _unknown_format(path: Path) -> InputError:
    return InputError(f"{path}: which format? Files end in {', '.join(SUFFIXES)}, or it is given")


def write_hands(
    readings: Iterable[Reading], target: Path, format: str, skip: Callable[[str], None]
) -> int:
    """Writes hands to a file, whole or not at all, and returns their number.

    `skip` is called with a line about each hand that is left out, and about each that is written
    with a note. InputError if none is left.
    """
    require_place(target)
    writer, problems = _Writer(format), list[str]()

    def texts() -> Iterator[bytes]:
        for each in readings:
            if each.hand is None:
                problems.append(each.problem)
                continue
            text = writer.text(each.hand)
            yield text.encode()
            if each.hand.note:
                skip(f"line {each.line}: {each.hand.note}")
        if problems and not writer.count:
            raise InputError(problems[0])

    with told_on_failure(target):
        write_bytes(target, texts())
        sync(target.parent)
    for each in problems:
        skip(f"left out: {each}")
    return writer.count


def require_format(format: str | None, formats: Sequence[str]) -> str | None:
    """The format; InputError if it is none of these."""
    if format is not None and format not in formats:
        raise InputError.unknown(f"no format is called {format!r}", format, formats)
    return format


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
        if self._format == "pokerstars":
            return f"{write_pokerstars(hand, self.count)}\n\n"
        if self._format in ("phhs", "phh"):
            text = format_fields(hand.fields) if hand.fields else write_phh(episode, hand.players)
            if self._format == "phhs":
                return f"[{self.count}]\n{text}\n"
            if self.count > 1:
                raise InputError("a .phh file holds one hand; write a .phhs file")
            return text
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
