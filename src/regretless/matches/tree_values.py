# SPDX-License-Identifier: MIT
"""Values of every history of a small game, and the luck that episodes had by them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.explicit.explicit_tree import enumerate_tree, history_values, uniform_strategy
from regretless.explicit.native_adapter import NativeGame
from regretless.explicit.python_game import CHANCE
from regretless.games import Game, with_hands
from regretless.matches.match import PlayedDeals
from regretless.matches.seatings import policies_of

_MOST_NODES = 100_000

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TreeSteps:
    """Some episodes, each moving from a node of the tree to a child of it."""

    episodes: Ints  # [moves]
    nodes: Ints  # [moves]
    children: Ints  # [moves]
    steps: Ints | None  # [moves]: of those played; None where chance moves


class TreeValues:
    """The value of a history is what the players win on average from there by a strategy.

    The strategy is the one seen in a pilot: what policies answered at the infosets that came up,
    uniform elsewhere. There is one for each copy of a deal, as each seats the policies otherwise.
    """

    pilot_deals = 5_000

    def __init__(self, game: Game) -> None:
        self.native = NativeGame(with_hands(game, "AIVAT"))
        self.tree = enumerate_tree(self.native, _MOST_NODES)
        self.copies = game.num_players
        actions = [[int(slot) for slot in names] for names in self.tree.infoset_action_names]
        self.slots = np.zeros((self.tree.num_infosets, self.tree.max_actions), np.int64)
        for infoset, slots in enumerate(actions):
            self.slots[infoset, : len(slots)] = slots
        strategy = uniform_strategy(self.tree)
        self.is_action = strategy > 0  # [infosets, max_actions]
        self.strategies = np.repeat(strategy[None], self.copies, axis=0)
        self.values = self._values()  # [copies, nodes, players]

    def learn(self, pilot: PlayedDeals) -> None:
        """Take over the strategies that a pilot shows."""
        for moves in self.walk(pilot.steps):
            if moves.steps is not None:
                copies = moves.episodes % self.copies
                infosets = self.tree.infosets[moves.nodes]
                self.strategies[copies, infosets] = self._answers(pilot, moves)
        self.values = self._values()

    def luck(self, piece: PlayedDeals, known: Sequence[bool]) -> Floats:
        """The luck of each seat, [episodes, seats] in units; 0 on average.

        Due to chance, and to the dice of the policies that are `known`.
        """
        total = np.zeros(piece.steps.payoffs.shape)
        is_known = np.asarray(known)
        for moves in self.walk(piece.steps):
            copies = moves.episodes % self.copies
            luck = self.values[copies, moves.children] - self._expected(piece, moves, copies)
            if moves.steps is not None:
                actors = self.tree.actors[moves.nodes]
                luck[~is_known[policies_of(actors, moves.episodes, self.copies)]] = 0
            np.add.at(total, moves.episodes, luck)
        return total

    def walk(self, played: _native.Steps) -> Iterator[TreeSteps]:
        """All moves of the episodes, each episode's in order."""
        nodes = np.zeros(len(played.payoffs), np.int64)
        everybody = np.arange(len(nodes))
        dealt: list[NDArray[Any]] = []
        for outcome in self._private_outcomes(played.hands):
            children = self.tree.first_children[nodes] + self._place(outcome, dealt)
            dealt.append(outcome)
            yield TreeSteps(everybody, nodes, children, None)
            nodes = children
        next_steps, next_cards = played.offsets[:-1].copy(), np.zeros(len(nodes), np.int64)
        while True:
            actors = self.tree.actors[nodes]
            if len(chance := np.flatnonzero(actors == CHANCE)):
                moves = self._deal_board(played.boards, chance, nodes, next_cards, dealt)
                yield moves
                nodes = nodes.copy()
                nodes[chance] = moves.children
            elif len(deciding := np.flatnonzero(actors >= 0)):
                steps = next_steps[deciding]
                next_steps[deciding] += 1
                children = self._child(nodes[deciding], played.slots[steps])
                yield TreeSteps(deciding, nodes[deciding], children, steps)
                nodes = nodes.copy()
                nodes[deciding] = children
            else:
                return

    def _private_outcomes(self, hands: NDArray[Any]) -> Iterator[Ints]:
        """The cards or dice in the order in which the tree deals them."""
        for player in range(self.copies):
            for place in reversed(range(self.native.per_player)):
                yield hands[:, player] // self.native.kinds**place % self.native.kinds

    def _deal_board(
        self, boards: NDArray[Any], episodes: Ints, nodes: Ints, next_cards: Ints, dealt: list[Ints]
    ) -> TreeSteps:
        places = next_cards[episodes]
        next_cards[episodes] += 1
        cards = boards[episodes, places].astype(np.int64)
        before = [each[episodes] for each in dealt]
        for place in range(int(places.max())):  # earlier cards of the same board
            before.append(np.where(place < places, boards[episodes, place], self.native.kinds))
        children = self.tree.first_children[nodes[episodes]] + self._place(cards, before)
        return TreeSteps(episodes, nodes[episodes], children, None)

    def _place(self, outcomes: Ints, dealt: list[Ints]) -> Ints:
        """The place of cards among those not dealt yet; dice are thrown anew."""
        if not self.native.is_poker:
            return outcomes
        places: Ints = outcomes - sum((card < outcomes for card in dealt), np.zeros_like(outcomes))
        return places

    def _child(self, nodes: Ints, slots: NDArray[Any]) -> Ints:
        infosets = self.tree.infosets[nodes]
        is_chosen = (self.slots[infosets] == slots[:, None]) & self.is_action[infosets]
        children: Ints = self.tree.first_children[nodes] + is_chosen.argmax(axis=1)
        return children

    def _answers(self, piece: PlayedDeals, moves: TreeSteps) -> Floats:
        """The probabilities of the actions, as answered.  [moves, max_actions]"""
        if piece.probabilities is None:
            raise ValueError("the deals were played without recording probabilities")
        infosets = self.tree.infosets[moves.nodes]
        assert moves.steps is not None
        rows = piece.probabilities[moves.steps[:, None], self.slots[infosets]]
        answers = np.where(self.is_action[infosets], rows, 0.0).astype(np.float64)
        # Rounding of single precision must not leave crumbs of probability over.
        normalised: Floats = answers / answers.sum(axis=1, keepdims=True)
        return normalised

    def _expected(self, piece: PlayedDeals, moves: TreeSteps, copies: Ints) -> Floats:
        """The value before a move: a mean over children.  [moves, players]"""
        if moves.steps is None:
            return self.values[copies, moves.nodes]
        answers = self._answers(piece, moves)
        last = self.tree.first_children[moves.nodes] + self.tree.num_children[moves.nodes] - 1
        expected = np.zeros((len(copies), self.copies))
        for action in range(answers.shape[1]):
            # Beyond the last action the probability is 0, and any child will do.
            children = np.minimum(self.tree.first_children[moves.nodes] + action, last)
            expected += answers[:, action, None] * self.values[copies, children]
        return expected

    def _values(self) -> Floats:
        return np.stack([history_values(self.tree, strategy) for strategy in self.strategies])
