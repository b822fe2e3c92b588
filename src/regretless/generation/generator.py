# SPDX-License-Identifier: MIT
"""Generators: weights and a shard in, named columns of training data out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.games import Game
from regretless.games.rules_record import portable_record, ported_game
from regretless.networks.shape import NetworkWeights
from regretless.watch import UNWATCHED, Watch

Columns = dict[str, NDArray[Any]]
"""Arrays by name."""
Weights = Mapping[str, NetworkWeights]
"""Networks by what they are for."""
Spec = dict[str, Any]
"""Plain data, as JSON has it."""

_Begun = TypeVar("_Begun")


class Generator(Protocol):
    """Makes training data and knows nothing of who learns from it.

    The columns depend on the generator's spec, the weights and the shard alone, so a generator made
    again from its spec in another process gives the same bytes.
    """

    def make(self, weights: Any, shard: Any, watch: Watch = UNWATCHED) -> Columns:
        """Returns the columns of a shard; `Stopped` if `watch` says so.

        Weights are networks by name, in the form that the generator loads. A shard is numbered
        work: a `Shard`, or games that go on.
        """

    def spec(self) -> Spec:
        """Returns everything that makes the generator, for `from_spec`."""

    def forecast_bytes(self, count: int) -> int:
        """Returns the memory of a shard of `count` episodes or games, at most."""


class ConfiguredGenerator:
    """The base of generators that a game, a config and a few more options make."""

    Config: ClassVar[Any]
    """The dataclass of the config; the config of a learner may have more fields."""

    def __init__(self, game: Game, config: Any, **options: Any) -> None:
        self.game, self.config, self._options = game, config, options

    def spec(self) -> Spec:
        config = {field.name: getattr(self.config, field.name) for field in fields(self.Config)}
        return {"game": portable_record(self.game), "config": config, "options": self._options}

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        game = ported_game(spec["game"], "spec")
        return cls(game, cls.Config(**spec["config"]), **spec["options"])


class Job(Protocol):
    """Native work that asks: the protocol of all jobs."""

    def ask(self) -> _native.Questions | None:
        """Returns the open questions, None when the work is done."""

    def answer(self, *answers: Any) -> None:
        """Answers the open questions; the job goes on to the next ones."""


def answer_in_turn(
    jobs: Sequence[Job],
    begin: Callable[[_native.Questions], _Begun],
    finish: Callable[[_Begun], tuple[Any, ...]],
    after_answer: Callable[[], None] = lambda: None,
) -> None:
    """Answers jobs until none has a question.

    Of two jobs one goes on while a device computes the answers of the other: `begin` starts the
    work for some questions, `finish` waits for their answers.
    """
    begun = [(job, begin(questions)) for job in jobs if (questions := job.ask()) is not None]
    while begun:
        job, work = begun.pop(0)
        job.answer(*finish(work))
        if (questions := job.ask()) is not None:
            begun.append((job, begin(questions)))
        after_answer()


def joined(parts: Sequence[Columns]) -> Columns:
    """Returns the columns of several parts, one after the other."""
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
