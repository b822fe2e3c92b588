# SPDX-License-Identifier: MIT
"""The protocol of games written in Python: eight members over states of any type."""

from collections.abc import Hashable, Sequence
from typing import Final, Protocol, TypeVar

CHANCE: Final = -1
TERMINAL: Final = -2

State = TypeVar("State")
Action = TypeVar("Action", bound=Hashable)


class PythonGame(Protocol[State, Action]):
    """A game of chance and imperfect information, described one state at a time.

    A state is any object: it is only handed back to these methods, which must not change it.
    Every path from the root must end. An action is any hashable label; `str` of it is what people
    read. Nothing is inherited: a class with these members is a game. With two more, `hand(state,
    player)` and `public_state(state)`, it can be searched (docs/python_games.md).
    """

    @property
    def num_players(self) -> int:
        """The number of players, 1 to 127; players are numbered from 0."""

    def root(self) -> State:
        """The state before anything has happened."""

    def actor(self, state: State, /) -> int:
        """The player to move, `CHANCE`, or `TERMINAL` when the game is over."""

    def actions(self, state: State, /) -> Sequence[Action]:
        """The actions of the player to move: at least one, distinct, in a fixed order.

        Asked only where a player moves.
        """

    def next(self, state: State, action: Action, /) -> State:
        """The state that follows, a new object; `state` itself stays as it is."""

    def chance(self, state: State, /) -> Sequence[tuple[Action, float]]:
        """Distinct outcomes with their probabilities, which sum to 1. Asked only at chance."""

    def infoset(self, state: State, /) -> Hashable:
        """The knowledge of the player to move: indistinguishable states give equal keys.

        Equal keys must mean the same player with the same actions in the same order; a key
        therefore says whose it is. Asked only where a player moves.
        """

    def payoffs(self, state: State, /) -> Sequence[float]:
        """The total payoff of each player. Asked only at the end."""
