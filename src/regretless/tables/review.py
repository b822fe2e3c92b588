# SPDX-License-Identifier: MIT
"""A hand looked at again: what a strategy does where somebody decided, and what it cost him."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regretless import _native
from regretless.games.episodes import Episode
from regretless.games.translation import action_text, seen_slot
from regretless.histories.choices import legal_slots
from regretless.histories.views import view
from regretless.matches.slot_values import SlotValues, own_decisions
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
    """What the strategy does there, and how often."""
    lost: float | None
    """Expected units that the choice gave away; None: not known."""
    seen_as: str | None = None
    """What the choice is on the menu of the strategy, where that is something else."""


def review(
    episode: Episode, seat: int, policy: Policy, values: SlotValues | None = None
) -> list[ReviewedChoice]:
    """All decisions of a seat, in their order; `values` are those of the same policy.

    Where somebody bet what is not on the menu, the strategy is asked about the hand as it is there
    (`off_menu.py`), and costs are not known. Once that has come to its end, its mix is empty.
    """
    if isinstance(episode, _native.PokerEpisode) and not _is_on_menu(episode):
        return _off_menu(episode, seat, policy)
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


def _replayed(
    episode: _native.PokerEpisode, seat: int
) -> Iterator[tuple[_native.PokerEpisode, int, int]]:
    """Every decision: the episode before it with the hand of `seat` alone, who acted, and how."""
    hole = [episode.hole(seat) if each == seat else [] for each in range(episode.game.num_players)]
    now = _native.PokerEpisode(episode.game, hole, episode.board)
    for actor, _, action, _ in episode.events:
        yield now, actor, action
        now.act(action)


def _is_on_menu(episode: _native.PokerEpisode) -> bool:
    return all(action in spot.offer for spot, _, action in _replayed(episode, 0))


def _off_menu(episode: _native.PokerEpisode, seat: int, policy: Policy) -> list[ReviewedChoice]:
    player = OffMenuPlayer(policy, episode.game)
    hand = np.array([episode.hand(seat)])
    found = []
    for spot, actor, action in _replayed(episode, seat):
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
