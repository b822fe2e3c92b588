# SPDX-License-Identifier: MIT
"""Custom games that tell hands and public states: solved, searched and learned by ReBeL."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hand_games
from regretless import InputError, _native, load_game, make_algorithm
from regretless.explicit.explicit_game import ExplicitGame
from regretless.games.loading import play_at_table
from regretless.policies.strategy_table import StrategyTable, TableEvaluator
from regretless.search.leaf_values import ZeroLeaves
from regretless.search.profile_table import SearchProfileTable
from regretless.search.subgames import SearchConfig

HERE = Path(__file__).parents[1] / "oracles"
PAIRS = [("Kuhn", "kuhn"), ("LiarsDice", "liars-dice-1x3f")]


def own(name: str, *arguments: Any) -> ExplicitGame:
    return play_at_table(getattr(hand_games, name)(*arguments), name)


def view_of(game: ExplicitGame) -> _native.TabularGame:
    assert game.public is not None
    return game.public.native


@pytest.mark.parametrize(("name", "native"), PAIRS)
@pytest.mark.parametrize("family", ["cfr", "dcfr"])
def test_the_curve_of_cfr_is_that_of_the_native_game(name: str, native: str, family: str) -> None:
    discounts = _native.Discounts(family)
    ours = _native.VectorSolver(view_of(own(name)), discounts)
    theirs = _native.VectorSolver(load_game(native), discounts)
    unit = load_game(native).unit
    for _ in range(20):
        ours.step(5)
        theirs.step(5)
        for player in range(2):
            assert ours.value(player) == pytest.approx(theirs.value(player) / unit, abs=1e-9)
            best = theirs.best_value(player) / unit
            assert ours.best_value(player) == pytest.approx(best, abs=1e-9)
    assert ours.problem.size.infosets == theirs.problem.size.infosets


@pytest.mark.parametrize("seed", range(5))
def test_values_of_any_strategy_are_those_of_the_tree(seed: int) -> None:
    """Correlated deals, unequally many hands, and cards that nobody sees."""
    game = own("Drawn", seed)
    evaluator, problem = TableEvaluator(game), _native.VectorProblem(view_of(game))
    rows = np.random.default_rng(seed).random(evaluator.legal.shape) * evaluator.legal
    rows /= rows.sum(axis=1, keepdims=True)
    order = np.argsort(evaluator.keys)
    exact = evaluator.evaluate(StrategyTable(evaluator.keys[order], rows[order]))
    assert game.public is not None
    profile = problem.profile_of(rows[game.public.tree_infosets(problem.keys())])
    values = np.array(problem.values_of(profile)) / game.unit
    best = np.array(problem.best_values_against(profile)) / game.unit
    np.testing.assert_allclose(values, exact.values, atol=1e-9)
    np.testing.assert_allclose(best, exact.best_values, atol=1e-9)


@pytest.mark.parametrize("depth", [1, 2, "round"])
def test_a_search_is_measured_as_the_tree_measures_its_table(depth: int | str) -> None:
    game = own("Drawn", 7)
    config = SearchConfig(iterations=6 if depth != "round" else 600, depth=depth)
    player = SearchProfileTable(game, config, lambda job: ZeroLeaves())
    exact = TableEvaluator(game).evaluate(player.table())
    np.testing.assert_allclose(player.gains(), exact.gains, atol=1e-8)
    np.testing.assert_allclose(player.values(), exact.values, atol=1e-8)
    assert player.strategy().keys() <= set(TableEvaluator(game).names)
    if depth == "round":
        assert player.exploitability() < 1e-3


@pytest.mark.parametrize(("name", "native"), PAIRS)
def test_a_search_plays_as_in_the_native_game(name: str, native: str) -> None:
    config = SearchConfig(iterations=16, depth=1)
    theirs = SearchProfileTable(load_game(native), config, lambda job: ZeroLeaves(), 8)
    ours = SearchProfileTable(own(name), config, lambda job: ZeroLeaves(), 8)
    assert ours.num_infosets() == theirs.num_infosets()
    np.testing.assert_allclose(ours.gains(), theirs.gains(), atol=1e-6)


def test_equal_public_states_are_searched_once() -> None:
    from regretless.search.subgames import make_subgames, number_roots

    config = SearchConfig(iterations=1, depth=1)
    theirs = make_subgames(load_game("liars-dice-1x3f"), config)
    ours = make_subgames(own("LiarsDice"), config)
    assert len(number_roots(ours)) == len(number_roots(theirs))
    assert ours.states.features().shape[1] == 2 + 7  # a part for "no bid yet"


class Skewed(hand_games.Kuhn):
    """Three deals that are not equally likely, and one move each."""

    def actor(self, state: hand_games.State) -> int:
        return (0, 1, -2)[len(state.done)] if state.deal else -1

    def chance(self, state: hand_games.State) -> list[tuple[Any, float]]:
        return [(("A", "c"), 0.6), (("A", "d"), 0.25), (("B", "d"), 0.15)]

    def next(self, state: hand_games.State, action: Any) -> hand_games.State:
        return (
            hand_games.State(state.deal, (*state.done, action))
            if state.deal
            else (hand_games.State(action))
        )

    def payoffs(self, state: hand_games.State) -> list[int]:
        return [1, -1] if state.done[0] == state.done[1] else [-1, 1]


def test_paths_are_drawn_with_hands_as_likely_as_the_deal_makes_them() -> None:
    """Leaves that are worth much to one hand each tell which hand was drawn."""
    game = play_at_table(Skewed(), "Skewed")
    discounts = _native.Discounts("cfr+")
    states = _native.PublicStates(view_of(game))
    job = _native.Subgames(states, discounts, iterations=4, max_decisions=1)
    count = 4000
    stops = np.full(count, 4, np.int32)
    job.begin(
        np.zeros(1, np.int32),
        np.ones((1, 2, 2)),
        np.zeros(count, np.int32),
        stops,
        np.arange(count, dtype=np.uint64),
    )
    while (questions := job.ask()) is not None:
        states = np.array(questions[0])
        values = np.zeros((len(states), 2, 2), np.float32)
        for row, state in enumerate(states):  # hand A wins in the first leaf, B in the second
            values[row, 0] = [5, 0] if state == states[0] else [0, 5]
        job.answer(values)
    share = np.mean(job.next_states() == states[0])
    assert share == pytest.approx(0.85, abs=0.02)


SMALL = {
    "depth": 1,
    "iterations": 32,
    "games": 64,
    "examples": 512,
    "width": 32,
    "minibatches": 60,
    "replay": 8192,
    "play_iterations": 32,
    "playthroughs": 32,
}


def test_rebel_learns_and_is_measured_exactly() -> None:
    pytest.importorskip("torch").set_num_threads(1)
    game = own("Kuhn")
    rebel: Any = make_algorithm("rebel", game, **SMALL)
    before = rebel.exploitability()
    rebel.step(4)
    assert rebel.exploitability() < before / 2  # 0.375, 0.085; the native game 0.333, 0.050
    table = TableEvaluator(game).evaluate(rebel.policy().table)
    assert rebel.exploitability() == pytest.approx(table.exploitability, abs=1e-8)
    assert rebel.num_infosets() == game.tree.num_infosets


def test_rebel_trains_from_a_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch").set_num_threads(1)
    from regretless import evaluate, read_config, train

    monkeypatch.chdir(HERE)
    options = ", ".join(f"{key}: {value}" for key, value in {**SMALL, "examples": 64}.items())
    config = tmp_path / "own.yaml"
    config.write_text(
        f"game: hand_games.py:LiarsDice\nalgorithm: {{name: rebel, {options}}}\n"
        f"budget: {{steps: 2}}\noutput: {tmp_path / 'run'}\n"
    )
    train(read_config(config))
    found = evaluate(tmp_path / "run").exact
    assert found is not None and 0 < found.exploitability < 1


class Later(hand_games.Kuhn):
    """A card is turned after two passes."""

    def actor(self, state: hand_games.State) -> int:
        if state.done == ("p", "p"):
            return -1
        return -2 if len(state.done) == 3 else super().actor(state)

    def chance(self, state: hand_games.State) -> list[tuple[str, float]]:
        return [("t", 1.0)] if state.done else super().chance(state)


class Peeks(hand_games.Kuhn):
    def public_state(self, state: hand_games.State) -> Any:
        return state.deal[0], state.done


class Changes(hand_games.Kuhn):
    def hand(self, state: hand_games.State, player: int) -> str:
        return "?" if state.done else super().hand(state, player)


class Hides(hand_games.Kuhn):
    """A game whose first action is hidden."""

    def infoset(self, state: hand_games.State) -> str:
        done = "?" if len(state.done) == 1 else "".join(state.done)
        return str(state.deal[len(state.done) % 2]) + done


class Knows(hand_games.Kuhn):
    """The second player sees both cards, and says so in no hand."""

    def infoset(self, state: hand_games.State) -> str:
        mine = state.deal[0] if len(state.done) % 2 == 0 else "".join(state.deal)
        return mine + "".join(state.done)


class Forgets(hand_games.Kuhn):
    def infoset(self, state: hand_games.State) -> str:
        return f"{len(state.done) % 2}{''.join(state.done)}"


class Merges(hand_games.Kuhn):
    def public_state(self, state: hand_games.State) -> Any:
        return len(state.done)


class Unfair(hand_games.Kuhn):
    def payoffs(self, state: hand_games.State) -> list[int]:
        return [1, 1]


class Listed(hand_games.Kuhn):
    def hand(self, state: hand_games.State, player: int) -> Any:
        return [state.deal[player]]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Later, "chance comes after the deal, where it may come no more (after J, Q, p, p)"),
        (Peeks, "public_state depends on hands: ('Q', ()) and ('J', ()) with others (after Q"),
        (Changes, "hand of player 0 is another than dealt (after J, Q, p)"),
        (Hides, "infoset 'Q?' is met after other actions too: not all of them are public (after"),
        (Knows, "infosets 'QKp' and 'JKp' are one hand of player 1 at one public state (after Q"),
        (Forgets, "infoset '0' is met with several hands of player 0 (after Q, J)"),
        (Merges, "public_state 1 goes on otherwise here than after J, Q, p (after J, Q, b)"),
        (Unfair, "hands are for zero-sum games, and payoffs do not cancel (after J, Q, p, p)"),
        (Listed, "hand gave ['J'], which is not hashable (after J, Q)"),
    ],
)
def test_what_breaks_the_conditions_is_named(kind: type, said: str) -> None:
    with pytest.raises(InputError) as error:
        play_at_table(kind(), kind.__name__)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_a_game_without_the_two_methods_says_what_to_write() -> None:
    game = load_game(f"{HERE.parents[1] / 'examples' / 'python_game.py'}:KuhnPoker")
    with pytest.raises(InputError, match="the methods hand and public_state"):
        SearchProfileTable(game, SearchConfig(), lambda job: ZeroLeaves())
