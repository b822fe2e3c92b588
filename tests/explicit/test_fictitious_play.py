# SPDX-License-Identifier: MIT
"""Fictitious play: convergence, the average it keeps, resuming."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recalled_games import best_response, recalled_trees
from regretless.algorithms import make_algorithm
from regretless.algorithms.fictitious_play import FictitiousPlay, FictitiousPlayConfig
from regretless.errors import InputError
from regretless.explicit.explicit_tree import expected_values, uniform_strategy
from spiel_trees import spiel_tree

CONFIGS = [
    FictitiousPlayConfig(is_linear, alternating)
    for is_linear in (False, True)
    for alternating in (False, True)
]


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize(
    ("name", "value", "bound"),
    [
        ("kuhn_poker", -1 / 18, 0.01),
        ("leduc_poker", -0.0856064, 0.06),
        ("liars_dice(dice_sides=4)", 1 / 16, 0.03),
    ],
)
def test_it_converges(name, value, bound, config):
    play = FictitiousPlay(spiel_tree(name), config)
    assert play.step(2000) == {"nodes": 2000 * play.tree.nodes_touched}
    assert play.exploitability() < bound
    assert play.values()[0] == pytest.approx(value, abs=bound)
    assert (play.steps_done, play.num_infosets()) == (2000, len(play.strategy()))


def test_liars_dice_as_in_the_rebel_paper():
    """Table 2: 0.012 with four faces after 512 updates of each player, weighted linearly."""
    play = FictitiousPlay(
        spiel_tree("liars_dice(dice_sides=4)"), FictitiousPlayConfig(is_linear=True)
    )
    play.step(512)
    assert play.exploitability() < 0.015


@pytest.mark.parametrize("config", CONFIGS)
def test_resuming_gives_the_same_bytes(config):
    tree = spiel_tree("leduc_poker")
    straight, first, second = (FictitiousPlay(tree, config) for _ in range(3))
    straight.step(50)
    first.step(20)
    second.restore(first.state())
    second.step(30)
    expected, resumed = straight.state(), second.state()
    assert expected.keys() == resumed.keys()
    assert all(expected[key].tobytes() == resumed[key].tobytes() for key in expected)


@given(recalled_trees(num_players=3), st.booleans())
@settings(max_examples=50)
def test_the_average_earns_the_mean_of_what_the_responses_earn(tree, is_linear):
    # Against fixed others, a mixture of plans earns the mixture of the payoffs; the mixture of
    # behaviours without the weights of reach would not.
    play = FictitiousPlay(tree, FictitiousPlayConfig(is_linear, alternating=False))
    responses, fixed = [], uniform_strategy(tree)
    for step in range(6):
        current = play.average_strategy() if step else fixed
        responses.append(best_response(tree, current))
        play.step()
    weights = np.arange(1, 7) if is_linear else np.ones(6)
    for player in range(3):
        is_own = (tree.infoset_actors == player)[:, None]
        earned = [
            expected_values(tree, np.where(is_own, response, fixed))[player]
            for response in responses
        ]
        average = np.where(is_own, play.average_strategy(), fixed)
        mean = np.average(earned, weights=weights)
        assert expected_values(tree, average)[player] == pytest.approx(mean, abs=1e-9)


def test_forgetful_players_are_refused():
    with pytest.raises(InputError, match="perfect recall"):
        FictitiousPlay(spiel_tree("liars_dice_ir(dice_sides=3)"))


def test_it_has_a_name():
    play = make_algorithm("fictitious-play", spiel_tree("kuhn_poker"))
    assert isinstance(play, FictitiousPlay)
