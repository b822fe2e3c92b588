# SPDX-License-Identifier: MIT
"""Policies answer questions in batches, whatever they are made of."""

import numpy as np
import pytest

from regretless import _native
from regretless.algorithms import make_algorithm
from regretless.errors import InputError
from regretless.games import load_game
from regretless.policies.policy import MixedPolicy, Policy, TablePolicy, UniformPolicy
from regretless.policies.strategy_table import TableEvaluator


def mean_payoffs(game: object, policy: Policy, episodes: int = 40_000) -> np.ndarray:
    job = _native.SelfPlay(game, episodes, seed=5)
    while (questions := job.ask()) is not None:
        job.answer(policy(questions))
    return job.take_steps().payoffs.mean(axis=0)


@pytest.mark.parametrize(
    ("algorithm", "game", "steps"),
    [
        ("cfr+", "kuhn", 500),
        ("cfr+", "leduc", 300),
        ("mccfr", "leduc", 30_000),
        ("fictitious-play", "kuhn", 500),
        ("rl-cfr", "kuhn", 100),
        ("q-learning", "kuhn", 10),
    ],
)
def test_what_an_algorithm_yields_plays_its_strategy(algorithm: str, game: str, steps: int) -> None:
    loaded = load_game(game)
    solver = make_algorithm(algorithm, loaded)
    solver.step(steps)
    policy = solver.policy()
    assert isinstance(policy, TablePolicy)
    exact = TableEvaluator(loaded).evaluate(policy.table)
    assert exact.values == pytest.approx(solver.values(), abs=1e-6)
    assert exact.exploitability == pytest.approx(solver.exploitability(), abs=1e-6)
    assert mean_payoffs(loaded, policy)[0] == pytest.approx(solver.values()[0], abs=0.05)


def test_three_players() -> None:
    solver = make_algorithm("cfr+", load_game("kuhn", players=3))
    solver.step(300)
    table = solver.policy().table  # type: ignore[attr-defined]
    exact = TableEvaluator(load_game("kuhn", players=3)).evaluate(table)
    assert exact.gains == pytest.approx(solver.evaluate().gains, abs=1e-9)


def test_mixture() -> None:
    game = load_game("leduc")
    job = _native.SelfPlay(game, 100, seed=1)
    questions = job.ask()
    assert questions is not None
    solver = make_algorithm("cfr+", game)
    solver.step(50)
    mixed = MixedPolicy([solver.policy(), UniformPolicy()], [3, 1])(questions)
    uniform = questions.legal / questions.legal.sum(axis=1, keepdims=True)
    assert mixed == pytest.approx(3 * solver.policy()(questions) + uniform, abs=1e-6)
    with pytest.raises(InputError):
        MixedPolicy([UniformPolicy()], [0.0])
