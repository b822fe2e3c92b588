# SPDX-License-Identifier: MIT
"""Recipes that clients may start: shipped configs, and configs in the served directories.

A client names a recipe by its id and changes it by overrides. Overrides that would read another
file, run custom code or write elsewhere are refused.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from regretless.algorithms import ALGORITHMS
from regretless.bundles.bundle import MANIFEST
from regretless.errors import InputError
from regretless.notation.text_file import read_text, read_yaml
from regretless.recipes.config import RunConfig, make_config
from regretless.recipes.names import config_file, recipe_names
from regretless.runs.run_record import is_run
from regretless.web.errors import NotFoundError
from regretless.web.named_places import NamedPlaces
from regretless.web.play.seating import named_game

_SUFFIXES = (".yaml", ".yml")
_NEEDED = {"game", "algorithm", "budget"}  # what makes a YAML file a recipe
_MOST_BYTES = 1 << 16
_MOST_RECIPES = 200
_MOST_ABOUT = 400  # characters
_PLACES = ("output", "start_from", "examples_from")
FILE_OPTIONS = ("abstraction", "networks_in")  # options of algorithms that name a directory


@dataclass(frozen=True)
class Recipe:
    """A config that can be started."""

    id: str
    path: Path
    is_shipped: bool = False

    @property
    def about(self) -> str:
        """The comment at the top of the file."""
        lines = read_text(self.path).splitlines()
        comment = itertools.takewhile(lambda line: line.startswith("#"), lines)
        return " ".join(line.lstrip("# ").rstrip() for line in comment)[:_MOST_ABOUT]


@dataclass(frozen=True)
class RecipeFacts:
    """A recipe as clients see it."""

    id: str
    about: str
    game: str
    algorithm: str
    is_shipped: bool
    why_not: str | None  # why it cannot be started here, in one line; None if it can


class Recipes:
    """All recipes. Any thread may use it."""

    def __init__(self, directories: tuple[Path, ...]) -> None:
        self._places = NamedPlaces(directories, recipe_names, without_suffix=True)

    def all(self) -> list[Recipe]:
        """All recipes, shipped ones first. The directories are read each time."""
        found = [Recipe(name, config_file(name), True) for name in recipe_names()]
        for path, kind in self._places.find(_kind):
            if len(found) >= _MOST_RECIPES:
                break
            if kind == "recipe":
                found.append(Recipe(self._places.id_of(path), path))
        return found

    def find(self, id: str) -> Recipe:
        """The recipe of an id, or NotFoundError."""
        for each in self.all():
            if each.id == id:
                return each
        raise NotFoundError(f"no recipe has the id {id[:80]!r}")

    def config(self, id: str, overrides: Sequence[str] = (), seed: int | None = None) -> RunConfig:
        """The config of a recipe with overrides; InputError if clients may not start it."""
        changes = [*overrides] + ([] if seed is None else [f"seed={seed}"])
        config = make_config(read_yaml(self.find(id).path), id, changes)
        check_config(config)
        return config

    def facts(self) -> list[RecipeFacts]:
        """All recipes as clients see them."""
        return [_facts(each) for each in self.all()]


def _facts(recipe: Recipe) -> RecipeFacts:
    about = game = algorithm = ""
    why_not = None
    try:
        about = recipe.about
        config = make_config(read_yaml(recipe.path), recipe.id)
        game, algorithm = config.game.name, config.algorithm.name
        check_config(config)
    except InputError as error:
        why_not = str(error)
    return RecipeFacts(recipe.id, about, game, algorithm, recipe.is_shipped, why_not)


def check_config(config: RunConfig, *, is_begun: bool = False) -> None:
    """Raises InputError if a run would read, run or write a path that clients may not name.

    A run that `is_begun` keeps the paths that its owner gave it.
    """
    for key in _PLACES:
        if not is_begun and getattr(config, key) is not None:
            raise InputError(f"{key}: is refused here; `regretless train` takes it")
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
    if not is_begun and {*config.log.to} - {"tensorboard"}:
        raise InputError("log.to: only tensorboard here; `regretless train` takes others")
    if config.game.sha256 is not None or config.algorithm.sha256 is not None:
        raise InputError("sha256: belongs to custom code, which is not run here")


def _kind(path: Path) -> Literal["recipe", "closed"] | None:
    """Whether a file is a recipe; runs and bundles are closed, since their configs are used up."""
    if path.is_dir():
        return "closed" if is_run(path) or (path / MANIFEST).is_file() else None
    try:
        if path.suffix not in _SUFFIXES or path.stat().st_size > _MOST_BYTES:
            return None
        tree = read_yaml(path)
    except (OSError, InputError):
        return None
    return "recipe" if isinstance(tree, dict) and tree.keys() >= _NEEDED else None
