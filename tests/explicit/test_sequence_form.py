# SPDX-License-Identifier: MIT
"""The sequence-form linear program: known values, and the same as CFR on random games."""

import pytest
from hypothesis import given, settings

from recalled_games import recalled_trees
from regretless.algorithms.cfr import ExplicitCFR
from regretless.algorithms.sequence_form import solve_sequence_form
from regretless.errors import InputError
from regretless.explicit.explicit_tree import expected_values
from regretless.explicit.open_spiel import OpenSpielGame
from regretless.solvers.problem import FamilyConfig
from spiel_trees import spiel_tree


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kuhn_poker", -1 / 18),
        ("leduc_poker", -0.0856064),
        ("liars_dice(dice_sides=4)", 1 / 16),
        ("liars_dice", -0.0271318),
        ("matrix_mp", 0.0),
        ("goofspiel(num_cards=3,imp_info=True)", 0.0),
    ],
)
def test_known_values(name, value):
    tree = spiel_tree(name)
    solution = solve_sequence_form(tree)
    assert solution.value == pytest.approx(value, abs=1e-7)
    assert solution.exploitability == pytest.approx(0, abs=1e-7)
    values = expected_values(tree, solution.strategies)
    assert values == pytest.approx((solution.value, -solution.value), abs=1e-9)


def test_a_python_game_is_enumerated():
    pytest.importorskip("pyspiel")
    assert solve_sequence_form(OpenSpielGame("kuhn_poker")).value == pytest.approx(-1 / 18)


@given(recalled_trees(num_players=2, is_zero_sum=True))
@settings(max_examples=60, deadline=None)
def test_cfr_finds_the_same_value(tree):
    solution = solve_sequence_form(tree)
    assert solution.exploitability == pytest.approx(0, abs=1e-6)
    cfr = ExplicitCFR(tree, FamilyConfig("pcfr+"))
    cfr.step(2000)
    evaluated = cfr.evaluate()
    # The value of a strategy lies within the gains of both players around the value of the game.
    assert evaluated.nash_conv < 0.05
    assert abs(evaluated.values[0] - solution.value) <= evaluated.nash_conv + 1e-6


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "matrix_pd"])
def test_other_games_are_refused(name):
    with pytest.raises(InputError, match="two-player zero-sum"):
        solve_sequence_form(spiel_tree(name))


def test_forgetful_players_are_refused():
    with pytest.raises(InputError, match="perfect recall"):
        solve_sequence_form(spiel_tree("liars_dice_ir(dice_sides=3)"))
