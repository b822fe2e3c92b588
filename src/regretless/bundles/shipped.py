# SPDX-License-Identifier: MIT
"""Bundles that come with the package: known by their names wherever a directory can be given."""

from importlib.resources import files
from pathlib import Path

_FOLDER = Path(str(files("regretless") / "shipped"))


def shipped_names() -> list[str]:
    """The names of all shipped bundles."""
    return sorted(path.name for path in _FOLDER.iterdir() if path.is_dir())


def strategy_directory(text: str | Path) -> Path | None:
    """The directory that a text names; None: there is neither one nor a shipped bundle.

    An existing directory of that name comes first.
    """
    path = Path(text)
    if path.is_dir():
        return path
    return _FOLDER / path if str(text) in shipped_names() else None
