# SPDX-License-Identifier: MIT
"""One search of heads-up hold'em: a subgame solved to the end, and the beliefs that it leaves.

The root of a search is the player's decision, with the re-solving gadget, or the start of a street,
with both ranges. The native `VectorSolver` solves it; docs/search.md has the equations.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.notation.cards import BOARD_CARDS, STREETS
from regretless.search.holdem_menus import SearchMenu, Situation, search_game
from regretless.search.resolving import Gadget, PublicBelief
from regretless.watch import Watch

Floats = NDArray[np.float32]
Path = tuple[tuple[int, ...], int | None]
"""Actions after a decision, and the public card that then came, if one did."""

_LEAST_OWN = 1e-6  # reach of a hand as a share of the largest: every hand gets a strategy
_EMPTY = 1e-30  # a range of less counts as empty
_LEAST_MASS = 1e-6  # share of his range with which a player must choose an action that he made


@dataclass(frozen=True)
class Root:
    """The beginning of a search."""

    player: int
    """The player who searches."""
    actions: tuple[int, ...]
    """All actions of the hand before the root, in chips: -1 fold, 0 call, else the bet."""
    board: tuple[int, ...]
    since: tuple[int, ...]
    """Actions of the opponent from the root to the decision: none, or one."""
    belief: PublicBelief
    is_safe: bool
    """Whether the opponent may take his values instead of playing; else his range is trusted."""


class Effort(NamedTuple):
    """The work of one search."""

    iterations: int
    seconds: float | None  # if given, iterations end then
    algorithm: str
    threads: int
    max_bytes: int
    watch: Watch


class Solver(Protocol):
    """A solver of a subgame: a `VectorSolver`, or one with values for the leaves of a cut tree."""

    @property
    def problem(self) -> _native.VectorProblem: ...
    @property
    def iteration(self) -> int: ...
    def step(self, count: int = 1) -> None: ...
    def strategy(self, node: int) -> NDArray[np.float64]: ...
    def beliefs(self, nodes: Sequence[int]) -> tuple[NDArray[np.float64], ...]: ...


class Cut(Protocol):
    """Values of the street after a search, which then stops at the end of its own."""

    def cut(
        self,
        solver: _native.VectorSolver,
        game: _native.Poker,
        board: Sequence[int],
        actions: Sequence[int],
    ) -> Solver:
        """Returns the solver of a tree that ends with the street."""


class Anchor(NamedTuple):
    """The opponent at a node after the player's action."""

    values: Floats  # [places]: counterfactual
    mixes: dict[int, NDArray[np.float16]]  # by action, [places]; empty where he does not act
    places: NDArray[np.int32]  # [places]: of hands as they are named on the real card


class Solution:
    """The strategy at the decision that was searched, and what the next search begins with."""

    def __init__(self, root: Root, game: _native.Poker, solver: Solver) -> None:
        self.player, self.board = root.player, root.board
        self.iterations, self.num_bytes = solver.iteration, 0
        walk = _TreeWalk(root, game, solver)
        self.amounts, decision = walk.amounts(walk.decision), walk.decision
        self.hands = [np.asarray(solver.problem.hands(p)) for p in range(2)]
        self.num_hands = game.num_hands
        strategy = np.asarray(solver.strategy(decision), np.float32)  # [actions, own hands]
        self.strategy = np.zeros((len(self.amounts), self.num_hands), np.float32)
        self.strategy[:, self.hands[self.player]] = strategy
        self._lines: dict[tuple[int, ...], tuple[Floats, Floats]] = {}
        self._anchors: dict[Path, Anchor] = {}
        self._collect(walk, solver)

    def _collect(self, walk: "_TreeWalk", solver: Solver) -> None:
        """Keeps ranges after each line of actions, and the opponent's values at his next nodes."""
        lines, anchors = dict(walk.lines()), dict(walk.anchors())
        wanted = sorted({*lines.values(), *anchors.values(), walk.decision})
        row = {node: n for n, node in enumerate(wanted)}
        first, second, *values = solver.beliefs(wanted)
        reaches, other = (first, second), 1 - self.player
        for line, node in lines.items():
            own, his = (reaches[p][row[node]].astype(np.float32) for p in (self.player, other))
            self._lines[line] = own, his
        kept = {
            node: (values[other][row[node]].astype(np.float32), walk.mixes(node))
            for node in set(anchors.values())
        }
        for path, node in anchors.items():
            places = walk.places(other, path)
            self._anchors[path] = Anchor(*kept[node], places)
        here = row[walk.decision]
        self._root = (
            reaches[self.player][here].astype(np.float32),
            reaches[other][here].astype(np.float32),
            values[other][here].astype(np.float32),
        )
        arrays = [*self._root, *(each for pair in self._lines.values() for each in pair)]
        arrays += [each for found, mixes in kept.values() for each in (found, *mixes.values())]
        self.num_bytes = self.strategy.nbytes + sum(each.nbytes for each in arrays)

    def next_belief(
        self, before: Sequence[int], card: int | None, after: Sequence[int]
    ) -> PublicBelief:
        """Returns the belief at the player's next decision.

        `before` are the actions from the decision on that was searched, `card` is the public card
        that then came, and `after` the actions behind it. An action of the player that is not in
        the tree counts as the nearest one. Where he never makes it, the belief is that before it.
        """
        line = (self._nearest(before[0]), *before[1:])
        if card is None:
            line, after = line[:1], line[1:]
        own, his = self._lines.get(line, self._root[:2])
        anchor = self._anchors.get((line, card))
        if anchor is None or own.sum() <= _LEAST_MASS * self._root[0].sum():
            return self._belief(*self._root, card)
        if after and after[0] in anchor.mixes:
            his = his * anchor.mixes[after[0]][anchor.places]
        return self._belief(own, his, anchor.values[anchor.places], card)

    def _belief(self, own: Floats, his: Floats, values: Floats, card: int | None) -> PublicBelief:
        """Returns ranges of sum 1 and the values that go with them."""
        board = (*self.board, *(() if card is None else (card,)))
        possible = possible_hands(self.num_hands, board)
        full = []
        for each, player in ((own, self.player), (his, 1 - self.player), (values, 1 - self.player)):
            row = np.zeros(self.num_hands)
            row[self.hands[player]] = each
            full.append(np.where(possible, row, 0.0))
        mass = full[0].sum()
        return PublicBelief(
            normalized(full[0], possible),
            normalized(full[1], possible),
            full[2] / max(mass, _EMPTY),
        )

    def _nearest(self, action: int) -> int:
        if action in self.amounts or action <= 0:
            return action
        raises = [amount for amount in self.amounts if amount > 0]
        return min(raises, key=lambda amount: abs(amount - action), default=action)


class _TreeWalk:
    """The nodes of a solved tree that the next decisions of a player pass."""

    def __init__(self, root: Root, game: _native.Poker, solver: Solver) -> None:
        problem = solver.problem
        self._root, self._game, self._solver = root, game, solver
        self._actors, self._events = problem.actors, problem.events
        self._first, self._count = problem.first_children, problem.num_children
        self._boards, self.player = problem.boards(), root.player
        self._left = [card for card in range(52) if card not in root.board]
        self._hands = [len(problem.hands(p)) for p in range(2)]
        self._steps: dict[int, tuple[int, ...]] = {0: ()}
        self._cards_before: dict[int, int | None] = {0: None}
        self._renamings: dict[int, int] = {}  # of suits, by card: to those of the kept board
        self.decision = 0
        for action in root.since:
            self.decision = dict(self.children(self.decision))[action]

    def _episode(self, node: int) -> _native.PokerEpisode:
        """Returns the public state of a node, on any card that leads to it."""
        card = self._cards_before[node]
        board = [*self._root.board, *([] if card is None else [card])]
        episode = _native.PokerEpisode(self._game, [], board)
        for action in (*self._root.actions, *self._steps[node]):
            episode.act(action)
        return episode

    def children(self, node: int) -> list[tuple[int, int]]:
        """Returns the actions of a decision with the nodes below."""
        offer, first = self._episode(node).offer, int(self._first[node])
        found = []
        for child in range(first, first + int(self._count[node])):
            action = offer[int(self._events[child])]
            assert action is not None
            self._steps[child] = (*self._steps[node], action)
            self._cards_before[child] = self._cards_before[node]
            found.append((action, child))
        return found

    def amounts(self, node: int) -> tuple[int, ...]:
        return tuple(action for action, _ in self.children(node))

    def lines(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yields what may happen up to the opponent's decision or to a public card, with nodes."""
        for action, child in self.children(self.decision):
            if self._actors[child] == _native.CHANCE:
                yield (action,), child
            elif self._actors[child] == 1 - self.player:
                yield (action,), child
                for answer, below in self.children(child):
                    if self._actors[below] == _native.CHANCE:
                        yield (action, answer), below

    def anchors(self) -> Iterator[tuple[Path, int]]:
        """Yields where the opponent's values are kept: his decisions, and all after a card."""
        for line, node in self.lines():
            if self._actors[node] != _native.CHANCE:
                yield (line, None), node
                continue
            steps = self._steps[node]
            for child in range(int(self._first[node]), int(self._first[node] + self._count[node])):
                if self._actors[child] < 0 and self._actors[child] != _native.LEAF:
                    continue
                self._steps[child] = steps
                self._cards_before[child] = self._left[int(self._events[child])]
                for card in self._cards(child):
                    yield (line, card), child

    def _board(self, node: int) -> slice:
        board = int(self._boards["of_nodes"][node])
        ends = self._boards["ends"]
        return slice(int(ends[board - 1]) if board else 0, int(ends[board]))

    def _cards(self, node: int) -> list[int]:
        """Returns the cards that a kept board stands for."""
        here = self._board(node)
        cards = [self._left[outcome] for outcome in self._boards["outcomes"][here].tolist()]
        self._renamings.update(zip(cards, self._boards["renamings"][here].tolist(), strict=True))
        return cards

    def places(self, player: int, path: Path) -> NDArray[np.int32]:
        """Returns where each hand is found on the kept board of a path."""
        if path[1] is None:
            return np.arange(self._hands[player], dtype=np.int32)
        row: NDArray[np.int32] = self._boards[f"places_{player}"][self._renamings[path[1]]]
        return row

    def mixes(self, node: int) -> dict[int, NDArray[np.float16]]:
        """Returns the opponent's strategy at a node, by action; empty where he does not act."""
        if self._actors[node] != 1 - self.player:
            return {}
        rows = np.asarray(self._solver.strategy(node)).astype(np.float16)
        return dict(zip(self.amounts(node), rows, strict=True))


def runs_out(board: Sequence[int]) -> bool:
    """Whether cut trees of a street run out where nobody can bet any more.

    On the flop all-in is answered for, too: 1,176 run-outs would take most of the time.
    """
    return len(board) > BOARD_CARDS[1]


def search(
    game: _native.Poker,
    menu: SearchMenu,
    root: Root,
    offers: Sequence[int] | None,
    gadget: Gadget,
    effort: Effort,
    cut: Cut | None = None,
) -> Solution:
    """Solves the subgame below a root: to the end of the hand, or of the street (`cut`).

    The player's bets at the decision are among `offers` (amounts to raise to), or any (None).
    """
    begin = time.perf_counter()
    solved = search_game(game, menu, *_made_rows(game, menu, root, offers))
    ranges = _weights(game, root, gadget)
    opponent = 1 - root.player
    weights = ranges if root.player == 0 else ranges[::-1]
    native = _native.VectorSolver(
        solved,
        _native.Discounts(effort.algorithm),
        threads=effort.threads,
        board=list(root.board),
        actions=list(root.actions),
        weights=weights,
        max_bytes=effort.max_bytes,
        opponent=opponent if root.is_safe else -1,
        opponent_values=root.belief.opponent_values.tolist() if root.is_safe else [],
        least_follow=gadget.least_follow if root.is_safe else 0.0,
        ends_with_round=cut is not None,
        runs_out=cut is None or runs_out(root.board),
    )
    solver = cut.cut(native, solved, root.board, root.actions) if cut else native
    _run(solver, effort, begin)
    return Solution(root, solved, solver)


def _run(solver: Solver, effort: Effort, begin: float) -> None:
    watch, most = effort.watch, effort.iterations
    if effort.seconds is not None:
        watch, most = watch.ending_at(begin + effort.seconds), 1
    solver.step(1)
    for piece in watch.pieces(effort.iterations - 1, most):
        solver.step(piece)


def _made_rows(
    game: _native.Poker, menu: SearchMenu, root: Root, offers: Sequence[int] | None
) -> tuple[dict[Situation, list[str]], int]:
    """Returns the rows of the decision and of a bet before it, and the raises before it."""
    episode = _native.PokerEpisode(game, [], list(root.board))
    for action in root.actions:
        episode.act(action)
    rows: dict[Situation, list[str]] = {}
    for action in root.since:
        if action > 0:
            row = menu.later[_street_name(episode)][0]
            sizes = [size for size in row.split(",") if size]
            rows[_situation(episode)] = [f"{action - max(episode.bets)}c", *sizes]
        episode.act(action)
    rows[_situation(episode)] = _first_sizes(episode, menu, offers)
    return rows, _num_raises(episode)


def _first_sizes(
    episode: _native.PokerEpisode, menu: SearchMenu, offers: Sequence[int] | None
) -> list[str]:
    """Returns the sizes at the decision, in chips on top of the bet faced."""
    least_most = episode.raise_range
    if least_most is None:
        return []
    high, most = max(episode.bets), least_most[1]
    pot = episode.pot + episode.to_call
    allowed = None if offers is None else [each for each in offers if 0 < each < most]
    chosen = []
    for share in menu.first:
        amount = min(max(high + round(share * pot), least_most[0]), most)
        if allowed:
            amount = min(allowed, key=lambda each: abs(each - amount))
        elif allowed is not None:
            continue
        if amount < most and amount not in chosen:
            chosen.append(amount)
    has_all_in = offers is None or most in offers
    is_near = most - high <= menu.all_in * pot or _situation(episode)[2] > 0
    return [*(f"{amount - high}c" for amount in chosen), *(["a"] if has_all_in and is_near else [])]


def _situation(episode: _native.PokerEpisode) -> Situation:
    """Returns the row of a menu at a decision."""
    return episode.actor, episode.street, min(_num_raises(episode), 2)


def _num_raises(episode: _native.PokerEpisode) -> int:
    """Returns how many bets and raises there were on the street."""
    return sum(street == episode.street and bet > 0 for _, street, bet, _ in episode.events)


def _street_name(episode: _native.PokerEpisode) -> str:
    return STREETS[episode.street]


def _weights(game: _native.Poker, root: Root, gadget: Gadget) -> list[list[float]]:
    """Returns the weights of the player's and of the opponent's hands; none is 0 by chance."""
    possible = possible_hands(game.num_hands, root.board)
    own = np.where(possible, root.belief.range, 0.0)
    own = np.where(possible, np.maximum(own, _LEAST_OWN * own.max()), 0.0)
    uniform = possible / possible.sum()
    his = gadget.estimate * root.belief.opponent_range + (1 - gadget.estimate) * uniform
    return [own.tolist(), np.where(possible, his, 0.0).tolist()]


def possible_hands(num_hands: int, board: Sequence[int]) -> NDArray[np.bool_]:
    """Returns which hands of two cards, by number, a board leaves."""
    low, high = _pairs(num_hands).T
    return ~(np.isin(low, list(board)) | np.isin(high, list(board)))


def _pairs(num_hands: int) -> NDArray[np.int64]:
    """Returns the cards of each hand, [hands, 2], in the order of the core."""
    high = np.floor((1 + np.sqrt(1 + 8 * np.arange(num_hands))) / 2).astype(np.int64)
    return np.stack([np.arange(num_hands) - high * (high - 1) // 2, high], axis=1)


def normalized(row: NDArray[np.float64], possible: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns a range of sum 1, uniform over the possible hands where it has no mass."""
    kept = np.where(possible, row, 0.0)
    if kept.sum() <= _EMPTY:
        kept = possible.astype(np.float64)
    return np.asarray(kept / kept.sum())
