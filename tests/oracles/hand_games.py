# SPDX-License-Identifier: MIT
"""Custom games that tell hands and public states, as a user would write them."""

from typing import Any, NamedTuple

import numpy as np

from regretless import CHANCE, TERMINAL


class State(NamedTuple):
    """A deal, once there is one, and what was done."""

    deal: tuple[Any, ...] = ()
    done: tuple[Any, ...] = ()


class Kuhn:
    """The cards are dealt one after the other."""

    num_players = 2

    def root(self) -> State:
        return State()

    def actor(self, state: State) -> int:
        if len(state.deal) < 2:
            return CHANCE
        over = "".join(state.done) in ("pp", "bp", "bb", "pbp", "pbb")
        return TERMINAL if over else len(state.done) % 2

    def chance(self, state: State) -> list[tuple[str, float]]:
        free = [card for card in "JQK" if card not in state.deal]
        return [(card, 1 / len(free)) for card in free]

    def actions(self, state: State) -> list[str]:
        return ["p", "b"]

    def next(self, state: State, action: Any) -> State:
        if len(state.deal) < 2:
            return State((*state.deal, action))
        return State(state.deal, (*state.done, action))

    def infoset(self, state: State) -> str:
        return str(state.deal[len(state.done) % 2]) + "".join(state.done)

    def payoffs(self, state: State) -> list[int]:
        done = "".join(state.done)
        if done.endswith("bp"):
            winner, amount = len(done) % 2, 1
        else:
            winner = max((0, 1), key=lambda player: "JQK".index(state.deal[player]))
            amount = 2 if done.endswith("bb") else 1
        return [amount, -amount] if winner == 0 else [-amount, amount]

    def hand(self, state: State, player: int) -> str:
        return str(state.deal[player])

    def public_state(self, state: State) -> Any:
        return "".join(state.done)


class LiarsDice(Kuhn):
    """A die of three faces each; what matters of the bids is the last one."""

    faces = 3

    def actor(self, state: State) -> int:
        if len(state.deal) < 2:
            return CHANCE
        return TERMINAL if "liar" in state.done else len(state.done) % 2

    def chance(self, state: State) -> list[tuple[Any, float]]:
        return [(face, 1 / self.faces) for face in range(1, self.faces + 1)]

    def bids(self) -> list[tuple[int, int]]:
        return [(count, face) for count in (1, 2) for face in range(1, self.faces + 1)]

    def actions(self, state: State) -> list[Any]:
        higher = [bid for bid in self.bids() if not state.done or bid > state.done[-1]]
        return [*higher, "liar"] if state.done else higher

    def infoset(self, state: State) -> Any:
        return (len(state.done) % 2, state.deal[len(state.done) % 2], state.done)

    def payoffs(self, state: State) -> list[int]:
        (count, face), caller = state.done[-2], (len(state.done) - 1) % 2
        holds = sum(die in (face, self.faces) for die in state.deal) >= count
        winner = 1 - caller if holds else caller
        return [1, -1] if winner == 0 else [-1, 1]

    def public_state(self, state: State) -> Any:
        return len(state.done) % 2, state.done[-1] if state.done else None


class Drawn(Kuhn):
    """Three hands against two, dealt together by a drawn table; nobody sees a third card.

    Four moves, of which the second may end the game; all payoffs are drawn.
    """

    def __init__(self, seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        chances = random.random((3, 2, 2)) * (random.random((3, 2, 2)) < 0.8)
        self.deals = {
            (first, f"o{second}", third): float(chance / chances.sum())
            for (first, second, third), chance in np.ndenumerate(chances)
        }
        self.random = np.random.default_rng([seed, 1]).integers(0, 1 << 40)

    def actor(self, state: State) -> int:
        if not state.deal:
            return CHANCE
        over = len(state.done) == 4 or state.done[1:] == ("x",)
        return TERMINAL if over else (0, 1, 1, 0)[len(state.done)]

    def chance(self, state: State) -> list[tuple[Any, float]]:
        return list(self.deals.items())

    def actions(self, state: State) -> list[str]:
        return ["x", "y", "z"] if len(state.done) == 1 else ["y", "w"]

    def next(self, state: State, action: Any) -> State:
        return State(state.deal, (*state.done, action)) if state.deal else State(action)

    def infoset(self, state: State) -> Any:
        player = self.actor(state)
        return player, state.deal[player], state.done

    def payoffs(self, state: State) -> list[float]:
        texts = [str(part) for part in (*state.deal, *state.done)]
        seed = [int(self.random), *"".join(texts).encode()]
        won = float(np.random.default_rng(seed).normal())
        return [won, -won]

    def hand(self, state: State, player: int) -> str:
        return str(state.deal[player])

    def public_state(self, state: State) -> Any:
        return state.done
