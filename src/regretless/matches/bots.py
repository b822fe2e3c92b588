# SPDX-License-Identifier: MIT
"""Simple opponents: each answers a whole batch by a rule of one sentence.

A bot thinks in three moves. In poker these are fold (check where nobody has bet), call (or check;
fold where the menu has no call) and raise. In Liar's Dice a raise is the next higher bid, and the
other two call the bid a lie; where there is nothing to fold to or to call, the lowest bid is made.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games.face import Game, face
from regretless.policies.policy import Needs, Policy, Probabilities, UniformPolicy

FOLD, CALL, RAISE = 0, 1, 2
_FIRST_RAISE = 2  # slot

MoveArray = NDArray[np.int64]


@dataclass(frozen=True)
class Moves:
    """Moves as slots of a game."""

    is_poker: bool
    raise_size: float = 1.0
    """Which of the raises on the menu, from 0, the first one, to 1, the last."""

    def play(self, legal: NDArray[np.bool_], moves: MoveArray | int) -> Probabilities:
        """The slot of each move, chosen for sure.  [batch, actions]"""
        wanted = np.broadcast_to(moves, len(legal))
        slots = self._poker(legal, wanted) if self.is_poker else _liars_dice(legal, wanted)
        probabilities = np.zeros(legal.shape, np.float32)
        probabilities[np.arange(len(legal)), slots] = 1
        return probabilities

    def _poker(self, legal: NDArray[np.bool_], moves: MoveArray) -> MoveArray:
        slots = np.where((moves == FOLD) & legal[:, FOLD], FOLD, CALL)
        raising = np.flatnonzero(moves == RAISE)
        places = np.cumsum(legal[raising, _FIRST_RAISE:], axis=1, dtype=np.int8)  # from 1 on
        if places.size:
            counts = places[:, -1]
            chosen = 1 + np.rint(self.raise_size * np.maximum(counts - 1, 0)).astype(np.int8)
            raises = _FIRST_RAISE + (places >= chosen[:, None]).argmax(axis=1)
            slots[raising] = np.where(counts > 0, raises, CALL)
        return np.where((slots == CALL) & ~legal[:, CALL], FOLD, slots)


def _liars_dice(legal: NDArray[np.bool_], moves: MoveArray) -> MoveArray:
    liar = legal.shape[1] - 1
    lowest = legal.argmax(axis=1)  # the liar itself after the highest bid
    slots: MoveArray = np.where((moves != RAISE) & legal[:, liar], liar, lowest)
    return slots


@dataclass(frozen=True)
class Caller:
    """Checks and calls, whatever it holds."""

    needs: ClassVar[Needs] = Needs()

    moves: Moves
    name: str = "caller"

    def __call__(self, questions: _native.Questions) -> Probabilities:
        return self.moves.play(questions.legal, CALL)


@dataclass(frozen=True)
class Raiser:
    """Raises by the most that the menu allows, and calls when it cannot."""

    needs: ClassVar[Needs] = Needs()

    moves: Moves
    name: str = "raiser"

    def __call__(self, questions: _native.Questions) -> Probabilities:
        return self.moves.play(questions.legal, RAISE)


@dataclass(frozen=True)
class TightAggressive:
    """Raises strong hands, calls with fair ones and folds the rest."""

    needs: ClassVar[Needs] = Needs(chips=True)

    moves: Moves
    fair: float = 0.6
    """Hand strength from which it calls."""
    strong: float = 0.8
    """Hand strength from which it raises."""
    name: str = "tight-aggressive"

    def __call__(self, questions: _native.Questions) -> Probabilities:
        strengths = questions.hand_strengths
        return self.moves.play(
            questions.legal, (strengths >= self.fair) * CALL + (strengths >= self.strong) * 1
        )


@dataclass(frozen=True)
class PotOdds:
    """Calls if its hand strength exceeds the share of the pot that it pays; bets strong hands."""

    needs: ClassVar[Needs] = Needs(chips=True)

    moves: Moves
    bet: float = 0.7
    """Hand strength from which it bets."""
    raise_again: float = 0.9
    """Hand strength from which it raises a bet."""
    name: str = "pot-odds"

    def __call__(self, questions: _native.Questions) -> Probabilities:
        strengths, to_calls = questions.hand_strengths, questions.to_calls
        odds = to_calls / np.maximum(questions.pots + to_calls, 1)
        raises = strengths >= np.where(to_calls > 0, self.raise_again, self.bet)
        return self.moves.play(questions.legal, np.where(raises, RAISE, strengths >= odds))


def bots_of(game: Game) -> list[str]:
    """The bots that can play a game; only `random` plays custom games."""
    return ["random"] if face(game).explicit is not None else list(BOTS)


def _moves(game: Game, raise_size: float = 1.0) -> Moves:
    if face(game).explicit is not None:
        raise InputError(f"{game.name}: only the bot random plays a custom game")
    return Moves(game.deck is not None, raise_size)


BOTS: dict[str, Callable[[Game], Policy]] = {
    "random": lambda _: UniformPolicy(),
    "caller": lambda game: Caller(_moves(game)),
    "raiser": lambda game: Raiser(_moves(game)),
    "tight-aggressive": lambda game: TightAggressive(_moves(game, raise_size=0.5)),
    "pot-odds": lambda game: PotOdds(_moves(game, raise_size=0.5)),
}


def load_policy(text: str, game: Game) -> Policy:
    """The bot of that name; an InputError suggests the nearest one."""
    if text in BOTS:
        return BOTS[text](game)
    raise InputError.unknown(f"unknown policy {text!r}", text, BOTS)
