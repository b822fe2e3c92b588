# SPDX-License-Identifier: MIT
"""How strong a policy is: exactly where the game allows it, and always labelled for what it is."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from regretless.asking import policy_table
from regretless.errors import InputError
from regretless.games import Game
from regretless.games.units import unit_name
from regretless.policy import Policy
from regretless.strategy_table import TableEvaluator, TableValues

EXACT = "exact exploitability"

# What says something about a policy where nothing exact can be said: functions of a game, a policy
# and an `Effort` that return a list of `Measure`.
PLAYED = (
    "regretless.evaluation.lbr:lower_bounds",
    "regretless.evaluation.baselines:baseline_matches",
)


@dataclass(frozen=True)
class Effort:
    """How long to play where nothing exact can be said."""

    match_hands: int = 20_000
    """Of the match against each bot."""
    lbr_hands: int = 2_000
    """Of local best response, with each of its menus."""


@dataclass(frozen=True)
class Measure:
    """One figure, with how it was taken."""

    measure: str
    value: float
    unit: str
    how: str


@dataclass(frozen=True)
class Evaluation:
    """All that could be found out about a policy."""

    measures: list[Measure]
    exact: TableValues | None
    """Values and best-response gains of each player, in units, if the game is small enough."""
    note: str | None = None
    """Why there is nothing exact, if there is not."""


def evaluate(game: Game, policy: Policy, effort: Effort | None = None) -> Evaluation:
    """Measure a policy: exactly if possible, else by what `PLAYED` lists."""
    try:
        exact = exact_values(game, policy)
    except InputError as error:
        note = f"{error}; only lower bounds and match results are possible"
        effort = effort or Effort()
        measures = [each for target in PLAYED for each in _played(target)(game, policy, effort)]
        return Evaluation(measures, None, note)
    return Evaluation([exact_measure(game, exact.exploitability)], exact)


def exact_values(game: Game, policy: Policy) -> TableValues:
    """What the policy and the best responses to it win; InputError where that is out of reach."""
    evaluator = TableEvaluator(game)
    if policy.needs.seeds:
        raise InputError(f"{policy.name}: plays by a seed, so no one table says what it does")
    return evaluator.evaluate(policy_table(game, policy))


def exact_measure(game: Game, exploitability: float) -> Measure:
    """An exploitability over the whole game, as a measure."""
    how = f"NashConv / {game.num_players}: mean gain of a best response, over the whole game"
    return Measure(EXACT, exploitability, f"{unit_name(game)} an episode", how)


def _played(target: str) -> Callable[[Game, Policy, Effort], list[Measure]]:
    module, function = target.split(":")
    found: Callable[[Game, Policy, Effort], list[Measure]]
    found = getattr(importlib.import_module(module), function)
    return found
