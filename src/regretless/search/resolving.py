# SPDX-License-Identifier: MIT
"""Continual re-solving: a policy that searches at every decision of a player.

Moravcik et al., "DeepStack" (2017); the gadget is that of Burch, Johanson and Bowling, "Solving
imperfect information games using decomposition" (2014). The first search begins at the root of the
game with the ranges of the rules. Each later one begins at the next decision of the same player
(or at a leaf on the way there) with the player's own range and the opponent's counterfactual
values, both from the search before. So what is played depends on the public history alone, and
nothing is kept but a memo of searches by history.

The gadget has many equilibria. Which one the search finds depends on the weights of the opponent's
hands and on whether every hand plays now and then (`Gadget`; Kubicek, Lisy and Sandholm,
"Equilibrium refinements improve subgame solving in imperfect-information games", 2026).
"""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import refusing
from regretless.games import Game
from regretless.games.spots import begin_at
from regretless.policies.policy import Needs, Probabilities, policy_text
from regretless.search.leaf_values import LeafValues
from regretless.search.subgames import SearchConfig, answer_all, make_subgames, read_board
from regretless.watch import UNWATCHED, Watch

_BATCH_BYTES = 1 << 28  # of subgames that are solved together
_LEAST_MASS = 1e-30  # a range of less counts as empty
_NOT_DEALT = 255  # among board cards of questions
_ACTOR, _STATE, _EVENT = 2, 3, 5  # columns of an outline

Key = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The player who searches (-1 at the root, where both search alike), slots, public cards."""


@dataclass(frozen=True)
class Line:
    """A public history at which a player is to act."""

    player: int
    slots: tuple[int, ...]
    states: tuple[int, ...]
    """The public states on the way, [slots + 1], in the catalogue."""
    roots: tuple[int, ...]
    """The numbers of slots after which searches begin, from 0 to all of them."""


class PublicBelief(NamedTuple):
    """The belief that one search leaves to the next at a public state."""

    range: NDArray[np.float64]  # [hands]: of the player who searches, summing to 1
    opponent_range: NDArray[np.float64]  # [hands], summing to 1
    opponent_values: NDArray[np.float64]  # [hands]: counterfactual values


class Memo(OrderedDict[Any, Any]):
    """Searches by key; the oldest are dropped where there is no room."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__()
        self.most_bytes, self.num_bytes = most_bytes, 0

    def keep(self, found: Mapping[Any, Any]) -> None:
        for key, solution in found.items():
            self.num_bytes += 0 if key in self else solution.num_bytes
            self[key] = solution
            self.move_to_end(key)
        while self.num_bytes > self.most_bytes:
            self.num_bytes -= self.popitem(last=False)[1].num_bytes


@dataclass(frozen=True)
class Gadget:
    """The re-solving gadget: the opponent may take a value of the search before, hand by hand."""

    estimate: float = 0.9
    """The share of the opponent's range in the search before in the weights of his hands; the
    rest is uniform."""
    least_follow: float = 0.01
    """The least probability with which a hand plays on instead of taking its value."""


_GADGET = Gadget()


class Solution:
    """The result of one search."""

    def __init__(self, job: _native.Subgames, root: int, subgame: int) -> None:
        self.outline = job.outline(root)
        self.strategies = job.average_strategies(subgame)
        self.ranges = job.average_ranges(subgame)  # [nodes, 2, hands]
        self.values = job.node_values(subgame)  # [nodes, 2, hands]

    @property
    def num_bytes(self) -> int:
        return self.strategies.nbytes + self.ranges.nbytes + self.values.nbytes

    def strategy(self, num_slots: int) -> NDArray[np.float64]:
        """Returns the average strategy at the root, [hands, slots]."""
        first, count, _, _, offset, _ = self.outline[0]
        hands = self.ranges.shape[2]
        rows = np.zeros((hands, num_slots))
        slots = self.outline[first : first + count, _EVENT]
        rows[:, slots] = self.strategies[offset : offset + count * hands].reshape(count, hands).T
        return rows


class ResolvingPolicy:
    """Searches where it is asked, one search for each public state. Implements `Policy`."""

    needs = Needs(history=True, table=True)
    __repr__ = policy_text

    def __init__(
        self,
        game: Game,
        config: SearchConfig,
        leaves: Callable[[_native.Subgames], LeafValues] | None = None,
        *,
        gadget: Gadget | None = _GADGET,
        name: str = "search",
        memo_bytes: int = 1 << 28,
        watch: Watch = UNWATCHED,
    ) -> None:
        """Searches to the end of the game need no `leaves`.

        Without a gadget (unsafe re-solving) the opponent has his range of the search before.
        """
        self.game = begin_at(game, read_board(game, config.board))
        self.name, self.gadget, self.num_searches = name, gadget, 0
        self._job = make_subgames(self.game, config)
        self._states = self._job.states
        self._leaves = None if leaves is None else leaves(self._job)
        self._memo, self._watch, self._lock = Memo(memo_bytes), watch, threading.Lock()

    def __call__(self, questions: _native.Questions) -> Probabilities:
        _, firsts, publics = np.unique(questions.publics, return_index=True, return_inverse=True)
        answers = np.zeros(questions.legal.shape)
        with refusing(self.game.name), self._lock:
            lines = [self._line(questions, int(row)) for row in firsts]
            solutions = self._solve(lines)
        for number, solution in enumerate(solutions):
            rows = np.flatnonzero(publics == number)
            answers[rows] = solution.strategy(self._states.num_slots)[questions.hands[rows]]
        return answers

    def _line(self, questions: _native.Questions, row: int) -> Line:
        """Returns the history of a question, and where its searches begin."""
        begin, end = questions.step_offsets[row], questions.step_offsets[row + 1]
        slots = questions.step_slots[begin:end].tolist()
        board = [card for card in questions.boards[row].tolist() if card != _NOT_DEALT]
        states = self._states.follow(slots, board).tolist()
        line = Line(int(questions.actors[row]), tuple(slots), tuple(states), (0,))
        while line.roots[-1] < len(slots):
            stops = (line.player, _native.LEAF)
            walk = self._walk(line, line.roots[-1])
            length = next((n for n, _, actor in walk if actor in stops), len(slots))
            line = replace(line, roots=(*line.roots, length))
        return line

    def _walk(self, line: Line, root: int) -> Iterator[tuple[int, int, int]]:
        """Follows a line through the subgame that begins after `root` of its slots.

        Yields the number of slots, the node and its actor, after each slot up to the first leaf.
        """
        outline, node = self._job.outline(line.states[root]), 0
        for length in range(root + 1, len(line.states)):
            node = _child(outline, node, _EVENT, line.slots[length - 1])
            while outline[node, _ACTOR] == _native.CHANCE:
                node = _child(outline, node, _STATE, line.states[length])
            yield length, node, int(outline[node, _ACTOR])
            if outline[node, _ACTOR] == _native.LEAF:
                return

    def _solve(self, lines: Sequence[Line]) -> list[Solution]:
        """Returns the search at the end of each line; searches of equal depth are one batch."""
        found: dict[Key, Solution] = {}
        due: dict[int, dict[Key, Line]] = defaultdict(dict)
        for line in lines:
            for depth in reversed(range(len(line.roots))):
                key = self._key(line, depth)
                if key in self._memo:
                    found[key] = self._memo[key]
                    break
                due[depth][key] = line
        for depth in sorted(due):
            for batch in self._batches(due[depth], depth):
                found |= self._search(batch, depth, found)
        self._memo.keep(found)
        return [found[self._key(line, len(line.roots) - 1)] for line in lines]

    def _key(self, line: Line, depth: int) -> Key:
        length = line.roots[depth]
        player = line.player if depth else -1
        return player, line.slots[:length], tuple(self._states.board(line.states[length]))

    def _batches(self, due: dict[Key, Line], depth: int) -> Iterator[dict[Key, Line]]:
        """Splits searches into batches whose memory is bounded."""
        batch: dict[Key, Line] = {}
        room = _BATCH_BYTES
        for key, line in due.items():
            room -= 2 * self._job.subgame_bytes(line.states[line.roots[depth]])
            if room < 0 and batch:
                yield batch
                batch, room = {}, _BATCH_BYTES
            batch[key] = line
        yield batch

    def _search(
        self, batch: dict[Key, Line], depth: int, found: Mapping[Key, Solution]
    ) -> dict[Key, Solution]:
        """Solves a batch of subgames, those below the root of the game with the gadget."""
        roots = np.array([line.states[line.roots[depth]] for line in batch.values()], np.int32)
        ranges = np.tile(self._states.root_ranges(), (len(batch), 1, 1))
        opponents, values = np.full(len(batch), -1, np.int32), np.zeros(ranges[:, 0].shape)
        for number, line in enumerate(batch.values() if depth else ()):
            before = found[self._key(line, depth - 1)]
            belief = self._belief(line, depth, before)
            opponent = 1 - line.player
            ranges[number, line.player], ranges[number, opponent] = belief[:2]
            if self.gadget is not None:
                opponents[number], values[number] = opponent, belief.opponent_values
        least_follow = 0.0 if self.gadget is None else self.gadget.least_follow
        with self._watch.over("searching"):
            self._job.begin(
                roots,
                ranges,
                opponents=opponents,
                opponent_values=values,
                least_follow=least_follow,
                keeps_values=True,
            )
            answer_all(self._job, self._leaves, watch=self._watch)
        self.num_searches += len(batch)
        return {key: Solution(self._job, int(roots[i]), i) for i, key in enumerate(batch)}

    def _belief(self, line: Line, depth: int, before: Solution) -> PublicBelief:
        """Returns the belief at the root of the next search, from the search before.

        A range without mass is uniform over the hands that the public cards leave.
        """
        root, length = line.roots[depth - 1], line.roots[depth]
        node = next(node for n, node, _ in self._walk(line, root) if n == length)
        possible = self._states.possible(np.array([line.states[length]], np.int32))[0] > 0
        uniform = possible / possible.sum()
        ranges = np.where(possible, before.ranges[node].astype(np.float64), 0.0)
        mass = ranges.sum(axis=1, keepdims=True)
        ranges = np.divide(ranges, mass, out=np.stack([uniform] * 2), where=mass > _LEAST_MASS)
        mine, other = ranges[line.player], ranges[1 - line.player]
        if self.gadget is not None:
            other = self.gadget.estimate * other + (1 - self.gadget.estimate) * uniform
        values = before.values[:, 1 - line.player]
        # A node that the player never reached has no values: those of the root stand in.
        carried = values[node] if values[node].any() else values[0]
        return PublicBelief(mine, other, carried)


def _child(outline: NDArray[np.int64], node: int, column: int, wanted: int) -> int:
    """Returns the child of a node with this entry in a column of the outline."""
    first, count = outline[node, :2]
    return int(first + np.flatnonzero(outline[first : first + count, column] == wanted)[0])
