# SPDX-License-Identifier: MIT
"""Games written in Python and games of OpenSpiel: their trees, and what is said of mistakes."""

import math
import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from regretless.errors import InputError
from regretless.explicit.explicit_tree import enumerate_tree, expected_values, uniform_strategy
from regretless.explicit.open_spiel import OpenSpielGame
from regretless.explicit.python_game import CHANCE, TERMINAL
from regretless.games import load_game
from regretless.seats.matches import evaluate, match

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "python_game.py"
PAGE = ROOT / "docs" / "python_games.md"


class Guess:
    """A coin falls, the second player bets on it, and each test breaks one rule."""

    num_players = 2

    def root(self):
        return ()

    def actor(self, state):
        return (CHANCE, 1, TERMINAL)[len(state)]

    def chance(self, state):
        return [("heads", 0.5), ("tails", 0.5)]

    def actions(self, state):
        return ["odd", "even"]

    def next(self, state, action):
        return (*state, action)

    def infoset(self, state):
        return "the bet"

    def payoffs(self, state):
        return [1.0, -1.0]


def after_tails(wrong, right):
    """A method that goes wrong in one state only, so that the error has a place to name."""
    return lambda self, state: wrong if state[:1] == ("tails",) else right


MISTAKES = {
    "probabilities that sum to less than 1": (
        {"chance": lambda self, state: [("heads", 0.5), ("tails", 0.4)]},
        "chance probabilities sum to 0.9, not 1 (at the root)",
    ),
    "a negative probability": (
        {"chance": lambda self, state: [("heads", 1.5), ("tails", -0.5)]},
        "chance outcome tails has probability -0.5 (at the root)",
    ),
    "a probability that is not a number": (
        {"chance": lambda self, state: [("heads", math.nan), ("tails", 1.0)]},
        "chance outcome heads has probability nan (at the root)",
    ),
    "an infinite probability": (
        {"chance": lambda self, state: [("heads", math.inf), ("tails", 0.0)]},
        "chance probabilities sum to inf, not 1 (at the root)",
    ),
    "a probability that is missing": (
        {"chance": lambda self, state: [("heads", None), ("tails", 1.0)]},
        "chance outcome heads has probability None (at the root)",
    ),
    "no outcomes": (
        {"chance": lambda self, state: []},
        "chance probabilities sum to 0.0, not 1 (at the root)",
    ),
    "outcomes without probabilities": (
        {"chance": lambda self, state: ["heads", "tails"]},
        "chance gave 'heads', not an (action, probability) pair (at the root)",
    ),
    "an outcome twice": (
        {"chance": lambda self, state: [("heads", 0.5), ("heads", 0.5)]},
        "chance names an action twice: heads, heads (at the root)",
    ),
    "no actions": (
        {"actions": after_tails([], ["odd", "even"])},
        "player 1 has no actions (after tails)",
    ),
    "actions forgotten": (
        {"actions": after_tails(None, ["odd", "even"])},
        "actions returned None, not a list (after tails)",
    ),
    "an action twice": (
        {"actions": lambda self, state: ["odd", "odd"]},
        "actions names an action twice: odd, odd (after heads)",
    ),
    "an action that is a list": (
        {"actions": lambda self, state: [["odd"]]},
        "actions gave ['odd'], which is not hashable (after heads)",
    ),
    "an infoset with other actions": (
        {"actions": after_tails(["even", "odd"], ["odd", "even"])},
        "infoset 'the bet' has actions even, odd here and odd, even elsewhere (after tails)",
    ),
    "an infoset of two players": (
        {"actor": lambda self, state: (CHANCE, int(state[:1] == ("tails",)), TERMINAL)[len(state)]},
        "infoset 'the bet' belongs to player 1 here and to player 0 elsewhere (after tails)",
    ),
    "an infoset that is a list": (
        {"infoset": after_tails([1], "the bet")},
        "infoset gave [1], which is not hashable (after tails)",
    ),
    "too few payoffs": (
        {"payoffs": after_tails([1.0], [1.0, -1.0])},
        "payoffs has 1 numbers for 2 players (after tails, odd)",
    ),
    "an infinite payoff": (
        {"payoffs": after_tails([math.inf, 0.0], [1.0, -1.0])},
        "payoffs are not all finite numbers: inf, 0.0 (after tails, odd)",
    ),
    "payoffs forgotten": (
        {"payoffs": after_tails(None, [1.0, -1.0])},
        "payoffs returned None, not a list (after tails, odd)",
    ),
    "an unknown player": (
        {"actor": lambda self, state: (CHANCE, 2, TERMINAL)[len(state)]},
        "actor returned 2, which is neither a player from 0 to 1 nor CHANCE (-1) nor TERMINAL (-2)"
        " (after heads)",
    ),
    "an actor forgotten": (
        {"actor": lambda self, state: None},
        "actor returned None, which is neither a player from 0 to 1 nor CHANCE (-1) nor TERMINAL"
        " (-2) (at the root)",
    ),
    "a state changed in place": (
        {"next": lambda self, state, action: state},
        "next(state, 'heads') returned the state it was given, not a new one (at the root)",
    ),
    "no players": ({"num_players": 0}, "num_players must be from 1 to 127: 0"),
    "a fraction of a player": ({"num_players": 1.5}, "num_players must be from 1 to 127: 1.5"),
}


@pytest.mark.parametrize(("members", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_with_its_place(members, message):
    broken = type("Broken", (Guess,), members)()
    with pytest.raises(InputError) as caught:
        enumerate_tree(broken)
    assert str(caught.value) == message


def test_a_tree_may_be_as_large_as_max_nodes_and_no_larger():
    assert enumerate_tree(Guess(), max_nodes=7).num_nodes == 7
    with pytest.raises(InputError, match=r"more than max_nodes = 6 histories \(after tails\)"):
        enumerate_tree(Guess(), max_nodes=6)
    with pytest.raises(InputError, match="max_nodes must be from 1"):
        enumerate_tree(Guess(), max_nodes=2**31)


def test_a_game_without_end_is_stopped_and_its_path_is_cut_short():
    class Endless(Guess):
        def actor(self, state):
            return 1

        def actions(self, state):
            return [len(state)]

        def infoset(self, state):
            return len(state)

    with pytest.raises(InputError, match=r"\(after 0, .*, 9, \.\.\. 79 more \.\.\., 89, .*, 98\)"):
        enumerate_tree(Endless(), max_nodes=100)


def test_an_exception_of_the_game_passes_through_with_its_place():
    class Broken(Guess):
        def payoffs(self, state):
            raise KeyError(state)

    with pytest.raises(KeyError) as caught:
        enumerate_tree(Broken())
    assert caught.value.__notes__ == ["while enumerating the game, after heads, odd"]


def test_numpy_numbers_are_numbers():
    class Arrays(Guess):
        num_players = np.int64(2)

        def actor(self, state):
            return np.int8(super().actor(state))

        def payoffs(self, state):
            return np.array([1, -1])

    assert enumerate_tree(Arrays()).num_terminals == 4


def test_the_example_is_kuhn_poker():
    tree = enumerate_tree(runpy.run_path(str(EXAMPLE))["KuhnPoker"]())
    # One chance node deals both cards; OpenSpiel deals them one by one and counts 58.
    assert (tree.num_infosets, tree.num_histories, tree.num_terminals) == (12, 55, 30)
    assert tree.infoset_names[:3] == ("J", "Q", "K")
    assert set(tree.infoset_action_names) == {("p", "b")}
    np.testing.assert_allclose(expected_values(tree, uniform_strategy(tree)), [0.125, -0.125])


def test_a_match_is_played_in_a_game_without_options():
    """The match has two players, and the constructor takes no number of them."""
    source = f"{EXAMPLE}:KuhnPoker"
    result = match("random", "random", game=source, hands=400)
    assert sum(each.won.mean for each in result.players) == pytest.approx(0)
    with pytest.raises(InputError, match="is for 2 players, not 3"):
        load_game(source, players=3)


def test_the_page_shows_the_example_and_what_it_prints(capsys):
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    blocks = re.findall(r"```\w*\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    assert EXAMPLE.read_text() in blocks
    assert capsys.readouterr().out in blocks


@pytest.mark.parametrize(
    ("name", "num_infosets", "num_histories", "num_terminals"),
    [
        ("kuhn_poker", 12, 58, 30),
        ("kuhn_poker(players=3)", 48, 617, 312),
        ("leduc_poker", 936, 9_457, 5_520),
        pytest.param("liars_dice", 24_576, 294_883, 147_420, marks=pytest.mark.slow),
        ("matrix_mp", 2, 7, 4),
        ("goofspiel(num_cards=3,imp_info=True)", 90, 418, 216),
    ],
)
def test_open_spiel_counts(name, num_infosets, num_histories, num_terminals):
    pytest.importorskip("pyspiel")
    tree = enumerate_tree(OpenSpielGame(name))
    assert tree.num_infosets == num_infosets
    assert tree.num_histories == num_histories
    assert tree.num_terminals == num_terminals
    assert tree.is_zero_sum
    assert tree.has_perfect_recall()


@pytest.mark.parametrize(
    ("name", "value"), [("kuhn_poker", 0.125), ("leduc_poker", -0.078125), ("matrix_mp", 0.0)]
)
def test_open_spiel_uniform_values(name, value):
    pytest.importorskip("pyspiel")
    tree = enumerate_tree(OpenSpielGame(name))
    values = expected_values(tree, uniform_strategy(tree))
    np.testing.assert_allclose(values, [value, -value], atol=1e-12)


def test_open_spiel_names_and_loaded_games():
    pyspiel = pytest.importorskip("pyspiel")
    tree = enumerate_tree(OpenSpielGame(pyspiel.load_game("kuhn_poker")))
    assert tree.infoset_names[0] == "0"
    assert tree.infoset_action_names[0] == ("Pass", "Bet")


def test_open_spiel_players_with_equal_strings_have_their_own_infosets():
    pytest.importorskip("pyspiel")
    game = OpenSpielGame("phantom_ttt")
    first = game.root()
    second = game.next(first, game.actions(first)[0])
    assert str(game.infoset(first)) == str(game.infoset(second))
    assert game.infoset(first) != game.infoset(second)


def test_open_spiel_general_sum_and_imperfect_recall():
    pytest.importorskip("pyspiel")
    assert not enumerate_tree(OpenSpielGame("matrix_pd")).is_zero_sum
    assert not enumerate_tree(OpenSpielGame("liars_dice_ir(dice_sides=3)")).has_perfect_recall()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kuhn_pokr", "OpenSpiel has no game named 'kuhn_pokr'; did you mean 'kuhn_poker'?"),
        ("kuhn_poker(seats=2)", "OpenSpiel cannot load 'kuhn_poker(seats=2)': Unknown parameter"),
        ("kuhn_poker(players=99)", "OpenSpiel cannot load 'kuhn_poker(players=99)'"),
        ("kuhn_poker(players=3", "OpenSpiel cannot load 'kuhn_poker(players=3'"),
        ("mfg_garnet", "OpenSpiel game 'mfg_garnet' is a mean-field game"),
        ("tarok", "OpenSpiel game 'tarok' samples its chance outcomes"),
        ("backgammon", "OpenSpiel game 'backgammon' gives no information state strings"),
        ("snake", "OpenSpiel game 'snake' gives no information state strings"),
        (7, "neither the name of an OpenSpiel game nor one: 7"),
    ],
)
def test_open_spiel_games_that_cannot_be_used(name, message):
    pytest.importorskip("pyspiel")
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        OpenSpielGame(name)
    assert "\n" not in str(caught.value)


def test_open_spiel_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(InputError, match=re.escape("pip install 'regretless[open-spiel]'")):
        OpenSpielGame("kuhn_poker")


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)", "goofspiel(num_cards=3)"])
def test_a_policy_object_of_open_spiel_is_measured(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import TabularPolicy

    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    policy = TabularPolicy(game)
    rows = np.random.default_rng(1).random(policy.action_probability_array.shape)
    rows *= policy.legal_actions_mask
    policy.action_probability_array[:] = rows / rows.sum(axis=1, keepdims=True)
    found = evaluate(policy)  # the game is the policy's
    assert found.exact is not None
    assert found.exact.exploitability == pytest.approx(nash_conv(game, policy) / game.num_players())


def test_policy_objects_name_what_is_wrong() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    native = pyspiel.UniformRandomPolicy(pyspiel.load_game("kuhn_poker"))
    found = evaluate(native, game="openspiel:kuhn_poker").exact
    assert found is not None and found.exploitability == pytest.approx(11 / 24)
    with pytest.raises(InputError, match="has no game; give game='openspiel:NAME'"):
        evaluate(native)
    with pytest.raises(InputError, match="plays games of OpenSpiel, not leduc"):
        evaluate(native, game="leduc")

    class Half:
        game = pyspiel.load_game("kuhn_poker")

        def action_probabilities(self, state: object) -> dict[int, float]:
            return {0: 0.5, 1: 0.25}

    with pytest.raises(InputError, match="are no probabilities of sum 1"):
        evaluate(Half())  # type: ignore[arg-type]
