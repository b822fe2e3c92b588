# SPDX-License-Identifier: MIT
"""One walk through a Python game, breadth first, that checks everything the game says."""

import math
import operator
from array import array
from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError, TooLargeError
from regretless.explicit.python_game import CHANCE, TERMINAL, Action, PythonGame, State

PROBABILITY_TOLERANCE = 1e-9
MOST_NODES = 2**31 - 1  # node numbers are int32
MOST_PLAYERS = 127  # player numbers are int8
HAND_MEMBERS = ("hand", "public_state")


class Enumeration(Generic[State, Action]):
    """A tree while it grows: new nodes join the end, and are expanded in that same order.

    An `InputError` names the state where the game breaks its contract. An exception raised by the
    game itself passes through, with the path to the state as a note.
    """

    def __init__(self, game: PythonGame[State, Action], max_nodes: int) -> None:
        if not 1 <= max_nodes <= MOST_NODES:
            raise InputError(f"max_nodes must be from 1 to {MOST_NODES:,}: {max_nodes!r}")
        self.game = game
        self.max_nodes = max_nodes
        self.num_players = _checked_num_players(game.num_players)
        self.waiting: deque[State] = deque()  # states of the nodes not yet expanded

        # Known when a node joins:                                      [nodes]
        self.labels: list[Action | None] = []
        self.parents = array("i")
        self.chance_probabilities = array("d")
        # Known when a node is expanded:                                [nodes expanded so far]
        self.actors = array("b")
        self.num_children = array("i")
        self.infosets = array("i")

        self.payoffs = array("d")  # [terminals * players]
        self.infoset_numbers: dict[Hashable, int] = {}
        self.infoset_actors = array("b")  # [infosets]
        self.infoset_actions: list[tuple[Action, ...]] = []  # [infosets]

        # If the class has hands and public states: both are asked where a player moves, else -1.
        self.has_hands = all(callable(getattr(game, each, None)) for each in HAND_MEMBERS)
        self.hands = array("i")  # [nodes * players]: numbers of each player's hands
        self.publics = array("i")  # [nodes]: numbers of public states
        self.hand_numbers: list[dict[Hashable, int]] = [{} for _ in range(self.num_players)]
        self.public_numbers: dict[tuple[Hashable, ...], int] = {}

    def run(self) -> None:
        self.labels.append(None)
        self.parents.append(-1)
        self.chance_probabilities.append(1.0)
        self.waiting.append(self.game.root())
        try:
            while self.waiting:
                self.expand(self.waiting.popleft())
        except InputError:
            raise
        except Exception as error:
            error.add_note(f"while enumerating the game, {self.place()}")
            raise

    def expand(self, state: State) -> None:
        actor = self.checked_actor(self.game.actor(state))
        infoset = -1
        actions: tuple[Action, ...] = ()
        if actor == TERMINAL:
            self.payoffs.extend(self.checked_payoffs(self.game.payoffs(state)))
        elif actor == CHANCE:
            actions, probabilities = self.checked_chance(self.game.chance(state))
            self.add_children(state, actions, probabilities)
        else:
            actions = self.listed("actions", self.game.actions(state))
            if not actions:
                raise self.mistake(f"player {actor} has no actions")
            infoset = self.infoset_number(self.game.infoset(state), actor, actions)
            self.add_children(state, actions, [1.0] * len(actions))
        if self.has_hands:
            self.add_hands(state, actor >= 0)
        self.actors.append(actor)
        self.num_children.append(len(actions))
        self.infosets.append(infoset)

    def add_children(
        self, state: State, actions: tuple[Action, ...], probabilities: Iterable[float]
    ) -> None:
        if len(self.parents) + len(actions) > self.max_nodes:
            problem = f"the game has more than max_nodes = {self.max_nodes:,} histories"
            raise TooLargeError(str(self.mistake(problem)))
        self.labels.extend(actions)
        self.parents.extend([len(self.actors)] * len(actions))
        self.chance_probabilities.extend(probabilities)
        for action in actions:
            following = self.game.next(state, action)
            # Going on from a state to itself would never end, so this is always a mistake.
            if following is state:
                raise self.mistake(
                    f"next(state, {action!r}) returned the state it was given, not a new one"
                )
            self.waiting.append(following)

    def infoset_number(self, key: Hashable, actor: int, actions: tuple[Action, ...]) -> int:
        self.check_hashable("infoset", key)
        number = self.infoset_numbers.setdefault(key, len(self.infoset_actions))
        if number == len(self.infoset_actions):
            self.check_distinct("actions", actions)
            self.infoset_actors.append(actor)
            self.infoset_actions.append(actions)
        elif self.infoset_actors[number] != actor:
            raise self.mistake(
                f"infoset {key!r} belongs to player {actor} here "
                f"and to player {self.infoset_actors[number]} elsewhere"
            )
        elif self.infoset_actions[number] != actions:
            raise self.mistake(
                f"infoset {key!r} has actions {_joined(actions)} here "
                f"and {_joined(self.infoset_actions[number])} elsewhere"
            )
        return number

    def add_hands(self, state: State, moves: bool) -> None:
        game: Any = self.game
        for player, numbers in enumerate(self.hand_numbers):
            hand = game.hand(state, player) if moves else None
            self.check_hashable("hand", hand)
            self.hands.append(numbers.setdefault(hand, len(numbers)) if moves else -1)
        public = game.public_state(state) if moves else None
        self.check_hashable("public_state", public)
        parts = public if isinstance(public, tuple) else (public,)
        numbered = self.public_numbers
        self.publics.append(numbered.setdefault(parts, len(numbered)) if moves else -1)

    def hand_table(self) -> NDArray[np.int32]:
        """The hands by number; -1 where nobody moves.  [nodes, players]"""
        hands = np.array(self.hands, dtype=np.int32).reshape(-1, self.num_players)
        first = self.hand_numbers[0]
        for player, numbers in enumerate(self.hand_numbers):
            if numbers.keys() == first.keys():  # the same hands have the same numbers
                names = np.array([first[name] for name in numbers] + [-1], dtype=np.int32)
                hands[:, player] = names[hands[:, player]]
        return hands

    # What the game said, checked

    def checked_actor(self, actor: Any) -> int:
        number = _whole_number(actor)
        if number is None or not TERMINAL <= number < self.num_players:
            raise self.mistake(
                f"actor returned {actor!r}, which is neither a player from 0 to "
                f"{self.num_players - 1} nor CHANCE ({CHANCE}) nor TERMINAL ({TERMINAL})"
            )
        return number

    def checked_payoffs(self, payoffs: Any) -> list[float]:
        listed = self.listed("payoffs", payoffs)
        if len(listed) != self.num_players:
            raise self.mistake(f"payoffs has {len(listed)} numbers for {self.num_players} players")
        numbers = [_number(payoff) for payoff in listed]
        if not all(map(math.isfinite, numbers)):
            raise self.mistake(f"payoffs are not all finite numbers: {_joined(listed)}")
        return numbers

    def checked_chance(self, outcomes: Any) -> tuple[tuple[Action, ...], list[float]]:
        pairs = self.listed("chance", outcomes)
        for pair in pairs:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise self.mistake(f"chance gave {pair!r}, not an (action, probability) pair")
        actions = tuple(action for action, _ in pairs)
        self.check_distinct("chance", actions)
        probabilities = [_number(probability) for _, probability in pairs]
        for (action, said), probability in zip(pairs, probabilities, strict=True):
            if not probability >= 0:  # also true of NaN
                raise self.mistake(f"chance outcome {action!s} has probability {said!r}")
        total = math.fsum(probabilities)
        if not abs(total - 1) <= PROBABILITY_TOLERANCE:
            raise self.mistake(f"chance probabilities sum to {total!r}, not 1")
        return actions, probabilities

    def listed(self, method: str, answer: Any) -> tuple[Any, ...]:
        if not isinstance(answer, Iterable):
            raise self.mistake(f"{method} returned {answer!r}, not a list")
        return tuple(answer)

    def check_distinct(self, method: str, actions: tuple[Action, ...]) -> None:
        for action in actions:
            self.check_hashable(method, action)
        if len(set(actions)) != len(actions):
            raise self.mistake(f"{method} names an action twice: {_joined(actions)}")

    def check_hashable(self, method: str, value: Hashable) -> None:
        try:
            hash(value)
        except TypeError:
            raise self.mistake(f"{method} gave {value!r}, which is not hashable") from None

    def mistake(self, problem: str) -> InputError:
        return InputError(f"{problem} ({self.place()})")

    def place(self, node: int | None = None) -> str:
        """The path to a node; None: that being expanded, the first whose actor is not stored."""
        path: list[str] = []
        node = len(self.actors) if node is None else node
        while node > 0:
            path.append(str(self.labels[node]))
            node = self.parents[node]
        path.reverse()
        if len(path) > 20:
            path = [*path[:10], f"... {len(path) - 20:,} more ...", *path[-10:]]
        return f"after {_joined(path)}" if path else "at the root"


def _checked_num_players(num_players: Any) -> int:
    number = _whole_number(num_players)
    if number is None or not 1 <= number <= MOST_PLAYERS:
        raise InputError(f"num_players must be from 1 to {MOST_PLAYERS}: {num_players!r}")
    return number


def _whole_number(value: Any) -> int | None:
    try:
        return operator.index(value)
    except TypeError:
        return None


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def _joined(labels: Sequence[object]) -> str:
    return ", ".join(" ".join(str(label).split()) for label in labels)
