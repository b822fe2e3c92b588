# SPDX-License-Identifier: MIT
"""The only thing that can play: questions in, probabilities out, a whole batch at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games.explicit_tree import ExplicitTree
from regretless.games.native_game import NativeGame
from regretless.strategy_table import StrategyTable, TableEvaluator

Probabilities = NDArray[np.float32]


class Policy(Protocol):
    """Tables, networks, averages, mixtures and bots all answer the same questions.

    A policy may say what it reads: `needs_features`, true unless it says otherwise, and
    `needs_chips`, false unless it says otherwise (see `asks_for`).
    """

    @property
    def name(self) -> str:
        """How tables and logs call it."""

    def __call__(self, questions: _native.Questions) -> Probabilities:
        """Probabilities of the slots, [batch, actions]; what is not legal is ignored."""


def asks_for(policies: Sequence[Policy]) -> dict[str, bool]:
    """The options of a job whose questions these policies can all answer."""
    return {
        "features": any(getattr(policy, "needs_features", True) for policy in policies),
        "chips": any(getattr(policy, "needs_chips", False) for policy in policies),
    }


@dataclass(frozen=True)
class UniformPolicy:
    """Every legal slot alike."""

    needs_features: ClassVar[bool] = False

    name: str = "random"

    def __call__(self, questions: _native.Questions) -> Probabilities:
        return questions.legal.astype(np.float32)


@dataclass(frozen=True)
class TablePolicy:
    """A strategy by infoset; uniform where the table has no row."""

    needs_features: ClassVar[bool] = False

    table: StrategyTable
    name: str = "table"

    def __call__(self, questions: _native.Questions) -> Probabilities:
        rows = self.table.lookup(questions.infosets, questions.legal)
        return np.ascontiguousarray(rows, np.float32)


@dataclass(frozen=True)
class MixedPolicy:
    """At every decision one of several policies, each with its weight: their mean, row by row."""

    policies: Sequence[Policy]
    weights: Sequence[float]
    name: str = "mixture"

    @property
    def needs_features(self) -> bool:
        return asks_for(self.policies)["features"]

    @property
    def needs_chips(self) -> bool:
        return asks_for(self.policies)["chips"]

    def __post_init__(self) -> None:
        if len(self.policies) != len(self.weights) or not self.policies:
            raise InputError("a mixture needs one weight for each of its policies")
        if min(self.weights) < 0 or not 0 < sum(self.weights) < float("inf"):
            raise InputError("the weights of a mixture must not be negative, nor all zero")

    def __call__(self, questions: _native.Questions) -> Probabilities:
        total = np.zeros(questions.legal.shape, np.float32)
        for policy, weight in zip(self.policies, self.weights, strict=True):
            rows = np.where(questions.legal, policy(questions), 0)
            total += np.float32(weight) * rows / rows.sum(axis=1, keepdims=True)
        return total


def tree_policy(game: object, tree: ExplicitTree, strategy: NDArray[np.float64]) -> TablePolicy:
    """A strategy [infosets, max_actions] over the tree of a native game, as a policy."""
    if not isinstance(game, NativeGame):
        raise InputError("only strategies of native games can play at a table")
    evaluator = TableEvaluator(game.game)
    rows = {}
    names = zip(tree.infoset_names, tree.infoset_action_names, strict=True)
    for infoset, (name, actions) in enumerate(names):
        row = np.zeros(game.game.num_actions)
        row[[int(slot) for slot in actions]] = strategy[infoset, : len(actions)]
        rows[name] = row
    return TablePolicy(evaluator.table(rows))
