# SPDX-License-Identifier: MIT
"""Recipes: configs that come with the package, known by their names wherever a file can be given.

They are `configs/` of the repository, and `regretless/configs` where the package is installed.
"""

from pathlib import Path

import regretless
from regretless.errors import InputError

_SUFFIX = ".yaml"


def recipe_names() -> list[str]:
    """Of all that ship."""
    return sorted(path.stem for path in _folder().glob(f"*{_SUFFIX}"))


def config_file(text: str | Path) -> Path:
    """The file that is meant: one at hand, else the recipe of that name."""
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
