# SPDX-License-Identifier: MIT
"""Boards of hold'em as the networks of their streets see them."""

from functools import cache
from itertools import combinations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regretless import _native
from regretless.equities import RULES
from regretless.networks.street_network import RiverBoards, meeting_hands, places_of
from regretless.notation.hand_classes import class_places
from regretless.preflop.matchups import NUM_CLASSES, load_matchups
from regretless.search.streets.mean_boards import MeanBoards

SeenBoards = RiverBoards | MeanBoards
_CARDS, _FULL = 52, 5


def see_boards(boards: NDArray[np.uint8], bins: int, device: torch.device) -> SeenBoards:
    """Returns boards [boards, cards] of the flop, the turn or the river on a device."""
    places = run_out_places(boards, device)
    if boards.shape[1] == _FULL:
        return RiverBoards(places[:, 0], bins)
    return MeanBoards.over(places, bins)


def run_out_places(boards: NDArray[np.uint8], device: torch.device) -> Tensor:
    """Returns the places of all hands on all full boards: [boards, run-outs, hands]."""
    rule = RULES["holdem"]
    strengths = np.stack(
        [
            _native.board_strengths(rule.showdown, rule.deck, full, 2)
            for board in boards
            for full in _run_outs(board).tolist()
        ]
    )
    ranks = torch.from_numpy(strengths.astype(np.int64)).to(device)
    ranks = torch.where(ranks > 0, ranks, -1)
    return places_of(ranks).to(torch.int32).view(len(boards), -1, ranks.shape[1])


def _run_outs(board: NDArray[np.uint8]) -> NDArray[np.uint8]:
    left = next_cards(board)
    after = left[_choices(len(left), _FULL - len(board))]
    return np.concatenate([np.broadcast_to(board, (len(after), len(board))), after], axis=1)


def starting_hands(device: torch.device) -> MeanBoards:
    """Returns the board without cards: a bin for each of the 169 classes, the weakest first.

    The equity of two hands is that of their classes, so ranges must not tell suits apart.
    """
    matchups, places = load_matchups(), torch.from_numpy(class_places(13, 4).astype(np.int64))
    pairs, equities = matchups.pairs, matchups.equities
    strengths = (pairs * equities).sum(axis=1) / pairs.sum(axis=1)
    ranks = torch.from_numpy(strengths.argsort().argsort())
    matrix = torch.nn.functional.one_hot(ranks[places], NUM_CLASSES).float()
    edges = torch.from_numpy(2 * equities - 1).float()[places][:, places]
    edges *= meeting_hands(places.device)
    possible = torch.ones(1, len(places), dtype=torch.bool)
    return MeanBoards(*(each.to(device) for each in (possible, matrix[None], edges[None])))


@cache
def _choices(cards: int, count: int) -> NDArray[np.int64]:
    found = list(combinations(range(cards), count))
    return np.array(found, np.int64).reshape(len(found), count)


def next_cards(board: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the cards that a board leaves."""
    return np.setdiff1d(np.arange(_CARDS, dtype=np.uint8), board)


def boards_after(boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns all boards after the next card: board by board, cards in the order of numbers."""
    every = [[*board, card] for board in boards.tolist() for card in next_cards(np.array(board))]
    return np.array(every, np.uint8)
