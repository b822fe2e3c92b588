# SPDX-License-Identifier: MIT
"""Native games as `PythonGame`, so that small ones can become explicit trees."""

from typing import Any

from regretless import _native
from regretless.errors import TooLargeError
from regretless.explicit.python_game import CHANCE

_MOST_CARDS = 16


State = Any
"""An episode, or a tuple of hole cards or dice while they are dealt, one at a time."""


class NativeGame:
    """Cards and dice are dealt one by one; payoffs are in units of the game."""

    def __init__(self, game: _native.Poker | _native.LiarsDice) -> None:
        self.game = game
        self.num_players = game.num_players
        self.is_poker = game.deck is not None
        if isinstance(game, _native.Poker):
            is_small = game.rules.num_hole_cards == 1 and game.num_hands <= _MOST_CARDS
            if not is_small or game.num_actions != 3:
                raise TooLargeError(f"{game.name}: too large to be enumerated as a tree")
            self.per_player, self.kinds = 1, game.num_hands
        else:
            self.per_player, self.kinds = game.num_dice, game.num_faces

    def root(self) -> State:
        return ()

    def actor(self, state: State) -> int:
        return CHANCE if isinstance(state, tuple) else int(state.actor)

    def chance(self, state: State) -> list[tuple[int, float]]:
        if isinstance(state, tuple):
            free = [k for k in range(self.kinds) if not self.is_poker or k not in state]
        else:
            gone = set(state.board).union(*(state.hole(p) for p in range(self.num_players)))
            free = [card for card in range(self.kinds) if card not in gone]
        return [(each, 1 / len(free)) for each in free]

    def actions(self, state: State) -> list[int]:
        return [slot for slot, is_legal in enumerate(state.legal) if is_legal]

    def next(self, state: State, action: int) -> State:
        if isinstance(state, tuple):
            return self._dealt((*state, action))
        after = state.copy()
        if state.actor == CHANCE:
            after.deal_board([action])
        else:
            after.choose(action)
        return after

    def infoset(self, state: State) -> str:
        """The hand of the actor and the public history, `Qd:cr/Kc:r`."""
        name: str = state.infoset_name
        return name

    def payoffs(self, state: State) -> list[float]:
        return [chips / self.game.unit for chips in state.payoffs]

    def _dealt(self, dealt: tuple[int, ...]) -> State:
        if len(dealt) < self.num_players * self.per_player:
            return dealt
        size = self.per_player
        hands = [list(dealt[p * size : (p + 1) * size]) for p in range(self.num_players)]
        least = 0 if self.is_poker else 1  # cards count from 0, faces from 1
        return self.game.episode_of([[each + least for each in hand] for hand in hands])
