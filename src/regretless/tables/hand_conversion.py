# SPDX-License-Identifier: MIT
"""`convert_hands`: files of hands from one format into another, hand by hand."""

from collections.abc import Iterator
from pathlib import Path

from regretless.errors import InputError
from regretless.games import Game
from regretless.games.face import require_poker
from regretless.histories.hand_files import FORMATS, SUFFIXES, RecordedHand, read_hands, write_hands
from regretless.seats.contestants import find_game
from regretless.storage.files import sync, told_on_failure, write_bytes


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
        poker = require_poker(find_game(game), "only hands of poker are converted")
    if not target.absolute().parent.is_dir():
        raise InputError(f"{target}: there is no folder {str(target.parent)!r}")
    count = 0

    def counted(hands: Iterator[RecordedHand]) -> Iterator[RecordedHand]:
        nonlocal count
        for hand in hands:
            count += 1
            yield hand

    try:
        with told_on_failure(source), source.open(encoding="utf-8") as file:
            hands = counted(read_hands(file, read, str(source), poker, scale))
            texts = write_hands(hands, write)
            with told_on_failure(target):
                write_bytes(target, (text.encode() for text in texts))
                sync(target.parent)
    except UnicodeDecodeError:
        raise InputError(f"{source}: not a text file in UTF-8") from None
    return count


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
