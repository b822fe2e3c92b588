# SPDX-License-Identifier: MIT
"""Weights of hands that a hand beats and ties with, over all boards to come."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

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
    reaches: Sequence[NDArray[np.float64]],
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
