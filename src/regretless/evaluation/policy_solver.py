# SPDX-License-Identifier: MIT
"""An algorithm without exact measures, measured by asking its policy at every infoset."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless.algorithm import Algorithm, Arrays, EvaluatesProfile, Metrics, Takes
from regretless.evaluation.measures import ExactEvaluator
from regretless.policies.policy import Policy
from regretless.policies.strategy_table import ProfileValues, no_listing
from regretless.watch import UNWATCHED, Watch


class PolicySolver(EvaluatesProfile):
    """Implements `Solver` for any algorithm whose strategy can play, in games small enough."""

    def __init__(self, algorithm: Algorithm) -> None:
        self.algorithm = algorithm

    @property
    def game(self) -> Any:
        return self.algorithm.game

    @property
    def steps_done(self) -> int:
        return self.algorithm.steps_done

    def takes(self) -> Takes:
        return self.algorithm.takes()

    def step(self, count: int = 1, watch: Watch = UNWATCHED) -> Metrics:
        return self.algorithm.step(count, watch)

    def no_policy(self) -> str | None:
        return self.algorithm.no_policy()

    def policy(self) -> Policy:
        return self.algorithm.policy()

    def state(self) -> Arrays:
        return self.algorithm.state()

    def restore(self, state: Arrays) -> None:
        self.algorithm.restore(state)

    def no_exact(self) -> str | None:
        return no_listing(self.game)

    @cached_property
    def _evaluator(self) -> ExactEvaluator:
        return ExactEvaluator(self.game)

    def evaluate(self) -> ProfileValues:
        return self._evaluator.values(self.policy())

    def num_infosets(self) -> int:
        return len(self._evaluator.tables.keys)

    def strategy(self) -> dict[str, NDArray[np.float64]]:
        evaluator = self._evaluator
        return evaluator.tables.strategy(evaluator.questions.table(self.policy()))
