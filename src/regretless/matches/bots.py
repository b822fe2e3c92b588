# SPDX-License-Identifier: MIT
"""Simple opponents: each has a rule of one sentence, which the core knows as data.

A bot thinks in three moves. In poker these are fold (check where nobody has bet), call (or check;
fold where the menu has no call) and raise. In Liar's Dice a raise is the next higher bid, and the
other two call the bid a lie; where there is nothing to fold to or to call, the lowest bid is made.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from regretless import _native
from regretless.errors import InputError
from regretless.games.face import Game, face
from regretless.policies.policy import Needs, Policy, Probabilities, UniformPolicy, policy_text

_RULES: dict[str, dict[str, Any]] = {
    # Checks and calls, whatever it holds.
    "caller": {},
    # Raises by the most that the menu allows, and calls when it cannot.
    "raiser": {"bets_from": 0, "raises_from": 0},
    # Raises strong hands (strength from 0.8), calls with fair ones (0.6) and folds the rest.
    "tight-aggressive": {
        "bets_from": 0.8,
        "raises_from": 0.8,
        "calls_from": 0.6,
        "raise_size": 0.5,
    },
    # Calls if its hand strength is at least the share of the pot that it pays; bets strong hands
    # from a strength of 0.7, and raises a bet from 0.9.
    "pot-odds": {
        "bets_from": 0.7,
        "raises_from": 0.9,
        "calls_by_odds": True,
        "raise_size": 0.5,
    },
}
_RANDOM = _native.BotRule(at_random=True)


@dataclass(frozen=True, repr=False)
class Bot:
    """Plays by a rule."""

    __repr__ = policy_text

    name: str
    rule: _native.BotRule

    @property
    def needs(self) -> Needs:
        return Needs(chips=self.rule.looks)

    def __call__(self, questions: _native.Questions) -> Probabilities:
        return self.rule.answers(questions)


def native_rule(policy: Policy) -> _native.BotRule | None:
    """The rule by which the core plays a bot of this file; None for any other policy."""
    if type(policy) is UniformPolicy:  # and no class that was derived from it
        return _RANDOM
    return policy.rule if type(policy) is Bot else None


def bots_of(game: Game) -> list[str]:
    """The bots that can play a game; only `random` plays custom games."""
    return ["random"] if face(game).explicit is not None else list(BOTS)


def _bot(name: str, game: Game) -> Bot:
    if face(game).explicit is not None:
        raise InputError(f"{game.name}: only the bot random plays a custom game")
    return Bot(name, _native.BotRule(**_RULES[name], bids=game.deck is None))


BOTS: dict[str, Callable[[Game], Policy]] = {
    "random": lambda _: UniformPolicy(),
    **{name: partial(_bot, name) for name in _RULES},
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
