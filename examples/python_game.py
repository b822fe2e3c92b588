# SPDX-License-Identifier: MIT
"""Kuhn poker as a custom game: run it to see how large its tree is."""

from itertools import permutations
from typing import NamedTuple

from regretless import CHANCE, TERMINAL
from regretless.explicit.explicit_tree import enumerate_tree, expected_values, uniform_strategy


class State(NamedTuple):
    cards: str = ""  # one per player, once dealt
    bets: str = ""  # p for pass, b for bet


class KuhnPoker:
    """Two players ante 1 and hold one of three cards; one bet of 1 may be made and called."""

    num_players = 2

    def root(self):
        return State()

    def actor(self, state):
        if not state.cards:
            return CHANCE
        if state.bets in ("pp", "bp", "bb", "pbp", "pbb"):
            return TERMINAL
        return len(state.bets) % 2

    def chance(self, state):
        return [(first + second, 1 / 6) for first, second in permutations("JQK", 2)]

    def actions(self, state):
        return ["p", "b"]

    def next(self, state, action):
        if not state.cards:
            return State(cards=action)
        return State(state.cards, state.bets + action)

    def infoset(self, state):
        return state.cards[len(state.bets) % 2] + state.bets

    def payoffs(self, state):
        if state.bets.endswith("bp"):  # a bet was not called: whoever passed loses the ante
            winner, amount = len(state.bets) % 2, 1
        else:
            winner = max((0, 1), key=lambda player: "JQK".index(state.cards[player]))
            amount = 2 if state.bets.endswith("bb") else 1
        return [amount, -amount] if winner == 0 else [-amount, amount]


if __name__ == "__main__":
    tree = enumerate_tree(KuhnPoker())
    print(f"{tree.num_infosets} infosets, {tree.num_histories} histories", end=", ")
    print(f"{tree.num_terminals} terminals, {tree.num_bytes} bytes")
    values = expected_values(tree, uniform_strategy(tree))
    print(f"playing at random, the first player wins {values[0]:+.3f} a game")
