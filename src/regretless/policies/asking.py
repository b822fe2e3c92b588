# SPDX-License-Identifier: MIT
"""What a policy of any kind does with every hand: at any spot, or everywhere in a small game.

Nothing is played. Public states are asked about as jobs ask about them, row by row the same, but
with every hand of whoever is to act. A policy that plays by a seed (`Needs.seeds`) tells what it
does on average over seeds, if it can (`HasAverage`): its own actions so far make some seeds
likelier than others. One that cannot tells what it does with the seed of that seat in one episode
of a job, and may tell something else for another seed.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError, TooLargeError
from regretless.games import Game
from regretless.games.episodes import Episode
from regretless.policies.policy import Policy, explicit, normalize
from regretless.policies.strategy_table import StrategyTable

Mix = NDArray[np.float64]
"""Probabilities of the slots with each hand, [hands, actions], rows of sum 1."""

_ROWS = 1 << 14  # asked about at a time


def mixes(
    policy: Policy,
    episodes: Sequence[Episode],
    hands: NDArray[np.integer] | None = None,
    *,
    seed: int = 0,
    number: int = 0,
) -> list[Mix]:
    """What the policy does at the public state of each episode, all of one game.

    With each of `hands`, by number, or with all that the public cards leave, in ascending order;
    what an episode itself deals does not matter. Seeds, for a policy without an average, are those
    of episode `number` of a job with this `seed`. InputError where nobody is to act or after a bet
    that is not on the menu.
    """
    if not episodes:
        return []
    policy = explicit(policy)
    game: Any = episodes[0].game
    given = None if hands is None else np.asarray(hands, np.int32)
    numbers, needs = [number] * len(episodes), policy.needs.options()
    try:
        spots: list[Any] = list(episodes)
        asked = _native.ask_at(game, spots, given, numbers=numbers, seed=seed, **needs)
    except ValueError as error:
        raise InputError(f"{game.name}: {error}") from None
    rows = np.concatenate([np.zeros((0, game.num_actions)), *(r for _, r in _all(policy, asked))])
    return np.split(rows, asked.offsets[1:-1])


def policy_table(game: Game, policy: Policy, *, seed: int = 0) -> StrategyTable:
    """The whole strategy of a policy, told at every infoset of a game that is small enough.

    Seeds, for a policy without an average, are those of episode 0 of a job with this `seed`.
    """
    policy = explicit(policy)
    try:
        asked = _native.ask_everywhere(game, seed=seed, **policy.needs.options())
    except ValueError as error:
        raise TooLargeError(f"{game.name}: no table of {policy.name}: {error}") from None
    keys, rows = np.empty(len(asked), np.uint64), np.empty((len(asked), game.num_actions))
    begin = 0
    for questions, answers in _all(policy, asked):
        end = begin + len(questions)
        keys[begin:end], rows[begin:end] = questions.infosets, answers
        begin = end
    order = np.argsort(keys)
    return StrategyTable(keys[order], rows[order])


def _all(
    policy: Policy, asked: _native.SpotQuestions
) -> Iterator[tuple[_native.Questions, NDArray[np.float64]]]:
    """All questions in batches, and the answers, normalised."""
    for begin in range(0, len(asked), _ROWS):
        questions = asked.ask(begin, min(begin + _ROWS, len(asked)))
        yield questions, _answer(policy, questions)


def _answer(policy: Policy, questions: _native.Questions) -> NDArray[np.float64]:
    legal, rows = questions.legal, np.asarray(policy(questions))
    if rows.shape != legal.shape:
        raise InputError(
            f"{policy.name}: answered {list(rows.shape)} where {list(legal.shape)} was asked"
        )
    told = rows[legal]
    if not (np.isfinite(told).all() and (told >= 0).all()):
        raise InputError(f"{policy.name}: answered what is no probability: not finite or negative")
    return normalize(rows, legal)
