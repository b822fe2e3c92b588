# SPDX-License-Identifier: MIT
"""What a person types at a decision, as a slot."""

import re

from regretless import _native
from regretless.errors import InputError
from regretless.telling.hand_log import Episode

_WORDS = {"f": "fold", "c": "call", "k": "call", "x": "call", "check": "call", "a": "all-in"}
_AMOUNT = re.compile(r"(?:r|b|raise|bet|raiseto)([0-9]+)")


def legal_slots(episode: Episode) -> list[int]:
    return [slot for slot, is_legal in enumerate(episode.legal) if is_legal]


def read_choice(text: str, episode: Episode) -> int:
    """The slot that was meant; InputError, with what there is to choose from, if none was.

    A number of a slot, its name or what it means here (`call 50`), in poker also `f`, `c`, `k`
    (check), `a` (all-in), `r` where there is one raise, and `r250` for an amount on the menu.
    """
    slots = legal_slots(episode)
    word = _squeeze(text)
    if word.isdecimal() and int(word[:9]) in slots:
        return int(word[:9])
    word = _WORDS.get(word, word)
    if isinstance(episode, _native.PokerEpisode):
        found = _raise_slot(word, episode, slots)
        if found is not None:
            return found
    for slot in slots:
        if word in (_squeeze(episode.game.action_names[slot]), _squeeze(episode.slot_text(slot))):
            return slot
    choices = ", ".join(f"{slot} ({episode.slot_text(slot)})" for slot in slots)
    raise InputError(f"{text.strip()[:40]!r} is not a choice here; there are {choices}")


def _raise_slot(word: str, episode: _native.PokerEpisode, slots: list[int]) -> int | None:
    offer = episode.offer
    raises = [slot for slot in slots if (offer[slot] or 0) > 0]
    if word in ("r", "b", "raise", "bet") and len(raises) == 1:
        return raises[0]
    amount = _AMOUNT.fullmatch(word)
    if amount:
        return next((slot for slot in raises if offer[slot] == int(amount[1][:12])), None)
    if word == "all-in" and raises:
        actor = episode.actor
        all_in = episode.bets[actor] + episode.stacks[actor]
        return next((slot for slot in raises if offer[slot] == all_in), None)
    return None


def _squeeze(text: str) -> str:
    return "".join(text.lower().split())
