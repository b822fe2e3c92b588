# SPDX-License-Identifier: MIT
"""The hands of each player on each board: their order, their places, and the rows they fill.

A problem has one set of boards: those of its tree. A batch has a set for every root, with the
boards of the same tree by other cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.solvers.cuda.tree import Tree

UNIT = 32
_BLOCKED = np.iinfo(np.int16).max

Ints = NDArray[np.int32]
Shorts = NDArray[np.int16]


@dataclass
class Boards:
    """Lists by player. Rows are boards, set after set; `size` boards are a set."""

    size: int
    parents: Ints
    """[size]: the board before the last card, or -1."""
    tables: Ints
    """[rows]: the row of ranks; 0 of the first set where no showdown is."""
    orders: list[Shorts]
    """[rows, width]: the hand at each position."""
    places: list[Shorts]
    """[rows, hands]: the position of each hand, or -1."""
    counts: list[Ints]
    """[rows]: hands that are possible."""
    units: list[Ints]
    """[size]: units of a row, enough for every set."""
    ranks: list[Shorts]
    """[tables, hands]."""
    cards: list[NDArray[np.uint8]]
    """[hands, 2]."""

    @property
    def num_hands(self) -> tuple[int, int]:
        return self.places[0].shape[1], self.places[1].shape[1]

    @property
    def widths(self) -> tuple[int, int]:
        return self.orders[0].shape[1], self.orders[1].shape[1]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of a layout."""
        copies = len(self.tables) // self.size
        units = [np.tile(each, copies) for each in self.units]
        columns = [np.tile(self.parents, copies), self.tables, *self.counts, *units]
        found: dict[str, NDArray[Any]] = {"boards": np.stack(columns, axis=1).astype(np.int32)}
        for p in range(2):
            found[f"hands_{p}"], found[f"places_{p}"] = self.orders[p], self.places[p]
            found[f"ranks_{p}"], found[f"cards_{p}"] = self.ranks[p], self.cards[p]
            found[f"twins_{p}"] = _twins(self.cards[p], self.cards[1 - p])
        return found


def boards_of(problem: _native.VectorProblem, flat: dict[str, Any], tree: Tree) -> Boards:
    """The boards of a problem, with the hands of its ranges."""
    size = int(tree.boards.max()) + 1
    tables = _tables(flat, tree, size)
    found = Boards(size, _parents(tree, size), tables, [], [], [], [], [], [])
    edge_boards = tree.boards[flat["edge_nodes"]]
    for player in range(2):
        hands = len(problem.hands(player))
        possible = np.ones((size, hands), np.bool_)
        masks = flat[f"masks_{player}"].reshape(-1, hands)
        possible[edge_boards] = masks[flat[f"edge_masks_{player}"]]
        orders = np.argsort(~possible, axis=1, kind="stable").astype(np.int16)
        shown = np.flatnonzero(tables)
        orders[shown] = flat[f"orders_{player}"][tables[shown]]
        _add_player(found, orders, possible.sum(axis=1), np.arange(size))
        found.ranks.append(flat[f"ranks_{player}"])
        found.cards.append(flat[f"cards_{player}"])
    return found


def boards_of_sets(
    problem: _native.VectorProblem,
    tree: Tree,
    rules: Any,
    roots: NDArray[np.int64],
    hands: Sequence[NDArray[np.int64]],
) -> Boards:
    """The boards below each root [sets, cards], with the hands of these numbers [player]."""
    flat = problem.arrays()
    size = int(tree.boards.max()) + 1
    shown = np.flatnonzero(_tables(flat, tree, size))
    dealt = _dealt(problem, tree, size)
    held = _native.hand_cards(rules.deck, 2).astype(np.int64)
    count = len(roots) * size
    found = Boards(
        size, _parents(tree, size), np.arange(count, dtype=np.int32), [], [], [], [], [], []
    )
    ranks = np.zeros((len(roots), size, len(held)), np.int16)
    is_blocked = np.zeros((len(roots), size, len(held)), np.bool_)
    for number, other in enumerate(roots.tolist()):
        left = np.append(np.setdiff1d(np.arange(rules.deck.num_cards), other), -1)
        boards = left[dealt]
        on = np.zeros((size, rules.deck.num_cards), np.bool_)
        np.put_along_axis(on, boards.clip(0), boards >= 0, axis=1)
        on[:, other] = True
        is_blocked[number] = on[:, held].any(axis=2)
        for board in shown.tolist():
            cards = np.flatnonzero(on[board]).tolist()
            ranks[number, board] = _ranks(
                _native.board_strengths(rules.showdown, rules.deck, cards, 2)
            )
    for player in range(2):
        own = hands[player]
        keys = np.where(is_blocked, _BLOCKED, ranks)[:, :, own].reshape(count, -1)
        orders = np.argsort(keys, axis=1, kind="stable").astype(np.int16)
        _add_player(found, orders, (keys != _BLOCKED).sum(axis=1), (dealt >= 0).sum(axis=1))
        found.ranks.append(np.ascontiguousarray(ranks[:, :, own].reshape(count, -1)))
        found.cards.append(held[own].astype(np.uint8))
    return found


def check_roots(roots: NDArray[Any], cards: int, rules: Any) -> None:
    """InputError unless roots are [sets, cards] of different cards."""
    if roots.ndim != 2 or roots.shape[1] != cards or len(roots) == 0:
        raise InputError(f"boards: must be [1 or more, {cards}]")
    for row, board in enumerate(roots.tolist()):
        if len(set(board)) != cards or not 0 <= min(board) <= max(board) < rules.deck.num_cards:
            raise InputError(f"boards: row {row} must be {cards} different cards from 0 to 51")


def _add_player(
    boards: Boards, orders: Shorts, counts: NDArray[Any], groups: NDArray[np.int64]
) -> None:
    """Adds the lists of a player; boards of a group have rows of one length."""
    rows, hands = orders.shape
    places = np.full((rows, hands), -1, np.int16)
    at = np.broadcast_to(np.arange(hands, dtype=np.int16), orders.shape)
    np.put_along_axis(places, orders.astype(np.int64), at, axis=1)
    places[places >= counts[:, None]] = -1
    width = -(-hands // UNIT) * UNIT
    boards.orders.append(np.pad(orders, ((0, 0), (0, width - hands))))
    boards.places.append(places)
    boards.counts.append(counts.astype(np.int32))
    most = np.zeros(int(groups.max()) + 1, np.int64)
    np.maximum.at(most, np.tile(groups, rows // boards.size), counts)
    boards.units.append(((most + UNIT - 1) // UNIT)[groups].astype(np.int32))


def _parents(tree: Tree, size: int) -> Ints:
    dealt = np.flatnonzero(tree.is_dealt)
    parents = np.full(size, -1, np.int32)
    parents[tree.boards[dealt]] = tree.boards[tree.parents[dealt]]
    return parents


def _tables(flat: dict[str, Any], tree: Tree, size: int) -> Ints:
    """[boards]: the table of showdowns, 0 where none is."""
    found = np.zeros(size, np.int32)
    ends, tables = flat["terminal_nodes"], flat["tables"]
    found[tree.boards[ends[tables > 0]]] = tables[tables > 0]
    return found


def _dealt(problem: _native.VectorProblem, tree: Tree, size: int) -> NDArray[np.int64]:
    """[boards, streets]: which of the cards left at the root were dealt, -1 where there are fewer.

    An outcome of public chance is the number of a card among those that are left then.
    """
    listed = problem.boards()
    outcomes, parents = np.full(size, -1), _parents(tree, size)
    outcomes[1:] = listed["outcomes"][listed["ends"][:-1]]
    paths = np.full((size, max(int(tree.streets.max()), 1)), -1, np.int64)
    for board in range(1, size):  # a board stands behind its parent
        above = paths[parents[board]]
        depth = int((above >= 0).sum())
        paths[board] = above
        card = int(outcomes[board])
        for before in np.sort(above[:depth]).tolist():
            card += card >= before
        paths[board, depth] = card
    return paths


def _ranks(strengths: NDArray[np.uint32]) -> Shorts:
    """Equal strengths have equal ranks; hands that the board blocks have any."""
    found: Shorts = np.unique(strengths, return_inverse=True)[1].astype(np.int16)
    return found


def _twins(own: NDArray[np.uint8], other: NDArray[np.uint8]) -> Shorts:
    """For each hand the place of the same cards in the opponent's list, or -1."""
    mine, his = (each.astype(np.int64) @ np.array([64, 1]) for each in (own, other))
    places = np.full(64 * 64, -1, np.int16)
    places[his] = np.arange(len(his))
    twins: Shorts = places[mine]
    return twins
