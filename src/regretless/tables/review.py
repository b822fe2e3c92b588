# SPDX-License-Identifier: MIT
"""Reviews of hands: the mix of a strategy at each decision, and the cost of the choice."""

from dataclasses import dataclass

import numpy as np

from regretless import _native
from regretless.games.episodes import Episode, decisions, legal_slots, replayed
from regretless.games.face import view
from regretless.games.translation import action_text, seen_slot
from regretless.matches.slot_values import SlotValues
from regretless.policies.asking import mixes
from regretless.policies.policy import Policy
from regretless.tables.off_menu import OffMenuPlayer


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


def review(
    episode: Episode, seat: int, policy: Policy, values: SlotValues | None = None
) -> list[ReviewedChoice]:
    """All decisions of a seat in order; `values` are those of the same policy.

    After a bet off the menu the strategy is asked about the translated hand (`off_menu.py`), and
    costs are unknown. Where the translated hand has ended, the mix is empty.
    """
    poker = view(episode).poker
    if poker is not None and not _is_on_menu(poker):
        return _off_menu(poker, seat, policy)
    chosen = decisions(episode, seat, [seat])
    if not chosen:
        return []
    hand = np.array([episode.hand(seat)])
    rows = mixes(policy, [spot for spot, _ in chosen], hand)
    found = []
    for (spot, slot), (row,) in zip(chosen, rows, strict=True):
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


def _is_on_menu(episode: _native.PokerEpisode) -> bool:
    return all(action in spot.offer for spot, _, action in replayed(episode))


def _off_menu(episode: _native.PokerEpisode, seat: int, policy: Policy) -> list[ReviewedChoice]:
    player = OffMenuPlayer(policy, episode.game)
    hand = np.array([episode.hand(seat)])
    found = []
    for spot, actor, action in replayed(episode, [seat]):
        if actor != seat:
            continue
        shown, beside, seen_as = view(spot), player.beside(spot, 0), None
        mix: list[tuple[str, float]] = []
        if beside is not None:
            row = mixes(policy, [beside], hand)[0][0]
            mix = [(beside.slot_text(each), float(row[each])) for each in legal_slots(beside)]
            seen = beside.slot_text(seen_slot(spot, beside, action, np.random.default_rng(0)))
            seen_as = None if action in spot.offer else seen
        place = ", ".join(each for each in (shown.street(), shown.stakes()) if each)
        found.append(ReviewedChoice(place, action_text(spot, action), mix, None, seen_as))
    return found
