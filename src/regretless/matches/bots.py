# SPDX-License-Identifier: MIT
"""Simple opponents: each answers a whole batch by a rule of one sentence.

A bot thinks in three moves. In poker these are fold (check where nobody has bet), call (or check;
fold where the menu has no call) and raise. In Liar's Dice a raise is the next higher bid, and the
other two call the bid a lie; where there is nothing to fold to or to call, the lowest bid is made.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from regretless import _native
from regretless.errors import InputError
from regretless.games.face import Game, face
from regretless.policies.policy import Needs, Policy, Probabilities, UniformPolicy, policy_text

FOLD, CALL, RAISE = 0, 1, 2
_FIRST_RAISE = 2  # slot

MoveArray = NDArray[np.int64]
Rule = Callable[[_native.Questions], MoveArray | int]


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


@dataclass(frozen=True, repr=False)
class Bot:
    """Plays the moves of a rule."""

    __repr__ = policy_text

    name: str
    moves: Moves
    rule: Rule
    needs: Needs

    def __call__(self, questions: _native.Questions) -> Probabilities:
        return self.moves.play(questions.legal, self.rule(questions))


def _caller(questions: _native.Questions) -> int:
    """Checks and calls, whatever it holds."""
    return CALL


def _raiser(questions: _native.Questions) -> int:
    """Raises by the most that the menu allows, and calls when it cannot."""
    return RAISE


def _tight_aggressive(questions: _native.Questions) -> MoveArray:
    """Raises strong hands (strength from 0.8), calls with fair ones (0.6) and folds the rest."""
    strengths = questions.hand_strengths
    return (strengths >= 0.6) * CALL + (strengths >= 0.8) * 1


def _pot_odds(questions: _native.Questions) -> MoveArray:
    """Calls if its hand strength exceeds the share of the pot that it pays; bets strong hands.

    It bets from a strength of 0.7, and raises a bet from 0.9.
    """
    strengths, to_calls = questions.hand_strengths, questions.to_calls
    odds = to_calls / np.maximum(questions.pots + to_calls, 1)
    raises = strengths >= np.where(to_calls > 0, 0.9, 0.7)
    return np.where(raises, RAISE, strengths >= odds)


def bots_of(game: Game) -> list[str]:
    """The bots that can play a game; only `random` plays custom games."""
    return ["random"] if face(game).explicit is not None else list(BOTS)


def _bot(name: str, rule: Rule, raise_size: float, needs: Needs, game: Game) -> Bot:
    if face(game).explicit is not None:
        raise InputError(f"{game.name}: only the bot random plays a custom game")
    return Bot(name, Moves(game.deck is not None, raise_size), rule, needs)


_RULES: dict[str, tuple[Rule, float, Needs]] = {
    "caller": (_caller, 1.0, Needs()),
    "raiser": (_raiser, 1.0, Needs()),
    "tight-aggressive": (_tight_aggressive, 0.5, Needs(chips=True)),
    "pot-odds": (_pot_odds, 0.5, Needs(chips=True)),
}
BOTS: dict[str, Callable[[Game], Policy]] = {
    "random": lambda _: UniformPolicy(),
    **{name: partial(_bot, name, *row) for name, row in _RULES.items()},
}


@dataclass(frozen=True)
class Character:
    """A bot in words, for people who choose an opponent."""

    title: str
    style: str
    strength: str


CHARACTERS = {
    "random": Character(
        "Dice",
        "Any action it may take, each as often as the others.",
        "Very weak: it does not look at its cards.",
    ),
    "caller": Character(
        "Caller",
        "Checks and calls, whatever it holds.",
        "Very weak: it never folds. Bet good hands, never bluff.",
    ),
    "raiser": Character(
        "Maniac",
        "Raises as much as it may, whatever it holds.",
        "Very weak: wait for a good hand and call.",
    ),
    "tight-aggressive": Character(
        "Rock",
        "Raises strong hands, calls with fair ones, folds the rest.",
        "A practice bot: in heads-up hold'em, what ships wins 360 to 1,060 mbb a hand from it.",
    ),
    "pot-odds": Character(
        "Counter",
        "Calls where its hand is worth the price, bets strong hands, never bluffs.",
        "A practice bot: in heads-up hold'em, what ships wins 580 to 1,930 mbb a hand from it.",
    ),
}
"""The figures are those of the shipped manifests (`match against ...`)."""


def load_policy(text: str, game: Game) -> Policy:
    """The bot of that name; an InputError suggests the nearest one."""
    if text in BOTS:
        return BOTS[text](game)
    raise InputError.unknown(f"unknown policy {text!r}", text, BOTS)
