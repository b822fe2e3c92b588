# SPDX-License-Identifier: MIT
"""Recipes: configs that ship with the package and go by their names wherever a file is expected.

The files are in `configs/` of the repository and in `regretless/configs` of an installation.
"""

from pathlib import Path

import regretless
from regretless.errors import InputError

_SUFFIX = ".yaml"


def recipe_names() -> list[str]:
    """Returns the names of all recipes that ship."""
    return sorted(path.stem for path in _folder().glob(f"*{_SUFFIX}"))


def config_file(text: str | Path) -> Path:
    """Returns the config file at a path, or else the recipe of that name."""
    path = Path(text)
    if path.is_file() or str(text) != path.name or path.suffix:
        return path
    if path.name in recipe_names():
        return _folder() / f"{path.name}{_SUFFIX}"
    problem = f"{text}: there is no such file, and no recipe of that name"
    raise InputError.unknown(problem, str(text), recipe_names())


def _folder() -> Path:
    package = Path(regretless.__file__).parent
    installed = package / "configs"
    return installed if installed.is_dir() else package.parents[1] / "configs"
