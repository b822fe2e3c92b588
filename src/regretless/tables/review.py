# SPDX-License-Identifier: MIT
"""Reviews of hands: the mix of a strategy at each decision, and the cost of the choice."""

from dataclasses import dataclass

import numpy as np

from regretless.games.episodes import Episode, legal_slots, replayed
from regretless.games.face import view
from regretless.games.translation import seen_slot
from regretless.matches.off_menu import OffMenuPlayer
from regretless.matches.slot_values import SlotValues
from regretless.policies.asking import mixes
from regretless.policies.policy import Policy


@dataclass(frozen=True)
class ReviewedChoice:
    """One decision."""

    place: str
    """Such as `flop Jc9d7c, pot 600`."""
    chosen: str
    mix: list[tuple[str, float]]
    """The strategy at this decision: texts of slots and their probabilities."""
    lost: float | None
    """Expected loss of the choice (units); None where it is unknown."""
    seen_as: str | None = None
    """The bet of the menu that stands for a bet off the menu."""
    share: float | None = None
    """The probability of the choice in the mix; None where the mix is empty."""
    step: int = 0
    """The number of actions in the hand before this one."""


def review(
    episode: Episode, seat: int, policy: Policy, values: SlotValues | None = None
) -> list[ReviewedChoice]:
    """All decisions of a seat in order; `values` are those of the same policy.

    After a bet off the menu the strategy is asked about the translated hand (`off_menu.py`), and
    costs are unknown. Where the translated hand has ended, the mix is empty.
    """
    poker = view(episode).poker
    is_on_menu = poker is None or all(action in spot.offer for spot, _, action in replayed(poker))
    hand, found = np.array([episode.hand(seat)]), []
    for step, (spot, actor, action) in enumerate(replayed(episode, [seat])):
        if actor != seat:
            continue
        shown, slot = view(spot), action
        asked: Episode | None = spot
        mix: list[tuple[str, float]] = []
        lost = seen_as = share = None
        if (real := shown.poker) is not None:
            asked = beside = OffMenuPlayer(policy, real.game).beside(real, 0)
            if beside is not None:
                slot = seen_slot(real, beside, action, np.random.default_rng(0))
                seen_as = None if action in real.offer else beside.slot_text(slot)
        if asked is not None:
            row = mixes(policy, [asked], hand)[0][0]
            mix = [(asked.slot_text(each), float(row[each])) for each in legal_slots(asked)]
            share = float(row[slot])
            losses = values.losses(spot) if values is not None and is_on_menu else None
            lost = None if losses is None else losses[slot]
        place = ", ".join(each for each in (shown.street(), shown.stakes()) if each)
        chosen = shown.action_text(action)
        found.append(ReviewedChoice(place, chosen, mix, lost, seen_as, share, step))
    return found
