# SPDX-License-Identifier: MIT
"""Leaves of hold'em trees that end with a street, and what answers for their values.

A native `VectorSolver` shows the reaches of both players at all leaves and is given counterfactual
values in chips, [leaves, hands] of each player by place in the problem's hands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games.spots import make_spot
from regretless.networks.street_network import StreetNetwork, leaf_values
from regretless.notation.cards import BOARD_CARDS, STREETS, format_cards
from regretless.search.holdem_search import Solver, possible_hands, runs_out
from regretless.search.streets.sights import SeenBoards, see_boards
from regretless.watch import UNWATCHED, Watch

Rows = NDArray[np.float32]
_CARDS = 52
_LEAST_SHARE = 1e-9  # weight of a hand in a solve, so that each has a value
_KEPT_BOARDS = 16  # sets of boards that a network remembers


@dataclass(frozen=True)
class StreetLeaves:
    """The leaves by the next public card and line of play."""

    boards: NDArray[np.uint8]  # [boards, cards]; twins are there once
    cards: NDArray[np.int32]  # [boards]: how many cards a board stands for
    rows: NDArray[np.int64]  # [boards, lines]: number of the leaf
    actions: list[tuple[int, ...]]  # [lines]: from the root, as `PokerEpisode.act` takes them
    pots: NDArray[np.float64]  # [lines], chips
    stacks: NDArray[np.float64]  # [lines]: chips behind, of the shorter one
    paid: NDArray[np.float64]  # [lines, 2]: chips
    hands: tuple[NDArray[np.int32], NDArray[np.int32]]  # [player][places]
    num_hands: int

    @classmethod
    def of(
        cls,
        game: _native.Poker,
        problem: _native.VectorProblem,
        board: Sequence[int] = (),
        actions: Sequence[int] = (),
    ) -> "StreetLeaves":
        """Finds the leaves of a tree that begins after these cards and actions on a street."""
        shown = [*game.board, *board]
        left = [card for card in range(_CARDS) if card not in shown]
        actors, events = problem.actors, problem.events
        first, count = problem.first_children, problem.num_children
        leaves = np.cumsum(actors == _native.LEAF) - 1
        rows, lines, amounts, kept = [], [], [], np.zeros(0, np.int64)
        for node, line in lines_before_cards(game, problem, board, actions):
            children = np.arange(first[node], first[node] + count[node])
            if (actors[children] != _native.LEAF).any():
                continue  # nobody can bet any more
            episode = _after(game, board, (*actions, *line))
            rows.append(leaves[children])
            lines.append(line)
            amounts.append((episode.pot, min(episode.stacks), *episode.paid))
            kept = children  # after each line the same boards
        if len(shown) not in BOARD_CARDS[:-1] or not rows:
            raise InputError(f"{game.name}: leaves need a street that is not the last")
        chips = np.array(amounts, np.float64)
        boards = np.array([[*shown, left[card]] for card in events[kept].tolist()], np.uint8)
        listed = problem.boards()
        cards = np.diff(listed["ends"], prepend=0)[listed["of_nodes"][kept]]
        hands = (problem.hands(0), problem.hands(1))
        where = np.array(rows, np.int64).T
        pots, stacks, paid = chips[:, 0], chips[:, 1], chips[:, 2:]
        return cls(boards, cards, where, lines, pots, stacks, paid, hands, game.num_hands)

    def parts(self, count: int) -> list["StreetLeaves"]:
        """Shares out the boards among so many parts."""
        return [
            replace(
                self,
                boards=self.boards[n::count],
                cards=self.cards[n::count],
                rows=self.rows[n::count],
            )
            for n in range(min(count, len(self.boards)))
        ]

    def ranges(self, reaches: tuple[Rows, Rows]) -> Rows:
        """Returns the reaches of all hands of the game: [boards, lines, 2, hands]."""
        found = np.zeros((*self.rows.shape, 2, self.num_hands), np.float32)
        for player in range(2):
            found[:, :, player, self.hands[player]] = reaches[player][self.rows]
        return found

    def write(self, found: Rows, rows: tuple[Rows, Rows]) -> None:
        """Writes values [boards, lines, 2, hands] to where the solver wants them."""
        for player in range(2):
            rows[player][self.rows] = found[:, :, player, self.hands[player]]


def lines_before_cards(
    game: _native.Poker,
    problem: _native.VectorProblem,
    board: Sequence[int] = (),
    actions: Sequence[int] = (),
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
        offer = _after(game, board, (*actions, *path)).offer
        first = int(problem.first_children[node])
        for child in range(first, first + int(problem.num_children[node])):
            chosen = offer[int(problem.events[child])]
            assert chosen is not None
            paths[child] = (*path, chosen)
    return found


def _after(
    game: _native.Poker, board: Sequence[int], actions: Sequence[int]
) -> _native.PokerEpisode:
    episode = _native.PokerEpisode(game, [], list(board))
    for action in actions:
        episode.act(action)
    return episode


class LeafAnswers(Protocol):
    """Returns counterfactual values in chips [boards, lines, 2, hands] at these reaches."""

    def __call__(self, leaves: StreetLeaves, ranges: Rows) -> Rows: ...


class NoValues:
    """Returns 0: a null test."""

    def __call__(self, leaves: StreetLeaves, ranges: Rows) -> Rows:
        return np.zeros_like(ranges)


class NetworkValues:
    """Returns the values of a network; the boards of the last leaves are kept on the device."""

    def __init__(self, network: StreetNetwork, device: str = "cpu", parts: int = 1) -> None:
        """`parts` are those of a `CutSolver`."""
        self.device, self.parts = torch.device(device), parts
        self.network = network.to(self.device)
        self.street = network.shape.street
        self._boards: dict[bytes, SeenBoards] = {}

    def __call__(self, leaves: StreetLeaves, ranges: Rows) -> Rows:
        boards = self._boards_of(leaves)
        with torch.inference_mode():
            shown = torch.from_numpy(ranges).to(self.device)
            stacks = self._put(np.broadcast_to(leaves.stacks / leaves.pots, leaves.rows.shape))
            sight = boards.see(shown, stacks)
            pots = self._put(leaves.pots)[:, None, None]
            dead = self._put(leaves.pots[:, None] / 2 - leaves.paid)[:, :, None]
            met = (shown * boards.possible[:, None, None]).sum(3, keepdim=True).flip(2)
            bets = torch.from_numpy(np.flatnonzero(leaves.stacks > 0)).to(self.device)
            values = leaf_values(self.network, sight, bets) * pots
            values = (values + sight.masses * dead) * met
            found: Rows = values.cpu().numpy()
        return found

    def cut(
        self,
        solver: _native.VectorSolver,
        game: _native.Poker,
        board: Sequence[int],
        actions: Sequence[int],
    ) -> Solver:
        """Implements `Cut`."""
        if solver.problem.size.leaves == 0:
            return solver
        leaves = StreetLeaves.of(game, solver.problem, board, actions)
        return CutSolver(solver, leaves, self, self.parts)

    def _boards_of(self, leaves: StreetLeaves) -> SeenBoards:
        """Prepares boards once for all searches on a street; two threads may both do it."""
        if (need := STREETS[BOARD_CARDS.index(leaves.boards.shape[1])]) != self.street:
            raise InputError(f"a network of the {self.street} has no values of {need}s")
        key = leaves.boards.tobytes()
        found = self._boards.get(key)
        if found is None:
            found = see_boards(leaves.boards, self.network.shape.bins, self.device)
            self._boards = dict([*self._boards.items(), (key, found)][-_KEPT_BOARDS:])
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


class CutSolver:
    """A solver of a tree that ends with its street, with values for the leaves.

    The next public cards are in `parts` that take turns: an iteration asks about one of them, which
    stands for all cards. Beliefs are of all cards.
    """

    def __init__(
        self,
        solver: _native.VectorSolver,
        leaves: StreetLeaves,
        answers: LeafAnswers,
        parts: int = 1,
    ) -> None:
        self.problem, self.strategy = solver.problem, solver.strategy
        self._solver, self._leaves, self._answers = solver, leaves, answers
        self._parts = leaves.parts(parts)

    @property
    def iteration(self) -> int:
        return self._solver.iteration

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            part = self._parts[self.iteration % len(self._parts)]
            self._solver.step_with(*self._values(self._solver.leaf_reaches(), [part]))

    def beliefs(self, nodes: Sequence[int]) -> tuple[NDArray[np.float64], ...]:
        """Returns what `VectorSolver.beliefs` does."""
        reaches = self._solver.leaf_reaches(of_average=True)
        return self._solver.beliefs(nodes, *self._values(reaches, self._parts))

    def _values(
        self, reaches: tuple[Rows, Rows], parts: Sequence[StreetLeaves]
    ) -> tuple[Rows, Rows]:
        """Returns the values of all leaves; those of the parts count for the others, too."""
        rows = np.zeros_like(reaches[0]), np.zeros_like(reaches[1])
        share = sum(part.cards.sum() for part in parts) / self._leaves.cards.sum()
        for part in parts:
            part.write(self._answers(part, part.ranges(reaches)) / np.float32(share), rows)
        return rows


def solve_to_leaves(
    game: _native.Poker,
    answers: LeafAnswers,
    iterations: int,
    algorithm: str = "dcfr",
    watch: Watch = UNWATCHED,
) -> CutSolver:
    """Solves a street whose next one is answered for; the strategy is that of the street alone."""
    native = _native.VectorSolver(
        game,
        _native.Discounts(algorithm),
        ends_with_round=True,
        runs_out=runs_out(game.board),
        merge_suits=False,
    )
    solver = CutSolver(native, StreetLeaves.of(game, native.problem), answers)
    for done in range(iterations):
        watch.look("solving a street", done / iterations)
        solver.step()
    return solver
