# SPDX-License-Identifier: MIT
"""Translation of bets off the menu: into slots for policies, and their slots into real chips.

A policy only knows the bets of its menu, so it is asked about a second episode in which every bet
is on the menu. The pseudo-harmonic mapping (Ganzfried and Sandholm 2013) draws one of the two sizes
around a bet, as shares of the pot, so that bets just above a threshold gain nothing. A bet below
the smallest size is seen as the smallest, never as a check or call. The sizes that a policy chooses
are the same shares of the real pot.
"""

import numpy as np

from regretless import _native
from regretless.games.menus import CALL_SLOT, FOLD_SLOT

FOLD, CALL = -1, 0  # actions, as `PokerEpisode.act` takes them


def raise_slots(episode: _native.PokerEpisode) -> dict[int, int]:
    """The legal bets and raises of the menu: slots by the amount to bet or raise to."""
    return {to: slot for slot, to in enumerate(episode.offer) if to is not None and to > 0}


def seen_slot(
    real: _native.PokerEpisode,
    seen: _native.PokerEpisode,
    action: int,
    random: np.random.Generator,
    is_same_menu: bool = True,
) -> int:
    """The slot in `seen` that stands for an `action` in `real`; neither episode changes.

    With the same menu a slot of the one is the same slot of the other.
    """
    if action == FOLD and seen.can_fold:
        return FOLD_SLOT
    slots, least_most = raise_slots(seen), seen.raise_range
    if action <= CALL or not slots or least_most is None:
        return CALL_SLOT
    same = raise_slots(real).get(action) if is_same_menu else None
    if same in slots.values():
        assert same is not None
        return same
    if action == _all_chips(real):
        return slots[max(slots)]
    low, high, chance = seen.translate(_clamped(_same_share(real, action, seen), least_most))
    if low == CALL_SLOT:
        return high
    return low if chance >= 1 or random.random() < chance else high


def real_action(
    seen: _native.PokerEpisode, real: _native.PokerEpisode, slot: int, is_same_menu: bool = True
) -> int:
    """The action in the chips of `real` for a slot chosen in `seen`."""
    action, least_most = seen.offer[slot], real.raise_range
    offered = real.offer[slot] if is_same_menu else None
    if action is None or action <= CALL or least_most is None:
        return FOLD if action == FOLD and real.can_fold else CALL
    if offered is not None:  # the same slot is legal
        return offered
    if action == _all_chips(seen):
        return least_most[1]
    return _clamped(_same_share(seen, action, real), least_most)


def are_in_step(real: _native.PokerEpisode, seen: _native.PokerEpisode) -> bool:
    """Whether the same seat is to act on the same street of both.

    The episodes part where a player is all-in in one of them only.
    """
    return seen.actor >= 0 and (seen.actor, seen.street) == (real.actor, real.street)


def action_kind(episode: _native.PokerEpisode, action: int) -> str:
    """The kind of an action: fold, check, call, bet, raise or all-in."""
    if action == FOLD:
        return "fold"
    if action == CALL:
        return "call" if episode.to_call else "check"
    if action == _all_chips(episode):
        return "all-in"
    return "raise" if max(episode.bets) else "bet"


def action_text(episode: _native.PokerEpisode, action: int) -> str:
    """The text of an action: `check`, `call 50`, `bet 75`, `raise to 250`."""
    kind = action_kind(episode, action)
    amounts = {"fold": "", "check": "", "call": f" {episode.to_call}", "raise": f" to {action}"}
    return kind + amounts.get(kind, f" {action}")


def pot_share(episode: _native.PokerEpisode, action: int) -> float:
    """The share of the pot after a call that a bet or raise adds to the call."""
    return (action - max(episode.bets)) / (episode.pot + episode.to_call)


def pot_percent(episode: _native.PokerEpisode, action: int) -> float:
    """`pot_share` in percent, exact where the percentage is a whole number."""
    return 100 * (action - max(episode.bets)) / (episode.pot + episode.to_call)


def _same_share(here: _native.PokerEpisode, action: int, there: _native.PokerEpisode) -> int:
    """The amount `there` with the share of the pot that `action` has `here`."""
    return max(there.bets) + round(pot_share(here, action) * (there.pot + there.to_call))


def _clamped(amount: int, least_most: tuple[int, int]) -> int:
    return min(max(amount, least_most[0]), least_most[1])


def _all_chips(episode: _native.PokerEpisode) -> int:
    return episode.bets[episode.actor] + episode.stacks[episode.actor]
