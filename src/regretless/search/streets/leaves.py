# SPDX-License-Identifier: MIT
"""Leaves of hold'em trees that end where a street begins, and what answers for their values.

A native `LeafSolver` asks for them: reaches of both players at all leaves in, counterfactual values
in chips out, [leaves, hands] of each player by place in the problem's hands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games.spots import make_spot
from regretless.networks.street_network import StreetNetwork, leaf_values
from regretless.notation.cards import STREETS, format_cards
from regretless.search.holdem_search import possible_hands
from regretless.search.streets.sights import SeenBoards, see_boards
from regretless.watch import UNWATCHED, Watch

Rows = NDArray[np.float32]
_CARDS = 52
_LEAST_SHARE = 1e-9  # weight of a hand in a solve, so that each has a value


@dataclass(frozen=True)
class StreetLeaves:
    """The leaves by the card that comes and line of play."""

    boards: NDArray[np.uint8]  # [boards, cards]
    rows: NDArray[np.int64]  # [boards, lines]: number of the leaf
    actions: list[tuple[int, ...]]  # [lines]: in chips, as `PokerEpisode.act` takes them
    pots: NDArray[np.float64]  # [lines], chips
    stacks: NDArray[np.float64]  # [lines]: chips behind, of the shorter one
    paid: NDArray[np.float64]  # [lines, 2]: chips
    hands: tuple[NDArray[np.int32], NDArray[np.int32]]  # [player][places]
    num_hands: int

    @classmethod
    def of(cls, game: _native.Poker, problem: _native.VectorProblem) -> "StreetLeaves":
        """Finds the leaves of a flop or a turn whose tree is cut at the round."""
        board = list(game.board)
        if len(board) not in (3, 4):
            raise InputError(f"{game.name}: leaves need a spot on the flop or the turn")
        left = [card for card in range(_CARDS) if card not in board]
        actors, events = problem.actors, problem.events
        first, count = problem.first_children, problem.num_children
        leaves = np.cumsum(actors == _native.LEAF) - 1
        rows, actions, amounts = [], [], []
        for node, line in lines_before_cards(game, problem):
            children = np.arange(first[node], first[node] + count[node])
            if (actors[children] != _native.LEAF).any():
                continue  # nobody can bet any more
            episode = _native.PokerEpisode(game, [])
            for action in line:
                episode.act(action)
            row = np.zeros(len(left), np.int64)
            row[events[children]] = leaves[children]
            rows.append(row)
            actions.append(line)
            amounts.append((episode.pot, min(episode.stacks), *episode.paid))
        chips = np.array(amounts, np.float64).reshape(-1, 4)
        boards = np.array([[*board, card] for card in left], np.uint8)
        hands = (problem.hands(0), problem.hands(1))
        where = np.array(rows, np.int64).reshape(-1, len(left)).T
        pots, stacks, paid = chips[:, 0], chips[:, 1], chips[:, 2:]
        return cls(boards, where, actions, pots, stacks, paid, hands, game.num_hands)

    def ranges(self, reaches: tuple[Rows, Rows]) -> Rows:
        """Returns the reaches of all hands of the game: [boards, lines, 2, hands]."""
        found = np.zeros((*self.rows.shape, 2, self.num_hands), np.float32)
        for player in range(2):
            found[:, :, player, self.hands[player]] = reaches[player][self.rows]
        return found

    def values(self, found: Rows) -> tuple[Rows, Rows]:
        """Returns values [boards, lines, 2, hands] as the solver wants them."""
        first, second = (
            np.zeros((self.rows.size, len(self.hands[player])), np.float32) for player in range(2)
        )
        for player, rows in enumerate((first, second)):
            rows[self.rows] = found[:, :, player, self.hands[player]]
        return first, second


def lines_before_cards(
    game: _native.Poker, problem: _native.VectorProblem
) -> list[tuple[int, tuple[int, ...]]]:
    """Returns the nodes of public chance with the actions before them, in the order of nodes."""
    found = []
    paths: dict[int, tuple[int, ...]] = {0: ()}
    for node, actor in enumerate(problem.actors.tolist()):
        if node not in paths:
            continue
        path = paths.pop(node)
        if actor == _native.CHANCE:
            found.append((node, path))
        if actor < 0:
            continue
        episode = _native.PokerEpisode(game, [])
        for action in path:
            episode.act(action)
        offer, first = episode.offer, int(problem.first_children[node])
        for child in range(first, first + int(problem.num_children[node])):
            chosen = offer[int(problem.events[child])]
            assert chosen is not None
            paths[child] = (*path, chosen)
    return found


class LeafAnswers(Protocol):
    """Returns counterfactual values in chips [boards, lines, 2, hands] at these reaches."""

    def __call__(self, leaves: StreetLeaves, ranges: Rows) -> Rows: ...


class NoValues:
    """Returns 0: a null test."""

    def __call__(self, leaves: StreetLeaves, ranges: Rows) -> Rows:
        return np.zeros_like(ranges)


class NetworkValues:
    """Returns the values of a network; the boards of the last leaves are kept on the device."""

    def __init__(self, network: StreetNetwork, device: str = "cpu") -> None:
        self.device = torch.device(device)
        self.network = network.to(self.device)
        self._cards: NDArray[np.uint8] | None = None
        self._boards: SeenBoards

    def __call__(self, leaves: StreetLeaves, ranges: Rows) -> Rows:
        if self._cards is None or not np.array_equal(leaves.boards, self._cards):
            street = self.network.shape.street
            if (need := STREETS[leaves.boards.shape[1] - 2]) != street:
                raise InputError(f"leaves: a network of the {street} has no values of {need}s")
            self._boards = see_boards(leaves.boards, self.network.shape.bins, self.device)
            self._cards = leaves.boards
        with torch.inference_mode():
            shown = torch.from_numpy(ranges).to(self.device)
            stacks = self._put(np.broadcast_to(leaves.stacks / leaves.pots, leaves.rows.shape))
            sight = self._boards.see(shown, stacks)
            pots = self._put(leaves.pots)[:, None, None]
            dead = self._put(leaves.pots[:, None] / 2 - leaves.paid)[:, :, None]
            met = (shown * self._boards.possible[:, None, None]).sum(3, keepdim=True).flip(2)
            values = (leaf_values(self.network, sight) * pots + sight.masses * dead) * met
            found: Rows = values.cpu().numpy()
        return found

    def _put(self, numbers: NDArray[np.float64]) -> torch.Tensor:
        return torch.from_numpy(numbers.astype(np.float32)).to(self.device)


class SolvedValues:
    """Solves every leaf to the end of the hand by the native solver, with a menu of bets."""

    def __init__(self, menu: str | Mapping[str, Any], iterations: int) -> None:
        self.menu, self.iterations = menu, iterations
        self._spots: dict[tuple[str, int, int], _native.Poker] = {}

    def __call__(self, leaves: StreetLeaves, ranges: Rows) -> Rows:
        found = np.zeros_like(ranges)
        for number, board in enumerate(leaves.boards.tolist()):
            possible = possible_hands(leaves.num_hands, board)
            for line, (pot, stack) in enumerate(zip(leaves.pots, leaves.stacks, strict=True)):
                game = self._spot(format_cards(board), round(float(pot)), round(float(stack)))
                found[number, line] = self._solve(game, ranges[number, line], possible)
        return found

    def _spot(self, *key: Any) -> _native.Poker:
        if key not in self._spots:
            board, pot, stack = key
            self._spots[key] = make_spot(board, pot, stack, "random", "random", self.menu).game
        return self._spots[key]

    def _solve(self, game: _native.Poker, ranges: Rows, possible: NDArray[np.bool_]) -> Rows:
        weights = np.where(possible, ranges.astype(np.float64), 0.0)
        sums = weights.sum(axis=1)
        shares = np.where(possible, weights / np.maximum(sums, 1e-30)[:, None], 0.0)
        shares = np.where(possible, np.maximum(shares, _LEAST_SHARE), 0.0)
        solver = _native.VectorSolver(game, _native.Discounts("dcfr"), weights=shares.tolist())
        solver.step(self.iterations)
        beliefs, found = solver.beliefs([0]), np.zeros_like(ranges)
        for player in range(2):
            hands = solver.problem.hands(player)
            found[player, hands] = beliefs[2 + player][0] * sums[1 - player]
        return found


def solve_to_leaves(
    game: _native.Poker,
    answers: LeafAnswers,
    iterations: int,
    algorithm: str = "dcfr",
    watch: Watch = UNWATCHED,
) -> _native.LeafSolver:
    """Solves a street of which the next one is answered for; the strategy is that of its own.

    On the flop all-in is answered for, too: 1,176 run-outs would take most of the time.
    """
    solver = _native.LeafSolver(
        game,
        _native.Discounts(algorithm),
        iterations=iterations,
        ends_with_round=True,
        runs_out=len(game.board) > 3,
    )
    leaves = StreetLeaves.of(game, solver.problem)
    while (reaches := solver.ask()) is not None:
        watch.look("solving to leaves", solver.iteration / iterations)
        solver.answer(*leaves.values(answers(leaves, leaves.ranges(reaches))))
    return solver
