# SPDX-License-Identifier: MIT
"""Bundles that come with the package: known by their names wherever a directory can be given."""

from importlib.resources import files
from pathlib import Path

_FOLDER = Path(str(files("regretless") / "shipped"))


def shipped_names() -> list[str]:
    """Of all of them."""
    return sorted(path.name for path in _FOLDER.iterdir() if path.is_dir())


def strategy_directory(text: str | Path) -> Path | None:
    """The directory that is meant; None: it is none, and no bundle of that name is shipped.

    A directory at hand comes first, so whoever has one of the same name means that one.
    """
    path = Path(text)
    if path.is_dir():
        return path
    return _FOLDER / path if str(text) in shipped_names() else None
