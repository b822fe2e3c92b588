# SPDX-License-Identifier: MIT
"""The CFR family on explicit trees: known curves, resuming, more players, wrong input."""

import numpy as np
import pytest
from hypothesis import given, settings

from recalled_games import recalled_trees
from regretless.algorithms import make_algorithm
from regretless.algorithms.cfr import ExplicitCFR
from regretless.errors import InputError
from regretless.explicit.explicit_tree import enumerate_tree
from regretless.explicit.open_spiel import OpenSpielGame
from regretless.solvers.problem import NAMES, FamilyConfig
from spiel_trees import spiel_tree


def solver(name, variant, **options):
    return ExplicitCFR(spiel_tree(name), FamilyConfig(variant, **options))


# Exploitability after 100, 500 and 1,000 iterations, with the tolerance that its digits allow.
# Rounding grows along the way on Leduc, so its later points are looser.
CURVES = [
    ("kuhn_poker", "cfr", (8.2e-3, 1.2e-3, 9.4e-4)),
    ("kuhn_poker", "cfr+", (1.2e-3, 1.7e-4, 8.7e-5)),
    ("kuhn_poker", "dcfr", (1.7e-3, 3.9e-4, 1.5e-4)),
    ("kuhn_poker", "pcfr+", (2.3e-5, 1.9e-7, 2.4e-8)),
    ("kuhn_poker", "pdcfr+", (1.1e-7, 7e-12, 1e-13)),
    ("leduc_poker", "cfr", (9.6e-2, 2.2e-2, 1.18e-2)),
    ("leduc_poker", "cfr+", (1.34e-2, 8.9e-4, 2.57e-4)),
    ("leduc_poker", "dcfr", (7.8e-3, 5.6e-4, 1.53e-4)),
    ("leduc_poker", "pcfr+", (2.0e-2, 1.4e-3, 7.1e-4)),
    ("leduc_poker", "pdcfr+", (1.8e-2, 1.8e-3, 9e-4)),
    ("liars_dice(dice_sides=4)", "cfr", (1.7e-2, 3.4e-3, 1.7e-3)),
    ("liars_dice(dice_sides=4)", "cfr+", (2.3e-3, 1.5e-4, 4.5e-5)),
    ("liars_dice(dice_sides=4)", "dcfr", (6.8e-4, 3.7e-5, 2.6e-5)),
    ("liars_dice(dice_sides=4)", "pcfr+", (1.6e-3, 1.2e-5, 1.5e-6)),
    ("liars_dice(dice_sides=4)", "pdcfr+", (7.5e-4, 1.3e-8, 2e-10)),
]


@pytest.mark.parametrize(("name", "variant", "curve"), CURVES)
def test_known_curves(name, variant, curve):
    cfr = solver(name, variant)
    for count, expected, tolerance in zip((100, 400, 500), curve, (0.04, 0.2, 0.3), strict=True):
        cfr.step(count)
        assert cfr.exploitability() == pytest.approx(expected, rel=tolerance)
    assert cfr.steps_done == 1000


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("variant", NAMES)
def test_every_variant_converges_on_leduc(variant, alternating):
    cfr = solver("leduc_poker", variant, alternating=alternating)
    cfr.step(2000)
    evaluated = cfr.evaluate()
    assert evaluated.exploitability < 0.03
    assert evaluated.values == pytest.approx((-0.0856064, 0.0856064), abs=0.01)


@pytest.mark.slow
def test_liars_dice_with_six_faces():
    cfr = solver("liars_dice", "cfr+")
    cfr.step(500)
    assert cfr.exploitability() == pytest.approx(5.1e-4, rel=0.05)


def test_the_equilibrium_of_kuhn():
    cfr = solver("kuhn_poker", "pcfr+")
    cfr.step(1000)
    strategy = cfr.strategy()
    bluff = strategy["0"][1]
    assert 0 <= bluff <= 1 / 3
    assert strategy["2"][1] == pytest.approx(3 * bluff, abs=1e-3)
    assert strategy["1pb"][1] == pytest.approx(bluff + 1 / 3, abs=1e-3)
    assert strategy["1"][1] == pytest.approx(0, abs=1e-3)
    assert strategy["0p"][1] == pytest.approx(1 / 3, abs=1e-3)
    assert strategy["1b"][1] == pytest.approx(1 / 3, abs=1e-3)
    assert cfr.values()[0] == pytest.approx(-1 / 18, abs=1e-6)


def test_three_players_find_an_equilibrium_of_kuhn():
    cfr = solver("kuhn_poker(players=3)", "cfr+")
    cfr.step(5000)
    assert cfr.num_infosets() == 48
    assert max(cfr.evaluate().gains) < 1e-3
    assert sum(cfr.values()) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("variant", NAMES)
def test_resuming_gives_the_same_bytes(variant, alternating):
    straight = solver("leduc_poker", variant, alternating=alternating)
    straight.step(50)
    first = solver("leduc_poker", variant, alternating=alternating)
    first.step(20)
    second = solver("leduc_poker", variant, alternating=alternating)
    second.step(3)
    second.restore(first.state())
    second.step(30)
    expected, resumed = straight.state(), second.state()
    assert expected.keys() == resumed.keys()
    assert all(expected[key].tobytes() == resumed[key].tobytes() for key in expected)
    assert straight.average_strategy().tobytes() == second.average_strategy().tobytes()


def test_exponents_can_be_chosen():
    linear = solver("leduc_poker", "linear")
    dcfr = solver("leduc_poker", "dcfr", alpha=1.0, beta=1.0, gamma=1.0)
    for cfr in (linear, dcfr):
        cfr.step(30)
    np.testing.assert_array_equal(linear.average_strategy(), dcfr.average_strategy())
    no_discount = solver("leduc_poker", "dcfr", alpha=np.inf, beta=np.inf, gamma=0.0)
    plain = solver("leduc_poker", "cfr")
    for cfr in (no_discount, plain):
        cfr.step(30)
    np.testing.assert_array_equal(no_discount.average_strategy(), plain.average_strategy())


@given(recalled_trees(num_players=3))
@settings(max_examples=50)
def test_any_game_can_be_stepped_and_its_strategy_is_one(tree):
    for variant in NAMES:
        cfr = ExplicitCFR(tree, FamilyConfig(variant))
        cfr.step(20)
        assert min(cfr.evaluate().gains) >= -1e-9
        rows = cfr.strategy()
        assert [len(row) for row in rows.values()] == tree.infoset_num_actions.tolist()


def test_a_python_game_is_enumerated():
    cfr = ExplicitCFR(OpenSpielGame("kuhn_poker"))
    assert cfr.config.name == "cfr+"
    assert cfr.step(100) == {"nodes": 100 * cfr.tree.nodes_touched}
    assert cfr.exploitability() == pytest.approx(1.19e-3, rel=0.01)


def test_infosets_of_equal_name_are_told_apart():
    pytest.importorskip("pyspiel")
    tree = enumerate_tree(OpenSpielGame("matrix_mp"))
    rows = ExplicitCFR(tree).strategy()
    assert len(rows) == tree.num_infosets == 2


def test_what_cannot_be_solved():
    with pytest.raises(InputError, match="perfect recall"):
        solver("liars_dice_ir(dice_sides=3)", "cfr")
    with pytest.raises(InputError, match=r"no algorithm .cfr-. in the CFR family"):
        solver("kuhn_poker", "cfr-")
    with pytest.raises(InputError, match="gamma"):
        solver("kuhn_poker", "dcfr", gamma=-1.0)
    with pytest.raises(ValueError, match="another variant"):
        solver("kuhn_poker", "cfr").restore(solver("kuhn_poker", "pcfr+").state())
    with pytest.raises(ValueError, match=r"regrets: expected shape \[936, 3\]"):
        solver("leduc_poker", "cfr").restore(solver("kuhn_poker", "cfr").state())
    with pytest.raises(ValueError, match="count"):
        solver("kuhn_poker", "cfr").step(-1)


def test_algorithms_by_name():
    assert isinstance(make_algorithm("cfr+", spiel_tree("kuhn_poker")), ExplicitCFR)
    with pytest.raises(InputError, match="unknown algorithm 'cfrr'; did you mean 'cfr'"):
        make_algorithm("cfrr", spiel_tree("kuhn_poker"))
