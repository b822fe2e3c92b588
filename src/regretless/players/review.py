# SPDX-License-Identifier: MIT
"""A hand looked at again: what a strategy does where somebody decided, and what it cost him."""

from dataclasses import dataclass

import numpy as np

from regretless.asking import mixes
from regretless.evaluation.slot_values import SlotValues, own_decisions
from regretless.games.episodes import Episode
from regretless.policy import Policy
from regretless.telling.choices import legal_slots
from regretless.telling.views import view


@dataclass(frozen=True)
class ReviewedChoice:
    """One decision."""

    place: str
    """Such as `flop Jc9d7c, pot 600`."""
    chosen: str
    mix: list[tuple[str, float]]
    """What the strategy does there, and how often."""
    lost: float | None
    """Expected units that the choice gave away; None: not known."""


def review(
    episode: Episode, seat: int, policy: Policy, values: SlotValues | None = None
) -> list[ReviewedChoice]:
    """All decisions of a seat, in their order; `values` are those of the same policy."""
    decisions = list(own_decisions(episode, seat))
    if not decisions:
        return []
    hand = np.array([episode.hand(seat)])
    told = mixes(policy, [spot for spot, _ in decisions], hand)
    found = []
    for (spot, slot), (row,) in zip(decisions, told, strict=True):
        losses = None if values is None else values.losses(spot)
        shown = view(spot)
        found.append(
            ReviewedChoice(
                ", ".join(each for each in (shown.street(), shown.stakes()) if each),
                spot.slot_text(slot),
                [(spot.slot_text(each), float(row[each])) for each in legal_slots(spot)],
                None if losses is None else losses[slot],
            )
        )
    return found
