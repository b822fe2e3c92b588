# SPDX-License-Identifier: MIT
"""Continual re-solving of heads-up hold'em as a policy.

Moravcik et al., "DeepStack" (2017): every decision from a street on is solved by the native vector
solver, and a blueprint plays the streets before. A search goes to the end of the hand, or to that
of its street where a network values the next one.
The first search of a player begins at the start of a street with the ranges of the blueprint. Each
later one begins at his decision with his own range and the opponent's counterfactual values, both
from the search before. What is played depends on the public history alone, and nothing is kept but
a memo of searches by history. docs/search.md has the equations and the figures.
"""

import json
import os
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError, refusing
from regretless.games.face import rules_record
from regretless.games.translation import raise_slots
from regretless.notation.cards import BOARD_CARDS, STREETS
from regretless.options import Count, Options, Positive
from regretless.policies.policy import Needs, Policy, Probabilities, UniformPolicy, policy_text
from regretless.search.blueprint import Blueprint, Choices
from regretless.search.holdem_menus import CUT_MENUS, SEARCH_MENUS
from regretless.search.holdem_search import Cut, Effort, Root, Solution, search
from regretless.search.resolving import Gadget, Memo, PublicBelief
from regretless.watch import Watch

_NOT_DEALT = 255  # among board cards of questions


@dataclass(frozen=True)
class HoldemSearchConfig(Options):
    """Options of the searching player."""

    street: Literal["flop", "turn", "river"] = "flop"
    """The first street that is searched; the blueprint plays those before."""
    values: str = ""
    """Value networks of the turn, of the river or of both (joined by +): bundles or runs. A search
    ends with its street if there is a network of the next one."""
    flop: Count | None = None
    """Iterations of a search on the flop (none: those of its menu)."""
    turn: Count | None = None
    """Iterations of a search on the turn."""
    river: Count | None = None
    """Iterations of a search on the river."""
    seconds: Positive | None = None
    """The most seconds of one search; with a limit the play depends on the speed of the machine."""
    safe: bool = True
    """Whether later searches have the re-solving gadget, or trust the opponent's range."""
    algorithm: str = "dcfr"
    """A member of the CFR family."""
    threads: Count = field(default_factory=lambda: os.cpu_count() or 1)
    """Threads; they change nothing but the time."""
    memory: Count = 4096
    """The most MiB of one search."""


class History(NamedTuple):
    """A public history at which a player is to act."""

    player: int
    actions: tuple[int, ...]
    board: tuple[int, ...]


class _Step(NamedTuple):
    """A decision of the player that is searched."""

    length: int  # of the actions before it
    street: int
    offers: tuple[int, ...] | None  # amounts that he may raise to; None: any


class _Line(NamedTuple):
    """A history with all decisions on the way that are searched, the last one included."""

    history: History
    steps: tuple[_Step, ...]
    begin: int  # actions before the first searched street

    def key(self, depth: int) -> History:
        step = self.steps[depth]
        player, actions, board = self.history
        return History(player, actions[: step.length], board[: BOARD_CARDS[step.street]])


class HoldemResolvingPolicy:
    """Searches where it is asked, one search for each public state. Implements `Policy`."""

    needs = Needs(history=True, table=True)
    __repr__ = policy_text

    def __init__(
        self,
        game: _native.Poker,
        blueprint: Policy,
        blueprint_game: _native.Poker | None = None,
        config: HoldemSearchConfig | None = None,
        cuts: Mapping[str, Cut] | None = None,
        *,
        name: str = "search",
        memo_bytes: int = 1 << 30,
        takes_any_bet: bool = False,
    ) -> None:
        """`blueprint_game` is the game of the blueprint (default: the same); `cuts` value streets.

        The player bets what the menu of the game offers, or any amount (`takes_any_bet`).
        """
        self.game, self.name = game, name
        self.config = HoldemSearchConfig() if config is None else config
        self.cuts = dict(cuts or {})
        self.blueprint = Blueprint(blueprint, blueprint_game or game, game)
        self.num_searches = 0
        self._memo, self._lock = Memo(memo_bytes), threading.Lock()
        self._takes_any_bet = takes_any_bet
        self._players: dict[str, HoldemResolvingPolicy] = {}
        rules = game.rules
        if game.num_players != 2 or rules.num_hole_cards != 2 or game.num_hands != 1326:
            raise InputError(f"{game.name}: this search is for heads-up hold'em")

    @property
    def stand_in(self) -> Policy:
        """The blueprint, if it knows the menu of the game; else random play."""
        return self.blueprint.policy if self.blueprint.is_of_game else UniformPolicy()

    def in_chips(self, game: _native.Poker) -> "HoldemResolvingPolicy":
        """Returns the player of another game of hold'em, who bets any amount of chips."""
        key = json.dumps(rules_record(game), sort_keys=True)
        with self._lock:
            if key not in self._players:
                blueprint = self.blueprint
                self._players[key] = HoldemResolvingPolicy(
                    game,
                    blueprint.policy,
                    blueprint.own,
                    self.config,
                    self.cuts,
                    name=self.name,
                    memo_bytes=self._memo.most_bytes,
                    takes_any_bet=True,
                )
            return self._players[key]

    def __call__(self, questions: _native.Questions) -> Probabilities:
        _, firsts, publics = np.unique(questions.publics, return_index=True, return_inverse=True)
        histories = [_read_history(questions, int(row)) for row in firsts]
        answers = np.zeros(questions.legal.shape)
        for number, choices in enumerate(self.choices(histories)):
            rows = np.flatnonzero(publics == number)
            offers = questions.offers[firsts[number]]
            mix = choices.strategy[:, questions.hands[rows]]
            for amount, chances in zip(choices.amounts, mix, strict=True):
                answers[rows, _slot_of(amount, offers)] += chances
        return answers

    def choices(self, histories: Sequence[History]) -> list[Choices]:
        """Returns the strategy with every hand at each history."""
        with refusing(self.game.name), self._lock:
            lines = [self._line(history) for history in histories]
            found = self._solve([line for line in lines if line.steps])
        return [
            Choices(found[line.history].amounts, found[line.history].strategy)
            if line.steps
            else self.blueprint.choices(line.history.actions, line.history.board)
            for line in lines
        ]

    def mix(self, episodes: Sequence[_native.PokerEpisode]) -> list[dict[int, float]]:
        """Returns the probability of each amount for the hand of the player to act."""
        histories, hands = [], []
        for episode in episodes:
            actions = tuple(action for _, _, action, _ in episode.events)
            histories.append(History(episode.actor, actions, tuple(episode.board)))
            hole = np.array([episode.hole(episode.actor)], np.uint8)
            hands.append(int(_native.hand_index(self.game.rules.deck, hole)[0]))
        return [
            dict(zip(each.amounts, each.strategy[:, hand].tolist(), strict=True))
            for each, hand in zip(self.choices(histories), hands, strict=True)
        ]

    def _line(self, history: History) -> _Line:
        """Returns the decisions of a history that are searched."""
        first = STREETS.index(self.config.street)
        episode = _native.PokerEpisode(self.game, [], list(history.board))
        steps, begin = [], 0
        for length in range(len(history.actions) + 1):
            if episode.street >= first and episode.actor == history.player:
                offers = None if self._takes_any_bet else tuple(raise_slots(episode))
                steps.append(_Step(length, episode.street, offers))
            if length < len(history.actions):
                begin += episode.street < first
                episode.act(history.actions[length])
        return _Line(history, tuple(steps), begin)

    def _solve(self, lines: Sequence[_Line]) -> dict[History, Solution]:
        """Returns the search at the end of each line; searches of equal depth are one batch."""
        found: dict[History, Solution] = {}
        due: dict[int, dict[History, _Line]] = defaultdict(dict)
        for line in lines:
            for depth in reversed(range(len(line.steps))):
                key = line.key(depth)
                if key in self._memo:
                    found[key] = self._memo[key]
                    break
                due[depth][key] = line
        for depth in sorted(due):
            found |= self._search_all(due[depth], depth, found)
        self._memo.keep(found)
        return found

    def _search_all(
        self, due: dict[History, _Line], depth: int, found: dict[History, Solution]
    ) -> dict[History, Solution]:
        """Solves independent searches, several at a time where there are several."""
        roots = [self._root(line, depth, found) for line in due.values()]
        steps = [line.steps[depth] for line in due.values()]
        at_once = min(self.config.threads, len(roots))
        threads = self.config.threads if at_once == 1 else 1
        is_over = threading.Event()  # an interrupt ends the searches that run
        one = partial(self._search, threads=threads, watch=Watch(is_over.is_set))
        if at_once == 1:
            solved = list(map(one, roots, steps))
        else:
            with ThreadPoolExecutor(at_once) as pool:
                try:
                    solved = list(pool.map(one, roots, steps))
                finally:
                    is_over.set()
        self.num_searches += len(roots)
        return dict(zip(due, solved, strict=True))

    def _root(self, line: _Line, depth: int, found: dict[History, Solution]) -> Root:
        """Returns where a search begins: at the start of its street, or at the decision."""
        player, actions, board = line.history
        step = line.steps[depth]
        board = board[: BOARD_CARDS[step.street]]
        if depth == 0:
            ranges = self.blueprint.ranges(actions[: line.begin], board)
            belief = PublicBelief(ranges[player], ranges[1 - player], np.zeros(len(ranges[0])))
            since = actions[line.begin : step.length]
            return Root(player, actions[: line.begin], board, since, belief, False)
        last, before = line.steps[depth - 1], found[line.key(depth - 1)]
        between = actions[last.length : step.length]
        if last.street == step.street:
            belief = before.next_belief(between, None, ())
        else:
            here = _num_on_street(self.game, line.history, step)
            split = len(between) - here
            belief = before.next_belief(between[:split], board[-1], between[split:])
        return Root(player, actions[: step.length], board, (), belief, self.config.safe)

    def _search(self, root: Root, step: _Step, threads: int, watch: Watch) -> Solution:
        config, street = self.config, STREETS[step.street]
        cut = self.cuts.get("".join(STREETS[step.street + 1 : step.street + 2]))
        menu = (CUT_MENUS if cut else SEARCH_MENUS)[street]
        effort = Effort(
            getattr(config, street) or menu.iterations,
            config.seconds,
            config.algorithm,
            threads,
            config.memory << 20,
            watch,
        )
        return search(self.game, menu, root, step.offers, _GADGET, effort, cut)


_GADGET = Gadget()


def _num_on_street(game: _native.Poker, history: History, step: _Step) -> int:
    """Returns how many actions were made on the street of a decision before it."""
    episode = _native.PokerEpisode(game, [], list(history.board))
    for action in history.actions[: step.length]:
        episode.act(action)
    return sum(street == step.street for _, street, _, _ in episode.events)


def _read_history(questions: _native.Questions, row: int) -> History:
    begin, end = questions.step_offsets[row], questions.step_offsets[row + 1]
    board = tuple(card for card in questions.boards[row].tolist() if card != _NOT_DEALT)
    actions = tuple(questions.step_actions[begin:end].tolist())
    return History(int(questions.actors[row]), actions, board)


def _slot_of(amount: int, offers: NDArray[np.int32]) -> int:
    """Returns the slot of an amount, or that of the nearest raise."""
    same = np.flatnonzero(offers == amount)
    if len(same):
        return int(same[0])
    raises = np.flatnonzero(offers > 0)
    if amount <= 0 or not len(raises):
        return int(np.flatnonzero(offers == 0)[0])
    return int(raises[np.argmin(np.abs(offers[raises] - amount))])
