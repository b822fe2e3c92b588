# SPDX-License-Identifier: MIT
"""Files of hand histories that `match` and `play` write."""

from collections.abc import Sequence
from pathlib import Path

from regretless.errors import InputError
from regretless.games import Game
from regretless.games.episodes import Episode
from regretless.games.face import require_poker, view
from regretless.histories.phh import write_phh
from regretless.storage.files import told_on_failure, write_file


def check_histories(game: Game, path: Path) -> None:
    """Checks that the histories can be written, before anything is played."""
    if path.suffix != ".phhs":
        raise InputError(f"--phh: {str(path)!r} must end in .phhs, as it holds several hands")
    if not path.absolute().parent.is_dir():
        raise InputError(f"--phh: there is no folder {str(path.parent)!r}")
    write_phh(require_poker(game, "PHH is for poker only").episode())


class SessionHistory:
    """The hands of a session in a file that is complete after every hand."""

    def __init__(self, game: Game, path: Path) -> None:
        check_histories(game, path)
        self._path = path
        self._hands: list[str] = []
        self._write()

    def add(self, episode: Episode, players: Sequence[str]) -> None:
        poker = view(episode).poker
        assert poker is not None
        self._hands.append(f"[{len(self._hands) + 1}]\n{write_phh(poker, players)}")
        self._write()

    def _write(self) -> None:
        with told_on_failure(self._path):
            write_file(self._path, "\n".join(self._hands))
