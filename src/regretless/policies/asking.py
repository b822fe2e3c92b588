# SPDX-License-Identifier: MIT
"""The strategy of any policy with every hand: at any spot, or everywhere in a small game.

Nothing is played. The policy gets the rows that jobs write, with every hand of the actor. A policy
that plays by a seed (`Needs.seeds`) answers for the average over seeds, if it can (`HasAverage`):
its own actions so far make some seeds likelier than others. A policy that cannot answers for the
seed of that seat in one episode of a job.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError, TooLargeError, refusing
from regretless.games import Game
from regretless.games.episodes import Episode
from regretless.policies.policy import Policy, explicit, normalize
from regretless.policies.strategy_table import StrategyTable

Mix = NDArray[np.float64]
"""Probabilities of the slots with each hand, [hands, actions], rows of sum 1."""

_ROWS = 1 << 14  # of one batch


def mixes(
    policy: Policy,
    episodes: Sequence[Episode],
    hands: NDArray[np.integer] | None = None,
    *,
    seed: int = 0,
    number: int = 0,
) -> list[Mix]:
    """Asks the policy at the public state of each episode, all of one game.

    Rows are those of `hands`, by number, or of all hands that the public cards leave, ascending;
    the cards of the episode itself do not matter. Seeds, for a policy without an average, are those
    of episode `number` of a job with this `seed`. InputError where nobody is to act or after a bet
    that is not on the menu.
    """
    if not episodes:
        return []
    policy = explicit(policy)
    game: Any = episodes[0].game
    given = None if hands is None else np.asarray(hands, np.int32)
    numbers, needs = [number] * len(episodes), policy.needs.options()
    with refusing(game.name):
        spots: list[Any] = list(episodes)
        asked = _native.ask_at(game, spots, given, numbers=numbers, seed=seed, **needs)
    rows = np.concatenate([np.zeros((0, game.num_actions)), *(r for _, r in _all(policy, asked))])
    return np.split(rows, asked.offsets[1:-1])


class WholeGame:
    """Questions about every infoset of a small game, listed once for many policies.

    Seeds, for a policy without an average, are those of episode 0 of a job with seed 0.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._asked: tuple[dict[str, Any], _native.SpotQuestions] | None = None

    def table(self, policy: Policy) -> StrategyTable:
        """The whole strategy of a policy; TooLargeError where the game is."""
        policy = explicit(policy)
        asked = self._questions(policy)
        keys, rows = np.empty(len(asked), np.uint64), np.empty((len(asked), self.game.num_actions))
        begin = 0
        for questions, answers in _all(policy, asked):
            end = begin + len(questions)
            keys[begin:end], rows[begin:end] = questions.infosets, answers
            begin = end
        order = np.argsort(keys)
        return StrategyTable(keys[order], rows[order])

    def _questions(self, policy: Policy) -> _native.SpotQuestions:
        needs = explicit(policy).needs.options()
        if self._asked is None or self._asked[0] != needs:
            try:
                self._asked = needs, _native.ask_everywhere(self.game, **needs)
            except ValueError as error:
                message = f"{self.game.name}: no table of {policy.name}: {error}"
                raise TooLargeError(message) from None
        return self._asked[1]


def policy_table(game: Game, policy: Policy) -> StrategyTable:
    """The whole strategy of a policy, asked at every infoset of a game that is small enough."""
    return WholeGame(game).table(policy)


def _all(
    policy: Policy, asked: _native.SpotQuestions
) -> Iterator[tuple[_native.Questions, NDArray[np.float64]]]:
    """Yields all questions in batches with their answers, normalised."""
    for begin in range(0, len(asked), _ROWS):
        questions = asked.ask(begin, min(begin + _ROWS, len(asked)))
        yield questions, _answer(policy, questions)


def _answer(policy: Policy, questions: _native.Questions) -> NDArray[np.float64]:
    legal, rows = questions.legal, np.asarray(policy(questions))
    if rows.shape != legal.shape:
        raise InputError(
            f"{policy.name}: answered {list(rows.shape)} where {list(legal.shape)} was asked"
        )
    given = rows[legal]
    if not (np.isfinite(given).all() and (given >= 0).all()):
        raise InputError(f"{policy.name}: answered what is no probability: not finite or negative")
    return normalize(rows, legal)
