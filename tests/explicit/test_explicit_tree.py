# SPDX-License-Identifier: MIT
"""The arrays of an explicit tree, on small random games and against plain recursion."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.errors import InputError
from regretless.explicit.explicit_tree import enumerate_tree, expected_values, uniform_strategy
from regretless.explicit.python_game import CHANCE, TERMINAL


class End(NamedTuple):
    payoffs: tuple


class Chance(NamedTuple):
    weights: tuple
    children: tuple


class Decision(NamedTuple):
    player: int
    group: int
    children: tuple

    @property
    def key(self):
        return f"player {self.player}, {len(self.children)} actions, group {self.group}"


class NestedGame:
    """A game written out as nested nodes, which are its states."""

    num_players = 3

    def __init__(self, top):
        self.top = top

    def root(self):
        return self.top

    def actor(self, node):
        if isinstance(node, End):
            return TERMINAL
        return CHANCE if isinstance(node, Chance) else node.player

    def actions(self, node):
        return range(len(node.children))

    def next(self, node, action):
        return node.children[action]

    def chance(self, node):
        return list(enumerate(np.array(node.weights) / sum(node.weights)))

    def infoset(self, node):
        return node.key

    def payoffs(self, node):
        return node.payoffs


def inner_nodes(nodes):
    children = st.lists(nodes, min_size=1, max_size=3).map(tuple)
    chances = children.flatmap(
        lambda some: (
            st.tuples(*[st.integers(0, 5)] * len(some))
            .filter(any)
            .map(lambda weights: Chance(weights, some))
        )
    )
    decisions = st.builds(Decision, st.integers(0, 2), st.integers(0, 2), children)
    return chances | decisions | decisions


ends = st.builds(End, st.tuples(*[st.integers(-9, 9).map(float)] * 3))
games = st.recursive(ends, inner_nodes, max_leaves=25).map(NestedGame)


def walk(node, path=()):
    """Every node with the steps before it, each step as (node, action)."""
    yield node, path
    if not isinstance(node, End):
        for action, child in enumerate(node.children):
            yield from walk(child, (*path, (node, action)))


def naive_values(node, probabilities):
    if isinstance(node, End):
        return np.array(node.payoffs)
    if isinstance(node, Chance):
        weights = np.array(node.weights) / sum(node.weights)
    else:
        weights = probabilities[node.key]
    values = [naive_values(child, probabilities) for child in node.children]
    return sum(weight * value for weight, value in zip(weights, values, strict=False))


def random_strategy(tree, seed):
    weights = np.random.default_rng(seed).random(uniform_strategy(tree).shape)
    weights *= uniform_strategy(tree) > 0
    return weights / weights.sum(axis=1, keepdims=True)


@given(games)
def test_children_are_contiguous_and_come_after_their_parent(game):
    tree = enumerate_tree(game)
    assert tree.num_nodes == tree.num_histories == len(list(walk(game.top)))
    assert tree.parents[0] == -1
    assert (tree.parents[1:] < np.arange(1, tree.num_nodes)).all()
    next_child = 1
    for node in range(tree.num_nodes):
        assert tree.first_children[node] == next_child
        next_child += tree.num_children[node]
        children = slice(tree.first_children[node], next_child)
        assert (tree.parents[children] == node).all()
        assert tree.steps[children].tolist() == list(range(tree.num_children[node]))
        total = tree.chance_probabilities[children].sum()
        expected = 1 if tree.actors[node] == CHANCE else tree.num_children[node]
        assert total == pytest.approx(expected)
    assert next_child == tree.num_nodes


@given(games)
def test_levels_are_contiguous(game):
    tree = enumerate_tree(game)
    lengths = sorted(len(path) for _, path in walk(game.top))
    counts = [lengths.count(length) for length in range(lengths[-1] + 1)]
    assert np.diff(tree.level_starts).tolist() == counts


@given(games)
def test_infosets_are_dense_and_agree_with_their_nodes(game):
    tree = enumerate_tree(game)
    decides = tree.actors >= 0
    assert (decides == (tree.infosets >= 0)).all()
    met = tree.infosets[decides]
    assert list(dict.fromkeys(met.tolist())) == list(range(tree.num_infosets))
    assert (tree.infoset_actors[met] == tree.actors[decides]).all()
    assert (tree.infoset_num_actions[met] == tree.num_children[decides]).all()
    keys = {node.key for node, _ in walk(game.top) if isinstance(node, Decision)}
    assert set(tree.infoset_names) == keys
    assert list(map(len, tree.infoset_action_names)) == tree.infoset_num_actions.tolist()


@given(games)
def test_terminals_are_the_rows_of_the_payoffs(game):
    tree = enumerate_tree(game)
    ends = [node.payoffs for node, _ in walk(game.top) if isinstance(node, End)]
    rows = tree.terminals[tree.actors == TERMINAL]
    assert rows.tolist() == list(range(tree.num_terminals))
    assert (tree.terminals[tree.actors != TERMINAL] == -1).all()
    assert sorted(map(tuple, tree.payoffs.tolist())) == sorted(ends)
    assert tree.is_zero_sum == all(sum(payoffs) == 0 for payoffs in ends)


@given(games, st.integers(0, 2**32))
def test_expected_values_are_those_of_plain_recursion(game, seed):
    tree = enumerate_tree(game)
    strategy = random_strategy(tree, seed)
    probabilities = dict(zip(tree.infoset_names, strategy, strict=True))
    expected = naive_values(game.top, probabilities)
    np.testing.assert_allclose(expected_values(tree, strategy), expected, atol=1e-9)


@given(games)
def test_perfect_recall_is_one_past_per_infoset(game):
    tree = enumerate_tree(game)
    pasts = {}
    for node, path in walk(game.top):
        if isinstance(node, Decision):
            own = [step for step in path if getattr(step[0], "player", None) == node.player]
            past = tuple((before.key, action) for before, action in own)
            pasts.setdefault(node.key, set()).add(past)
    assert tree.has_perfect_recall() == all(len(some) == 1 for some in pasts.values())
    numbers = {name: number for number, name in enumerate(tree.infoset_names)}
    if tree.has_perfect_recall():
        for key, (past,) in pasts.items():
            assert all(numbers[before] < numbers[key] for before, _ in past)


def test_a_game_that_is_over_at_once():
    tree = enumerate_tree(NestedGame(End((1.0, 2.0, 3.0))))
    assert (tree.num_nodes, tree.num_infosets, tree.max_actions) == (1, 0, 0)
    assert expected_values(tree, uniform_strategy(tree)).tolist() == [1.0, 2.0, 3.0]
    assert tree.has_perfect_recall()


def test_a_very_deep_game_needs_no_recursion():
    node = End((1.0, 0.0, -1.0))
    for _ in range(5_000):
        node = Chance((1,), (node,))
    tree = enumerate_tree(NestedGame(node))
    assert len(tree.level_starts) == 5_002
    assert tree.is_zero_sum
    assert expected_values(tree, uniform_strategy(tree)).tolist() == [1.0, 0.0, -1.0]


def small_tree():
    end = End((0.0, 0.0, 0.0))
    return enumerate_tree(NestedGame(Decision(0, 0, (end, Decision(1, 0, (end,) * 3)))))


def test_arrays_have_fixed_types_and_cannot_be_written_to():
    tree = small_tree()
    assert tree.actors.dtype == tree.infoset_actors.dtype == np.int8
    for numbers in (tree.parents, tree.first_children, tree.num_children, tree.infosets):
        assert numbers.dtype == np.int32
    assert tree.terminals.dtype == tree.infoset_num_actions.dtype == np.int32
    assert tree.payoffs.dtype == tree.chance_probabilities.dtype == np.float64
    assert tree.num_bytes == 6 * (1 + 5 * 4 + 8) + 4 * 3 * 8 + 2 * (1 + 4)
    with pytest.raises(ValueError, match="read-only"):
        tree.actors[0] = 1


def test_the_uniform_strategy_is_zero_beyond_the_last_action():
    np.testing.assert_allclose(uniform_strategy(small_tree()), [[1 / 2, 1 / 2, 0], [1 / 3] * 3])


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        ([[0.5, 0.5]], r"shape \(1, 2\).*\(2, 3\)"),
        ([[0.5, 0.5, 0.0], [0.5, 0.2, 0.2]], "infoset 1, 'player 1, 3 actions, group 0'"),
        ([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]], "over the 2 actions of infoset 0"),
        ([[1.5, -0.5, 0.0], [1.0, 0.0, 0.0]], "infoset 0"),
        ([[0.5, 0.5, 0.0], [np.nan, 0.5, 0.5]], "infoset 1"),
    ],
)
def test_a_strategy_that_is_none(strategy, message):
    with pytest.raises(InputError, match=message):
        expected_values(small_tree(), strategy)
