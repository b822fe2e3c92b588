# SPDX-License-Identifier: MIT
"""A place in a solved tree: the node of a line of play, both ranges there, and their showdowns."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.explorer.node_view import Numbers, hand_cards
from regretless.games import Game
from regretless.games.episodes import Episode
from regretless.games.face import face
from regretless.histories.lines import Step, read_line
from regretless.policies.strategy_tree import StrategyTree

_MOST_SMALL_HANDS = 64  # of a game whose pairs of hands are all compared
_LEAST_MET = 1e-9  # share of the opponent's range; a hand that meets less meets nobody


Shares = list[Numbers]
"""Weights of hands that a hand beats and ties with, [player][(wins, ties), hands]."""


class TreePlace:
    """A node of a tree with the reaches of both players.

    The tree keeps one of several boards that are equal up to suits. Reaches and hands are in the
    suits of the line of play; `places` and `suits` map them to those of the tree.
    """

    def __init__(self, game: Game, tree: StrategyTree, steps: Iterable[Step] = ()) -> None:
        self.tree = tree
        self.deck = game.deck
        self.cards = [hand_cards(game, tree.hands(player)) for player in range(2)]
        self.node = 0
        self.reaches: list[Numbers] = [tree.weights(p).copy() for p in range(2)]
        self.possible: list[NDArray[np.bool_]] = [np.ones(len(each), bool) for each in self.cards]
        self.places: list[NDArray[Any]] = [np.arange(len(tree.hands(p))) for p in range(2)]
        self.kept_board = list(game.episode_of().board)
        self.suits = np.arange(4)
        for step in steps:
            self._go(step)

    def _go(self, step: Step) -> None:
        if step.slot is None:
            self._deal(step.cards)
        else:
            self._choose(step.slot)

    def after(self, step: Step) -> "TreePlace":
        """The place that an action or a public card leads to."""
        other = object.__new__(TreePlace)
        other.__dict__.update(self.__dict__)
        other.reaches, other.places = list(self.reaches), list(self.places)
        other.possible = list(self.possible)
        other.kept_board = list(self.kept_board)
        other._go(step)
        return other

    @property
    def actor(self) -> int:
        return int(self.tree.actors[self.node])

    @property
    def slots(self) -> list[int]:
        """The slot of each action at a decision."""
        children = self.tree.children(self.node)
        slots: list[int] = self.tree.events[children.start : children.stop].tolist()
        return slots

    def mix(self) -> Numbers:
        """The strategy of the actor: [actions, hands]."""
        return self.tree.strategy_at(self.node)[:, self.places[self.actor]]

    def values(self) -> list[Numbers]:
        """Chips that each hand wins at a decision or chance node: [player][hands]."""
        kept = self.tree.values_at(self.node)
        return [kept[p][self.places[p]] for p in range(2)]

    def met(self, player: int) -> Numbers:
        """The weight of the opponent's hands that each hand can meet, 0 for none: [hands]."""
        mine, his = self.cards[player], self.cards[1 - player]
        reach = self.reaches[1 - player]
        total = float(reach.sum())
        if self.deck is None:
            return np.full(len(mine), total)  # dice block nothing
        by_card = np.zeros(self._num_cards)
        for k in range(his.shape[1]):
            np.add.at(by_card, his[:, k], reach)
        met = total - by_card[mine].sum(axis=1)
        if mine.shape[1] == 2:  # a hand that shares both cards was subtracted twice
            own, other = self.tree.hands(player), self.tree.hands(1 - player)
            twins = np.searchsorted(other, own).clip(max=len(other) - 1)
            met += np.where(other[twins] == own, reach[twins], 0.0)
        return np.where((met > _LEAST_MET * total) & self.possible[player], met, 0.0)

    def _choose(self, slot: int) -> None:
        slots, actor = self.slots, self.actor
        if slot not in slots:
            raise InputError(f"node {self.node} of the tree: its children are not of this game")
        action = slots.index(slot)
        if len(self.tree.strategy):  # empty: a tree without a solution
            self.reaches[actor] = self.reaches[actor] * self.mix()[action]
        self.node = self.tree.children(self.node)[action]

    def _deal(self, cards: tuple[int, ...]) -> None:
        if len(cards) != 1:
            raise InputError("lines go on after one public card at a time")
        (card,) = cards
        num_suits = self.deck.num_suits if self.deck is not None else 1
        rank, suit = divmod(card, num_suits)
        kept = rank * num_suits + int(self.suits[suit])
        left = [each for each in range(self._num_cards) if each not in self.kept_board]
        child, renaming = self._child(left.index(kept))
        for p in range(2):
            self.possible[p] = self.possible[p] & ~(self.cards[p] == card).any(axis=1)
            self.reaches[p] = np.where(self.possible[p], self.reaches[p], 0.0)
            self.places[p] = self.tree.places(p)[renaming][self.places[p]]
        self.suits = self.tree.suits[renaming][self.suits].astype(np.intp)
        # The board of the tree is that of the child's first outcome.
        first = self.tree.outcomes_of(int(self.tree.boards[child]))[0][0]
        self.kept_board.append(left[first])
        self.node = child

    def _child(self, outcome: int) -> tuple[int, int]:
        for child in self.tree.children(self.node):
            for each, renaming in self.tree.outcomes_of(int(self.tree.boards[child])):
                if each == outcome:
                    return child, renaming
        raise InputError(f"node {self.node} of the tree: a card that may come is not there")

    @property
    def _num_cards(self) -> int:
        return self.deck.num_cards if self.deck is not None else 0


def find_place(game: Game, problem: _native.VectorProblem, line: str) -> tuple[int, Episode]:
    """The node of a problem that a line leads to, and the episode there."""
    episode = game.episode_of()
    steps = read_line(line, episode)
    empty = np.zeros(0, np.int16), np.zeros((0, 0), np.int16), np.zeros((0, 2, 2), np.float32)
    return TreePlace(game, StrategyTree.of(problem, empty), steps).node, episode


def showdown_shares(game: Game, place: TreePlace, board: list[int]) -> Shares | None:
    """The shares of both ranges at a place; None where they are not known."""
    poker, hands = face(game).poker, [place.tree.hands(p) for p in range(2)]
    if poker is None:
        return None
    found = holdem_shares(poker, board, hands, place.reaches)
    if found is not None:
        return [each[:2] for each in found]
    return _small_shares(poker, place, board) if game.num_hands <= _MOST_SMALL_HANDS else None


def holdem_shares(
    game: "_native.Poker",
    board: list[int],
    hands: Sequence[NDArray[Any]],
    reaches: Sequence[Numbers],
) -> Shares | None:
    """Weights that each hand beats, ties with and meets: [player][3, hands].

    None before the flop and in games other than hold'em.
    """
    rules = game.rules
    if rules.showdown not in (_native.Showdown.HOLDEM, _native.Showdown.SHORT_DECK):
        return None
    if len(board) < 3:
        return None
    weights = [np.zeros(game.num_hands) for _ in range(2)]
    for p in range(2):
        weights[p][hands[p]] = reaches[p]
    shares = _native.range_shares(rules.showdown, rules.deck, board, *weights)
    return [shares[p][:, hands[p]] for p in range(2)]


def _small_shares(game: "_native.Poker", place: TreePlace, board: list[int]) -> Shares:
    """Compares all pairs of hands on all boards."""
    rules, tree = game.rules, place.tree
    left = [card for card in range(rules.deck.num_cards) if card not in board]
    missing = rules.num_board_cards - len(board)
    hands = [tree.hands(p) for p in range(2)]
    cards = place.cards
    is_apart = ~(cards[0][:, None, :, None] == cards[1][None, :, None, :]).any(axis=(2, 3))
    counts = np.zeros(is_apart.shape)
    sums = np.zeros((2, *is_apart.shape))  # boards on which player 0 wins, or both tie
    for rest in combinations(left, missing):
        whole = [*board, *rest]
        strengths = _native.board_strengths(
            rules.showdown, rules.deck, whole, rules.num_hole_cards
        ).astype(np.int64)
        first, second = strengths[hands[0]][:, None], strengths[hands[1]][None, :]
        is_left = [np.array(~np.isin(cards[p], rest).any(axis=1)) for p in range(2)]
        may_be = is_apart & is_left[0][:, None] & is_left[1][None, :]
        counts += may_be
        sums += np.array([(first > second) & may_be, (first == second) & may_be])
    wins, ties = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
    losses = np.where(counts > 0, 1 - wins - ties, 0.0)
    return [
        np.array([wins @ place.reaches[1], ties @ place.reaches[1]]),
        np.array([losses.T @ place.reaches[0], ties.T @ place.reaches[0]]),
    ]
