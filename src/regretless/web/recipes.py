# SPDX-License-Identifier: MIT
"""Recipes that clients may start: configs that ship, and those in the served directories.

A client names one by its id and changes it by overrides. What would read another file, run code
that is not the package's or write elsewhere cannot be said.
"""

import itertools
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regretless.algorithms import ALGORITHMS
from regretless.bundles.bundle import MANIFEST
from regretless.errors import InputError
from regretless.notation.text_file import read_text, read_yaml
from regretless.recipes.config import RunConfig, make_config
from regretless.recipes.names import config_file, recipe_names
from regretless.runs.run_record import is_run
from regretless.web.errors import NotFoundError
from regretless.web.play.seating import named_game

_SUFFIXES = (".yaml", ".yml")
_NEEDED = {"game", "algorithm", "budget"}  # what makes a YAML file a recipe
_SKIPPED = (".", "_")
_DEPTH = 3
_MOST_BYTES = 1 << 16
_MOST_ABOUT = 400  # characters
_PLACES = ("output", "start_from", "examples_from")
FILE_OPTIONS = ("abstraction", "networks_in")
"""Options of algorithms that name a directory."""


@dataclass(frozen=True)
class Recipe:
    """A config that can be started."""

    id: str
    path: Path
    is_shipped: bool = False

    @property
    def about(self) -> str:
        """The comment at its top."""
        lines = read_text(self.path).splitlines()
        comment = itertools.takewhile(lambda line: line.startswith("#"), lines)
        return " ".join(line.lstrip("# ").rstrip() for line in comment)[:_MOST_ABOUT]


class Recipes:
    """What can be started. Any thread may use it."""

    def __init__(self, directories: tuple[Path, ...], *, most: int = 200) -> None:
        self.directories, self.most = directories, most
        self._lock = threading.Lock()
        self._ids: dict[Path, str] = {}

    def all(self) -> list[Recipe]:
        """What ships first; read anew each time."""
        found = [Recipe(name, config_file(name), True) for name in recipe_names()]
        for directory in self.directories:
            for path in _walk(directory, _DEPTH):
                if len(found) >= self.most:
                    return found
                found.append(Recipe(self._id(path), path))
        return found

    def find(self, id: str) -> Recipe:
        """NotFoundError if there is none of this id."""
        for each in self.all():
            if each.id == id:
                return each
        raise NotFoundError(f"no recipe has the id {id[:80]!r}")

    def config(self, id: str, overrides: Sequence[str] = (), seed: int | None = None) -> RunConfig:
        """The config of a recipe as it would be started; InputError for what may not be."""
        changes = [*overrides] + ([] if seed is None else [f"seed={seed}"])
        config = self.config_of(self.find(id), changes)
        check_config(config)
        return config

    @staticmethod
    def config_of(recipe: Recipe, overrides: Sequence[str] = ()) -> RunConfig:
        """The same, whatever is in it."""
        return make_config(read_yaml(recipe.path), recipe.id, overrides)

    def _id(self, path: Path) -> str:
        real = path.resolve()
        with self._lock:
            if real not in self._ids:
                stem = re.sub(r"[^A-Za-z0-9._-]+", "-", real.stem).strip("-.")[:60] or "recipe"
                taken = {*self._ids.values(), *recipe_names()}
                number, id = 2, stem
                while id in taken:
                    number, id = number + 1, f"{stem}-{number}"
                self._ids[real] = id
            return self._ids[real]


def check_config(config: RunConfig, *, is_begun: bool = False) -> None:
    """InputError if a run would read, run or write what a client may not name.

    A run that `is_begun` keeps the places that its owner gave it.
    """
    for key in _PLACES:
        if not is_begun and getattr(config, key) is not None:
            raise InputError(f"{key}: cannot be said here; `regretless train` takes it")
    try:
        named_game(config.game.name)
    except InputError as error:
        raise InputError(f"game.name: {error}") from None
    name, options = config.algorithm.name, config.algorithm.options
    if name not in ALGORITHMS:
        raise InputError.unknown(f"algorithm.name: no {name[:80]!r}", name[:80], ALGORITHMS)
    for key, value in options.items():
        if key in FILE_OPTIONS and value is not None:
            raise InputError(f"algorithm.{key}: names a directory, which `regretless train` takes")
        if isinstance(value, str) and ("/" in value or "\\" in value):
            raise InputError(f"algorithm.{key}: must be no path")
    if config.game.sha256 is not None or config.algorithm.sha256 is not None:
        raise InputError("sha256: is for custom code, which is not run here")


def _walk(path: Path, depth: int) -> Iterator[Path]:
    """Recipes in a directory, in the order of names; not those inside runs and bundles."""
    if path.is_file():
        if path.suffix in _SUFFIXES and _is_recipe(path):
            yield path
    elif depth >= 0 and path.is_dir() and not is_run(path) and not (path / MANIFEST).is_file():
        try:
            children = sorted(path.iterdir())
        except OSError:
            return
        for child in children:
            if not child.name.startswith(_SKIPPED) and not child.is_symlink():
                yield from _walk(child, depth - 1)


def _is_recipe(path: Path) -> bool:
    try:
        if path.stat().st_size > _MOST_BYTES:
            return False
        tree = read_yaml(path)
    except (OSError, InputError):
        return False
    return isinstance(tree, dict) and tree.keys() >= _NEEDED
