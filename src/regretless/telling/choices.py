# SPDX-License-Identifier: MIT
"""What a person types at a decision, as a slot."""

import re

from regretless import _native
from regretless.errors import InputError
from regretless.games.episodes import Episode

_WORDS = {"f": "fold", "c": "call", "a": "all-in"}
_CHECKS = ("k", "x", "check")
_AMOUNT = re.compile(r"(?:r|b|raise|bet|raiseto)([0-9]+)")


def legal_slots(episode: Episode) -> list[int]:
    return [slot for slot, is_legal in enumerate(episode.legal) if is_legal]


def read_choice(text: str, episode: Episode) -> int:
    """The slot that was meant; InputError says what can be chosen if there is no such slot.

    A slot is chosen by its number, its name or what it means here (`call 50`). Poker also knows
    `f`, `c`, `k` or `x` (check), `a` (all-in), `r` where there is one raise, and `r250` for an
    amount on the menu.
    """
    slots = legal_slots(episode)
    word = _squeeze(text)
    if word.isdecimal() and int(word[:9]) in slots:
        return int(word[:9])
    word = _WORDS.get(word, word)
    if isinstance(episode, _native.PokerEpisode):
        found = _poker_slot(word, episode, slots)
        if found is not None:
            return found
    for slot in slots:
        if word in (_squeeze(episode.game.action_names[slot]), _squeeze(episode.slot_text(slot))):
            return slot
    choices = ", ".join(f"{slot} ({episode.slot_text(slot)})" for slot in slots)
    raise InputError(f"{text.strip()[:40]!r} is not a choice here; there are {choices}")


def _poker_slot(word: str, episode: _native.PokerEpisode, slots: list[int]) -> int | None:
    offer = episode.offer
    raises = {amount: slot for slot in slots if (amount := offer[slot] or 0) > 0}
    if word in _CHECKS:
        if episode.to_call > 0:
            raise InputError(f"you cannot check: {episode.to_call} to call; c calls, f folds")
        return offer.index(0)
    if word in ("r", "b", "raise", "bet") and len(raises) == 1:
        return next(iter(raises.values()))
    if typed := _AMOUNT.fullmatch(word):
        return _raise_slot(int(typed[1][:12]), raises)
    if word == "all-in":
        return raises.get(episode.bets[episode.actor] + episode.stacks[episode.actor])
    return None


def _raise_slot(amount: int, raises: dict[int, int]) -> int | None:
    """The slot that raises to this amount; InputError names the nearest amounts on the menu."""
    if amount in raises or not raises:
        return raises.get(amount)
    nearest = {max((a for a in raises if a < amount), default=0)}
    nearest |= {min((a for a in raises if a > amount), default=0)}
    texts = " and ".join(f"r{each}" for each in sorted(nearest - {0}))
    raise InputError(f"{amount} is not on the menu here; the nearest to it: {texts}")


def _squeeze(text: str) -> str:
    return "".join(text.lower().split())
