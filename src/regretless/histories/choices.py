# SPDX-License-Identifier: MIT
"""Reads the choices that people type: a slot, or a bet of any size."""

import re

from regretless import _native
from regretless.errors import InputError
from regretless.games.amounts import CHIPS, Amounts, read_amount
from regretless.games.episodes import Episode, legal_slots
from regretless.games.face import view

_WORDS = {"f": "fold", "c": "call", "a": "all-in"}
_CHECKS = ("k", "x", "check")
_AMOUNT = re.compile(r"(?:r|b|raise|bet|raiseto)([0-9.]+(?:bb)?)")
_SHARE = re.compile(r"(?:r|b|raise|bet)?([0-9]+(?:\.[0-9]+)?)%")


def read_choice(text: str, episode: Episode, amounts: Amounts = CHIPS) -> int:
    """Returns the slot that the text names; otherwise InputError lists the choices.

    A slot is chosen by its number, its name or what it means here (`call 50`). Poker also knows
    `f`, `c`, `k` or `x` (check), `a` (all-in), `r` where there is one raise, and `r250` or `r2.5bb`
    for an amount on the menu. A number alone is in the unit of `amounts`.
    """
    slots = legal_slots(episode)
    word = _squeeze(text)
    if word.isdecimal() and int(word[:9]) in slots:
        return int(word[:9])
    word = _WORDS.get(word, word)
    found, poker = _named_slot(word, episode), view(episode).poker
    if found is None and poker is not None:
        found = _poker_slot(word, poker, slots, amounts)
    if found is not None:
        return found
    choices = ", ".join(f"{slot} ({amounts.in_text(episode.slot_text(slot))})" for slot in slots)
    raise InputError(f"{text.strip()[:40]!r} is not a choice here; there are {choices}")


def read_bet(text: str, episode: Episode, amounts: Amounts = CHIPS) -> int | None:
    """Returns the amount of a bet or raise of any size; None for any other text.

    `r250` and `r2.5bb` name the amount, `75%` and `pot` a share of the pot after a call, `min` the
    least and `a` all chips. Names of the menu are no amounts. The amount may be illegal.
    """
    word = _squeeze(text)
    word = _WORDS.get(word, word)
    poker = view(episode).poker
    if poker is None or poker.raise_range is None or _named_slot(word, poker) is not None:
        return None
    if typed := _AMOUNT.fullmatch(word):
        return read_amount(typed[1], poker.game, amounts)
    if word == "min":
        return poker.raise_range[0]
    if word in ("all-in", "allin"):
        return poker.bets[poker.actor] + poker.stacks[poker.actor]
    if typed := _SHARE.fullmatch("100%" if word == "pot" else word):
        share = min(float(typed[1]), 1e9) / 100
        return max(poker.bets) + round(share * (poker.pot + poker.to_call))
    return None


def _named_slot(word: str, episode: Episode) -> int | None:
    """The legal slot with this name or this text."""
    names = episode.game.action_names
    for slot in legal_slots(episode):
        if word in (_squeeze(names[slot]), _squeeze(episode.slot_text(slot))):
            return slot
    return None


def _poker_slot(
    word: str, episode: _native.PokerEpisode, slots: list[int], amounts: Amounts
) -> int | None:
    offer = episode.offer
    raises = {amount: slot for slot in slots if (amount := offer[slot] or 0) > 0}
    if word in _CHECKS:
        if episode.to_call > 0:
            due = amounts.text(episode.to_call)
            raise InputError(f"you cannot check: {due} to call; c calls, f folds")
        return offer.index(0)
    if word in ("r", "b", "raise", "bet") and len(raises) == 1:
        return next(iter(raises.values()))
    if typed := _AMOUNT.fullmatch(word):
        chips = read_amount(typed[1], episode.game, amounts)
        return None if chips is None else _raise_slot(chips, raises, amounts)
    if word == "all-in":
        return raises.get(episode.bets[episode.actor] + episode.stacks[episode.actor])
    return None


def _raise_slot(amount: int, raises: dict[int, int], amounts: Amounts) -> int | None:
    """The slot that raises to this amount; InputError names the nearest amounts on the menu."""
    if amount in raises or not raises:
        return raises.get(amount)
    nearest = {max((a for a in raises if a < amount), default=0)}
    nearest |= {min((a for a in raises if a > amount), default=0)}
    texts = " and ".join(amounts.word(f"r{each}") for each in sorted(nearest - {0}))
    typed = amounts.text(amount)
    raise InputError(f"{typed} is not on the menu here; the nearest to it: {texts}")


def _squeeze(text: str) -> str:
    return "".join(text.lower().split())
