# SPDX-License-Identifier: MIT
"""The CFR family over `VectorProblem.arrays()`, plainly: one function for each CUDA kernel.

All in float64, a row of all hands for every node, one node after the other.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native

Row = NDArray[np.float64]
CARDS = 52


def met(cards: list[NDArray[Any]], twins: NDArray[Any], reach: Row) -> Row:
    """The opponent's reach that each hand can meet: all, less the hands that share a card."""
    own, other = cards
    by_card = np.zeros(CARDS)
    for column in range(2):
        np.add.at(by_card, other[:, column], reach)
    same = np.where(twins >= 0, reach[twins], 0.0)  # taken off twice
    return reach.sum() - by_card[own[:, 0]] - by_card[own[:, 1]] + same


class Strengths:
    """A player's hands among those of the opponent on one board, in order of strength."""

    def __init__(
        self, ranks: list[NDArray[Any]], cards: list[NDArray[Any]], order: NDArray[Any]
    ) -> None:
        own, other = ranks
        in_order = order[other[order] >= 0]
        holders = [in_order[(cards[1][in_order] == card).any(axis=1)] for card in range(CARDS)]
        most = max(len(hands) for hands in holders)
        nobody = len(other)
        self.lists = np.full((1 + CARDS, max(most, len(in_order))), nobody)  # everybody first
        self.places = np.zeros((2, 1 + CARDS, len(own)), int)  # [weaker or not stronger]
        for row, hands in enumerate([in_order, *holders]):
            self.lists[row, : len(hands)] = hands
            for column, side in enumerate(("left", "right")):
                self.places[column, row] = np.searchsorted(other[hands], own, side=side)
        self.cards = cards[0].astype(int)

    def below_and_upto(self, reach: Row) -> tuple[Row, Row]:
        """The opponent's reach with weaker hands, and with hands not stronger, that can be met.

        Prefix sums in order of strength, over all hands less those over the hands of each card. A
        hand of the same two cards is as strong, and taken off twice from the second sum.
        """
        reaches = np.append(reach, 0.0)[self.lists]
        sums = np.concatenate([np.zeros((1 + CARDS, 1)), np.cumsum(reaches, axis=1)], axis=1)
        hands = np.arange(len(self.cards))
        found = []
        for places in self.places:
            high, low = (1 + self.cards[:, column] for column in range(2))
            of_cards = sums[high, places[high, hands]] + sums[low, places[low, hands]]
            found.append(sums[0, places[0]] - of_cards)
        return found[0], found[1]


def shares_of(weights: Row) -> Row:
    """Weights [actions, hands] as a strategy, uniform where all are 0."""
    total = weights.sum(axis=0)
    uniform = np.full_like(weights, 1 / len(weights))
    return np.divide(weights, total, out=uniform, where=total > 0)


class Reference:
    """Tables by decision node: [actions, hands of the actor]."""

    def __init__(self, problem: _native.VectorProblem, discounts: _native.Discounts) -> None:
        self.problem, self.discounts = problem, discounts
        self.flat = problem.arrays()
        self.actors = problem.actors.tolist()
        self.first, self.count = problem.first_children.tolist(), problem.num_children.tolist()
        self.hands = [len(problem.hands(player)) for player in range(2)]
        flat = self.flat
        self.terminal_of = {n: row for row, n in enumerate(flat["terminal_nodes"].tolist())}
        self.edge_of = {n: row for row, n in enumerate(flat["edge_nodes"].tolist())}
        keys = [flat[f"cards_{p}"].astype(int) @ [64, 1] for p in range(2)]
        self.twins = []
        for p in range(2):
            where = {key: at for at, key in enumerate(keys[1 - p].tolist())}
            self.twins.append(np.array([where.get(key, -1) for key in keys[p].tolist()]))
        nodes = [n for n, actor in enumerate(self.actors) if actor >= 0]
        self.regrets = {n: np.zeros((self.count[n], self.hands[self.actors[n]])) for n in nodes}
        self.sums = {n: table.copy() for n, table in self.regrets.items()}
        self.predictions = {n: table.copy() for n, table in self.regrets.items()}
        self.locks: dict[int, Row] = {}
        self.strengths: dict[tuple[int, int], Strengths] = {}  # by table and player
        self.iteration = 0

    def children(self, node: int) -> range:
        return range(self.first[node], self.first[node] + self.count[node])

    def current(self, before: float) -> Callable[[int], Row]:
        """The strategy of the regrets, whose discount in a prediction is `before`."""

        def strategy(node: int) -> Row:
            if node in self.locks:
                return self.locks[node]
            weights = self.regrets[node]
            if self.discounts.predicts:
                weights = before * weights + self.predictions[node]
            return shares_of(np.maximum(weights, 0))

        return strategy

    def average(self, node: int) -> Row:
        return self.locks[node] if node in self.locks else shares_of(self.sums[node])

    def reaches(self, player: int, strategy: Callable[[int], Row]) -> list[Row]:
        """The player's reach at every node."""
        reach: list[Any] = [None] * len(self.actors)
        reach[0] = self.flat[f"weights_{player}"].copy()
        masks = self.flat[f"masks_{player}"].reshape(-1, self.hands[player])
        for node, actor in enumerate(self.actors):
            shares = strategy(node) if actor == player else None
            for action, child in enumerate(self.children(node)):
                reach[child] = reach[node]
                if shares is not None:
                    reach[child] = reach[node] * shares[action]
                if actor == _native.CHANCE:
                    mask = self.flat[f"edge_masks_{player}"][self.edge_of[child]]
                    reach[child] = reach[node] * masks[mask]
        return reach

    def ending(self, row: int, player: int, reach: Row) -> Row:
        """Values at a fold or a showdown."""
        flat, other = self.flat, 1 - player
        lose, tie, win = flat["payoffs"].reshape(-1, 2, 3)[row, player]
        cards = [flat[f"cards_{p}"] for p in (player, other)]
        table = int(flat["tables"][row])
        if table < 0:
            return win * met(cards, self.twins[player], reach)
        ranks = [flat[f"ranks_{p}"][table].astype(int) for p in (player, other)]
        if (table, player) not in self.strengths:
            order = flat[f"orders_{other}"][table]
            self.strengths[table, player] = Strengths(ranks, cards, order)
        reach = np.where(ranks[1] >= 0, reach, 0.0)
        below, upto = self.strengths[table, player].below_and_upto(reach)
        all_met = met(cards, self.twins[player], reach)
        twins = self.twins[player]
        upto = upto + np.where(twins >= 0, reach[twins], 0.0)
        values = win * below + lose * (all_met - upto) + tie * (upto - below)
        return np.where(ranks[0] >= 0, values, 0.0)

    def values(self, player: int, reach: list[Row], at: Callable[[int, list[Row]], Row]) -> Row:
        """Counterfactual values at the root; `at` has the rule at the player's own decisions."""
        masks = self.flat[f"masks_{player}"].reshape(-1, self.hands[player])
        values: list[Any] = [None] * len(self.actors)
        for node in reversed(range(len(self.actors))):
            actor, below = self.actors[node], [values[child] for child in self.children(node)]
            if node in self.terminal_of:
                values[node] = self.ending(self.terminal_of[node], player, reach[node])
            elif actor == _native.CHANCE:
                edges = [self.edge_of[child] for child in self.children(node)]
                weights = self.flat["edge_probabilities"][edges]
                kept = masks[self.flat[f"edge_masks_{player}"][edges]]
                values[node] = (weights[:, None] * kept * np.stack(below)).sum(axis=0)
            elif actor == player:
                values[node] = at(node, below)
            else:
                values[node] = np.sum(below, axis=0)
            row = self.flat["node_orbits"][node]
            if row >= 0:
                orbits = self.flat[f"orbits_{player}"].reshape(-1, self.hands[player])[row]
                means = np.bincount(orbits, values[node]) / np.maximum(np.bincount(orbits), 1)
                values[node] = means[orbits]
        root: Row = values[0]
        return root

    def step(self) -> None:
        """One iteration of both players."""
        self.iteration += 1
        discounts, t = self.discounts, self.iteration
        before, after = discounts.positive(t - 1), discounts.positive(t)
        old = [self.reaches(player, self.current(before)) for player in range(2)]
        for player in range(2):
            is_new = player == 1 and discounts.alternating
            reach = self.reaches(0, self.current(after)) if is_new else old[1 - player]
            strategy = self.current(before)
            for node, actor in enumerate(self.actors):
                if actor == player and node not in self.locks:
                    add = strategy(node) * old[player][node]
                    self.sums[node] = self.sums[node] * discounts.average(t) + add
            self.values(player, reach, self._updating(strategy))

    def _updating(self, strategy: Callable[[int], Row]) -> Callable[[int, list[Row]], Row]:
        t = self.iteration

        def update(node: int, below: list[Row]) -> Row:
            value: Row = (strategy(node) * np.stack(below)).sum(axis=0)
            if node in self.locks:
                return value
            regrets, gains = self.regrets[node], np.stack(below) - value
            positive, negative = self.discounts.positive(t - 1), self.discounts.negative(t - 1)
            regrets = regrets * np.where(regrets > 0, positive, negative) + gains
            self.regrets[node] = np.maximum(regrets, 0) if self.discounts.clamps else regrets
            self.predictions[node] = gains
            return value

        return update

    def root_values(self, player: int, is_best: bool) -> Row:
        """Values of the average strategy, or of the best response to it."""

        def rule(node: int, below: list[Row]) -> Row:
            if is_best and node not in self.locks:
                best: Row = np.max(below, axis=0)
                return best
            value: Row = (self.average(node) * np.stack(below)).sum(axis=0)
            return value

        return self.values(player, self.reaches(1 - player, self.average), rule)

    def expectation(self, player: int, is_best: bool = False) -> float:
        """Chips of a player."""
        weights = [self.flat[f"weights_{p}"] for p in range(2)]
        total = weights[0] @ self.problem.hand_weights(0)
        return float(weights[player] @ self.root_values(player, is_best) / total)
