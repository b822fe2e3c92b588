# SPDX-License-Identifier: MIT
"""Custom bots: `package.module:Name` or `path/to/bot.py:Name`.

`Name(game)`, or `Name()` where it takes no argument, must return a policy or an object with a
method `act(view)`. An exception or a wrong answer becomes one line that names the bot and, for an
exception, the line of the file.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.custom_code import load_custom, naming
from regretless.errors import InputError
from regretless.games import Game
from regretless.policies.policy import Needs, Policy, Probabilities, explicit
from regretless.seats.hand_view import HandByHand, bet_probabilities


@dataclass(frozen=True)
class CustomBot:
    """A user's policy whose answers are checked before they are used.

    It may answer with amounts, [batch], in place of probabilities, [batch, actions].
    """

    policy: Policy
    source: str
    """The name that the user gave."""

    @property
    def name(self) -> str:
        return self.policy.name

    @property
    def needs(self) -> Needs:
        return self.policy.needs

    def average(self, networks: int | None = None) -> Policy:
        """The average of a bot that plays by a seed and has one; else itself."""
        with naming(self.source, "computing its average"):
            return CustomBot(explicit(self.policy, networks), self.source)

    def __call__(self, questions: _native.Questions) -> Probabilities:
        with naming(self.source, "answering"):
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


def load_custom_bot(source: str, game: Game) -> CustomBot:
    """The bot that `module:Name` or `file.py:Name` names, made for this game."""
    make = load_custom(source, "bot", "bot.py:Name")
    given = (game,) if _takes_game(make) else ()
    with naming(source, f"{source.rpartition(':')[2]}({'game' if given else ''})"):
        policy: Any = make(*given)
    return checked(policy, source, game)


def _takes_game(make: Callable[..., Any]) -> bool:
    """Whether a class or function has a parameter for the game."""
    try:
        return bool(inspect.signature(make).parameters)
    except (TypeError, ValueError):
        return True


def checked(policy: Any, source: str, game: Game) -> CustomBot:
    """Wraps an object of custom code as a policy whose answers are checked."""
    if not callable(policy) and callable(getattr(policy, "act", None)):
        return CustomBot(HandByHand(policy, game, str(getattr(policy, "name", source))), source)
    if not isinstance(policy, Policy) or not isinstance(policy.needs, Needs):
        raise InputError(
            f"{source}: is no policy: it needs name, needs and __call__(questions), or act(view)"
        )
    if not isinstance(policy.name, str):
        raise InputError(f"{source}: name: must be a text, not {type(policy.name).__name__}")
    return CustomBot(policy, source)


def is_of_this_package(policy: Any) -> bool:
    """Whether the policy is of this package, so that its answers need no check."""
    return type(policy).__module__.partition(".")[0] == __package__.partition(".")[0]


def _shape(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"
