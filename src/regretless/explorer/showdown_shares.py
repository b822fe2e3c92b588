# SPDX-License-Identifier: MIT
"""Weights of hands that a hand beats and ties with, over all boards to come."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.explorer.tree_place import TreePlace
from regretless.games import Game
from regretless.games.face import face

_MOST_SMALL_HANDS = 64

Shares = list[NDArray[np.float64]]  # [player][(wins, ties), hands]


def showdown_shares(game: Game, place: TreePlace, board: list[int]) -> Shares | None:
    """The shares of both ranges at a place; None where they are not known."""
    poker = face(game).poker
    if poker is None:
        return None
    rules, tree = poker.rules, place.tree
    is_holdem = rules.showdown in (_native.Showdown.HOLDEM, _native.Showdown.SHORT_DECK)
    if is_holdem and len(board) >= 3:
        weights = [np.zeros(game.num_hands) for _ in range(2)]
        for p in range(2):
            weights[p][tree.hands(p)] = place.reaches[p]
        shares = _native.range_shares(rules.showdown, rules.deck, board, *weights)
        return [shares[p, :2][:, tree.hands(p)] for p in range(2)]
    if game.num_hands > _MOST_SMALL_HANDS:
        return None
    return _small_shares(poker, place, board)


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
