# SPDX-License-Identifier: MIT
"""Hold'em spots solved the plain way, as an oracle: every deal and every history, one by one.

Shares nothing with the package: betting, deals and evaluation (by phevaluator) are its own. The
game is solved in sequence form by a linear program (Koller, Megiddo and von Stengel 1996).
An action is -1 (fold), 0 (check or call) or the total to bet or raise to on the street; a history
is a tuple of actions and cards.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import floor
from typing import Any

import numpy as np
import phevaluator
from scipy.optimize import linprog
from scipy.sparse import bmat, coo_matrix

DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
FOLD, CALL = -1, 0

Hand = tuple[str, ...]
History = tuple[int | str, ...]
Strategy = Callable[[int, Hand, History], Mapping[int, float]]


@dataclass(frozen=True)
class Betting:
    """Chips and sizes. A bet is a share of the pot, a raise a multiple of the bet faced."""

    pot: int
    stack: int
    bets: tuple[float, ...]
    raises: tuple[float, ...] = ()
    has_all_in: bool = False
    donks: tuple[float, ...] | None = None  # bets into who bet last on the street before
    aggressor: int | None = 1  # who bet last before the spot


@dataclass(frozen=True)
class State:
    """The public state."""

    history: History
    board: tuple[str, ...]
    paid: tuple[int, int]  # on the streets before this one
    bets: tuple[int, int] = (0, 0)
    actor: int = 0
    num_actions: int = 0  # on this street
    num_raises: int = 0
    last_raise: int = 1
    aggressor: int | None = None  # who bet last on this street or, before a bet, on the last one
    folded: int | None = None


def hands_of(cards: str) -> list[Hand]:
    """All hands of two of the given cards: `AsKdQc` gives three."""
    names = [cards[i : i + 2] for i in range(0, len(cards), 2)]
    return list(combinations(names, 2))


class Spot:
    """The sequence form of a spot, for ranges given as a weight for each hand."""

    def __init__(self, board: str, ranges: list[dict[Hand, float]], betting: Betting) -> None:
        self.betting = betting
        self.hands = [list(weights) for weights in ranges]
        self.weights = [np.array(list(weights.values())) for weights in ranges]
        cards = tuple(board[i : i + 2] for i in range(0, len(board), 2))
        root = State((), cards, (0, 0), aggressor=betting.aggressor)
        fits = [[not set(hand) & set(root.board) for hand in hands] for hands in self.hands]
        deals = np.outer(self.weights[0] * fits[0], self.weights[1] * fits[1])
        for i, first in enumerate(self.hands[0]):
            for j, second in enumerate(self.hands[1]):
                deals[i, j] *= not set(first) & set(second)
        self.deals = deals / deals.sum()  # [hands of 0, hands of 1]
        self.num_sequences = [1, 1]
        # Each infoset: player, hand, history, the sequence that leads there, first own sequence.
        self.infosets: list[tuple[int, Hand, History, int, int]] = []
        self.actions: dict[History, list[int]] = {}
        self.entries: list[tuple[Any, Any, Any, Any]] = []  # rows, columns, probability x payoffs
        self.strengths: dict[frozenset[str], Any] = {}
        self._grow(root, [np.zeros(len(hands), int) for hands in self.hands], 1.0)
        rows, columns, *payoffs = (np.concatenate(part) for part in zip(*self.entries, strict=True))
        shape = tuple(self.num_sequences)
        self.payoffs = [coo_matrix((each, (rows, columns)), shape).tocsr() for each in payoffs]

    def _grow(self, state: State, sequences: list[Any], chance: float) -> None:
        """Adds everything below a state; `sequences` leads there for each player and hand."""
        street_is_over = state.num_actions >= 2 and state.bets[0] == state.bets[1]
        if state.folded is not None or (street_is_over and len(state.board) == 5):
            self._end(state, sequences, chance)
        elif street_is_over:
            paid = (state.paid[0] + state.bets[0], state.paid[1] + state.bets[1])
            left = [card for card in DECK if card not in state.board]
            for card in left:  # four of them are in the players' hands
                aggressor = state.aggressor if state.num_raises > 0 else None
                board = (*state.board, card)
                child = State((*state.history, card), board, paid, aggressor=aggressor)
                self._grow(child, sequences, chance / (len(left) - 4))
        elif state.paid[0] == self.betting.stack:  # both are all-in: nothing to decide
            self._grow(_next(state, num_actions=2), sequences, chance)
        else:
            self._decide(state, sequences, chance)

    def _decide(self, state: State, sequences: list[Any], chance: float) -> None:
        player, actions = state.actor, legal_actions(state, self.betting)
        self.actions[state.history] = actions
        first = np.zeros(len(self.hands[player]), int)
        for h, hand in enumerate(self.hands[player]):
            if set(hand) & set(state.board):
                continue
            first[h] = self.num_sequences[player]
            self.infosets.append((player, hand, state.history, sequences[player][h], first[h]))
            self.num_sequences[player] += len(actions)
        for a, action in enumerate(actions):
            below = list(sequences)
            below[player] = first + a
            self._grow(act(state, action), below, chance)

    def _end(self, state: State, sequences: list[Any], chance: float) -> None:
        paid = [state.paid[p] + state.bets[p] for p in range(2)]
        pot = self.betting.pot + sum(paid)
        if state.folded is not None:
            shares = np.full(self.deals.shape, float(state.folded))  # what player 0 gets of the pot
        else:
            shares = self._showdown(state.board)
        blocked = [[bool(set(hand) & set(state.board)) for hand in hands] for hands in self.hands]
        possible = (self.deals > 0) & ~np.logical_or.outer(*blocked)
        i, j = np.nonzero(possible)
        probabilities = chance * self.deals[i, j]
        wins = probabilities * (shares[i, j] * pot - paid[0])
        losses = probabilities * ((1 - shares[i, j]) * pot - paid[1])
        self.entries.append((sequences[0][i], sequences[1][j], wins, losses))

    def _showdown(self, board: tuple[str, ...]) -> Any:
        key = frozenset(board)
        if key not in self.strengths:
            ranks = [[0 if set(h) & key else rank(board, h) for h in hands] for hands in self.hands]
            difference = np.subtract.outer(*ranks)  # a lower number is the better hand
            self.strengths[key] = (1 - np.sign(difference)) / 2
        return self.strengths[key]

    def values(self) -> tuple[float, float]:
        """Returns the equilibrium value of each player, for a pot of 1, by linear programming.

        Maximises the first player's value over realisation plans x and values q of the second
        player's infosets: every plan keeps its infosets' sums, no answer yields less than q.
        """
        sums, start = self._plan_constraints(0)
        answers, _ = self._plan_constraints(1)
        gains = self.payoffs[0].T  # [sequences of 1, sequences of 0]
        num_plan, num_values = sums.shape[1], answers.shape[0]
        result = linprog(
            np.r_[np.zeros(num_plan), -1.0, np.zeros(num_values - 1)],
            A_ub=bmat([[-gains, answers.T]]),
            b_ub=np.zeros(gains.shape[0]),
            A_eq=bmat([[sums, coo_matrix((sums.shape[0], num_values))]]),
            b_eq=start,
            bounds=[(0, None)] * num_plan + [(None, None)] * num_values,
        )
        assert result.success, result.message
        first = -result.fun / self.betting.pot
        return first, 1 - first

    def _plan_constraints(self, player: int) -> tuple[Any, Any]:
        """A realisation plan sums to 1 at the start and, at each infoset, to what led there."""
        own = [infoset for infoset in self.infosets if infoset[0] == player]
        rows, columns, entries = [0], [0], [1.0]
        for i, (_, _, history, parent, first) in enumerate(own, start=1):
            count = len(self.actions[history])
            rows += [i] * (count + 1)
            columns += [parent, *range(first, first + count)]
            entries += [-1.0] + [1.0] * count
        shape = (len(own) + 1, self.num_sequences[player])
        return coo_matrix((entries, (rows, columns)), shape), np.eye(1, len(own) + 1)[0]

    def evaluate(self, strategy: Strategy) -> tuple[list[float], float]:
        """Both values and the exploitability of a strategy, of a pot of 1."""
        plans = [self._plan(player, strategy) for player in range(2)]
        played = [float(plans[0] @ matrix @ plans[1]) for matrix in self.payoffs]
        best = [
            self._best_answer(0, self.payoffs[0] @ plans[1]),
            self._best_answer(1, self.payoffs[1].T @ plans[0]),
        ]
        pot = self.betting.pot
        return [value / pot for value in played], (sum(best) - sum(played)) / 2 / pot

    def _plan(self, player: int, strategy: Strategy) -> Any:
        plan = np.ones(self.num_sequences[player])
        for owner, hand, history, parent, first in self.infosets:
            if owner == player:
                probabilities = strategy(player, hand, history)
                for a, action in enumerate(self.actions[history]):
                    plan[first + a] = plan[parent] * probabilities[action]
        return plan

    def _best_answer(self, player: int, gains: Any) -> float:
        for owner, _, history, parent, first in reversed(self.infosets):
            if owner == player:
                gains[parent] += gains[first : first + len(self.actions[history])].max()
        return float(gains[0])


def rank(board: tuple[str, ...], hand: tuple[str, ...]) -> int:
    """A lower number is the better hand; of four cards two count."""
    evaluate = phevaluator.evaluate_cards if len(hand) == 2 else phevaluator.evaluate_omaha_cards
    return int(evaluate(*board, *hand))


def legal_actions(state: State, betting: Betting) -> list[int]:
    player, other = state.actor, 1 - state.actor
    faced, own = state.bets[other], state.bets[player]
    most = betting.stack - state.paid[player]
    actions = [FOLD, CALL] if faced > own else [CALL]
    if faced >= most:  # the other is all-in
        return actions
    if state.num_raises == 0:
        is_donk = player == 0 and state.aggressor == 1 and betting.donks is not None
        shares = betting.donks if is_donk else betting.bets
        sizes = [floor(share * (betting.pot + sum(state.paid)) + 0.5) for share in shares or ()]
        if is_donk and not shares:
            return actions
    else:
        sizes = [floor(multiple * faced + 0.5) for multiple in betting.raises]
    least = min(most, faced + state.last_raise)
    sizes = [min(max(size, least), most) for size in sizes] + [most] * betting.has_all_in
    return actions + sorted(set(sizes))


def act(state: State, action: int) -> State:
    other = 1 - state.actor
    history, num_actions = (*state.history, action), state.num_actions + 1
    if action == FOLD:
        return _next(state, history=history, folded=state.actor)
    bets = list(state.bets)
    bets[state.actor] = state.bets[other] if action == CALL else action
    raised = action - state.bets[other] if action > 0 else 0
    return _next(
        state,
        history=history,
        bets=tuple(bets),
        actor=other,
        num_actions=num_actions,
        num_raises=state.num_raises + (action > 0),
        aggressor=state.actor if action > 0 else state.aggressor,
        last_raise=max(state.last_raise, raised),
    )


def _next(state: State, **changes: Any) -> State:
    return State(**{**vars(state), **changes})
