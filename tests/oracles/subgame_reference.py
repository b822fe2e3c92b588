# SPDX-License-Identifier: MIT
"""Depth-limited CFR in plain Python, one subgame at a time: what the native job must equal.

Public states are lines of play; deals are enumerated. Nothing is shared with the solvers of the
core, only the rules of the game, through episodes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regretless import _native
from regretless.games import Game

Line = tuple[Any, ...]  # slots, and (card,) for a public card
LeafFunction = Callable[[np.ndarray, np.ndarray], np.ndarray]  # features, ranges [2, hands]

BOARD = slice(6, 12)  # of the features: Leduc's cards, whose suits come in pairs

CHANCE, TERMINAL, LEAF = -1, -2, -3
WEIGHTS = {"cfr": 0, "cfr+": 1, "linear": 1, "dcfr": 2}  # iteration t counts t to this power


@dataclass(eq=False)
class Node:
    """A public state of a subgame."""

    line: Line
    actor: int
    possible: np.ndarray  # [hands]
    children: list["Node"] = field(default_factory=list)
    chance: float = 0  # of each child, given two hands
    payoffs: np.ndarray | None = None  # [players, hands, hands]; 0 if they cannot meet

    def walk(self) -> list["Node"]:
        """Breadth first."""
        nodes = [self]
        for node in nodes:
            nodes.extend(node.children)
        return nodes


class Rules:
    """A two-player game as lines of play."""

    def __init__(self, game: Game) -> None:
        self.game, self.is_poker = game, isinstance(game, _native.Poker)
        self.hands = range(game.num_hands)

    def episode(self, line: Line, hands: Sequence[int] = ()) -> Any:
        """One card or die for each player; unknown, or any, if not given."""
        if self.is_poker:
            hole = [[hand] for hand in hands] or [[], []]
            episode: Any = _native.PokerEpisode(self.game, hole=hole)
        else:
            episode = _native.LiarsDiceEpisode(self.game, dice=[[h + 1] for h in hands or (0, 0)])
        for event in line:
            if isinstance(event, tuple):
                episode.deal_board(list(event))
            else:
                episode.choose(event)
        return episode

    def board(self, line: Line) -> set[int]:
        return {event[0] for event in line if isinstance(event, tuple)}

    def can_meet(self, line: Line, first: int, second: int) -> bool:
        return not self.is_poker or (first != second and not {first, second} & self.board(line))

    def features(self, line: Line) -> np.ndarray:
        """All that matters for what follows: whose turn, the board and the chips, or the bid."""
        episode = self.episode(line)
        features = np.zeros(20)
        features[0] = episode.actor
        if not self.is_poker:
            features[1] = line[-1] + 1 if line else 0
            return features
        features[1:3] = episode.street, len(line) > 0 and line[-1] == 1
        features[3:5] = episode.paid
        features[5] = sum(event[1] == episode.street for event in episode.events)
        features[6 + np.array(sorted(self.board(line)), int)] = 1
        return features

    def tree(self, line: Line, depth: int | str) -> Node:
        """The subgame at a line of play, down to `depth` decisions or to the next round."""
        return self._node(line, 0, depth, is_cut=False)

    def _node(self, line: Line, decisions: int, depth: int | str, *, is_cut: bool) -> Node:
        episode = self.episode(line)
        board = self.board(line) if self.is_poker else set()
        node = Node(line, episode.actor, np.array([h not in board for h in self.hands]))
        if node.actor == TERMINAL:
            node.payoffs = self._payoffs(line)
        elif node.actor == CHANCE:
            cards = [card for card in self.hands if card not in board]
            node.chance = 1 / (len(cards) - 2)
            for card in cards:
                child = self._node((*line, (card,)), decisions, depth, is_cut=depth == "round")
                node.children.append(child)
        elif is_cut or decisions == depth:
            node.actor = LEAF
        else:
            for slot, is_legal in enumerate(episode.legal):
                if is_legal:
                    child = self._node((*line, slot), decisions + 1, depth, is_cut=False)
                    node.children.append(child)
        return node

    def _payoffs(self, line: Line) -> np.ndarray:
        payoffs = np.zeros((2, len(self.hands), len(self.hands)))
        for first in self.hands:
            for second in self.hands:
                if self.can_meet(line, first, second):
                    payoffs[:, first, second] = self.episode(line, (first, second)).payoffs
        return payoffs


def with_suits_alike(values: LeafFunction) -> LeafFunction:
    """Averages values over an exchange of suits, to which all leaf values of Leduc are
    indifferent. Other games have no suits."""

    def alike(features: np.ndarray, ranges: np.ndarray) -> np.ndarray:
        found = values(features, ranges)
        if ranges.shape[1] != 6:
            return found
        exchanged = features.copy()
        exchanged[BOARD] = other_suit(features[BOARD])
        return (found + other_suit(values(exchanged, other_suit(ranges)))) / 2

    return alike


def other_suit(rows: np.ndarray) -> np.ndarray:
    """The last axis, over Leduc's six cards, with the suits exchanged."""
    return rows[..., [1, 0, 3, 2, 5, 4]]


def smoothed(weights: np.ndarray, possible: np.ndarray) -> np.ndarray:
    """A range over the possible hands, uniform if there is none."""
    weights = np.where(possible, weights, 0.0)
    return weights / weights.sum() if weights.sum() > 0 else possible / possible.sum()


class Reference:
    """CFR on one subgame; `iterate` until done, then read."""

    def __init__(
        self,
        rules: Rules,
        tree: Node,
        ranges: np.ndarray,
        leaf_function: LeafFunction,
        name: str,
        *,
        alternating: bool,
    ) -> None:
        self.rules, self.tree, self.name, self.alternating = rules, tree, name, alternating
        self.leaf_function = leaf_function
        self.ranges = np.stack([smoothed(row, tree.possible) for row in ranges])
        self.nodes = tree.walk()
        self.leaves = [node for node in self.nodes if node.actor == LEAF]
        self.features = {node.line: rules.features(node.line) for node in self.leaves}
        shape = {n.line: (len(n.children), len(rules.hands)) for n in self.nodes if n.actor >= 0}
        self.regrets = {line: np.zeros(size) for line, size in shape.items()}
        self.sums = {line: np.zeros(size) for line, size in shape.items()}
        self.value_sums = np.zeros_like(self.ranges)
        self.done = 0
        self.strategies: list[dict[Line, np.ndarray]] = []  # [iterations]
        self.questions: list[dict[Line, np.ndarray]] = []  # [questions]: ranges of each leaf

    def iterate(self) -> None:
        weight = (self.done + 1) ** WEIGHTS[self.name]
        strategy = self.current()
        self.strategies.append(strategy)
        for player in range(2):
            if player == 0 or self.alternating:
                strategy = self.current()
                reaches = self.reaches(strategy)
                values = self.ask(reaches)
            result = self.update(self.tree, player, strategy, reaches, values, weight)
            self.value_sums[player] += weight * result
        self.done += 1

    def current(self) -> dict[Line, np.ndarray]:
        """By regret matching, [actions, hands] of every decision."""
        return {line: self.proportional(np.maximum(r, 0)) for line, r in self.regrets.items()}

    def proportional(self, table: np.ndarray) -> np.ndarray:
        result = np.empty_like(table)
        for hand in range(table.shape[1]):
            total = table[:, hand].sum()
            result[:, hand] = table[:, hand] / total if total > 0 else 1 / len(table)
        return result

    def reaches(self, strategy: dict[Line, np.ndarray]) -> dict[Line, np.ndarray]:
        """Returns the reaches of each node [players, hands], from the ranges of the root."""
        reaches = {self.tree.line: self.ranges}
        for node in self.nodes:
            for action, child in enumerate(node.children):
                reach = reaches[node.line] * child.possible
                if node.actor >= 0:
                    reach[node.actor] *= strategy[node.line][action]
                reaches[child.line] = reach
        return reaches

    def ask(self, reaches: dict[Line, np.ndarray]) -> dict[Line, np.ndarray]:
        """Values of the leaves, at single precision as the job passes them."""
        question, values = {}, {}
        for leaf in self.leaves:
            ranges = np.stack([smoothed(row, leaf.possible) for row in reaches[leaf.line]])
            question[leaf.line] = ranges
            values[leaf.line] = self.leaf_function(self.features[leaf.line], ranges)
        self.questions.append(question)
        return values

    def update(
        self,
        node: Node,
        player: int,
        strategy: dict[Line, np.ndarray],
        reaches: dict[Line, np.ndarray],
        leaf_values: dict[Line, np.ndarray],
        weight: float,
    ) -> np.ndarray:
        """Counterfactual values [hands] of a node, while the player's regrets are updated."""
        other = reaches[node.line][1 - player]
        if node.payoffs is not None:
            return (node.payoffs[0] @ other) if player == 0 else (other @ node.payoffs[1])
        if node.actor == LEAF:
            return other.sum() * leaf_values[node.line][player].astype(float) * node.possible
        below = [
            self.update(child, player, strategy, reaches, leaf_values, weight)
            for child in node.children
        ]
        if node.actor == CHANCE:
            return sum(
                node.chance * child.possible * v
                for child, v in zip(node.children, below, strict=True)
            )
        if node.actor != player:
            return sum(below)
        action_values, sigma = np.stack(below), strategy[node.line]
        value = (sigma * action_values).sum(axis=0)
        self.regrets[node.line] = self.discounted(self.regrets[node.line]) + action_values - value
        if self.name == "cfr+":
            self.regrets[node.line] = np.maximum(self.regrets[node.line], 0)
        self.sums[node.line] += weight * reaches[node.line][player] * sigma
        return value

    def discounted(self, regrets: np.ndarray) -> np.ndarray:
        """Returns the discount of earlier iterations."""
        if self.name == "linear":
            return regrets * self.done / (self.done + 1)
        if self.name == "dcfr":
            power = self.done**1.5
            return np.where(regrets > 0, regrets * power / (power + 1), regrets / 2)
        return regrets

    def root_values(self) -> np.ndarray:
        total = sum((t + 1) ** WEIGHTS[self.name] for t in range(self.done))
        return np.where(self.tree.possible, self.value_sums / total, 0)

    def average(self) -> dict[Line, np.ndarray]:
        return {line: self.proportional(sums) for line, sums in self.sums.items()}
