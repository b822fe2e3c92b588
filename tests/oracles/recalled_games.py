# SPDX-License-Identifier: MIT
"""Random small games in which nobody forgets, for Hypothesis."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from regretless import _native
from regretless.explicit.explicit_tree import enumerate_tree, uniform_strategy
from regretless.explicit.python_game import CHANCE, TERMINAL


def best_response(tree, strategy):
    """Each player's best response to the others, pure.  [infosets, max_actions]"""
    return _native.explicit_best_response(tree.sequence_form, np.asarray(strategy))[1]


class Node(NamedTuple):
    actor: int
    children: tuple = ()
    group: int = 0  # what a player sees of the node
    weights: tuple = ()  # of chance
    payoffs: tuple = ()


class State(NamedTuple):
    node: Node
    pasts: tuple  # for each player the last own infoset and action


class RecalledGame:
    """Nested nodes as a game; an infoset is a group together with the player's own past."""

    def __init__(self, top, num_players):
        self.top = top
        self.num_players = num_players

    def root(self):
        return State(self.top, ((),) * self.num_players)

    def actor(self, state):
        return state.node.actor

    def actions(self, state):
        return range(len(state.node.children))

    def next(self, state, action):
        pasts = list(state.pasts)
        if state.node.actor >= 0:
            pasts[state.node.actor] = (self.infoset(state), action)
        return State(state.node.children[action], tuple(pasts))

    def chance(self, state):
        return list(enumerate(np.array(state.node.weights) / sum(state.node.weights)))

    def infoset(self, state):
        node = state.node
        return (node.actor, len(node.children), node.group, state.pasts[node.actor])

    def payoffs(self, state):
        return state.node.payoffs


def recalled_trees(num_players, is_zero_sum=False):
    """Trees of random games with payoffs from -9 to 9."""
    numbers = st.tuples(*[st.integers(-9, 9).map(float)] * num_players)
    if is_zero_sum:
        numbers = numbers.map(lambda some: (*some[:-1], -sum(some[:-1])))
    ends = numbers.map(lambda payoffs: Node(TERMINAL, payoffs=payoffs))

    def inner(nodes):
        children = st.lists(nodes, min_size=1, max_size=3).map(tuple)
        decisions = st.builds(Node, st.integers(0, num_players - 1), children, st.integers(0, 1))
        weights = st.lists(st.integers(1, 5), min_size=3, max_size=3)
        chances = st.builds(
            lambda some, weights: Node(CHANCE, some, weights=tuple(weights[: len(some)])),
            children,
            weights,
        )
        return decisions | decisions | chances

    tops = st.recursive(ends, inner, max_leaves=30)
    return tops.map(lambda top: enumerate_tree(RecalledGame(top, num_players)))


def random_strategy(tree, rng):
    """Every row drawn uniformly from its simplex.  [infosets, max_actions]"""
    weights = rng.exponential(size=(tree.num_infosets, tree.max_actions))
    weights *= uniform_strategy(tree) > 0
    return weights / weights.sum(axis=1, keepdims=True)
