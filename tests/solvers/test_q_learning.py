# SPDX-License-Identifier: MIT
"""Q-learning wins what an exact best response wins, and resumes exactly."""

import numpy as np
import pytest

from regretless import _native
from regretless.algorithms.q_learning import QLearning, QLearningConfig
from regretless.errors import InputError
from regretless.games import load_game
from regretless.policies.strategy_table import StrategyTable, TableEvaluator

FOLD, CALL, BET = np.eye(3)


def never_bluffs(evaluator: TableEvaluator) -> StrategyTable:
    """Bets the king alone, calls with a queen or better."""
    rows = {}
    for name in evaluator.names:
        card, _, events = name.partition(":")
        faces_bet = events.endswith("r")
        rows[name] = {"J": FOLD if faces_bet else CALL, "Q": CALL, "K": CALL if faces_bet else BET}[
            card
        ]
    return evaluator.table(rows)


def always_calls(evaluator: TableEvaluator) -> StrategyTable:
    return evaluator.table(dict.fromkeys(evaluator.names, CALL))


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("opponent", "best"), [(never_bluffs, 1 / 6), (always_calls, 1 / 3)])
def test_wins_what_the_best_response_wins(opponent, best: float, seed: int) -> None:
    game = load_game("kuhn")
    learner = QLearning(game, opponent=opponent(TableEvaluator(game)), seed=seed)
    metrics = learner.step(50)
    result = learner.exploitation()
    assert result.best_value == pytest.approx(best)
    assert result.share >= 0.95
    assert metrics["episodes"] == 100_000
    assert metrics["epsilon"] < 0.3


def test_beats_a_calling_leduc_player() -> None:
    game = load_game("leduc")
    learner = QLearning(game, opponent=always_calls(TableEvaluator(game)), seed=0)
    learner.step(150)
    assert learner.exploitation().share >= 0.9


def test_an_opponent_may_be_a_function() -> None:
    game = load_game("kuhn")
    evaluator = TableEvaluator(game)
    table = never_bluffs(evaluator)

    def answer(questions: "_native.Questions") -> np.ndarray:
        return table.lookup(questions.infosets, questions.legal)

    by_table, by_function = (QLearning(game, opponent=opponent) for opponent in (table, answer))
    by_table.step(3)
    by_function.step(3)
    assert by_table.state()["values"].tobytes() == by_function.state()["values"].tobytes()
    with pytest.raises(InputError, match="table"):
        by_function.exploitation()


def test_plays_against_itself() -> None:
    learner = QLearning(load_game("liars-dice-1x4f"), QLearningConfig(final_learning_rate=0.01))
    learner.step(20)
    assert learner.exploitability() < 1
    assert sum(learner.values()) == pytest.approx(0)
    assert learner.num_infosets() == len(learner.strategy()) == 1024
    assert learner.visits.sum() > 20 * 2000


def test_goes_on_from_its_state() -> None:
    game = load_game("kuhn")
    opponent = never_bluffs(TableEvaluator(game))
    whole, half, rest = (QLearning(game, opponent=opponent, seed=7) for _ in range(3))
    whole.step(6)
    half.step(3)
    rest.restore(half.state())
    assert rest.steps_done == 3
    rest.step(3)
    one, two = whole.state(), rest.state()
    assert all(one[name].tobytes() == two[name].tobytes() for name in one)


def test_refuses_what_makes_no_sense() -> None:
    game = load_game("kuhn")
    with pytest.raises(InputError, match="episodes_per_step: must be at least 1"):
        QLearning(game, QLearningConfig(episodes_per_step=0))
    with pytest.raises(InputError, match="no infoset is called"):
        TableEvaluator(game).table({"X|": CALL})
    with pytest.raises(InputError, match="3 probabilities"):
        TableEvaluator(game).table({"J:": [1, 0]})
    with pytest.raises(InputError, match="another game"):
        QLearning(game).restore(QLearning(load_game("leduc")).state())
