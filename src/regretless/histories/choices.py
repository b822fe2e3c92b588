# SPDX-License-Identifier: MIT
"""What a person types at a decision: a slot, or a bet of any size."""

import re

from regretless import _native
from regretless.errors import InputError
from regretless.games.episodes import Episode

_WORDS = {"f": "fold", "c": "call", "a": "all-in"}
_CHECKS = ("k", "x", "check")
_AMOUNT = re.compile(r"(?:r|b|raise|bet|raiseto)([0-9]+)")
_SHARE = re.compile(r"(?:r|b|raise|bet)?([0-9]+(?:\.[0-9]+)?)%")


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
    found = _named_slot(word, episode)
    if found is None and isinstance(episode, _native.PokerEpisode):
        found = _poker_slot(word, episode, slots)
    if found is not None:
        return found
    choices = ", ".join(f"{slot} ({episode.slot_text(slot)})" for slot in slots)
    raise InputError(f"{text.strip()[:40]!r} is not a choice here; there are {choices}")


def read_bet(text: str, episode: Episode) -> int | None:
    """The amount that a bet or raise of any size goes to; None where something else was typed.

    `r250` and `b250` name the amount, `75%` and `pot` a share of the pot after a call, `min` the
    least and `a` all chips. Names of the menu are no amounts. Whether it may be bet is not asked.
    """
    word = _squeeze(text)
    word = _WORDS.get(word, word)
    if not isinstance(episode, _native.PokerEpisode) or episode.raise_range is None:
        return None
    if _named_slot(word, episode) is not None:
        return None
    if typed := _AMOUNT.fullmatch(word):
        return int(typed[1][:12])
    if word == "min":
        return episode.raise_range[0]
    if word in ("all-in", "allin"):
        return episode.bets[episode.actor] + episode.stacks[episode.actor]
    if typed := _SHARE.fullmatch("100%" if word == "pot" else word):
        share = min(float(typed[1]), 1e9) / 100
        return max(episode.bets) + round(share * (episode.pot + episode.to_call))
    return None


def _named_slot(word: str, episode: Episode) -> int | None:
    """The legal slot that is called so, or means that here."""
    names = episode.game.action_names
    for slot in legal_slots(episode):
        if word in (_squeeze(names[slot]), _squeeze(episode.slot_text(slot))):
            return slot
    return None


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
