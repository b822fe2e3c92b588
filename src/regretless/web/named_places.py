# SPDX-License-Identifier: MIT
"""Files and directories below the served directories, each with an id that clients may use."""

import re
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

_DEPTH = 3  # levels of directories below the served ones that are searched
_SKIPPED = (".", "_")  # names that begin so are not searched

_Kind = TypeVar("_Kind")


class NamedPlaces:
    """Paths by id. An id is made of the name of the path and stays while the server runs."""

    def __init__(
        self,
        directories: tuple[Path, ...],
        reserved: Callable[[], Iterable[str]],
        without_suffix: bool = False,
    ) -> None:
        """`reserved` returns ids that no path may have."""
        self.directories, self.reserved = directories, reserved
        self.without_suffix = without_suffix
        self._lock = threading.Lock()
        self._ids: dict[Path, str] = {}

    def id_of(self, path: Path) -> str:
        """The id of a path, numbered where its name is taken."""
        real = path.resolve()
        with self._lock:
            if real not in self._ids:
                name = real.stem if self.without_suffix else real.name
                stem = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:60] or "entry"
                taken = {*self._ids.values(), *self.reserved()}
                number, id = 2, stem
                while id in taken:
                    number, id = number + 1, f"{stem}-{number}"
                self._ids[real] = id
            return self._ids[real]

    def find(self, kind_of: Callable[[Path], _Kind | None]) -> Iterator[tuple[Path, _Kind]]:
        """Paths that `kind_of` knows, each once, in the order of names.

        A directory that is of a kind is not searched further.
        """
        seen: set[Path] = set()
        for directory in self.directories:
            for path, kind in _walk(directory, _DEPTH, kind_of):
                if (real := path.resolve()) not in seen:
                    seen.add(real)
                    yield path, kind


def _walk(
    path: Path, depth: int, kind_of: Callable[[Path], _Kind | None]
) -> Iterator[tuple[Path, _Kind]]:
    if (kind := kind_of(path)) is not None:
        yield path, kind
    elif depth >= 0 and path.is_dir():
        try:
            children = sorted(path.iterdir())
        except OSError:
            return
        for child in children:
            if not child.name.startswith(_SKIPPED) and not child.is_symlink():
                yield from _walk(child, depth - 1, kind_of)
