# SPDX-License-Identifier: MIT
"""What a Python class must say to be a game: eight members over states of its own choosing."""

from collections.abc import Hashable, Sequence
from typing import Final, Protocol, TypeVar

CHANCE: Final = -1
TERMINAL: Final = -2

State = TypeVar("State")
Action = TypeVar("Action", bound=Hashable)


class PythonGame(Protocol[State, Action]):
    """A game of chance and of players who may not see everything, told one state at a time.

    A state is any object: it is only handed back to these methods, which must not change it.
    Every path from the root must end. An action is any hashable label; `str` of it is what people
    read. Nothing is inherited: a class with these members is a game. With two more, `hand(state,
    player)` and `public_state(state)`, it can be searched (docs/python_games.md).
    """

    @property
    def num_players(self) -> int:
        """How many players there are, from 1 to 127; they are numbered from 0."""

    def root(self) -> State:
        """The state before anything has happened."""

    def actor(self, state: State, /) -> int:
        """Who moves: a player's number, `CHANCE`, or `TERMINAL` when the game is over."""

    def actions(self, state: State, /) -> Sequence[Action]:
        """The actions of the player to move: at least one, distinct, in a fixed order.

        Asked only where a player moves.
        """

    def next(self, state: State, action: Action, /) -> State:
        """The state that follows, a new object; `state` itself stays as it is."""

    def chance(self, state: State, /) -> Sequence[tuple[Action, float]]:
        """Distinct outcomes with their probabilities, which sum to 1. Asked only at chance."""

    def infoset(self, state: State, /) -> Hashable:
        """All that the player to move knows: states they cannot tell apart give equal keys.

        Equal keys must mean the same player with the same actions in the same order; a key
        therefore says whose it is. Asked only where a player moves.
        """

    def payoffs(self, state: State, /) -> Sequence[float]:
        """What each player has won in all, by player number. Asked only at the end."""
