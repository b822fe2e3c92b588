# SPDX-License-Identifier: MIT
"""MCCFR converges, agrees with itself over threads, storage and restarts, and with OpenSpiel."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as open_spiel_policy
from open_spiel.python.algorithms import exploitability as open_spiel_exploitability

from regretless import _native
from regretless.algorithms.mccfr import MCCFR, MCCFRConfig
from regretless.errors import InputError
from regretless.games import Game, load_game
from regretless.policies.strategy_table import StrategyTable, TableEvaluator


def same_state(first: MCCFR, second: MCCFR) -> bool:
    one, two = first.state(), second.state()
    return one.keys() == two.keys() and all(
        one[name].tobytes() == two[name].tobytes() and one[name].dtype == two[name].dtype
        for name in one
    )


@pytest.mark.parametrize(
    ("name", "value", "exploitability", "num_infosets"),
    [
        ("kuhn", 0.125, 0.458333, 12),
        ("leduc", -0.078125, 2.373611, 936),
        ("liars-dice-1x4f", None, 0.655060, 1024),
        ("liars-dice-1x6f", None, 0.780744, 24576),
    ],
)
def test_uniform_play_has_its_known_values(
    name: str, value: float | None, exploitability: float, num_infosets: int
) -> None:
    evaluator = TableEvaluator(load_game(name))
    result = evaluator.evaluate(evaluator.table({}))
    assert result.exploitability == pytest.approx(exploitability, abs=1e-6)
    assert value is None or result.values[0] == pytest.approx(value, abs=1e-9)
    assert sum(result.values) == pytest.approx(0, abs=1e-12)
    assert len(evaluator.names) == len(set(evaluator.names)) == num_infosets


@pytest.mark.parametrize(
    ("name", "sampling", "iterations", "bound", "value"),
    [
        ("kuhn", "external", 100_000, 0.005, -1 / 18),
        ("kuhn", "outcome", 500_000, 0.005, -1 / 18),
        ("leduc", "external", 500_000, 0.035, -0.0856064),
        ("leduc", "outcome", 2_000_000, 0.11, -0.0856064),
        ("liars-dice-1x4f", "external", 200_000, 0.012, 1 / 16),
        ("liars-dice-1x4f", "outcome", 1_000_000, 0.035, 1 / 16),
    ],
)
def test_converges(name: str, sampling: str, iterations: int, bound: float, value: float) -> None:
    algorithm = MCCFR(load_game(name), MCCFRConfig(sampling=sampling), seed=1)
    metrics = algorithm.step(iterations // 1000)
    assert metrics["iterations"] == iterations
    assert algorithm.exploitability() < bound
    assert algorithm.values()[0] == pytest.approx(value, abs=2 * bound)
    assert all(gain >= -1e-12 for gain in algorithm.evaluate().gains)


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_converges_for_three_players(sampling: str) -> None:
    game = load_game("kuhn", players=3)
    algorithm = MCCFR(game, MCCFRConfig(sampling=sampling), seed=1)
    algorithm.step(500)
    assert algorithm.num_infosets() == 48
    assert algorithm.exploitability() < 0.006
    nash_conv = 3 * algorithm.exploitability()
    assert open_spiel_nash_conv(game, algorithm.average_strategy()) == pytest.approx(nash_conv)


def open_spiel_nash_conv(game: Game, table: StrategyTable) -> float:
    """Walks every history of three-player Kuhn in both programs at once."""
    theirs = pyspiel.load_game("kuhn_poker", {"players": 3})
    tabular = open_spiel_policy.TabularPolicy(theirs)

    def walk(state: pyspiel.State, episode: "_native.PokerEpisode") -> None:
        if state.is_terminal():
            assert list(state.returns()) == episode.payoffs
            return
        row = table.lookup(np.array([episode.infoset]), np.array([episode.legal]))[0]
        calls, bets = episode.legal[1], episode.legal[2]
        passes = (
            0 if episode.legal[0] else 1
        )  # OpenSpiel's pass is our fold or check, its bet our bet or call
        slots = (passes, 2 if bets else 1)
        assert calls
        tabular.policy_for_key(state.information_state_string())[:] = [row[slot] for slot in slots]
        for action, slot in enumerate(slots):
            after = episode.copy()
            after.choose(slot)
            walk(state.child(action), after)

    def deal(state: pyspiel.State, cards: list[int]) -> None:
        if not state.is_chance_node():
            walk(state, _native.PokerEpisode(game, [[card] for card in cards]))
            return
        for card, _ in state.chance_outcomes():
            deal(state.child(card), [*cards, card])

    deal(theirs.new_initial_state(), [])
    return float(open_spiel_exploitability.nash_conv(theirs, tabular))


@pytest.mark.parametrize("storage", ["tree", "states"])
@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_threads_change_no_byte(sampling: str, storage: str) -> None:
    game = load_game("leduc")
    one, two = (
        MCCFR(game, MCCFRConfig(sampling, batch=50, threads=threads, storage=storage), seed=5)
        for threads in (1, 2)
    )
    one.step(10)
    two.step(10)
    assert same_state(one, two)


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_states_give_the_same_as_the_tree(sampling: str) -> None:
    game = load_game("leduc")
    tree, states = (
        MCCFR(game, MCCFRConfig(sampling, storage=storage)) for storage in ("tree", "states")
    )
    tree.step(20)
    states.step(20)
    first, second = tree.average_strategy(), states.average_strategy()
    assert np.array_equal(first.keys, second.keys)
    assert np.array_equal(first.probabilities, second.probabilities)


@pytest.mark.parametrize("storage", ["tree", "states"])
def test_goes_on_from_its_state(storage: str) -> None:
    game, config = load_game("leduc"), MCCFRConfig(storage=storage, iterations_per_step=100)
    whole, half, rest = (MCCFR(game, config, seed=9) for _ in range(3))
    whole.step(20)
    half.step(10)
    rest.restore(half.state())
    assert rest.steps_done == 10
    rest.step(10)
    assert same_state(whole, rest)


def test_seeds_differ() -> None:
    one, two = (MCCFR(load_game("kuhn"), seed=seed) for seed in (0, 1))
    one.step()
    two.step()
    assert not same_state(one, two)


def test_a_batch_still_converges() -> None:
    algorithm = MCCFR(load_game("leduc"), MCCFRConfig(batch=100, threads=2), seed=1)
    algorithm.step(500)
    assert algorithm.exploitability() < 0.035


def test_a_large_game_needs_no_tree() -> None:
    algorithm = MCCFR(
        load_game("nlhe"), MCCFRConfig("outcome", iterations_per_step=100, storage="states")
    )
    algorithm.step()
    table = algorithm.average_strategy()
    assert algorithm.num_infosets() == len(table.keys) > 100
    assert np.allclose(table.probabilities.sum(axis=1), 1)
    with pytest.raises(InputError, match="no exact evaluation"):
        algorithm.exploitability()


def test_the_strategy_is_told_by_name() -> None:
    algorithm = MCCFR(load_game("kuhn"), seed=1)
    algorithm.step(100)
    strategy = algorithm.strategy()
    assert len(strategy) == 12
    assert strategy["K:cr"] == pytest.approx([0, 1, 0], abs=0.01)
    assert strategy["J:r"] == pytest.approx([1, 0, 0], abs=0.01)


def test_refuses_what_makes_no_sense() -> None:
    game = load_game("kuhn")
    with pytest.raises(InputError, match="multiple of batch"):
        MCCFR(game, MCCFRConfig(batch=3))
    with pytest.raises(InputError, match="epsilon"):
        MCCFR(game, MCCFRConfig(epsilon=-1))
    with pytest.raises(InputError, match="threads"):
        MCCFR(game, MCCFRConfig(threads=0))
    algorithm, leduc = MCCFR(game), MCCFR(load_game("leduc"))
    with pytest.raises(InputError, match="another game"):
        leduc.restore(algorithm.state())
    with pytest.raises(InputError, match="no regrets"):
        algorithm.restore({k: v for k, v in algorithm.state().items() if k != "regrets"})
