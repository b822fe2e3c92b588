# SPDX-License-Identifier: MIT
"""Files of hand histories that `match` and `play` write."""

from collections.abc import Sequence
from pathlib import Path

from regretless.errors import InputError
from regretless.games import Game
from regretless.games.episodes import Episode
from regretless.games.face import require_poker, view
from regretless.histories.phh import write_phh
from regretless.storage.files import told_on_failure


class HistoryFile:
    """A .phhs file that is complete after every hand."""

    def __init__(self, game: Game, path: Path) -> None:
        """Checks that hands of the game can be written, before anything is played."""
        if path.suffix != ".phhs":
            raise InputError(f"--phh: {str(path)!r} must end in .phhs, as it holds several hands")
        if not path.absolute().parent.is_dir():
            raise InputError(f"--phh: there is no folder {str(path.parent)!r}")
        write_phh(require_poker(game, "PHH is for poker only").episode())
        self._path, self._hands = path, 0
        with told_on_failure(path):
            path.write_text("")

    def add(self, episode: Episode, players: Sequence[str]) -> None:
        poker = view(episode).poker
        assert poker is not None
        self._hands += 1
        with told_on_failure(self._path), self._path.open("a", encoding="utf-8") as file:
            file.write(f"[{self._hands}]\n{write_phh(poker, players)}\n")
