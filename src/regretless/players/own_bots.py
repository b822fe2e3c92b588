# SPDX-License-Identifier: MIT
"""A user's own bot: `package.module:Name` or `path/to/bot.py:Name`, called with the game.

`Name(game)` must return a policy, or something with a method `act(view)`. What it raises or answers
wrongly is one line that names the bot and, for an exception, the line of the file.
"""

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games import Game
from regretless.players.bets import bet_probabilities
from regretless.players.hand_view import HandByHand
from regretless.policy import Needs, Policy, Probabilities, explicit


@dataclass(frozen=True)
class OwnBot:
    """A user's policy whose answers are checked before they are used.

    It may answer with amounts, [batch], in place of probabilities, [batch, actions].
    """

    policy: Policy
    source: str
    """As the user named it."""

    @property
    def name(self) -> str:
        return self.policy.name

    @property
    def needs(self) -> Needs:
        return self.policy.needs

    def average(self, networks: int | None = None) -> Policy:
        """The average of a bot that plays by a seed and has one; else itself."""
        with _naming(self.source, "telling its average"):
            return OwnBot(explicit(self.policy, networks), self.source)

    def __call__(self, questions: _native.Questions) -> Probabilities:
        with _naming(self.source, "answering"):
            answer: Any = self.policy(questions)
            rows = np.ascontiguousarray(answer, np.float32)
        wanted = questions.legal.shape
        if rows.shape == wanted[:1]:
            return self._bets(questions, np.asarray(answer, np.float64))
        if rows.shape != wanted:
            raise InputError(f"{self.source}: answers {_shape(rows.shape)}, not {_shape(wanted)}")
        if not np.isfinite(rows).all():
            raise InputError(f"{self.source}: answers with a probability that is not finite")
        if (rows < 0).any():
            raise InputError(f"{self.source}: answers with a probability below 0")
        if not (np.where(questions.legal, rows, 0).sum(axis=1) > 0).all():
            raise InputError(f"{self.source}: gives no legal slot a probability above 0")
        return rows

    def _bets(self, questions: _native.Questions, amounts: NDArray[np.float64]) -> Probabilities:
        if not self.policy.needs.table:
            raise InputError(
                f"{self.source}: answers [{len(questions)}], which would be amounts; "
                "say needs = Needs(table=True) to bet amounts"
            )
        if len(questions) and not questions.most_raises.any() and not questions.stacks.any():
            raise InputError(f"{self.source}: answers with amounts, and this game has no chips")
        try:
            return bet_probabilities(questions, amounts)
        except InputError as error:
            raise InputError(f"{self.source}: {error}") from None


def load_own_bot(source: str, game: Game) -> OwnBot:
    """The bot that `module:Name` or `file.py:Name` names, made for this game."""
    module_name, _, name = source.rpartition(":")
    if not module_name or not name:
        raise InputError(f"{source}: name the bot too, as in bot.py:Name")
    module = _load(module_name, source)
    make = vars(module).get(name)
    if make is None:
        known = [each for each in vars(module) if not each.startswith("_")]
        raise InputError.unknown(f"{source}: there is no {name!r}", name, known)
    if not callable(make):
        raise InputError(f"{source}: {name!r} is no class or function that makes a policy")
    with _naming(source, f"{name}(game)"):
        policy: Any = make(game)
    return checked(policy, source, game)


def checked(policy: Any, source: str, game: Game) -> OwnBot:
    """What a user's code has made, as a policy whose answers are checked."""
    if not callable(policy) and callable(getattr(policy, "act", None)):
        return OwnBot(HandByHand(policy, game, str(getattr(policy, "name", source))), source)
    if not isinstance(policy, Policy) or not isinstance(policy.needs, Needs):
        raise InputError(
            f"{source}: is no policy: it needs name, needs and __call__(questions), or act(view)"
        )
    return OwnBot(policy, source)


def is_of_this_package(policy: Any) -> bool:
    """Whether the policy is one of ours, whose answers need no check."""
    return type(policy).__module__.partition(".")[0] == __package__.partition(".")[0]


def is_own_bot(text: str) -> bool:
    """Whether the text names a bot by its module or file."""
    return ":" in text or text.endswith(".py")


def _load(module_name: str, source: str) -> ModuleType:
    if module_name.endswith(".py"):
        return _load_file(Path(module_name), source)
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does
    with _naming(source, f"importing {module_name}"):
        try:
            return importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
                raise
            raise InputError(f"{source}: there is no module {error.name!r}") from None


def _load_file(path: Path, source: str) -> ModuleType:
    if not path.is_file():
        raise InputError(f"{source}: there is no file {str(path)!r}")
    name = f"own bot {path.resolve()}"  # no name that an import could mean
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look for their module there
    try:
        with _naming(source, f"importing {path}"):
            spec.loader.exec_module(module)
    except InputError:
        del sys.modules[name]
        raise
    return module


@contextmanager
def _naming(source: str, doing: str) -> Iterator[None]:
    """What a user's code raises, as one line with the place."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        message = " ".join(str(error).split())
        what = f"{type(error).__name__}{': ' if message else ''}{message}"
        raise InputError(f"{source}: {doing} raises {what}{_place(error)}") from error


def _place(error: Exception) -> str:
    """` (my_bot.py, line 12)`: the innermost line that is not of this file or of importlib."""
    if isinstance(error, SyntaxError):
        return f" ({Path(error.filename or '').name}, line {error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [each for each in frames if not each.filename.startswith((__file__, "<frozen"))]
    return f" ({Path(lines[-1].filename).name}, line {lines[-1].lineno})" if lines else ""


def _shape(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"
