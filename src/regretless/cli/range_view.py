# SPDX-License-Identifier: MIT
"""The range of another seat as lines for a terminal."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from regretless.errors import InputError
from regretless.games.amounts import CHIPS, Amounts
from regretless.games.episodes import Episode, decisions
from regretless.games.face import view
from regretless.histories.seat_view import seat_names
from regretless.matches.slot_values import Posterior, posterior
from regretless.notation.hand_classes import hand_name
from regretless.policies.policy import Policy

_MOST_LINES = 15


def range_lines(
    episode: Episode, viewer: int, policy: Policy, amounts: Amounts = CHIPS
) -> Iterator[str]:
    """The likeliest hands, the last mix and the next answers of every other seat in the hand."""
    names = seat_names(episode, viewer)
    for seat in view(episode).live_seats():
        if seat == viewer:
            continue
        try:
            found = posterior(episode, seat, viewer, policy)
        except InputError as error:
            yield f"  {error}"
            return
        yield from map(amounts.in_text, _range(episode, names[seat], found))
        yield from map(amounts.in_text, _answers(episode, names[seat], found))


def _range(episode: Episode, name: str, found: Posterior) -> Iterator[str]:
    groups: dict[str, list[int]] = defaultdict(list)
    for number, hand in enumerate(found.hands):
        groups[hand_name(hand, episode.game.deck)].append(number)
    shares = {key: float(found.weights[rows].sum()) for key, rows in groups.items()}
    order = sorted(shares, key=lambda key: -shares[key])
    chosen = decisions(episode, found.seat)
    before = chosen[-1][0] if chosen else None
    if before is None:
        yield f"  {name} has not acted yet; it holds:"
    else:
        yield f"  {name} holds, and at its last decision chose:"
    for key in order[:_MOST_LINES]:
        mix = ""
        if before is not None and found.last_mix is not None:
            mix = "   " + _format(found.last_mix[groups[key]].mean(axis=0), before)
        yield f"    {key:6s} {shares[key]:6.1%}{mix}"
    rest = order[_MOST_LINES:]
    if rest:
        yield f"    {len(rest)} more, together {sum(shares[key] for key in rest):.1%}"


def _answers(episode: Episode, name: str, found: Posterior) -> Iterator[str]:
    if found.answers:
        yield f"  {name}'s answer, over its whole range, if you"
    for slot, row in found.answers.items():
        after = episode.copy()
        after.choose(slot)
        yield f"    {episode.slot_text(slot)}: {_format(row, after)}"


def _format(row: NDArray[np.float64], episode: Episode) -> str:
    """`34% check, 66% bet 2`: a mix in words."""
    slots = [slot for slot, p in enumerate(row) if p >= 0.005]
    return ", ".join(f"{row[slot]:.0%} {episode.slot_text(slot)}" for slot in slots)
