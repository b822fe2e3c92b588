# SPDX-License-Identifier: MIT
"""RL-CFR converges with its default recipe and with each component alone, and resumes exactly."""

import dataclasses

import pytest

from regretless.algorithms.rl_cfr import RLCFR, RLCFRConfig
from regretless.errors import InputError
from regretless.games import load_game

PLAIN = RLCFRConfig(final_epsilon=0.6, learning_rate=1, bootstrap="none", replay_capacity=0)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_default_recipe_solves_kuhn(seed: int) -> None:
    algorithm = RLCFR(load_game("kuhn"), seed=seed)
    algorithm.step(1000)
    assert algorithm.exploitability() < 0.01
    assert algorithm.values()[0] == pytest.approx(-1 / 18, abs=0.01)
    assert algorithm.num_infosets() == len(algorithm.strategy()) == 12


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"final_epsilon": 0.2},
        {"learning_rate": 2},
        {"bootstrap": "baseline"},
        {"replay_capacity": 1000},
    ],
)
def test_each_component_alone_converges(change: dict[str, float]) -> None:
    algorithm = RLCFR(load_game("kuhn"), dataclasses.replace(PLAIN, **change), seed=1)
    algorithm.step(1000)
    assert algorithm.exploitability() < 0.01


def test_without_exploration_it_does_not_converge() -> None:
    config = dataclasses.replace(PLAIN, epsilon=0, final_epsilon=0)
    algorithm = RLCFR(load_game("kuhn"), config, seed=1)
    algorithm.step(1000)
    assert algorithm.exploitability() > 0.03


def test_goes_on_from_its_state() -> None:
    game = load_game("leduc")
    whole, half, rest = (RLCFR(game, seed=3) for _ in range(3))
    whole.step(6)
    half.step(3)
    rest.restore(half.state())
    assert rest.steps_done == 3
    rest.step(3)
    one, two = whole.state(), rest.state()
    assert one.keys() == two.keys()
    assert all(one[name].tobytes() == two[name].tobytes() for name in one)
    assert len(one["replay_ids"]) == 1000


def test_refuses_what_makes_no_sense() -> None:
    game = load_game("kuhn")
    with pytest.raises(InputError, match="learning_rate"):
        RLCFR(game, RLCFRConfig(learning_rate=0.5))
    with pytest.raises(InputError, match="value_rate"):
        RLCFR(game, RLCFRConfig(value_rate=2))
    with pytest.raises(InputError, match="replay"):
        RLCFR(game, PLAIN).restore(_state_after(RLCFR(game)))


def _state_after(algorithm: RLCFR) -> dict[str, object]:
    algorithm.step()
    return algorithm.state()
