# SPDX-License-Identifier: MIT
"""Bundles that come with the package: known by their names wherever a directory can be given."""

from importlib.resources import files
from pathlib import Path

from regretless.bundles.bundle import Bundle, open_bundle
from regretless.networks.street_values import StreetValuesShape

_FOLDER = Path(str(files("regretless") / "shipped"))
_VALUES = _FOLDER / "values"


def shipped_names() -> list[str]:
    """The names of all shipped strategies."""
    return sorted(path.parent.name for path in _FOLDER.glob("*/manifest.json"))


def strategy_directory(text: str | Path) -> Path | None:
    """The directory that a text names; None: there is neither one nor a shipped bundle.

    Value networks of streets are shipped beside the strategies. An existing directory of that name
    comes first.
    """
    path = Path(text)
    if path.is_dir():
        return path
    if str(text) in shipped_names():
        return _FOLDER / path
    names = [each.parent.name for each in _VALUES.glob("*/manifest.json")]
    return _VALUES / path if str(text) in names else None


def find_street_values(text: str | Path) -> Bundle | None:
    """Returns the value network of a street that a bundle or a run is; None for all others."""
    directory = strategy_directory(text)
    for path in [] if directory is None else [directory, directory / "values"]:
        if (path / "manifest.json").is_file():
            bundle = open_bundle(path)
            values = bundle.manifest.values
            return bundle if values and isinstance(values.shape, StreetValuesShape) else None
    return None
